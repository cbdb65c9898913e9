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

// The own castling rooks with which castling is legal now.
template <class W>
CUARBITER_HD_INLINE W legal_castling_rooks(const BoardView<W>& v, const Constraints<W>& k) {
  using Ops = WordOps<W>;
  const W zero = Ops::splat(0);
  const W rooks = v.castling_rooks() & v.us & ~k.pin_rank;
  const W right = rooks & ~((k.king << 1) - Ops::splat(1));
  const W left = rooks & (k.king - Ops::splat(1));
  const W blockers = v.occupied & ~k.king;
  W legal = zero;
  {
    const W path = span(Ops::min(k.king, Ops::splat(kF1)), Ops::max(right, Ops::splat(kG1)));
    const W crossed = span(k.king, Ops::splat(kG1));
    const W bad = (path & blockers & ~right) | (crossed & k.attacked);
    legal = legal | Ops::select_zero(bad, right, zero);
  }
  {
    // Without a rook on the left `low` must still be a bit: the c-file serves.
    const W low = Ops::select_zero(left, Ops::splat(kC1), Ops::min(left, Ops::splat(kC1)));
    const W path = span(low, Ops::max(k.king, Ops::splat(kD1)));
    const W crossed = span(Ops::min(k.king, Ops::splat(kC1)), Ops::max(k.king, Ops::splat(kC1)));
    const W bad = (path & blockers & ~left) | (crossed & k.attacked);
    legal = legal | Ops::select_zero(bad, left, zero);
  }
  return legal;
}

CUARBITER_RULES_END
