// Sixteen bytes of text at a time, as far as every processor of the kind has it: SSE2, NEON, or
// plain code.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace cuarbiter {

// Bytes that all bits are set of or none: what a comparison says of 16 bytes of text.
struct ByteHits {
#if defined(__SSE2__)
  __m128i bits;
#elif defined(__ARM_NEON) && defined(__aarch64__)
  uint8x16_t bits;
#else
  std::uint16_t bits;  // a bit a byte, the first one's lowest
#endif
};

inline ByteHits operator|(ByteHits x, ByteHits y) {
#if defined(__SSE2__)
  return {_mm_or_si128(x.bits, y.bits)};
#elif defined(__ARM_NEON) && defined(__aarch64__)
  return {vorrq_u8(x.bits, y.bits)};
#else
  return {static_cast<std::uint16_t>(x.bits | y.bits)};
#endif
}

// The first byte hit, or 16.
inline unsigned first_hit(ByteHits hits) {
#if defined(__SSE2__)
  return static_cast<unsigned>(
      __builtin_ctz(static_cast<unsigned>(_mm_movemask_epi8(hits.bits)) | 0x10000u));
#elif defined(__ARM_NEON) && defined(__aarch64__)
  // Four bits a byte.
  const std::uint64_t mask =
      vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(hits.bits), 4)), 0);
  return mask ? static_cast<unsigned>(__builtin_ctzll(mask)) / 4 : 16;
#else
  return static_cast<unsigned>(__builtin_ctz(hits.bits | 0x10000u));
#endif
}

// A bit for each byte of four times sixteen, the first one's lowest.
inline std::uint64_t mask_of(ByteHits a, ByteHits b, ByteHits c, ByteHits d) {
#if defined(__SSE2__)
  const auto bits = [](ByteHits hits) {
    return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(hits.bits)));
  };
  return bits(a) | (bits(b) << 16) | (bits(c) << 32) | (bits(d) << 48);
#elif defined(__ARM_NEON) && defined(__aarch64__)
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t ab = vpaddq_u8(vandq_u8(a.bits, weights), vandq_u8(b.bits, weights));
  const uint8x16_t cd = vpaddq_u8(vandq_u8(c.bits, weights), vandq_u8(d.bits, weights));
  const uint8x16_t all = vpaddq_u8(ab, cd);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
#else
  return a.bits | (static_cast<std::uint64_t>(b.bits) << 16) |
         (static_cast<std::uint64_t>(c.bits) << 32) | (static_cast<std::uint64_t>(d.bits) << 48);
#endif
}

class Bytes16 {
 public:
  explicit Bytes16(const char* p) {
#if defined(__SSE2__)
    bytes_ = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
#elif defined(__ARM_NEON) && defined(__aarch64__)
    bytes_ = vld1q_u8(reinterpret_cast<const std::uint8_t*>(p));
#else
    std::memcpy(bytes_, p, sizeof bytes_);
#endif
  }

  template <char... Bytes>
  ByteHits any_of() const {
    return (equal(Bytes) | ...);
  }

  // Bytes from `first` to `last`.
  ByteHits within(char first, char last) const {
#if defined(__SSE2__)
    return within(bytes_, first, last);
#elif defined(__ARM_NEON) && defined(__aarch64__)
    return within(bytes_, first, last);
#else
    return each([=](unsigned char c) {
      return c >= static_cast<unsigned char>(first) && c <= static_cast<unsigned char>(last);
    });
#endif
  }

  // Letters, digits and the underscore.
  ByteHits words() const {
#if defined(__SSE2__)
    return within(_mm_or_si128(bytes_, _mm_set1_epi8(0x20)), 'a', 'z') | within('0', '9') |
           equal('_');
#elif defined(__ARM_NEON) && defined(__aarch64__)
    return within(vorrq_u8(bytes_, vdupq_n_u8(0x20)), 'a', 'z') | within('0', '9') | equal('_');
#else
    return within('a', 'z') | within('A', 'Z') | within('0', '9') | equal('_');
#endif
  }

  ByteHits beyond_ascii() const {
#if defined(__SSE2__)
    return {bytes_};  // the high bits are what the mask is made of
#elif defined(__ARM_NEON) && defined(__aarch64__)
    return {vcgeq_u8(bytes_, vdupq_n_u8(0x80))};
#else
    return each([](unsigned char c) { return c >= 0x80; });
#endif
  }

 private:
  ByteHits equal(char byte) const {
#if defined(__SSE2__)
    return {_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(byte))};
#elif defined(__ARM_NEON) && defined(__aarch64__)
    return {vceqq_u8(bytes_, vdupq_n_u8(static_cast<std::uint8_t>(byte)))};
#else
    return each([=](unsigned char c) { return c == static_cast<unsigned char>(byte); });
#endif
  }

#if defined(__SSE2__)
  static ByteHits within(__m128i bytes, char first, char last) {
    const __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    const __m128i most = _mm_set1_epi8(static_cast<char>(last - first));
    return {_mm_cmpeq_epi8(_mm_min_epu8(above, most), above)};
  }
  __m128i bytes_;
#elif defined(__ARM_NEON) && defined(__aarch64__)
  static ByteHits within(uint8x16_t bytes, char first, char last) {
    const uint8x16_t above = vsubq_u8(bytes, vdupq_n_u8(static_cast<std::uint8_t>(first)));
    return {vcleq_u8(above, vdupq_n_u8(static_cast<std::uint8_t>(last - first)))};
  }
  uint8x16_t bytes_;
#else
  template <class F>
  ByteHits each(F&& holds) const {
    unsigned hits = 0;
    for (unsigned i = 0; i < 16; ++i) hits |= (holds(bytes_[i]) ? 1u : 0u) << i;
    return {static_cast<std::uint16_t>(hits)};
  }
  unsigned char bytes_[16];
#endif
};

}  // namespace cuarbiter
