// Ends and draws that a position shows by itself: checkmate and stalemate (FIDE 5.1.1, 5.2.1), draw
// by material (the cheap part of 5.2.2), move-count limits (9.3, 9.6.2).
#pragma once

#include "host/rules/count.hpp"
#include "host/rules/make_move.hpp"

namespace cuarbiter {

enum class GameState : std::uint8_t {
  ongoing,
  checkmate,
  stalemate,
  dead_position,
  fivefold_repetition,
  seventyfive_moves,
  checks_in_a_row,  // the last two end games under house rules only
  checks_in_all,
};

// What can be told of one position. Bits of `flags`.
enum PositionFlag : std::uint8_t {
  kFlagInsufficientMaterial = 1,  // the simple table holds: no side can ever mate
  kFlagUsCannotWin = 2,           // the side to move can never mate, by material alone
  kFlagThemCannotWin = 4,         // the other side can never mate, by material alone
};

struct PositionFacts {
  std::uint16_t legal_moves = 0;
  std::uint8_t checkers = 0;  // men that give check to the side to move
  std::uint8_t flags = 0;     // PositionFlag bits
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

inline constexpr Bitboard kLightSquares = 0x55AA55AA55AA55AAu;

// K v K, K+B v K, K+N v K, and any number of bishops that all stand on one colour.
CUARBITER_HD_INLINE bool insufficient_material(const BoardView<Bitboard>& v) {
  if (v.pawns() | v.orthogonal_sliders()) return false;
  const Bitboard knights = v.knights();
  const Bitboard bishops = v.bishops();
  if (!knights) return !(bishops & kLightSquares) || !(bishops & ~kLightSquares);
  return !bishops && !(knights & (knights - 1));
}

// True when the side whose men are `own` can never mate whatever both play, by material alone:
// a bare king; bishops of one colour with no pawn, knight or other-coloured bishop on the board;
// one knight against nothing but queens. Sound, a mate on the board aside; not complete.
CUARBITER_HD_INLINE bool material_cannot_win(const BoardView<Bitboard>& v, Bitboard own) {
  if ((v.pawns() | v.orthogonal_sliders()) & own) return false;
  const Bitboard knights = v.knights() & own;
  const Bitboard bishops = v.bishops();
  if (knights) {
    const Bitboard rest = v.occupied & ~v.kings() & ~knights & ~(v.queens() & ~own);
    return !(knights & (knights - 1)) && !rest;
  }
  if (bishops & own) {
    const bool one_colour = !(bishops & kLightSquares) || !(bishops & ~kLightSquares);
    return one_colour && !(v.pawns() | v.knights());
  }
  return true;
}

// The flags of a position, PositionFlag bits.
CUARBITER_HD_INLINE std::uint8_t material_flags(const BoardView<Bitboard>& v) {
  // With pawns, rooks or queens on both sides none of them holds, as in most positions.
  const Bitboard strong = v.pawns() | v.orthogonal_sliders();
  if ((strong & v.us) && (strong & v.them)) return 0;
  return static_cast<std::uint8_t>((insufficient_material(v) ? kFlagInsufficientMaterial : 0) |
                                   (material_cannot_win(v, v.us) ? kFlagUsCannotWin : 0) |
                                   (material_cannot_win(v, v.them) ? kFlagThemCannotWin : 0));
}

// Everything classify needs to know of a position, in one go.
CUARBITER_HD PositionFacts position_facts(const Position& p) {
  const BoardView<Bitboard> v = view(p);
  const Constraints<Bitboard> k = constraints(v);
  PositionFacts f;
  f.legal_moves = static_cast<std::uint16_t>(count_legal_moves(v, k));
  f.checkers = static_cast<std::uint8_t>(popcount(k.checkers));
  f.flags = material_flags(v);
  return f;
}

// The state of a position with a halfmove clock (plies since the last capture or pawn move). A mate
// comes before every draw (FIDE 9.6.2). `limit` is the automatic draw's clock, 0 for none.
CUARBITER_HD_INLINE GameState state_of(const PositionFacts& f, unsigned halfmove_clock,
                                       unsigned limit) {
  if (f.legal_moves == 0) return f.checkers ? GameState::checkmate : GameState::stalemate;
  if (f.flags & kFlagInsufficientMaterial) return GameState::dead_position;
  if (limit && halfmove_clock >= limit) return GameState::seventyfive_moves;
  return GameState::ongoing;
}

CUARBITER_RULES_END
