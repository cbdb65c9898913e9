// Passes over text with AVX-512: 64 bytes at a time.
#include <immintrin.h>

#include "host/pgn/byte_kinds.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

__m512i table_of(const detail::KindTable& table) {
  return _mm512_maskz_broadcast_i32x4(
      0xFFFF, _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.kinds)));
}

struct Block {
  explicit Block(const char* text) : bytes(_mm512_loadu_si512(text)) {}
  template <char... Bytes>
  std::uint64_t any() const {
    return (_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(Bytes)) | ...);
  }
  std::uint64_t beyond_ascii() const { return _mm512_movepi8_mask(bytes); }

  __m512i bytes;
};

void mask_blocks(const char* text, std::size_t blocks, BlockMasks* masks) {
  const __m512i upper = table_of(kUpperKinds), lower = table_of(kLowerKinds);
  for (std::size_t i = 0; i < blocks; ++i, text += kMaskBytes) {
    const Block block(text);
    // A byte beyond ASCII has no kind by its lower half: a look-up with its high bit set gives 0.
    const __m512i half = _mm512_and_si512(_mm512_srli_epi16(block.bytes, 4), _mm512_set1_epi8(15));
    const __m512i kinds =
        _mm512_and_si512(_mm512_shuffle_epi8(lower, block.bytes), _mm512_shuffle_epi8(upper, half));
    const auto bytes_of = [&](std::uint8_t wanted) {
      return _mm512_test_epi8_mask(kinds, _mm512_set1_epi8(static_cast<char>(wanted)));
    };
    BlockMasks& m = masks[i];
    m.space = bytes_of(kKindsOfSpace);
    m.dot = bytes_of(kKindDot);
    m.stop = bytes_of(kKindsOfStop);
    m.digit = bytes_of(kKindDigit);
    m.open = block.any<'{'>();
    m.close = block.any<'}'>();
  }
}

}  // namespace
}  // namespace cuarbiter

#include "host/pgn/text_scan_body.hpp"

namespace cuarbiter {

const TextScan& text_scan_avx512() {
  static constexpr TextScan table = {mask_blocks, skip_plain, look_at_bytes, count_line_ends};
  return table;
}

}  // namespace cuarbiter
