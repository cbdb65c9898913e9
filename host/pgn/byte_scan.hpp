// The next of a few bytes in a text, and where they stand in a block of 64: sixteen at a time where
// the processor can.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace cuarbiter {

// The first byte in [p, end) that is one of Bytes, or `end`. Reads nothing outside.
template <char... Bytes>
inline const char* find_any(const char* p, const char* end) {
#if defined(__SSE2__)
  for (; end - p >= 16; p += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    __m128i hit = _mm_setzero_si128();
    ((hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8(Bytes)))), ...);
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hit));
    if (mask) return p + __builtin_ctz(mask);
  }
#elif defined(__ARM_NEON) && defined(__aarch64__)
  for (; end - p >= 16; p += 16) {
    const uint8x16_t v = vld1q_u8(reinterpret_cast<const std::uint8_t*>(p));
    uint8x16_t hit = vdupq_n_u8(0);
    ((hit = vorrq_u8(hit, vceqq_u8(v, vdupq_n_u8(static_cast<std::uint8_t>(Bytes))))), ...);
    // Four bits a byte.
    const std::uint64_t mask =
        vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(hit), 4)), 0);
    if (mask) return p + __builtin_ctzll(mask) / 4;
  }
#endif
  while (p != end && !((*p == Bytes) || ...)) ++p;
  return p;
}

inline constexpr unsigned kBlockBytes = 64;

// A bit for each of the 64 bytes at p, the first one's lowest: set where the byte is one of Bytes.
template <char... Bytes>
inline std::uint64_t block_mask(const char* p) {
  std::uint64_t mask = 0;
#if defined(__SSE2__)
  for (unsigned i = 0; i < kBlockBytes; i += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    __m128i hit = _mm_setzero_si128();
    ((hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8(Bytes)))), ...);
    mask |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(hit))) << i;
  }
#else
  for (unsigned i = 0; i < kBlockBytes; ++i) {
    mask |= static_cast<std::uint64_t>(((p[i] == Bytes) || ...)) << i;
  }
#endif
  return mask;
}

// The same for the bytes First .. Last (both of ASCII).
template <char First, char Last>
inline std::uint64_t block_range_mask(const char* p) {
  std::uint64_t mask = 0;
#if defined(__SSE2__)
  const __m128i span = _mm_set1_epi8(Last - First);
  for (unsigned i = 0; i < kBlockBytes; i += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    const __m128i above = _mm_sub_epi8(v, _mm_set1_epi8(First));
    const __m128i hit = _mm_cmpeq_epi8(_mm_min_epu8(above, span), above);
    mask |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(hit))) << i;
  }
#else
  for (unsigned i = 0; i < kBlockBytes; ++i) {
    mask |= static_cast<std::uint64_t>(p[i] >= First && p[i] <= Last) << i;
  }
#endif
  return mask;
}

// The same for bytes beyond ASCII.
inline std::uint64_t block_beyond_ascii(const char* p) {
  std::uint64_t mask = 0;
#if defined(__SSE2__)
  for (unsigned i = 0; i < kBlockBytes; i += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    mask |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(v))) << i;
  }
#else
  for (unsigned i = 0; i < kBlockBytes; ++i) {
    mask |= static_cast<std::uint64_t>(static_cast<unsigned char>(p[i]) >> 7) << i;
  }
#endif
  return mask;
}

// A bit for each of the 16 bytes at p: set where it is a letter, a digit or an underscore.
inline std::uint16_t word_mask(const char* p) {
#if defined(__SSE2__)
  const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const auto within = [](__m128i x, char first, char last) {
    const __m128i above = _mm_sub_epi8(x, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(static_cast<char>(last - first))),
                          above);
  };
  const __m128i letter = within(_mm_or_si128(v, _mm_set1_epi8(0x20)), 'a', 'z');
  const __m128i other = _mm_or_si128(within(v, '0', '9'), _mm_cmpeq_epi8(v, _mm_set1_epi8('_')));
  return static_cast<std::uint16_t>(_mm_movemask_epi8(_mm_or_si128(letter, other)));
#else
  unsigned mask = 0;
  for (unsigned i = 0; i < 16; ++i) {
    const char c = p[i];
    const bool word =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    mask |= (word ? 1u : 0u) << i;
  }
  return static_cast<std::uint16_t>(mask);
#endif
}

// Bit i of the result is the parity of bits 0 .. i.
inline std::uint64_t prefix_parity(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

}  // namespace cuarbiter
