// Bit operations on 64-bit boards, written against a word type.
//
// The set-wise algorithms of the core (fills, attack maps, counting) are templates over the word
// type W: std::uint64_t here, vectors of it in the CPU backend. WordOps<W> holds the few operations
// that C++ operators do not give. A W must support & | ^ ~ << >> + - with itself, and shifts by
// int.
#pragma once

#include <cstdint>

#include "host/rules/target.hpp"
#include "host/rules/types.hpp"

CUARBITER_RULES_BEGIN

template <class W>
struct WordOps;

// Number of bits set, 0..64. On x86-64 without the instruction the compiler would call a function.
CUARBITER_HD_INLINE int popcount(Bitboard x) {
#if defined(__CUDA_ARCH__)
  return __popcll(x);
#elif defined(__x86_64__) && !defined(__POPCNT__)
  x = x - ((x >> 1) & 0x5555555555555555u);
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
  return static_cast<int>((x * 0x0101010101010101u) >> 56);
#else
  return __builtin_popcountll(x);
#endif
}

// Square of the lowest bit; x must not be 0.
CUARBITER_HD_INLINE int lowest_square(Bitboard x) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(x)) - 1;
#else
  return __builtin_ctzll(x);
#endif
}

// Square of the highest bit; x must not be 0.
CUARBITER_HD_INLINE int highest_square(Bitboard x) {
#if defined(__CUDA_ARCH__)
  return 63 - __clzll(static_cast<long long>(x));
#else
  return 63 - __builtin_clzll(x);
#endif
}

// Mirrors the ranks: a1 <-> a8.
CUARBITER_HD_INLINE Bitboard mirror_ranks(Bitboard x) {
#if defined(__CUDA_ARCH__)
  const std::uint32_t lo = static_cast<std::uint32_t>(x);
  const std::uint32_t hi = static_cast<std::uint32_t>(x >> 32);
  return (static_cast<Bitboard>(__byte_perm(lo, 0, 0x0123)) << 32) | __byte_perm(hi, 0, 0x0123);
#else
  return __builtin_bswap64(x);
#endif
}

CUARBITER_HD_INLINE Bitboard square_bit(int square) {
  return Bitboard{1} << square;
}

template <>
struct WordOps<std::uint64_t> {
  using Word = std::uint64_t;
  CUARBITER_HD_INLINE static Word splat(std::uint64_t x) { return x; }
  CUARBITER_HD_INLINE static Word popcount(Word x) {
    return static_cast<Word>(CUARBITER_TARGET::popcount(x));
  }
  // zero where `test` is 0, otherwise other, lane by lane.
  CUARBITER_HD_INLINE static Word select_zero(Word test, Word zero, Word other) {
    return test == 0 ? zero : other;
  }
  CUARBITER_HD_INLINE static Word min(Word x, Word y) { return x < y ? x : y; }
  CUARBITER_HD_INLINE static Word max(Word x, Word y) { return x < y ? y : x; }
  // true when any lane is not 0.
  CUARBITER_HD_INLINE static bool any(Word x) { return x != 0; }
  // Mirrors the ranks of each lane: a1 <-> a8.
  CUARBITER_HD_INLINE static Word mirror(Word x) { return mirror_ranks(x); }
  // The numbers of the lanes, from 0.
  CUARBITER_HD_INLINE static Word numbers() { return 0; }
  // A bit for each lane that is not 0, the first one's lowest.
  CUARBITER_HD_INLINE static unsigned lanes(Word x) { return x != 0 ? 1u : 0u; }
  // base[index], lane by lane.
  CUARBITER_HD_INLINE static Word gather(const std::uint32_t* base, Word index) {
    return base[index];
  }
  // The same for indices that stand in memory and have `first` added.
  CUARBITER_HD_INLINE static Word gather(const std::uint32_t* base, const std::uint64_t* index,
                                         std::uint64_t first) {
    return base[index[0] + first];
  }
  // Puts `value` into base[index], lane by lane; gives what was there. No two indices are the same.
  CUARBITER_HD_INLINE static Word exchange(std::uint16_t* base, Word index, std::uint16_t value) {
    const Word old = base[index];
    base[index] = value;
    return old;
  }
  // Writes the lanes of a, b, c and d as rows of four words: lane l to the address to[l] + offset.
  CUARBITER_HD_INLINE static void scatter_rows(Word a, Word b, Word c, Word d,
                                               const std::uint64_t* to, std::uint64_t offset) {
    auto* row = reinterpret_cast<std::uint64_t*>(to[0] + offset);
    row[0] = a;
    row[1] = b;
    row[2] = c;
    row[3] = d;
  }
};

// A word of eight lanes may have more operations:
//   mirror_files(x): mirrors the files of each lane, a1 <-> h1;
//   pick(table, index), pick(lower, upper, index): lane by lane the word of a table of eight, or of
//     sixteen, that the lowest three or four bits of the index name.
template <class W>
concept HasMirrorFiles = requires(W x) {
  WordOps<W>::mirror_files(x);
};
template <class W>
concept HasPick = requires(W x) {
  WordOps<W>::pick(x, x);
  WordOps<W>::pick(x, x, x);
};

// The lanes of a word as they stand in memory, the first one first.
template <class W>
CUARBITER_HD_INLINE W load_lanes(const std::uint64_t* from) {
  W w;
  __builtin_memcpy(&w, from, sizeof w);
  return w;
}
template <class W>
CUARBITER_HD_INLINE void store_lanes(std::uint64_t* to, W w) {
  __builtin_memcpy(to, &w, sizeof w);
}

// All bits of the lanes where x is 0, and where it is not.
template <class W>
CUARBITER_HD_INLINE W mask_if_zero(W x) {
  return WordOps<W>::select_zero(x, WordOps<W>::splat(~Bitboard{0}), WordOps<W>::splat(0));
}
template <class W>
CUARBITER_HD_INLINE W mask_if_set(W x) {
  return WordOps<W>::select_zero(x, WordOps<W>::splat(0), WordOps<W>::splat(~Bitboard{0}));
}
// All bits of the lanes where x is below y; both below 2^63.
template <class W>
CUARBITER_HD_INLINE W mask_if_below(W x, W y) {
  return WordOps<W>::splat(0) - ((x - y) >> 63);
}
// All bits of the lanes where bit N of x is set.
template <int N, class W>
CUARBITER_HD_INLINE W mask_of_bit(W x) {
  return WordOps<W>::splat(0) - ((x << (63 - N)) >> 63);
}
// Where the mask is set x, else y.
template <class W>
CUARBITER_HD_INLINE W blend(W mask, W x, W y) {
  return (x & mask) | (y & ~mask);
}

CUARBITER_RULES_END
