// Castling, FIDE 3.8.2 and Chess960 Guidelines II.3: the six conditions, over any word type.
//
// The king goes to the g-file when the rook stands on its right (a higher file), else to the
// c-file; the rook to f or d. Allowed when (1, 2) neither king nor that rook has moved: the rook
// carries the castling code; (3) every square between and on the way of both is free but for the
// two; (4) the king is not in check; (5) no square it crosses and (6) not the one it reaches is
// attacked. In Chess960 the rook may have shielded the king's new square: exactly then it is pinned
// on the rank.
#pragma once

#include "host/rules/constraints.hpp"

CUARBITER_RULES_BEGIN

// All bits from bit `low` to bit `high`, both single bits with low <= high, inclusive.
template <class W>
CUARBITER_HD_INLINE W span(W low, W high) {
  return (high << 1) - low;
}

// Where a move of the opponent can change whether a right may be used: `crossed` must not be
// attacked, `path` must be free. A right with an own man in the way cannot be used whatever the
// opponent does, and adds nothing.
template <class W>
struct CastlingSquares {
  W path, crossed;
};

namespace detail {

template <class W>
struct CastlingSide {
  W rook;     // the castling rook on that side, or none
  W path;     // from the outermost square concerned to the innermost
  W crossed;  // where the king passes, both ends included
};

template <class W>
CUARBITER_HD_INLINE CastlingSide<W> right_side(W king, W rooks) {
  using Ops = WordOps<W>;
  const W right = rooks & ~((king << 1) - Ops::splat(1));
  return {right, span(Ops::min(king, Ops::splat(kF1)), Ops::max(right, Ops::splat(kG1))),
          span(king, Ops::splat(kG1))};
}

template <class W>
CUARBITER_HD_INLINE CastlingSide<W> left_side(W king, W rooks) {
  using Ops = WordOps<W>;
  const W left = rooks & (king - Ops::splat(1));
  // Without a rook on the left `low` must still be a bit: the c-file serves.
  const W low = Ops::select_zero(left, Ops::splat(kC1), Ops::min(left, Ops::splat(kC1)));
  return {left, span(low, Ops::max(king, Ops::splat(kD1))),
          span(Ops::min(king, Ops::splat(kC1)), Ops::max(king, Ops::splat(kC1)))};
}

template <class W>
CUARBITER_HD_INLINE W usable_rook(const CastlingSide<W>& side, W blockers, W attacked) {
  const W bad = (side.path & blockers & ~side.rook) | (side.crossed & attacked);
  return WordOps<W>::select_zero(bad, side.rook, WordOps<W>::splat(0));
}

template <class W>
CUARBITER_HD_INLINE void add_castling_squares(const CastlingSide<W>& side, W own,
                                              CastlingSquares<W>& out) {
  const W open = mask_if_zero(side.path & own & ~side.rook) & mask_if_set(side.rook);
  out.path = out.path | (side.path & open);
  out.crossed = out.crossed | (side.crossed & open);
}

}  // namespace detail

template <class W>
CUARBITER_HD_INLINE CastlingSquares<W> castling_squares(const BoardView<W>& v, W king) {
  CastlingSquares<W> out{WordOps<W>::splat(0), WordOps<W>::splat(0)};
  const W rooks = v.castling_rooks() & v.us;
  detail::add_castling_squares(detail::right_side(king, rooks), v.us & ~king, out);
  detail::add_castling_squares(detail::left_side(king, rooks), v.us & ~king, out);
  return out;
}

// The own castling rooks with which castling is legal now.
template <class W, template <class> class K>
CUARBITER_HD_INLINE W legal_castling_rooks(const BoardView<W>& v, const K<W>& k) {
  const W rooks = v.castling_rooks() & v.us & ~k.pin_rank;
  const W blockers = v.occupied & ~k.king;
  return detail::usable_rook(detail::right_side(k.king, rooks), blockers, k.attacked) |
         detail::usable_rook(detail::left_side(k.king, rooks), blockers, k.attacked);
}

CUARBITER_RULES_END
