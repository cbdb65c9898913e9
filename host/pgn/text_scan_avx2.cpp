// Passes over text with AVX2: 32 bytes at a time.
#include <immintrin.h>

#include "host/pgn/byte_kinds.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

__m256i table_of(const detail::KindTable& table) {
  return _mm256_broadcastsi128_si256(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.kinds)));
}

// The bytes of 32 that are of one of the kinds.
std::uint64_t bytes_of(__m256i kinds, std::uint8_t wanted) {
  const __m256i found = _mm256_and_si256(kinds, _mm256_set1_epi8(static_cast<char>(wanted)));
  const __m256i others = _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
  return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(others));
}

struct Block {
  explicit Block(const char* text)
      : first(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(text))),
        second(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + 32))) {}
  template <char... Bytes>
  std::uint64_t any() const {
    __m256i low = _mm256_setzero_si256(), high = low;
    ((low = _mm256_or_si256(low, _mm256_cmpeq_epi8(first, _mm256_set1_epi8(Bytes)))), ...);
    ((high = _mm256_or_si256(high, _mm256_cmpeq_epi8(second, _mm256_set1_epi8(Bytes)))), ...);
    return joined(low, high);
  }
  std::uint64_t beyond_ascii() const { return joined(first, second); }

  static std::uint64_t joined(__m256i low, __m256i high) {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
           (static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(high)))
            << 32);
  }

  __m256i first, second;
};

void mask_blocks(const char* text, std::size_t blocks, BlockMasks* masks) {
  const __m256i upper = table_of(kUpperKinds), lower = table_of(kLowerKinds);
  const __m256i nibble = _mm256_set1_epi8(15);
  const auto kinds_at = [&](const char* p) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    // A byte beyond ASCII has no kind by its lower half: a look-up with its high bit set gives 0.
    return _mm256_and_si256(
        _mm256_shuffle_epi8(lower, v),
        _mm256_shuffle_epi8(upper, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble)));
  };
  for (std::size_t i = 0; i < blocks; ++i, text += kMaskBytes) {
    const __m256i first = kinds_at(text), second = kinds_at(text + 32);
    const auto mask = [&](std::uint8_t wanted) {
      return (bytes_of(first, wanted) & 0xFFFFFFFFu) | (bytes_of(second, wanted) << 32);
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

const TextScan& text_scan_avx2() {
  static constexpr TextScan table = {mask_blocks, skip_plain, look_at_bytes, count_line_ends};
  return table;
}

}  // namespace cuarbiter
