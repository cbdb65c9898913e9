// Passes over text by plain comparisons: sixteen bytes at a time where every processor of the kind
// can.
#include "host/pgn/byte_scan.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

struct Block {
  explicit Block(const char* text) : p(text) {}
  template <char... Bytes>
  std::uint64_t any() const {
    return block_mask<Bytes...>(p);
  }
  std::uint64_t beyond_ascii() const { return block_beyond_ascii(p); }

  const char* p;
};

void mask_blocks(const char* text, std::size_t blocks, BlockMasks* masks) {
  for (std::size_t i = 0; i < blocks; ++i, text += kMaskBytes) {
    BlockMasks& m = masks[i];
    m.space = block_mask<' ', '\n', '\r', '\t', '\v', '\f', '\0', '!', '?'>(text);
    m.dot = block_mask<'.'>(text);
    m.stop = block_mask<'(', ')', ';', '$'>(text);
    m.open = block_mask<'{'>(text);
    m.close = block_mask<'}'>(text);
    m.digit = block_range_mask<'0', '9'>(text);
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
