// Block masks of a slab's text, made as the reader moves through it.
#pragma once

#include <array>
#include <bit>
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

  // Masks of the 64 bytes from position `at` (below the slab's size) on.
  BlockMasks at(std::size_t at) {
    const BlockMasks* m = block(at / kMaskBytes);
    const unsigned shift = at % kMaskBytes;
    const auto joined = [&](std::uint64_t BlockMasks::*part) {
      return (m[0].*part >> shift) | ((m[1].*part << 1) << (kMaskBytes - 1 - shift));
    };
    BlockMasks out;
    out.space = joined(&BlockMasks::space);
    out.dot = joined(&BlockMasks::dot);
    out.stop = joined(&BlockMasks::stop);
    out.digit = joined(&BlockMasks::digit);
    out.open = joined(&BlockMasks::open);
    out.close = joined(&BlockMasks::close);
    return out;
  }

  // The first brace at or after position `at`, or `end`, which is at most the slab's size.
  std::size_t next_brace(std::size_t at, std::size_t end) {
    if (at >= end) return end;
    std::size_t number = at / kMaskBytes;
    std::uint64_t found = braces(number) & (~std::uint64_t{0} << (at % kMaskBytes));
    while (!found) {
      if (++number * kMaskBytes >= end) return end;
      found = braces(number);
    }
    const std::size_t brace = number * kMaskBytes + static_cast<unsigned>(std::countr_zero(found));
    return brace < end ? brace : end;
  }

 private:
  static constexpr std::size_t kWindow = 64;  // blocks

  // A block's masks, and the next one's behind them.
  const BlockMasks* block(std::size_t number) {
    if (number - first_ >= kWindow) fill(number);
    return &masks_[number - first_];
  }
  std::uint64_t braces(std::size_t number) {
    const BlockMasks* m = block(number);
    return m->open | m->close;
  }
  void fill(std::size_t number);

  const char* text_;
  std::size_t blocks_;  // that may be read
  const TextScan& scan_;
  std::size_t first_ = ~std::size_t{0} - kWindow;  // number of masks_[0]
  std::array<BlockMasks, kWindow + 1> masks_;
};

}  // namespace cuarbiter
