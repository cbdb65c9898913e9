// Proofs that a side can never mate which are worth a try at every position: lines of play that are
// forced (forced_lines.hpp), and the fixpoint of mobility (mobility.hpp) where men look locked up.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "host/proof/mobility.hpp"
#include "host/rules/attacks.hpp"
#include "host/rules/forced_lines.hpp"

namespace cuarbiter {

namespace detail {

// Some queen, rook or knight of `own` has a move, checks and pins aside.
inline bool strong_men_move(const BoardView<Bitboard>& v, Bitboard own) {
  const Bitboard straight = v.orthogonal_sliders() & own, queens = v.queens() & own;
  const Bitboard beside = shift<kNorth>(straight) | shift<kSouth>(straight) |
                          shift<kEast>(straight) | shift<kWest>(straight) |
                          shift<kNorthEast>(queens) | shift<kNorthWest>(queens) |
                          shift<kSouthEast>(queens) | shift<kSouthWest>(queens);
  return ((beside | knight_attacks(v.knights() & own)) & ~own) != 0;
}

}  // namespace detail

// Of a board as the side in question sees it: it has no man that can play freely, as far as a
// glance tells. Its pawns have no move, or are all stopped by pawns and no two pawns can come to
// face each other for a capture; without pawns it has no men that mate by themselves. Nor has a
// queen, rook or knight a move, of the other side neither where a pawn could take it. Some
// nanoseconds; in positions of games seldom true.
inline bool looks_locked(const BoardView<Bitboard>& v) {
  const Bitboard pawns = v.pawns() & v.us, stoppers = v.pawns() & v.them;
  if (pawns) {
    const Bitboard aside = shift<kNorthEast>(pawns) | shift<kNorthWest>(pawns);
    if (((pawns << 8) & ~v.occupied) || (aside & v.them)) {
      Bitboard below = stoppers >> 8;
      below |= below >> 8;
      below |= below >> 16;
      below |= below >> 32;
      if (pawns & ~below) return false;
      // Where the pawns may come before they meet.
      Bitboard ours = pawns, theirs = stoppers;
      for (int step = 0; step < 5; ++step) {
        ours |= (ours << 8) & ~stoppers;
        theirs |= (theirs >> 8) & ~pawns;
      }
      if ((shift<kNorthEast>(ours) | shift<kNorthWest>(ours)) & theirs) return false;
    }
    if (detail::strong_men_move(v, v.them)) return false;
  } else {
    const Bitboard knights = v.knights() & v.us, bishops = v.bishops() & v.us;
    const bool both_colours = (bishops & kLightSquares) && (bishops & ~kLightSquares);
    if ((knights & (knights - 1)) || (knights && bishops) || both_colours) return false;
  }
  return !detail::strong_men_move(v, v.us);
}

// Of the `sides` (SideBits) those whose men look locked up and that can never mate, as mobility
// proves. A microsecond or two where they look so. Positions with one king a side.
inline std::uint8_t walls_exclude(const Position& position, std::uint8_t sides) {
  unsigned excluded = 0;
  for (const bool us : {true, false}) {
    const unsigned side = us ? kSideUs : kSideThem;
    if ((sides & side) && looks_locked(view(us ? position : flipped(position))) &&
        !Mobility(position, us).mate_is_possible()) {
      excluded |= side;
    }
  }
  return static_cast<std::uint8_t>(excluded);
}

// Those for which one of both proofs holds.
inline std::uint8_t quickly_excluded(const Position& position, std::uint8_t sides) {
  const unsigned forced = forced_lines_exclude(position, sides);
  const auto left = static_cast<std::uint8_t>(sides & ~forced);
  return static_cast<std::uint8_t>(forced | walls_exclude(position, left));
}

}  // namespace cuarbiter
