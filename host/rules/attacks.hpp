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
inline constexpr Bitboard kDiagonal = 0x8040201008040201u;      // a1 .. h8
inline constexpr Bitboard kAntiDiagonal = 0x0102040810204080u;  // a8 .. h1
inline constexpr Bitboard kC1 = 0x04, kD1 = 0x08, kF1 = 0x20, kG1 = 0x40;

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

// What a square has to do with the rest of the board: its four lines (itself left out), the squares
// a knight and a king reach.
struct SquareMasks {
  Bitboard rank, file, diagonal, anti;
  Bitboard knight, king;
};

// The masks by arithmetic.
CUARBITER_HD_INLINE constexpr SquareMasks compute_masks(int square) {
  const Bitboard bit = Bitboard{1} << square;
  const int file = square & 7;
  const int rank = square >> 3;
  const int up = 8 * (rank - file);
  const int across = 8 * (rank + file - 7);
  SquareMasks m{};
  m.rank = (kRank1 << (square & 56)) ^ bit;
  m.file = (kFileA << file) ^ bit;
  m.diagonal = (up >= 0 ? kDiagonal << up : kDiagonal >> -up) ^ bit;
  m.anti = (across >= 0 ? kAntiDiagonal << across : kAntiDiagonal >> -across) ^ bit;
  const Bitboard east = (bit << 1) & ~kFileA, west = (bit >> 1) & ~kFileH;
  const Bitboard east2 = (east << 1) & ~kFileA, west2 = (west >> 1) & ~kFileH;
  const Bitboard one = east | west, two = east2 | west2;
  m.knight = (one << 16) | (one >> 16) | (two << 8) | (two >> 8);
  m.king = one | ((one | bit) << 8) | ((one | bit) >> 8);
  return m;
}

#if !defined(__CUDA_ARCH__)
struct SquareMaskTable {
  SquareMasks of[64];
  constexpr SquareMaskTable() : of{} {
    for (int square = 0; square < 64; ++square) of[square] = compute_masks(square);
  }
};
inline constexpr SquareMaskTable kSquareMasks{};
#endif

// The masks of a square: looked up on the host, where 3 KiB stay in the nearest cache, computed on
// a device, where threads of a warp would look up different lines.
CUARBITER_HD_INLINE SquareMasks masks_of(int square) {
#if defined(__CUDA_ARCH__)
  return compute_masks(square);
#else
  return kSquareMasks.of[square];
#endif
}

// Attacks along one line, given without its square; `lower_mask` has the squares below that one.
CUARBITER_HD_INLINE Bitboard line_attacks(Bitboard line, Bitboard lower_mask, Bitboard occupied) {
  const Bitboard men = line & occupied;
  const Bitboard lower = men & lower_mask;
  const Bitboard upper = men & ~lower_mask;
  const Bitboard nearest_below = Bitboard{1} << highest_square(lower | 1);
  return line & (upper ^ (upper - nearest_below));
}

// Attacks of a rook on `square`. `occupied` may hold the square itself.
CUARBITER_HD_INLINE Bitboard rook_attacks(int square, Bitboard occupied) {
  const SquareMasks m = masks_of(square);
  const Bitboard lower = square_bit(square) - 1;
  return line_attacks(m.rank, lower, occupied) | line_attacks(m.file, lower, occupied);
}

// Attacks of a bishop on `square`.
CUARBITER_HD_INLINE Bitboard bishop_attacks(int square, Bitboard occupied) {
  const SquareMasks m = masks_of(square);
  const Bitboard lower = square_bit(square) - 1;
  return line_attacks(m.diagonal, lower, occupied) | line_attacks(m.anti, lower, occupied);
}

// What one piece on a square attacks; not for pawns.
CUARBITER_HD Bitboard piece_attacks(PieceType type, int square, Bitboard occupied) {
  switch (type) {
    case PieceType::knight:
      return masks_of(square).knight;
    case PieceType::bishop:
      return bishop_attacks(square, occupied);
    case PieceType::rook:
      return rook_attacks(square, occupied);
    case PieceType::queen:
      return rook_attacks(square, occupied) | bishop_attacks(square, occupied);
    default:
      return masks_of(square).king;
  }
}

// The lines of one square a lane, whose bit is `bit` (or none: then no ray of them has a square).
template <class W>
struct SquareLines {
  W bit, rank, file, diagonal, anti;
};

namespace detail {

// Lines by number, eight to a word.
template <class W>
struct LineTables {
  static constexpr W kRanks = {kRank1,       kRank1 << 8,  kRank1 << 16, kRank1 << 24,
                               kRank1 << 32, kRank1 << 40, kRank1 << 48, kRank1 << 56};
  static constexpr W kFiles = {kFileA,      kFileA << 1, kFileA << 2, kFileA << 3,
                               kFileA << 4, kFileA << 5, kFileA << 6, kFileA << 7};
  // Diagonals by their rank on the a-file, from 0 up, and from -8.
  static constexpr W kUp = {kDiagonal,       kDiagonal << 8,  kDiagonal << 16, kDiagonal << 24,
                            kDiagonal << 32, kDiagonal << 40, kDiagonal << 48, kDiagonal << 56};
  static constexpr W kDown = {0,
                              kDiagonal >> 56,
                              kDiagonal >> 48,
                              kDiagonal >> 40,
                              kDiagonal >> 32,
                              kDiagonal >> 24,
                              kDiagonal >> 16,
                              kDiagonal >> 8};
  // The others by the sum of rank and file, from 0 and from 8.
  static constexpr W kLower = {kAntiDiagonal >> 56, kAntiDiagonal >> 48, kAntiDiagonal >> 40,
                               kAntiDiagonal >> 32, kAntiDiagonal >> 24, kAntiDiagonal >> 16,
                               kAntiDiagonal >> 8,  kAntiDiagonal};
  static constexpr W kUpper = {
      kAntiDiagonal << 8,  kAntiDiagonal << 16, kAntiDiagonal << 24, kAntiDiagonal << 32,
      kAntiDiagonal << 40, kAntiDiagonal << 48, kAntiDiagonal << 56, 0};
  // The files up to two away.
  static constexpr W kNearFiles = {kFileA * 0x07, kFileA * 0x0F, kFileA * 0x1F, kFileA * 0x3E,
                                   kFileA * 0x7C, kFileA * 0xF8, kFileA * 0xF0, kFileA * 0xE0};
};

}  // namespace detail

// The file and the rank of a square, given by its number.
template <class W>
CUARBITER_HD_INLINE W file_through(W square) {
  using Ops = WordOps<W>;
  if constexpr (HasPick<W>) {
    return Ops::pick(detail::LineTables<W>::kFiles, square);
  } else {
    return Ops::splat(kFileA) << (square & Ops::splat(7));
  }
}
template <class W>
CUARBITER_HD_INLINE W rank_through(W square) {
  using Ops = WordOps<W>;
  if constexpr (HasPick<W>) {
    return Ops::pick(detail::LineTables<W>::kRanks, square >> 3);
  } else {
    return Ops::splat(kRank1) << (square & Ops::splat(56));
  }
}

template <class W>
CUARBITER_HD_INLINE SquareLines<W> lines_of(W bit) {
  if constexpr (sizeof(W) == sizeof(Bitboard)) {
    if (!bit) return {0, 0, 0, 0, 0};
    const SquareMasks m = masks_of(lowest_square(bit));
    return {bit, m.rank, m.file, m.diagonal, m.anti};
  } else if constexpr (HasPick<W>) {
    using Ops = WordOps<W>;
    using Tables = detail::LineTables<W>;
    const W square = Ops::popcount(bit - Ops::splat(1));
    const W rank = square >> 3, file = square & Ops::splat(7);
    return {bit, rank_through(square), file_through(square),
            Ops::pick(Tables::kUp, Tables::kDown, rank - file),
            Ops::pick(Tables::kLower, Tables::kUpper, rank + file)};
  } else {
    using Ops = WordOps<W>;
    const W diagonal = Ops::splat(kDiagonal), anti = Ops::splat(kAntiDiagonal);
    const W square = Ops::popcount(bit - Ops::splat(1));  // 64 without a bit
    const W file = square & Ops::splat(7);
    const W row = square - file;
    const W up = row - (file << 3), across = row + (file << 3) - Ops::splat(56);
    const W zero = Ops::splat(0);
    return {bit, Ops::shift_left(Ops::splat(kRank1), row), Ops::splat(kFileA) << file,
            Ops::shift_left(diagonal, up) | Ops::shift_right(diagonal, zero - up),
            Ops::shift_left(anti, across) | Ops::shift_right(anti, zero - across)};
  }
}

namespace detail {

// Squares around c3, taken to others. What leaves the board on one side comes back on the other.
template <class W>
CUARBITER_HD_INLINE W moved_from_c3(Bitboard squares, W to) {
  using Ops = WordOps<W>;
  const W around = Ops::splat(squares), c3 = Ops::splat(18);
  return Ops::shift_left(around, to - c3) | Ops::shift_right(around, c3 - to);
}

}  // namespace detail

// From where men next to a square, one a lane, reach it: knights, kings, and pawns of the side that
// moves down. The lane's bit is given; without one there is nothing to be told.
template <class W>
struct SquareReach {
  W knights, kings, pawns;
};

template <class W>
CUARBITER_HD_INLINE SquareReach<W> reach_of(W bit) {
  if constexpr (HasPick<W>) {
    using Ops = WordOps<W>;
    const W square = Ops::popcount(bit - Ops::splat(1));
    const W near = Ops::pick(detail::LineTables<W>::kNearFiles, square);
    return {detail::moved_from_c3<W>(0x0A1100110Au, square) & near,
            detail::moved_from_c3<W>(0x0E0A0E00u, square) & near,
            detail::moved_from_c3<W>(0x0A000000u, square) & near};
  } else {
    return {knight_attacks(bit), king_attacks(bit),
            shift<kNorthEast>(bit) | shift<kNorthWest>(bit)};
  }
}

namespace detail {

// Attacks along a line that has one square a rank. Subtracting twice the square's bit turns the
// bits up to the first man; seen upside down the same goes for the other direction (the
// obstruction difference of "o^(o-2r)").
template <class W>
CUARBITER_HD_INLINE W steep_rays(W bit, W line, W occupied) {
  using Ops = WordOps<W>;
  const W men = line & occupied;
  const W ahead = men - (bit << 1);
  const W back = Ops::mirror(Ops::mirror(men) - (Ops::mirror(bit) << 1));
  return (ahead ^ back) & line;
}

// Along the rank: to the right by the same difference, to the left by spreading the men to the
// right over it.
template <class W>
CUARBITER_HD_INLINE W rank_rays(W bit, W rank, W occupied) {
  const W men = rank & occupied;
  const W left = bit - WordOps<W>::splat(1);
  W shadow = (men & left) >> 1;
  shadow = shadow | (shadow >> 1);
  shadow = shadow | (shadow >> 2);
  shadow = shadow | (shadow >> 4);
  return (((men - (bit << 1)) ^ men) | (left & ~shadow)) & rank;
}

// The same; to the left by the difference that a mirror shows, where there is one. Fewer steps, of
// which some take longer.
template <class W>
CUARBITER_HD_INLINE W mirrored_rank_rays(W bit, W rank, W occupied) {
  if constexpr (HasMirrorFiles<W>) {
    using Ops = WordOps<W>;
    const W men = rank & occupied;
    const W right = men - (bit << 1);
    const W left = Ops::mirror_files(Ops::mirror_files(men) - (Ops::mirror_files(bit) << 1));
    return (right ^ left) & rank;
  } else {
    return rank_rays(bit, rank, occupied);
  }
}

}  // namespace detail

// Attacks of a rook and of a bishop on the square whose lines are given, one a lane. `occupied` may
// hold the square itself.
template <class W>
CUARBITER_HD_INLINE W rook_rays(const SquareLines<W>& square, W occupied) {
  if constexpr (sizeof(W) == sizeof(Bitboard)) {
    const W lower = square.bit - 1;
    return line_attacks(square.rank, lower, occupied) | line_attacks(square.file, lower, occupied);
  } else {
    return detail::rank_rays(square.bit, square.rank, occupied) |
           detail::steep_rays(square.bit, square.file, occupied);
  }
}
template <class W>
CUARBITER_HD_INLINE W bishop_rays(const SquareLines<W>& square, W occupied) {
  if constexpr (sizeof(W) == sizeof(Bitboard)) {
    const W lower = square.bit - 1;
    return line_attacks(square.diagonal, lower, occupied) |
           line_attacks(square.anti, lower, occupied);
  } else {
    return detail::steep_rays(square.bit, square.diagonal, occupied) |
           detail::steep_rays(square.bit, square.anti, occupied);
  }
}

// The same line by line.
template <class W>
struct LineRays {
  W rank, file, diagonal, anti;
};
template <class W>
CUARBITER_HD_INLINE LineRays<W> line_rays(const SquareLines<W>& square, W occupied) {
  if constexpr (sizeof(W) == sizeof(Bitboard)) {
    const W lower = square.bit - 1;
    return {line_attacks(square.rank, lower, occupied), line_attacks(square.file, lower, occupied),
            line_attacks(square.diagonal, lower, occupied),
            line_attacks(square.anti, lower, occupied)};
  } else {
    return {detail::mirrored_rank_rays(square.bit, square.rank, occupied),
            detail::steep_rays(square.bit, square.file, occupied),
            detail::steep_rays(square.bit, square.diagonal, occupied),
            detail::steep_rays(square.bit, square.anti, occupied)};
  }
}

// The same for a square that is given by its bit (or none) and needed once.
template <class W>
CUARBITER_HD_INLINE W rook_rays(W bit, W occupied) {
  if constexpr (sizeof(W) == sizeof(Bitboard)) {
    return bit ? rook_attacks(lowest_square(bit), occupied) : W{0};
  } else {
    return rook_rays(lines_of(bit), occupied);
  }
}
template <class W>
CUARBITER_HD_INLINE W bishop_rays(W bit, W occupied) {
  if constexpr (sizeof(W) == sizeof(Bitboard)) {
    return bit ? bishop_attacks(lowest_square(bit), occupied) : W{0};
  } else {
    return bishop_rays(lines_of(bit), occupied);
  }
}

template <class W>
CUARBITER_HD_INLINE W bit_of(const SquareLines<W>& square) {
  return square.bit;
}
template <class W>
CUARBITER_HD_INLINE W bit_of(W bit) {
  return bit;
}

CUARBITER_RULES_END
