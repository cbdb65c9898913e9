// Whether one legal move leads from a position to another: how lines of one game are told in a list
// of positions.
#pragma once

#include "host/rules/movegen.hpp"

CUARBITER_RULES_BEGIN

// True when some legal move makes `next` (seen by the other side, as moves leave it) out of `p`.
// The positions must have one king a side. A few nanoseconds where the boards differ too much, as
// much as generating moves otherwise.
CUARBITER_HD bool one_move_leads(const Position& p, const Position& next) {
  const BoardView<Bitboard> v = view(p);
  const Position n = flipped(next);
  const BoardView<Bitboard> w = view(n);
  // The mover's men that are gone from their squares, and squares where it has come to.
  const Bitboard gone = v.us & ~w.us, come = w.us & ~v.us;
  // Nothing of the other side can be new.
  if ((w.them & ~v.them) || popcount(gone) > 2 || popcount(come) > 2) return false;
  bool found = false;
  for_each_legal_move(p, [&](Move m) {
    // Castling may leave each man where it is or change their places.
    const bool fits =
        m.kind == MoveKind::castling || ((square_bit(m.from) & gone) && (square_bit(m.to) & come));
    if (fits && !found) found = same_position(make_move(p, m), next);
  });
  return found;
}

CUARBITER_RULES_END
