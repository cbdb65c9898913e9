// Movetext seen 64 bytes at a time: for each kind of byte a mask that tells where it stands. One
// function for each instruction set makes them; they agree in every bit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuarbiter {

inline constexpr unsigned kMaskBytes = 64;

// Bit i stands for byte i of the block.
struct BlockMasks {
  std::uint64_t space = 0;  // blank, line end or NUL
  std::uint64_t dot = 0;
  std::uint64_t stop = 0;  // { } ( ) ; $ ! ?
  std::uint64_t digit = 0;
  std::uint64_t brace = 0;  // { }
};

// Masks of `blocks` times 64 bytes from `text` on; all of them must be readable.
using MaskBlocks = void(const char* text, std::size_t blocks, BlockMasks* masks);

MaskBlocks mask_blocks_generic;
#if defined(__x86_64__)
MaskBlocks mask_blocks_avx2;
MaskBlocks mask_blocks_avx512;
#endif

// The one to use here: that of chosen_instruction_set(), or the widest.
MaskBlocks* mask_blocks();

}  // namespace cuarbiter
