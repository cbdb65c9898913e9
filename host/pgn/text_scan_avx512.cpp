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
  const __m512i nibble = _mm512_set1_epi8(15);
  for (std::size_t i = 0; i < blocks; ++i, text += kMaskBytes) {
    const __m512i v = _mm512_loadu_si512(text);
    // A byte beyond ASCII has no kind by its lower half: a look-up with its high bit set gives 0.
    const __m512i kinds = _mm512_and_si512(
        _mm512_shuffle_epi8(lower, v),
        _mm512_shuffle_epi8(upper, _mm512_and_si512(_mm512_srli_epi16(v, 4), nibble)));
    const auto mask = [&](std::uint8_t wanted) {
      return _mm512_test_epi8_mask(kinds, _mm512_set1_epi8(static_cast<char>(wanted)));
    };
    BlockMasks& m = masks[i];
    m.space = mask(kKindsOfSpace);
    m.dot = mask(kKindDot);
    m.stop = mask(kKindsOfStop);
    m.digit = mask(kKindDigit);
    m.brace = mask(kKindBrace);
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
