// The 32-byte position, seen by the side to move.
//
// Four planes hold a 4-bit code per square. Planes a, b, c are bits 0..2 of the piece code
// (PieceType); plane d says whose man it is: 0 ours (the side to move), 1 theirs. On an empty
// square d marks the en passant square, and it is set only while a legal en passant capture exists.
// A rook that may still castle has its own code, so castling rights stand on the rook's square and
// Chess960 needs nothing more.
//
// Two positions are the same in the sense of the Laws (FIDE 9.2.3: placement, side to move,
// possible moves) exactly when their planes and the side to move are equal.
#pragma once

#include <cstdint>

#include "host/rules/bits.hpp"

namespace cuarbiter {

struct alignas(32) Position {
  Bitboard a = 0, b = 0, c = 0, d = 0;
};
static_assert(sizeof(Position) == 32);

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

CUARBITER_HD_INLINE bool same_position(const Position& x, const Position& y) {
  return ((x.a ^ y.a) | (x.b ^ y.b) | (x.c ^ y.c) | (x.d ^ y.d)) == 0;
}

// The piece sets of a position; W as in bits.hpp. Sets that name no side hold both sides' men.
template <class W>
struct BoardView {
  W a, b, c, d;
  W occupied, us, them, en_passant;

  CUARBITER_HD_INLINE BoardView(W a_, W b_, W c_, W d_)
      : a(a_),
        b(b_),
        c(c_),
        d(d_),
        occupied(a_ | b_ | c_),
        us(occupied & ~d_),
        them(occupied & d_),
        en_passant(d_ & ~occupied) {}

  CUARBITER_HD_INLINE W pawns() const { return a & ~b & ~c; }
  CUARBITER_HD_INLINE W knights() const { return b & ~a & ~c; }
  CUARBITER_HD_INLINE W bishops() const { return a & b & ~c; }
  CUARBITER_HD_INLINE W rooks() const { return c & ~(a ^ b); }
  CUARBITER_HD_INLINE W queens() const { return a & c & ~b; }
  CUARBITER_HD_INLINE W kings() const { return b & c & ~a; }
  CUARBITER_HD_INLINE W castling_rooks() const { return a & b & c; }
  // Bishops and queens; rooks and queens.
  CUARBITER_HD_INLINE W diagonal_sliders() const { return a & (b ^ c); }
  CUARBITER_HD_INLINE W orthogonal_sliders() const { return c & (a | ~b); }
};

CUARBITER_HD_INLINE BoardView<Bitboard> view(const Position& p) {
  return BoardView<Bitboard>(p.a, p.b, p.c, p.d);
}

// The piece code on a square (0..7).
CUARBITER_HD_INLINE PieceType code_at(const Position& p, int square) {
  return static_cast<PieceType>(((p.a >> square) & 1) | (((p.b >> square) & 1) << 1) |
                                (((p.c >> square) & 1) << 2));
}

// The piece on a square, a castling rook read as a rook.
CUARBITER_HD_INLINE PieceType piece_at(const Position& p, int square) {
  const PieceType code = code_at(p, square);
  return code == PieceType::castling_rook ? PieceType::rook : code;
}

// Puts a man on an empty square; theirs when `enemy`.
CUARBITER_HD_INLINE void put_piece(Position& p, int square, PieceType code, bool enemy) {
  const Bitboard bit = square_bit(square);
  const unsigned bits = static_cast<unsigned>(code);
  p.a |= (bits & 1) ? bit : 0;
  p.b |= (bits & 2) ? bit : 0;
  p.c |= (bits & 4) ? bit : 0;
  p.d |= enemy ? bit : 0;
}

CUARBITER_HD_INLINE Position position_of(const BoardView<Bitboard>& v) {
  Position p;
  p.a = v.a;
  p.b = v.b;
  p.c = v.c;
  p.d = v.d;
  return p;
}

// The board of these planes seen by the other side, to which `ours` are the opponent's men.
template <class W>
CUARBITER_HD_INLINE BoardView<W> turned_round(W a, W b, W c, W ours) {
  using Ops = WordOps<W>;
  return BoardView<W>(Ops::mirror(a), Ops::mirror(b), Ops::mirror(c), Ops::mirror(ours));
}

// The same board seen by the other side: colours swapped, ranks mirrored. An en passant mark among
// the bits of d is dropped.
template <class W>
CUARBITER_HD_INLINE BoardView<W> seen_by_other(W a, W b, W c, W d) {
  return turned_round(a, b, c, (a | b | c) & ~d);
}
CUARBITER_HD_INLINE Position flipped(const Position& p) {
  return position_of(seen_by_other(p.a, p.b, p.c, p.d));
}

// A 64-bit mix of the planes, for sorting and table look-up. No answer may depend on two different
// positions having different mixes.
template <class W>
CUARBITER_HD_INLINE W planes_mix(W a, W b, W c, W d) {
  using Ops = WordOps<W>;
  W h = a * Ops::splat(0x9E3779B97F4A7C15u);
  h = h ^ (h >> 32);
  h = (h ^ b) * Ops::splat(0xD6E8FEB86659FD93u);
  h = h ^ (h >> 32);
  h = (h ^ c) * Ops::splat(0xA0761D6478BD642Fu);
  h = h ^ (h >> 32);
  h = (h ^ d) * Ops::splat(0xE7037ED1A0B428DBu);
  return h ^ (h >> 29);
}
CUARBITER_HD_INLINE std::uint64_t position_mix(const Position& p) {
  return planes_mix(p.a, p.b, p.c, p.d);
}

CUARBITER_RULES_END
