// Whether one legal move leads from a position to another: how lines of one game are told in a list
// of positions.
#pragma once

#include "host/rules/movegen.hpp"

CUARBITER_RULES_BEGIN

namespace detail {

// The move that takes our man from one square to another, castling aside; false when a man like it
// does not move so. It may leave the king in check. `arrives`: what the man is then.
CUARBITER_HD_INLINE bool plain_move(const Position& p, const BoardView<Bitboard>& v, Bitboard from,
                                    Bitboard to, PieceType arrives, Move& move) {
  move = Move{};
  move.from = static_cast<Square>(lowest_square(from));
  move.to = static_cast<Square>(lowest_square(to));
  const PieceType type = piece_at(p, move.from);
  if (type != PieceType::pawn) return (piece_attacks(type, move.from, v.occupied) & to) != 0;
  const Bitboard ahead = (from << 8) & ~v.occupied;
  if (to & kRank8) move.promotion = arrives;
  if (to & ((ahead & kRank3) << 8) & ~v.occupied) {
    move.kind = MoveKind::double_push;
    return true;
  }
  const Bitboard aside = (shift<kNorthEast>(from) | shift<kNorthWest>(from)) & to;
  if (aside & v.en_passant) move.kind = MoveKind::en_passant;
  return (to & ahead) || (aside & (v.them | v.en_passant));
}

}  // namespace detail

// True when some legal move makes `next` (seen by the other side, as moves leave it) out of `p`.
// The positions must have one king a side. A few nanoseconds where the boards differ too much, some
// forty where one man has moved; moves are generated only where castling may explain it.
CUARBITER_HD bool one_move_leads(const Position& p, const Position& next) {
  const BoardView<Bitboard> v = view(p);
  const Position n = flipped(next);
  const BoardView<Bitboard> w = view(n);
  // The mover's men that are gone from their squares, and squares where it has come to.
  const Bitboard gone = v.us & ~w.us, come = w.us & ~v.us;
  // Nothing of the other side can be new.
  if (w.them & ~v.them) return false;
  if (gone && come && !(gone & (gone - 1)) && !(come & (come - 1))) {
    Move move;
    if (detail::plain_move(p, v, gone, come, code_at(n, lowest_square(come)), move)) {
      const Position child = make_move(p, move);
      if (same_position(child, next) && !opponent_in_check(child)) return true;
    }
  }
  // Castling may leave each man where it is or change their places.
  bool found = false;
  if (v.castling_rooks() & v.us) {
    for_each_legal_move(p, [&](Move m) {
      if (m.kind == MoveKind::castling && !found) found = same_position(make_move(p, m), next);
    });
  }
  return found;
}

CUARBITER_RULES_END
