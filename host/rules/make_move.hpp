// Making moves: a position and a move give the position seen by the other side (FIDE 3.2-3.8).
//
// En passant is kept only where legal: after a double step the mark is set when one of the
// opponent's pawns can capture in passing without exposing its own king.
#pragma once

#include "host/rules/attacks.hpp"
#include "host/rules/position.hpp"

CUARBITER_RULES_BEGIN

// The men in `men` (theirs) that attack a square, one a lane, over a board occupied as given, which
// may differ from v's own: a move tried without being made. Their pawns attack downwards. The
// square is given by its bit or, where it is asked for more than once, by its lines.
template <class W, class Square>
CUARBITER_HD_INLINE W attackers_of(const BoardView<W>& v, const Square& square, W occupied, W men) {
  const W bit = bit_of(square);
  return ((rook_rays(square, occupied) & v.orthogonal_sliders()) |
          (bishop_rays(square, occupied) & v.diagonal_sliders()) |
          (knight_attacks(bit) & v.knights()) |
          ((shift<kNorthEast>(bit) | shift<kNorthWest>(bit)) & v.pawns()) |
          (king_attacks(bit) & v.kings())) &
         men;
}

// True when the side to move is in check.
CUARBITER_HD_INLINE bool in_check(const Position& p) {
  const BoardView<Bitboard> v = view(p);
  return attackers_of(v, v.kings() & v.us, v.occupied, v.them) != 0;
}

// True when the side not to move is in check: no lawful move can have led here.
CUARBITER_HD_INLINE bool opponent_in_check(const Position& p) {
  return in_check(flipped(p));
}

// Where the mover has a legal en passant capture of the pawn on `victim` (a bit on rank 5, one a
// lane, or none), the square passed over; else nothing. FIDE 3.7.3.1 and 3.9.2.
template <class W>
CUARBITER_HD_INLINE W legal_en_passant(const BoardView<W>& v, W victim) {
  using Ops = WordOps<W>;
  const W zero = Ops::splat(0);
  W rest = (shift<kEast>(victim) | shift<kWest>(victim)) & v.pawns() & v.us;
  if (!Ops::any(rest)) return zero;
  const W target = victim << 8;
  const W king = v.kings() & v.us;
  W legal = zero;
  while (Ops::any(rest)) {
    const W pawn = rest & (zero - rest);
    rest = rest ^ pawn;
    const W occupied = (v.occupied | target) & ~pawn & ~victim;
    const W attackers = attackers_of(v, king, occupied, v.them & ~victim);
    legal = legal | Ops::select_zero(attackers, pawn, zero);
  }
  return target & mask_if_set(legal);
}

// True when the mover has a legal en passant capture on `target` (a bit on rank 6 above an enemy
// pawn on rank 5).
CUARBITER_HD_INLINE bool en_passant_is_legal(const Position& p, Bitboard target) {
  return legal_en_passant(view(p), target >> 8) != 0;
}

// A piece code (PieceType) as masks: all ones where bit 0, 1 or 2 is set.
template <class W>
struct CodeMasks {
  W a, b, c;
};
template <class W>
CUARBITER_HD_INLINE CodeMasks<W> code_masks(W code) {
  using Ops = WordOps<W>;
  const W zero = Ops::splat(0), one = Ops::splat(1);
  return {zero - (code & one), zero - ((code >> 1) & one), zero - ((code >> 2) & one)};
}

// The boards after men have moved from one square to another, seen by the other side; W as in
// bits.hpp, one move a lane. `victim` is the square where a man is taken if one is: the target, or
// the pawn passed by. `code` is the piece code that arrives, the new piece on promotion. Kings (a
// mask) give up the castling rights. No en passant mark is set.
template <class W>
CUARBITER_HD_INLINE BoardView<W> after_men(const BoardView<W>& v, W from, W to, W victim,
                                           const CodeMasks<W>& code, W is_king) {
  // What leaves the planes besides the man itself: its origin is known last. A castling rook
  // becomes a rook by two of them.
  const W rights = v.castling_rooks() & v.us & is_king;
  const W gone = to | victim, gone_ab = gone | rights;
  const W keep = ~(from | gone), keep_ab = ~(from | gone_ab);
  const W a = (v.a & keep_ab) | (to & code.a);
  const W b = (v.b & keep_ab) | (to & code.b);
  const W c = (v.c & keep) | (to & code.c);
  return turned_round(a, b, c, (v.us & ~from) | to);
}
template <class W>
CUARBITER_HD_INLINE BoardView<W> after_men(const BoardView<W>& v, W from, W to, W victim, W code,
                                           W is_king) {
  return after_men(v, from, to, victim, code_masks(code), is_king);
}

// The boards after castling with the given rooks, on the king's right where the mask says so.
template <class W>
CUARBITER_HD_INLINE BoardView<W> after_castling(const BoardView<W>& v, W rook, W right) {
  using Ops = WordOps<W>;
  const W king = v.kings() & v.us;
  const W keep = ~(king | rook);
  const W king_to = blend(right, Ops::splat(kG1), Ops::splat(kC1));
  const W rook_to = blend(right, Ops::splat(kF1), Ops::splat(kD1));
  const W a = v.a & keep;
  const W b = (v.b & keep) | king_to;
  const W c = (v.c & keep) | king_to | rook_to;
  const W d = v.d & v.occupied;
  const W rights = a & b & c & ~d;
  return seen_by_other(a ^ rights, b ^ rights, c, d);
}

// The same for one position: a plain move of the piece code Code, which may differ from what moves
// (promotion).
template <PieceType Code>
CUARBITER_HD_INLINE Position after_plain_move(const Position& p, Bitboard from, Bitboard to) {
  return position_of(after_men<Bitboard>(view(p), from, to, to, static_cast<Bitboard>(Code),
                                         Code == PieceType::king ? ~Bitboard{0} : 0));
}

// Keeps en passant where it is legal.
CUARBITER_HD_INLINE Position after_double_push(const Position& p, Bitboard from, Bitboard to) {
  Position n = after_plain_move<PieceType::pawn>(p, from, to);
  n.d |= legal_en_passant(view(n), mirror_ranks(to));
  return n;
}

CUARBITER_HD_INLINE Position after_en_passant(const Position& p, Bitboard from, Bitboard to) {
  return position_of(
      after_men<Bitboard>(view(p), from, to, to >> 8, static_cast<Bitboard>(PieceType::pawn), 0));
}

CUARBITER_HD_INLINE Position after_castling(const Position& p, Bitboard king, Bitboard rook) {
  return position_of(after_castling<Bitboard>(view(p), rook, rook > king ? ~Bitboard{0} : 0));
}

// The position after any move. The move must be pseudo-legal: nothing is checked.
CUARBITER_HD_INLINE Position make_move(const Position& p, Move m) {
  const Bitboard from = square_bit(m.from);
  const Bitboard to = square_bit(m.to);
  if (m.kind == MoveKind::castling) return after_castling(p, from, to);
  if (m.kind == MoveKind::en_passant) return after_en_passant(p, from, to);
  if (m.kind == MoveKind::double_push) return after_double_push(p, from, to);
  const PieceType code = m.promotion != PieceType::none ? m.promotion : piece_at(p, m.from);
  return position_of(after_men<Bitboard>(view(p), from, to, to, static_cast<Bitboard>(code),
                                         code == PieceType::king ? ~Bitboard{0} : 0));
}

// True when a move takes a man or moves a pawn: the halfmove clock starts again (FIDE 9.3).
CUARBITER_HD_INLINE bool is_zeroing(const Position& p, Move m) {
  if (m.kind == MoveKind::castling) return false;
  const Bitboard from = square_bit(m.from);
  const Bitboard to = square_bit(m.to);
  const Bitboard occupied = p.a | p.b | p.c;
  return (occupied & to) != 0 || (p.a & ~p.b & ~p.c & from) != 0;
}

CUARBITER_RULES_END
