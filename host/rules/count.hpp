// The number of legal moves of a position without generating them.
//
// In any one of the eight directions a square is reached by at most one slider, so the bits of
// eight occluded fills count slider moves exactly; the same holds for the eight knight jumps and
// for the four kinds of pawn moves. A pinned man keeps moving along its own line. Branch-free but
// for castling. W as in bits.hpp: one position a lane.
#pragma once

#include "host/rules/castling.hpp"

CUARBITER_RULES_BEGIN

namespace detail {

template <int D, class W>
CUARBITER_HD_INLINE W count_slides(W from, W empty, W targets) {
  return WordOps<W>::popcount(slide<D>(from, propagator<D>(empty)) & targets);
}

template <int D, int N, class W>
CUARBITER_HD_INLINE W two_steps(W x) {
  return raw_shift<N, 1>(shift<D>(shift<D>(x)));
}

template <class W>
CUARBITER_HD_INLINE W count_knights(W knights, W targets) {
  using Ops = WordOps<W>;
  const W east = shift<kEast>(knights);
  const W west = shift<kWest>(knights);
  const W east2 = shift<kEast>(east);
  const W west2 = shift<kWest>(west);
  return Ops::popcount((east << 16) & targets) + Ops::popcount((east >> 16) & targets) +
         Ops::popcount((west << 16) & targets) + Ops::popcount((west >> 16) & targets) +
         Ops::popcount((east2 << 8) & targets) + Ops::popcount((east2 >> 8) & targets) +
         Ops::popcount((west2 << 8) & targets) + Ops::popcount((west2 >> 8) & targets);
}

}  // namespace detail

// Moves of all men, given the constraints of the position.
template <class W>
CUARBITER_HD_INLINE W count_legal_moves(const BoardView<W>& v, const Constraints<W>& k) {
  using Ops = WordOps<W>;
  const W empty = ~v.occupied;
  const W free = ~k.pinned;
  const W targets = k.answers & ~v.us;

  W n = Ops::popcount(king_attacks(k.king) & ~v.us & ~k.attacked);
  n = n + detail::count_knights(v.knights() & v.us & free, targets);

  const W diagonal = v.diagonal_sliders() & v.us;
  const W orthogonal = v.orthogonal_sliders() & v.us;
  const W on_file = orthogonal & (free | k.pin_file);
  const W on_rank = orthogonal & (free | k.pin_rank);
  const W on_diagonal = diagonal & (free | k.pin_diagonal);
  const W on_anti = diagonal & (free | k.pin_anti);
  n = n + detail::count_slides<kNorth>(on_file, empty, targets) +
      detail::count_slides<kSouth>(on_file, empty, targets) +
      detail::count_slides<kEast>(on_rank, empty, targets) +
      detail::count_slides<kWest>(on_rank, empty, targets) +
      detail::count_slides<kNorthEast>(on_diagonal, empty, targets) +
      detail::count_slides<kSouthWest>(on_diagonal, empty, targets) +
      detail::count_slides<kNorthWest>(on_anti, empty, targets) +
      detail::count_slides<kSouthEast>(on_anti, empty, targets);

  // Pawns. The en passant square is there only when some capture on it is legal, so that the pins
  // alone decide which of two pawns may make it.
  const W pawns = v.pawns() & v.us;
  const W takes = (v.them & k.answers) | v.en_passant;
  const W steps = (((pawns & (free | k.pin_file)) << 8) & empty);
  const W doubles = ((steps & Ops::splat(kRank3)) << 8) & empty & k.answers;
  const W singles = steps & k.answers;
  const W east = shift<kNorthEast>(pawns & (free | k.pin_diagonal)) & takes;
  const W west = shift<kNorthWest>(pawns & (free | k.pin_anti)) & takes;
  const W last = Ops::splat(kRank8);
  const W promotions =
      Ops::popcount(singles & last) + Ops::popcount(east & last) + Ops::popcount(west & last);
  n = n + Ops::popcount(singles) + Ops::popcount(doubles) + Ops::popcount(east) +
      Ops::popcount(west) + promotions + promotions + promotions;

  if (Ops::any(v.castling_rooks() & v.us)) {
    n = n + Ops::popcount(legal_castling_rooks(v, k));
  }
  return n;
}

template <class W>
CUARBITER_HD_INLINE W count_legal_moves(const BoardView<W>& v) {
  return count_legal_moves(v, constraints(v));
}

// The number of legal moves of one position.
CUARBITER_HD int count_legal_moves(const Position& p) {
  return static_cast<int>(count_legal_moves(view(p)));
}

// True when the side to move has a legal move. Most often the king has one, which is told first.
CUARBITER_HD bool has_legal_move(const Position& p) {
  const BoardView<Bitboard> v = view(p);
  const Constraints<Bitboard> k = constraints(v);
  if (king_attacks(k.king) & ~v.us & ~k.attacked) return true;
  return count_legal_moves(v, k) != 0;
}

CUARBITER_RULES_END
