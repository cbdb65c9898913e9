// How many men of each kind stand on a board, in one word: five bits a kind, White's pawns,
// knights, bishops, rooks, queens and kings from the lowest bit up, then Black's.
#pragma once

#include <cstdint>

#include "host/rules/position.hpp"

namespace cuarbiter {

using MenCounts = std::uint64_t;

inline constexpr unsigned kMenCountBits = 5;
inline constexpr MenCounts kMenCountMask = 31;
inline constexpr unsigned kMenCountBlack = 6 * kMenCountBits;  // where Black's begin

// The counts of one man. `kind`: pawn, knight, bishop, rook, queen, king as 0 to 5.
constexpr MenCounts one_man(unsigned kind, bool black) {
  return MenCounts{1} << (kMenCountBits * kind + (black ? kMenCountBlack : 0));
}

// How many men of a kind the low half of the counts names.
constexpr unsigned men_of_kind(MenCounts side, unsigned kind) {
  return static_cast<unsigned>((side >> (kMenCountBits * kind)) & kMenCountMask);
}

inline constexpr MenCounts kWhiteMen = (MenCounts{1} << kMenCountBlack) - 1;

// The counts of a position seen by the side to move, none of which is 32 or more.
inline MenCounts count_men(const Position& position, bool black_moves) {
  const BoardView<Bitboard> v = view(position);
  const Bitboard white = black_moves ? v.them : v.us, black = black_moves ? v.us : v.them;
  const Bitboard kinds[] = {v.pawns(), v.knights(), v.bishops(), v.rooks(), v.queens(), v.kings()};
  MenCounts counts = 0;
  for (unsigned kind = 6; kind-- > 0;) {
    const auto whites = static_cast<MenCounts>(popcount(kinds[kind] & white));
    const auto blacks = static_cast<MenCounts>(popcount(kinds[kind] & black));
    counts = counts << kMenCountBits | whites | blacks << kMenCountBlack;
  }
  return counts;
}

}  // namespace cuarbiter
