// Attacks: set-wise occluded fills (Kogge-Stone) for whole sets of men at once, and the attacks of
// a single slider by the obstruction-difference method. No tables: the same code suits a CUDA
// thread, a vector lane and a scalar core.
#pragma once

#include "host/rules/bits.hpp"

CUARBITER_RULES_BEGIN

inline constexpr Bitboard kFileA = 0x0101010101010101u;
inline constexpr Bitboard kFileH = 0x8080808080808080u;
inline constexpr Bitboard kRank1 = 0x00000000000000FFu;
inline constexpr Bitboard kRank3 = 0x0000000000FF0000u;
inline constexpr Bitboard kRank4 = 0x00000000FF000000u;
inline constexpr Bitboard kRank8 = 0xFF00000000000000u;

// Directions by compass as the mover sees the board; opposite directions differ by 4.
enum Direction : int {
  kNorth,
  kNorthEast,
  kEast,
  kSouthEast,
  kSouth,
  kSouthWest,
  kWest,
  kNorthWest
};

template <int D>
struct Step;
template <>
struct Step<kNorth> {
  static constexpr int delta = 8;
  static constexpr Bitboard landing = ~Bitboard{0};
};
template <>
struct Step<kNorthEast> {
  static constexpr int delta = 9;
  static constexpr Bitboard landing = ~Bitboard{0x0101010101010101u};
};
template <>
struct Step<kEast> {
  static constexpr int delta = 1;
  static constexpr Bitboard landing = ~Bitboard{0x0101010101010101u};
};
template <>
struct Step<kSouthEast> {
  static constexpr int delta = -7;
  static constexpr Bitboard landing = ~Bitboard{0x0101010101010101u};
};
template <>
struct Step<kSouth> {
  static constexpr int delta = -8;
  static constexpr Bitboard landing = ~Bitboard{0};
};
template <>
struct Step<kSouthWest> {
  static constexpr int delta = -9;
  static constexpr Bitboard landing = ~Bitboard{0x8080808080808080u};
};
template <>
struct Step<kWest> {
  static constexpr int delta = -1;
  static constexpr Bitboard landing = ~Bitboard{0x8080808080808080u};
};
template <>
struct Step<kNorthWest> {
  static constexpr int delta = 7;
  static constexpr Bitboard landing = ~Bitboard{0x8080808080808080u};
};

// x moved n steps in direction D without looking at the board's edge (left shifts are positive).
template <int D, int N, class W>
CUARBITER_HD_INLINE W raw_shift(W x) {
  constexpr int delta = Step<D>::delta * N;
  if constexpr (delta > 0) {
    return x << delta;
  } else {
    return x >> -delta;
  }
}

// x moved one step in direction D; what leaves the board is lost.
template <int D, class W>
CUARBITER_HD_INLINE W shift(W x) {
  if constexpr (D == kNorth || D == kSouth) {
    return raw_shift<D, 1>(x);
  } else {
    return raw_shift<D, 1>(x) & WordOps<W>::splat(Step<D>::landing);
  }
}

// The squares over which a slider may go on in direction D, doubled for the three steps of a fill.
template <class W>
struct Propagator {
  W one, two, four;
};

template <int D, class W>
CUARBITER_HD_INLINE Propagator<W> propagator(W empty) {
  Propagator<W> p;
  p.one = empty;
  if constexpr (D != kNorth && D != kSouth) p.one = empty & WordOps<W>::splat(Step<D>::landing);
  p.two = p.one & raw_shift<D, 1>(p.one);
  p.four = p.two & raw_shift<D, 2>(p.two);
  return p;
}

// The squares attacked in direction D by the sliders `from`: empty squares and the first man met.
template <int D, class W>
CUARBITER_HD_INLINE W slide(W from, const Propagator<W>& p) {
  W g = from;
  g = g | (p.one & raw_shift<D, 1>(g));
  g = g | (p.two & raw_shift<D, 2>(g));
  g = g | (p.four & raw_shift<D, 4>(g));
  return shift<D>(g);
}

// All squares attacked by knights.
template <class W>
CUARBITER_HD_INLINE W knight_attacks(W knights) {
  const W one_east = shift<kEast>(knights);
  const W one_west = shift<kWest>(knights);
  const W one = one_east | one_west;
  const W two = shift<kEast>(one_east) | shift<kWest>(one_west);
  return (one << 16) | (one >> 16) | (two << 8) | (two >> 8);
}

// All squares next to the given ones.
template <class W>
CUARBITER_HD_INLINE W king_attacks(W kings) {
  const W row = shift<kEast>(kings) | shift<kWest>(kings);
  const W rows = row | kings;
  return row | (rows << 8) | (rows >> 8);
}

// Attacks along one line through `square`: upper and lower are the line's squares above and below.
CUARBITER_HD_INLINE Bitboard line_attacks(Bitboard line, Bitboard lower_mask, Bitboard occupied) {
  const Bitboard men = line & occupied;
  const Bitboard lower = men & lower_mask;
  const Bitboard upper = men & ~lower_mask;
  const Bitboard nearest_below = Bitboard{1} << highest_square(lower | 1);
  return line & (upper ^ (upper - nearest_below));
}

// Attacks of a rook on `square`. `occupied` may hold the square itself.
CUARBITER_HD_INLINE Bitboard rook_attacks(int square, Bitboard occupied) {
  const Bitboard bit = square_bit(square);
  const Bitboard lower = bit - 1;
  const Bitboard rank = (kRank1 << (square & 56)) ^ bit;
  const Bitboard file = (kFileA << (square & 7)) ^ bit;
  return line_attacks(rank, lower, occupied) | line_attacks(file, lower, occupied);
}

// Attacks of a bishop on `square`.
CUARBITER_HD_INLINE Bitboard bishop_attacks(int square, Bitboard occupied) {
  constexpr Bitboard kDiagonal = 0x8040201008040201u;
  constexpr Bitboard kAntiDiagonal = 0x0102040810204080u;
  const Bitboard bit = square_bit(square);
  const Bitboard lower = bit - 1;
  const int file = square & 7;
  const int rank = square >> 3;
  const int up = 8 * (rank - file);
  const int across = 8 * (rank + file - 7);
  const Bitboard diagonal = (up >= 0 ? kDiagonal << up : kDiagonal >> -up) ^ bit;
  const Bitboard anti = (across >= 0 ? kAntiDiagonal << across : kAntiDiagonal >> -across) ^ bit;
  return line_attacks(diagonal, lower, occupied) | line_attacks(anti, lower, occupied);
}

CUARBITER_RULES_END
