// Vectors of 64-bit boards as word types of the rules core: 4 lanes (AVX2) or 8 lanes (AVX-512), by
// the compiler's vector extension. One position a lane.
#pragma once

#include "host/rules/bits.hpp"

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace cuarbiter {

#if defined(__AVX2__)
typedef std::uint64_t U64x4 __attribute__((vector_size(32)));
#endif
#if defined(__AVX512F__)
typedef std::uint64_t U64x8 __attribute__((vector_size(64)));
#endif

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

#if defined(__AVX2__)
template <>
struct WordOps<U64x4> {
  using Word = U64x4;
  static constexpr int kLanes = 4;
  CUARBITER_HD_INLINE static Word splat(std::uint64_t x) { return Word{x, x, x, x}; }
  // Nibble look-up and horizontal byte sums (W. Mula's method).
  CUARBITER_HD_INLINE static Word popcount(Word x) {
#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512VL__)
    return reinterpret_cast<Word>(_mm256_popcnt_epi64(reinterpret_cast<__m256i>(x)));
#else
    const __m256i v = reinterpret_cast<__m256i>(x);
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i bytes =
        _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(v, low)),
                        _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low)));
    return reinterpret_cast<Word>(_mm256_sad_epu8(bytes, _mm256_setzero_si256()));
#endif
  }
  CUARBITER_HD_INLINE static Word select_zero(Word test, Word zero, Word other) {
    return test == 0 ? zero : other;
  }
  // Each lane shifted by its own count; 0 from 64 on.
  CUARBITER_HD_INLINE static Word shift_left(Word x, Word by) {
    return reinterpret_cast<Word>(
        _mm256_sllv_epi64(reinterpret_cast<__m256i>(x), reinterpret_cast<__m256i>(by)));
  }
  CUARBITER_HD_INLINE static Word shift_right(Word x, Word by) {
    return reinterpret_cast<Word>(
        _mm256_srlv_epi64(reinterpret_cast<__m256i>(x), reinterpret_cast<__m256i>(by)));
  }
  CUARBITER_HD_INLINE static Word numbers() {
    return Word{0, 1, 2, 3};
  }
  CUARBITER_HD_INLINE static unsigned lanes(Word x) {
    const __m256i zero = _mm256_cmpeq_epi64(reinterpret_cast<__m256i>(x), _mm256_setzero_si256());
    return ~static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(zero))) & 15u;
  }
  CUARBITER_HD_INLINE static Word gather(const std::uint32_t* base, Word index) {
    return Word{base[index[0]], base[index[1]], base[index[2]], base[index[3]]};
  }
  CUARBITER_HD_INLINE static Word gather(const std::uint32_t* base, const std::uint64_t* index,
                                         std::uint64_t first) {
    return Word{base[index[0] + first], base[index[1] + first], base[index[2] + first],
                base[index[3] + first]};
  }
  CUARBITER_HD_INLINE static Word exchange(std::uint16_t* base, Word index, std::uint16_t value) {
    const Word old = {base[index[0]], base[index[1]], base[index[2]], base[index[3]]};
    for (int l = 0; l < 4; ++l) base[index[l]] = value;
    return old;
  }
  CUARBITER_HD_INLINE static void scatter_rows(Word a, Word b, Word c, Word d,
                                               const std::uint64_t* to, std::uint64_t offset) {
    const __m256i even_ab =
        _mm256_unpacklo_epi64(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b));
    const __m256i odd_ab =
        _mm256_unpackhi_epi64(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b));
    const __m256i even_cd =
        _mm256_unpacklo_epi64(reinterpret_cast<__m256i>(c), reinterpret_cast<__m256i>(d));
    const __m256i odd_cd =
        _mm256_unpackhi_epi64(reinterpret_cast<__m256i>(c), reinterpret_cast<__m256i>(d));
    const auto put = [&](std::uint64_t row, __m256i x) __attribute__((always_inline)) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(row + offset), x);
    };
    put(to[0], _mm256_permute2x128_si256(even_ab, even_cd, 0x20));
    put(to[1], _mm256_permute2x128_si256(odd_ab, odd_cd, 0x20));
    put(to[2], _mm256_permute2x128_si256(even_ab, even_cd, 0x31));
    put(to[3], _mm256_permute2x128_si256(odd_ab, odd_cd, 0x31));
  }
  CUARBITER_HD_INLINE static Word min(Word x, Word y) {
    return x < y ? x : y;
  }
  CUARBITER_HD_INLINE static Word max(Word x, Word y) {
    return x < y ? y : x;
  }
  CUARBITER_HD_INLINE static Word mirror(Word x) {
    const __m256i order = _mm256_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7,
                                           6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    return reinterpret_cast<Word>(_mm256_shuffle_epi8(reinterpret_cast<__m256i>(x), order));
  }
  CUARBITER_HD_INLINE static bool any(Word x) {
    return !_mm256_testz_si256(reinterpret_cast<__m256i>(x), reinterpret_cast<__m256i>(x));
  }
};
#endif

#if defined(__AVX512F__)
template <>
struct WordOps<U64x8> {
  using Word = U64x8;
  static constexpr int kLanes = 8;
  CUARBITER_HD_INLINE static Word splat(std::uint64_t x) { return Word{x, x, x, x, x, x, x, x}; }
  CUARBITER_HD_INLINE static Word popcount(Word x) {
    return reinterpret_cast<Word>(_mm512_popcnt_epi64(reinterpret_cast<__m512i>(x)));
  }
  CUARBITER_HD_INLINE static Word select_zero(Word test, Word zero, Word other) {
    return reinterpret_cast<Word>(_mm512_mask_mov_epi64(
        reinterpret_cast<__m512i>(zero),
        _mm512_test_epi64_mask(reinterpret_cast<__m512i>(test), reinterpret_cast<__m512i>(test)),
        reinterpret_cast<__m512i>(other)));
  }
  // Each lane shifted by its own count; 0 from 64 on.
  CUARBITER_HD_INLINE static Word shift_left(Word x, Word by) {
    return reinterpret_cast<Word>(
        _mm512_maskz_sllv_epi64(0xFF, reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(by)));
  }
  CUARBITER_HD_INLINE static Word shift_right(Word x, Word by) {
    return reinterpret_cast<Word>(
        _mm512_maskz_srlv_epi64(0xFF, reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(by)));
  }
  CUARBITER_HD_INLINE static Word numbers() { return Word{0, 1, 2, 3, 4, 5, 6, 7}; }
  CUARBITER_HD_INLINE static unsigned lanes(Word x) {
    return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(x));
  }
  CUARBITER_HD_INLINE static Word gather(const std::uint32_t* base, Word index) {
    const __m256i found = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), 0xFF,
                                                      reinterpret_cast<__m512i>(index), base, 4);
    return reinterpret_cast<Word>(_mm512_maskz_cvtepu32_epi64(0xFF, found));
  }
  CUARBITER_HD_INLINE static Word gather(const std::uint32_t* base, const std::uint64_t* index,
                                         std::uint64_t first) {
    const auto at = [&](int l) __attribute__((always_inline)) {
      return static_cast<int>(base[index[l] + first]);
    };
    const auto four = [&](int l) __attribute__((always_inline)) {
      __m128i x = _mm_cvtsi32_si128(at(l));
      x = _mm_insert_epi32(x, at(l + 1), 1);
      x = _mm_insert_epi32(x, at(l + 2), 2);
      return _mm_insert_epi32(x, at(l + 3), 3);
    };
    const __m256i all = _mm256_inserti128_si256(_mm256_castsi128_si256(four(0)), four(4), 1);
    return reinterpret_cast<Word>(_mm512_maskz_cvtepu32_epi64(0xFF, all));
  }
  // The indices are below 2^16.
  CUARBITER_HD_INLINE static Word exchange(std::uint16_t* base, Word index, std::uint16_t value) {
    const __m128i packed = _mm512_maskz_cvtepi64_epi16(0xFF, reinterpret_cast<__m512i>(index));
    const auto low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(packed));
    const auto high = static_cast<std::uint64_t>(_mm_extract_epi64(packed, 1));
    // One after the other: all loads before the stores is slower.
    const auto take = [&]<int kPlace>(__m128i & to, std::uint64_t four)
        __attribute__((always_inline)) {
      std::uint16_t& entry = base[(four >> (16 * (kPlace & 3))) & 0xFFFF];
      to = _mm_insert_epi16(to, entry, kPlace);
      entry = value;
    };
    __m128i front = _mm_setzero_si128(), back = front;
    take.template operator()<0>(front, low);
    take.template operator()<4>(back, high);
    take.template operator()<1>(front, low);
    take.template operator()<5>(back, high);
    take.template operator()<2>(front, low);
    take.template operator()<6>(back, high);
    take.template operator()<3>(front, low);
    take.template operator()<7>(back, high);
    return reinterpret_cast<Word>(_mm512_maskz_cvtepu16_epi64(0xFF, _mm_or_si128(front, back)));
  }
  CUARBITER_HD_INLINE static void scatter_rows(Word a, Word b, Word c, Word d,
                                               const std::uint64_t* to, std::uint64_t offset) {
    constexpr Word low = {0, 1, 8, 9, 4, 5, 12, 13}, high = {2, 3, 10, 11, 6, 7, 14, 15};
    const auto even = [](Word x, Word y) __attribute__((always_inline)) {
      return __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14);
    };
    const auto odd = [](Word x, Word y) __attribute__((always_inline)) {
      return __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15);
    };
    // Two rows go in one vector: the second one is four lanes on.
    const auto put = [&](int l, Word rows) __attribute__((always_inline)) {
      const U64x4 first = __builtin_shufflevector(rows, rows, 0, 1, 2, 3);
      const U64x4 second = __builtin_shufflevector(rows, rows, 4, 5, 6, 7);
      __builtin_memcpy(reinterpret_cast<void*>(to[l] + offset), &first, sizeof first);
      __builtin_memcpy(reinterpret_cast<void*>(to[l + 4] + offset), &second, sizeof second);
    };
    const Word even_ab = even(a, b), odd_ab = odd(a, b);
    const Word even_cd = even(c, d), odd_cd = odd(c, d);
    put(0, pick(even_ab, even_cd, low));
    put(1, pick(odd_ab, odd_cd, low));
    put(2, pick(even_ab, even_cd, high));
    put(3, pick(odd_ab, odd_cd, high));
  }
  CUARBITER_HD_INLINE static Word min(Word x, Word y) { return x < y ? x : y; }
  CUARBITER_HD_INLINE static Word max(Word x, Word y) { return x < y ? y : x; }
  CUARBITER_HD_INLINE static Word mirror(Word x) {
    constexpr Word order = {0x0001020304050607u, 0x08090A0B0C0D0E0Fu, 0x0001020304050607u,
                            0x08090A0B0C0D0E0Fu, 0x0001020304050607u, 0x08090A0B0C0D0E0Fu,
                            0x0001020304050607u, 0x08090A0B0C0D0E0Fu};
    return reinterpret_cast<Word>(
        _mm512_shuffle_epi8(reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(order)));
  }
  // Each byte times the matrix that turns its bits round.
  CUARBITER_HD_INLINE static Word mirror_files(Word x) {
    constexpr std::uint64_t kTurned = 0x8040201008040201u;
    return reinterpret_cast<Word>(_mm512_gf2p8affine_epi64_epi8(
        reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(splat(kTurned)), 0));
  }
  CUARBITER_HD_INLINE static Word pick(Word table, Word index) {
    return reinterpret_cast<Word>(_mm512_maskz_permutexvar_epi64(
        0xFF, reinterpret_cast<__m512i>(index), reinterpret_cast<__m512i>(table)));
  }
  CUARBITER_HD_INLINE static Word pick(Word lower, Word upper, Word index) {
    return reinterpret_cast<Word>(_mm512_permutex2var_epi64(reinterpret_cast<__m512i>(lower),
                                                            reinterpret_cast<__m512i>(index),
                                                            reinterpret_cast<__m512i>(upper)));
  }
  CUARBITER_HD_INLINE static bool any(Word x) {
    return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(x)) != 0;
  }
};
#endif

// Writes the lanes of x where `active` is not 0 to `out`, one after the other. Up to a whole vector
// is written there: what follows the lanes kept is left undefined. Returns their number.
struct LaneWriter {
  template <class W>
  CUARBITER_HD_INLINE explicit LaneWriter(const W& active) {
    std::uint64_t lanes[sizeof(W) / sizeof(std::uint64_t)];
    __builtin_memcpy(lanes, &active, sizeof active);
    for (unsigned i = 0; i < sizeof(W) / sizeof(std::uint64_t); ++i) {
      if (lanes[i]) kept[count++] = i;
    }
  }
  template <class W>
  CUARBITER_HD_INLINE void write(const W& x, std::uint64_t* out) const {
    std::uint64_t lanes[sizeof(W) / sizeof(std::uint64_t)];
    __builtin_memcpy(lanes, &x, sizeof x);
    for (unsigned i = 0; i < count; ++i) out[i] = lanes[kept[i]];
  }
  CUARBITER_HD_INLINE void write(const std::uint32_t* x, std::uint32_t* out) const {
    for (unsigned i = 0; i < count; ++i) out[i] = x[kept[i]];
  }
  unsigned count = 0;
  unsigned kept[8];
};

#if defined(__AVX512F__)
struct WideLaneWriter {
  CUARBITER_HD_INLINE explicit WideLaneWriter(const U64x8& active)
      : mask(_mm512_test_epi64_mask(reinterpret_cast<__m512i>(active),
                                    reinterpret_cast<__m512i>(active))),
        count(static_cast<unsigned>(__builtin_popcount(mask))) {}
  // Compressed in a register: straight to memory is slow on some processors.
  CUARBITER_HD_INLINE void write(const U64x8& x, std::uint64_t* out) const {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(mask, reinterpret_cast<__m512i>(x)));
  }
  CUARBITER_HD_INLINE void write(const std::uint32_t* x, std::uint32_t* out) const {
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(out),
        _mm256_maskz_compress_epi32(mask, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x))));
  }
  __mmask8 mask;
  unsigned count;
};
#endif

CUARBITER_RULES_END
