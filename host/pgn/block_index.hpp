// Block masks of a slab's text, made as the reader moves through it.
#pragma once

#include <array>
#include <cstddef>

#include "host/pgn/slab.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {

// Keeps the masks of a window of text: asked in rising order, it looks at every byte about once.
class BlockIndex {
 public:
  explicit BlockIndex(const Slab& slab)
      : text_(slab.text.data()),
        blocks_((slab.size + Slab::kPadding) / kMaskBytes),
        scan_(text_scan()) {}

  // The masks of a block (its number is its position divided by 64), and the next one's behind
  // them. They are good until the next call.
  const BlockMasks* block(std::size_t number) {
    if (number - first_ >= kWindow) fill(number);
    return &masks_[number - first_];
  }

 private:
  static constexpr std::size_t kWindow = 64;  // blocks

  void fill(std::size_t number);

  const char* text_;
  std::size_t blocks_;  // that may be read
  const TextScan& scan_;
  std::size_t first_ = ~std::size_t{0} - kWindow;  // number of masks_[0]
  std::array<BlockMasks, kWindow + 1> masks_;
};

}  // namespace cuarbiter
