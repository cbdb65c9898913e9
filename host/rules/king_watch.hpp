// What is known of the mover's king before any move is looked up: who gives check, and which men
// may be pinned. Enough to tell of nearly every move whether it leaves the king in check (FIDE 3.9)
// without trying it. Branch-free, over any word type.
#pragma once

#include "host/rules/attacks.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

template <class W>
struct KingWatch {
  W checkers;  // their men that give check
  W guards;    // our men that may be pinned; no other is
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

template <class W>
CUARBITER_HD_INLINE KingWatch<W> king_watch(const BoardView<W>& v, W king) {
  const SquareLines<W> lines = lines_of(king);
  const W orthogonal = v.orthogonal_sliders() & v.them;
  const W diagonal = v.diagonal_sliders() & v.them;
  const LineRays<W> near_rays = line_rays(lines, v.occupied);
  const W rook = near_rays.rank | near_rays.file, bishop = near_rays.diagonal | near_rays.anti;
  const W rook_checks = rook & orthogonal, bishop_checks = bishop & diagonal;
  const W zero = WordOps<W>::splat(0);
  const SquareReach<W> near = reach_of(king);
  KingWatch<W> watch;
  watch.checkers = rook_checks | bishop_checks |
                   (((near.knights & v.knights()) | (near.pawns & v.pawns())) & v.them);
  if constexpr (sizeof(W) == sizeof(Bitboard)) {
    // Nobody far off on a line to the king: no pins.
    watch.guards = zero;
    if (!(((lines.rank | lines.file) & orthogonal & ~rook_checks) |
          ((lines.diagonal | lines.anti) & diagonal & ~bishop_checks))) {
      return watch;
    }
  }
  // Behind the first men on a line stand those that pin.
  const W first = (rook | bishop) & v.us;
  const W behind = v.occupied & ~first;
  const LineRays<W> far_rays = line_rays(lines, behind);
  const W rook_pins = (far_rays.rank | far_rays.file) & orthogonal & ~rook_checks;
  const W bishop_pins = (far_rays.diagonal | far_rays.anti) & diagonal & ~bishop_checks;
  watch.guards = first & (WordOps<W>::select_zero(rook_pins, zero, rook) |
                          WordOps<W>::select_zero(bishop_pins, zero, bishop));
  return watch;
}
template <class W>
CUARBITER_HD_INLINE KingWatch<W> king_watch(const BoardView<W>& v) {
  return king_watch(v, v.kings() & v.us);
}

CUARBITER_RULES_END
