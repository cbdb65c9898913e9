// Making moves: a position and a move give the position seen by the other side (FIDE 3.2-3.8).
//
// En passant is kept only where legal: after a double step the mark is set when one of the
// opponent's pawns can capture in passing without exposing its own king.
#pragma once

#include "host/rules/attacks.hpp"
#include "host/rules/position.hpp"

CUARBITER_RULES_BEGIN

// The men in `men` (theirs) that attack the square `bit`, one a lane, over a board occupied as
// given, which may differ from v's own: a move tried without being made. Their pawns attack
// downwards.
template <class W>
CUARBITER_HD_INLINE W attackers_of(const BoardView<W>& v, W bit, W occupied, W men) {
  return ((rook_rays(bit, occupied) & v.orthogonal_sliders()) |
          (bishop_rays(bit, occupied) & v.diagonal_sliders()) |
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

// Sets or drops the en passant mark of a double step to `landing` (a bit of the mover before the
// flip, on its rank 4) in the flipped child.
CUARBITER_HD_INLINE void mark_en_passant(Position& child, Bitboard landing) {
  child.d |= legal_en_passant(view(child), mirror_ranks(landing));
}

// The position after a plain move of the piece code Code from one square to another, capture or
// not. The code that arrives may differ (promotion). King moves give up the castling rights.
template <PieceType Code>
CUARBITER_HD_INLINE Position after_plain_move(const Position& p, Bitboard from, Bitboard to) {
  constexpr unsigned bits = static_cast<unsigned>(Code);
  const Bitboard keep = ~(from | to);
  Position n;
  n.a = (p.a & keep) | ((bits & 1) ? to : 0);
  n.b = (p.b & keep) | ((bits & 2) ? to : 0);
  n.c = (p.c & keep) | ((bits & 4) ? to : 0);
  n.d = p.d & keep;
  if constexpr (Code == PieceType::king) {
    const Bitboard rights = n.a & n.b & n.c & ~n.d;
    n.a ^= rights;
    n.b ^= rights;
  }
  return flipped(n);
}

CUARBITER_HD_INLINE Position after_double_push(const Position& p, Bitboard from, Bitboard to) {
  Position n = after_plain_move<PieceType::pawn>(p, from, to);
  mark_en_passant(n, to);
  return n;
}

CUARBITER_HD_INLINE Position after_en_passant(const Position& p, Bitboard from, Bitboard to) {
  const Bitboard victim = to >> 8;
  Position n = p;
  n.a = (n.a & ~from & ~victim) | to;
  n.d &= ~(to | victim);
  return flipped(n);
}

CUARBITER_HD_INLINE Position after_castling(const Position& p, Bitboard king, Bitboard rook) {
  const bool right = rook > king;
  const Bitboard king_to = right ? Bitboard{0x40} : Bitboard{0x04};
  const Bitboard rook_to = right ? Bitboard{0x20} : Bitboard{0x08};
  Position n;
  n.a = p.a & ~(king | rook);
  n.b = (p.b & ~(king | rook)) | king_to;
  n.c = (p.c & ~(king | rook)) | king_to | rook_to;
  n.d = p.d;
  const Bitboard rights = n.a & n.b & n.c & ~n.d;
  n.a ^= rights;
  n.b ^= rights;
  return flipped(n);
}

// The position after any move. The move must be pseudo-legal: nothing is checked.
CUARBITER_HD_INLINE Position make_move(const Position& p, Move m) {
  const Bitboard from = square_bit(m.from);
  const Bitboard to = square_bit(m.to);
  if (m.kind == MoveKind::castling) return after_castling(p, from, to);
  if (m.kind == MoveKind::en_passant) return after_en_passant(p, from, to);
  if (m.kind == MoveKind::double_push) return after_double_push(p, from, to);
  const PieceType code = m.promotion != PieceType::none ? m.promotion : piece_at(p, m.from);
  const unsigned bits = static_cast<unsigned>(code);
  const Bitboard keep = ~(from | to);
  Position n;
  n.a = (p.a & keep) | ((bits & 1) ? to : 0);
  n.b = (p.b & keep) | ((bits & 2) ? to : 0);
  n.c = (p.c & keep) | ((bits & 4) ? to : 0);
  n.d = p.d & keep;
  if (code == PieceType::king) {
    const Bitboard rights = n.a & n.b & n.c & ~n.d;
    n.a ^= rights;
    n.b ^= rights;
  }
  return flipped(n);
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
