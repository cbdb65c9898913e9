// Masks of blocks by plain comparisons, sixteen bytes at a time where every processor of the kind
// can.
#include "host/batch/instruction_set.hpp"
#include "host/pgn/block_masks.hpp"
#include "host/pgn/byte_scan.hpp"

namespace cuarbiter {

void mask_blocks_generic(const char* text, std::size_t blocks, BlockMasks* masks) {
  for (std::size_t i = 0; i < blocks; ++i, text += kMaskBytes) {
    BlockMasks& m = masks[i];
    m.space = block_mask<' ', '\n', '\r', '\t', '\v', '\f', '\0'>(text);
    m.dot = block_mask<'.'>(text);
    m.brace = block_mask<'{', '}'>(text);
    m.stop = m.brace | block_mask<'(', ')', ';', '$', '!', '?'>(text);
    m.digit = block_range_mask<'0', '9'>(text);
  }
}

MaskBlocks* mask_blocks() {
#if defined(__x86_64__)
  switch (chosen_instruction_set().value_or(widest_instruction_set())) {
    case InstructionSet::avx512:
      return mask_blocks_avx512;
    case InstructionSet::avx2:
      return mask_blocks_avx2;
    default:
      break;
  }
#endif
  return mask_blocks_generic;
}

}  // namespace cuarbiter
