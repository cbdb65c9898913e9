// What restricts the mover: attacked squares, checkers, the squares that answer a check, pins.
// FIDE 3.9 (check; no move may expose or leave the own king in check). Branch-free, over any word
// type.
#pragma once

#include "host/rules/attacks.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

template <class W>
struct Constraints {
  W king;          // our king
  W attacked;      // squares their men attack, seeing through our king
  W checkers;      // their men that give check
  W answers;       // where a man other than the king may go: everywhere, or on one checker's line
  W pinned;        // our pinned men: the union of the four below
  W pin_file;      // pinned along the file
  W pin_rank;      // pinned along the rank
  W pin_diagonal;  // pinned along a1-h8
  W pin_anti;      // pinned along h1-a8
};

// What restricts castling, which stays on the mover's first rank.
template <class W>
struct BackRankConstraints {
  W king;      // our king
  W attacked;  // of the first rank the squares that their men attack, seeing through our king;
               // what it has of other ranks tells nothing
  W pin_rank;  // our men pinned along the rank
};

// The fills that constraints are found by, direction by direction (attacks.hpp, Direction).
template <class W>
struct LineFills {
  W king[8];     // from our king
  W sliders[8];  // from their bishops and queens, or rooks and queens
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

namespace detail {

// One line through our king, as its two directions D and D + 4. `fills` may be null.
template <int D, class W>
CUARBITER_HD_INLINE W scan_line(W king, W empty, W sliders, W us, W& attacked, W& checkers,
                                W& between, LineFills<W>* fills) {
  constexpr int B = (D + 4) % 8;
  const Propagator<W> ahead = propagator<D>(empty);
  const Propagator<W> back = propagator<B>(empty);
  const W enemy_ahead = slide<D>(sliders, ahead);
  const W enemy_back = slide<B>(sliders, back);
  const W ray_ahead = slide<D>(king, ahead);
  const W ray_back = slide<B>(king, back);
  if (fills) {
    fills->king[D] = ray_ahead;
    fills->king[B] = ray_back;
    fills->sliders[D] = enemy_ahead;
    fills->sliders[B] = enemy_back;
  }
  // A checked king casts no shadow: the square behind it is attacked as well.
  attacked = attacked | enemy_ahead | enemy_back | shift<D>(enemy_ahead & king) |
             shift<B>(enemy_back & king);
  checkers = checkers | ((ray_ahead | ray_back) & sliders);
  // Where the king's ray meets the enemy fill that runs towards it lie the squares of a check, or
  // the one man that stands between.
  const W meet = (ray_ahead & enemy_back) | (ray_back & enemy_ahead);
  between = between | meet;
  return meet & us;
}

}  // namespace detail

// With `fills` the fills of all lines are kept there.
template <class W>
CUARBITER_HD_INLINE Constraints<W> constraints(const BoardView<W>& v,
                                               LineFills<W>* fills = nullptr) {
  using Ops = WordOps<W>;
  Constraints<W> r;
  const W empty = ~v.occupied;
  const W their_kings = v.kings() & v.them;
  const W diagonal = v.diagonal_sliders() & v.them;
  const W orthogonal = v.orthogonal_sliders() & v.them;
  const W their_pawns = v.pawns() & v.them;
  const W their_knights = v.knights() & v.them;
  r.king = v.kings() & v.us;
  r.attacked = shift<kSouthEast>(their_pawns) | shift<kSouthWest>(their_pawns) |
               knight_attacks(their_knights) | king_attacks(their_kings);
  r.checkers = ((shift<kNorthEast>(r.king) | shift<kNorthWest>(r.king)) & their_pawns) |
               (knight_attacks(r.king) & their_knights);
  W between = Ops::splat(0);
  r.pin_file = detail::scan_line<kNorth>(r.king, empty, orthogonal, v.us, r.attacked, r.checkers,
                                         between, fills);
  r.pin_rank = detail::scan_line<kEast>(r.king, empty, orthogonal, v.us, r.attacked, r.checkers,
                                        between, fills);
  r.pin_diagonal = detail::scan_line<kNorthEast>(r.king, empty, diagonal, v.us, r.attacked,
                                                 r.checkers, between, fills);
  r.pin_anti = detail::scan_line<kNorthWest>(r.king, empty, diagonal, v.us, r.attacked, r.checkers,
                                             between, fills);
  r.pinned = r.pin_file | r.pin_rank | r.pin_diagonal | r.pin_anti;
  const W one_answer = r.checkers | (between & empty);
  const W several = r.checkers & (r.checkers - Ops::splat(1));
  r.answers = Ops::select_zero(r.checkers, Ops::splat(~Bitboard{0}),
                               Ops::select_zero(several, one_answer, Ops::splat(0)));
  return r;
}

// For a king that stands on the first rank: attacks come along it or from above.
template <class W>
CUARBITER_HD_INLINE BackRankConstraints<W> back_rank_constraints(const BoardView<W>& v) {
  const W empty = ~v.occupied;
  const W diagonal = v.diagonal_sliders() & v.them;
  const W orthogonal = v.orthogonal_sliders() & v.them;
  const W pawns = v.pawns() & v.them;
  BackRankConstraints<W> r;
  r.king = v.kings() & v.us;
  r.attacked = shift<kSouthEast>(pawns) | shift<kSouthWest>(pawns) |
               knight_attacks(v.knights() & v.them) | king_attacks(v.kings() & v.them) |
               slide<kSouth>(orthogonal, propagator<kSouth>(empty)) |
               slide<kSouthEast>(diagonal, propagator<kSouthEast>(empty)) |
               slide<kSouthWest>(diagonal, propagator<kSouthWest>(empty));
  W checkers = WordOps<W>::splat(0), between = checkers;
  r.pin_rank = detail::scan_line<kEast>(r.king, empty, orthogonal, v.us, r.attacked, checkers,
                                        between, static_cast<LineFills<W>*>(nullptr));
  return r;
}

CUARBITER_RULES_END
