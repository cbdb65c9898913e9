// Passes over text by plain comparisons, with what every processor of the kind has.
#include "host/pgn/byte_scan.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

using Block = Block64;

void mask_blocks(const char* text, std::size_t blocks, BlockMasks* masks) {
  for (std::size_t i = 0; i < blocks; ++i, text += kMaskBytes) {
    const Block block(text);
    BlockMasks& m = masks[i];
    m.space = block.within('\t', '\r') | block.within(' ', '!') | block.any<'\0', '?'>();
    m.dot = block.any<'.'>();
    m.stop = block.within('(', ')') | block.any<';', '$'>();
    m.open = block.any<'{'>();
    m.close = block.any<'}'>();
    m.digit = block.within('0', '9');
  }
}

}  // namespace
}  // namespace cuarbiter

#include "host/pgn/text_scan_body.hpp"

namespace cuarbiter {

const TextScan& text_scan_generic() {
  static constexpr TextScan table = {mask_blocks, skip_plain, look_at_bytes, count_line_ends};
  return table;
}

}  // namespace cuarbiter
