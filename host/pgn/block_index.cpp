#include "host/pgn/block_index.hpp"

#include <algorithm>

namespace cuarbiter {

void BlockIndex::fill(std::size_t number) {
  const std::size_t there = number < blocks_ ? std::min(blocks_ - number, masks_.size()) : 0;
  scan_.mask_blocks(text_ + number * kMaskBytes, there, masks_.data());
  std::fill(masks_.begin() + static_cast<std::ptrdiff_t>(there), masks_.end(), BlockMasks{});
  first_ = number;
}

}  // namespace cuarbiter
