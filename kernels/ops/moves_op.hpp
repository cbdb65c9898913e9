// Lists the legal moves of position i with what each of them is and does: capture, en passant,
// castling, promotion (FIDE 3), check, checkmate, stalemate (3.9, 5.1.1, 5.2.1).
#pragma once

#include <cstdint>

#include "host/backend.hpp"
#include "host/rules/movegen.hpp"

CUARBITER_RULES_BEGIN

// The MoveFlag bits of a legal move.
CUARBITER_HD_INLINE std::uint8_t move_flags(const Position& p, Move m) {
  unsigned flags = 0;
  if (m.kind == MoveKind::castling) {
    flags |= kMoveCastling;
  } else if (m.kind == MoveKind::en_passant) {
    flags |= kMoveCapture | kMoveEnPassant;
  } else {
    if ((p.a | p.b | p.c) & square_bit(m.to)) flags |= kMoveCapture;
    if (m.kind == MoveKind::double_push) flags |= kMoveDoublePush;
    if (m.promotion != PieceType::none) flags |= kMovePromotion;
  }
  const BoardView<Bitboard> child = view(make_move(p, m));
  const Constraints<Bitboard> k = constraints(child);
  const bool stuck = count_legal_moves(child, k) == 0;
  if (k.checkers) {
    flags |= stuck ? kMoveCheck | kMoveCheckmate : kMoveCheck;
  } else if (stuck) {
    flags |= kMoveStalemate;
  }
  return static_cast<std::uint8_t>(flags);
}

// Writes the facts of the legal moves of `p` from `out` on and returns the end. There are as many
// as p has legal moves.
CUARBITER_HD_INLINE MoveFacts* write_moves(const Position& p, MoveFacts* out) {
  MoveFacts* end = out;
  for_each_legal_move(p, [&end](Move m) { (end++)->move = m; });
  for (; out != end; ++out) out->flags = move_flags(p, out->move);
  return end;
}

// One call a position. The moves of position i begin at ends[i - 1] less `base`, those of position
// 0 at 0. `ends` is (a part of) an inclusive scan of the counts, and `base` what precedes that
// part.
struct MovesOp {
  const Position* positions;
  const std::uint64_t* ends;
  std::uint64_t base;
  MoveFacts* moves;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const Position p = positions[i];
    write_moves(p, moves + (i == 0 ? 0 : ends[i - 1] - base));
  }
};

CUARBITER_RULES_END
