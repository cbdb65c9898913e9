// Lines of play so forced that all of them are looked at: most of those who cannot win although
// they have men enough lose them to a capture that has to be made, or are mated (FIDE 5.2.2, 6.9).
#pragma once

#include "host/rules/game_state.hpp"
#include "host/rules/movegen.hpp"

CUARBITER_RULES_BEGIN

// Positions with more legal moves are not followed, nor are more plies than kForcedPlies or more
// positions than kForcedPositions in all.
inline constexpr unsigned kForcedMoves = 8;
inline constexpr unsigned kForcedPlies = 6;
inline constexpr unsigned kForcedPositions = 64;

// Of the `sides` of a position (SideBits) those for which every line of play ends where they can
// never mate: by material, at stalemate, or mated themselves. Of the others nothing is proved.
// Positions with one king a side.
CUARBITER_HD std::uint8_t forced_lines_exclude(const Position& root, std::uint8_t sides) {
  Position open[kForcedPlies][kForcedMoves];  // by ply, those still to be looked at
  unsigned count[kForcedPlies];
  unsigned ply = 0, left = sides;
  Position p = root;
  for (unsigned looked_at = 0; left != 0; ++looked_at) {
    if (looked_at == kForcedPositions) return 0;
    const BoardView<Bitboard> v = view(p);
    const unsigned mover = ply % 2 == 0 ? kSideUs : kSideThem;
    const unsigned other = mover ^ (kSideUs | kSideThem);
    const unsigned spent =
        (material_cannot_win(v, v.us) ? mover : 0u) | (material_cannot_win(v, v.them) ? other : 0u);
    // A mate on the board comes before what men can do.
    if ((left & ~spent) != 0 || ((left & other) != 0 && in_check(p))) {
      const Constraints<Bitboard> k = constraints(v);
      const unsigned moves = static_cast<unsigned>(count_legal_moves(v, k));
      if (moves == 0) {
        if (k.checkers) left &= mover;
      } else if (moves > kForcedMoves || ply == kForcedPlies) {
        left &= spent;
      } else if ((left & ~spent) != 0) {
        Position* end = open[ply];
        for_each_child(p, [&end](const Position& child) { *end++ = child; });
        count[ply++] = moves;
      }
    }
    while (ply != 0 && count[ply - 1] == 0) --ply;
    if (ply == 0) break;
    p = open[ply - 1][--count[ply - 1]];
  }
  return static_cast<std::uint8_t>(left);
}

CUARBITER_RULES_END
