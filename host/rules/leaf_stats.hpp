// What the leaf moves of a perft are: the columns of perft statistics, for all legal moves of a
// position and for one move.
//
// - captures: a man is taken, en passant included (FIDE 3.1, 3.7.3).
// - en passants, castles; promotions, where each of the four new pieces is a move of its own.
// - checks: the opponent's king is attacked after the move (3.9.1), mate included.
// - discovered checks: exactly one man gives check, and it is not one that moved. Castling moves
//   the king and the rook.
// - double checks: two men give check, whichever they are.
// - checkmates: checks without a legal answer (5.1.1).
// So checks without the two kinds are direct ones, and no move is both discovered and double.
#pragma once

#include "host/rules/check_moves.hpp"
#include "host/rules/count.hpp"

namespace cuarbiter {

enum LeafColumn : unsigned {
  kLeafNodes,  // all moves
  kLeafCaptures,
  kLeafEnPassants,
  kLeafCastles,
  kLeafPromotions,
  kLeafChecks,
  kLeafDiscoveredChecks,
  kLeafDoubleChecks,
  kLeafCheckmates,
  kLeafColumns,
};

// Counts of the legal moves of one position, by LeafColumn.
struct LeafStats {
  std::uint16_t count[kLeafColumns] = {};
};

// The columns that need no move to be made, over any word type.
template <class W>
struct PlainStats {
  W nodes, captures, en_passants, castles, promotions;
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

template <class W>
CUARBITER_HD_INLINE PlainStats<W> plain_stats(const BoardView<W>& v, const Constraints<W>& k) {
  using Ops = WordOps<W>;
  const W empty = ~v.occupied;
  const W free = ~k.pinned;
  const W takes = v.them & k.answers;
  const W diagonal = v.diagonal_sliders() & v.us;
  const W orthogonal = v.orthogonal_sliders() & v.us;
  const W on_file = orthogonal & (free | k.pin_file);
  const W on_rank = orthogonal & (free | k.pin_rank);
  const W on_diagonal = diagonal & (free | k.pin_diagonal);
  const W on_anti = diagonal & (free | k.pin_anti);
  const W pawns = v.pawns() & v.us;
  const W steps = ((pawns & (free | k.pin_file)) << 8) & empty & k.answers;
  const W east = shift<kNorthEast>(pawns & (free | k.pin_diagonal));
  const W west = shift<kNorthWest>(pawns & (free | k.pin_anti));
  const W last = Ops::splat(kRank8);

  PlainStats<W> s;
  s.nodes = count_legal_moves(v, k);
  s.en_passants = Ops::popcount(east & v.en_passant) + Ops::popcount(west & v.en_passant);
  const W promoting_takes = Ops::popcount(east & takes & last) + Ops::popcount(west & takes & last);
  s.promotions = (Ops::popcount(steps & last) + promoting_takes) << 2;
  s.captures = Ops::popcount(king_attacks(k.king) & v.them & ~k.attacked) +
               detail::count_knights(v.knights() & v.us & free, takes) +
               detail::count_slides<kNorth>(on_file, empty, takes) +
               detail::count_slides<kSouth>(on_file, empty, takes) +
               detail::count_slides<kEast>(on_rank, empty, takes) +
               detail::count_slides<kWest>(on_rank, empty, takes) +
               detail::count_slides<kNorthEast>(on_diagonal, empty, takes) +
               detail::count_slides<kSouthWest>(on_diagonal, empty, takes) +
               detail::count_slides<kNorthWest>(on_anti, empty, takes) +
               detail::count_slides<kSouthEast>(on_anti, empty, takes) +
               Ops::popcount(east & takes) + Ops::popcount(west & takes) + promoting_takes +
               promoting_takes + promoting_takes + s.en_passants;
  s.castles = Ops::splat(0);
  if (Ops::any(v.castling_rooks() & v.us)) s.castles = Ops::popcount(legal_castling_rooks(v, k));
  return s;
}

// What a move does to the other side's king, as masks of the lanes, from the position after it.
// `moved` are the squares on which men have arrived, as that side sees them.
template <class W>
struct CheckStats {
  W check, discovered, twofold, mate;
};

template <class W>
CUARBITER_HD_INLINE CheckStats<W> check_stats(const BoardView<W>& child, W moved) {
  const Constraints<W> k = constraints(child);
  CheckStats<W> s;
  s.check = mask_if_set(k.checkers);
  s.twofold = mask_if_set(k.checkers & (k.checkers - WordOps<W>::splat(1)));
  s.discovered = s.check & ~s.twofold & mask_if_zero(k.checkers & moved);
  s.mate = s.check;
  if (WordOps<W>::any(s.check)) s.mate = s.check & mask_if_zero(count_legal_moves(child, k));
  return s;
}

namespace detail {

// The same for one position, given by its planes, as bits 0 to 3 in that order.
CUARBITER_HD_APART unsigned check_bits(Bitboard a, Bitboard b, Bitboard c, Bitboard d,
                                       Bitboard moved) {
  const CheckStats<Bitboard> s = check_stats(BoardView<Bitboard>(a, b, c, d), moved);
  return static_cast<unsigned>((s.check & 1) | (s.discovered & 2) | (s.twofold & 4) | (s.mate & 8));
}

}  // namespace detail

// Adds what the move to `child` does to the other side's king.
CUARBITER_HD_INLINE void add_check(LeafStats& stats, const Position& child, Bitboard moved) {
  const unsigned bits = detail::check_bits(child.a, child.b, child.c, child.d, moved);
  stats.count[kLeafChecks] = static_cast<std::uint16_t>(stats.count[kLeafChecks] + (bits & 1));
  stats.count[kLeafDiscoveredChecks] =
      static_cast<std::uint16_t>(stats.count[kLeafDiscoveredChecks] + (bits >> 1 & 1));
  stats.count[kLeafDoubleChecks] =
      static_cast<std::uint16_t>(stats.count[kLeafDoubleChecks] + (bits >> 2 & 1));
  stats.count[kLeafCheckmates] =
      static_cast<std::uint16_t>(stats.count[kLeafCheckmates] + (bits >> 3));
}

// Calls f(Position child, Bitboard moved) for every candidate for a check; `moved` are the squares
// of arrival, as the child's mover sees them.
template <class F>
struct CandidateVisitor {
  const Position& p;
  F& f;
  template <PieceType P>
  CUARBITER_HD_INLINE void plain(Bitboard from, Bitboard to) {
    f(after_plain_move<P>(p, from, to), mirror_ranks(to));
  }
  CUARBITER_HD_INLINE void double_push(Bitboard from, Bitboard to) {
    f(after_double_push(p, from, to), mirror_ranks(to));
  }
  CUARBITER_HD_INLINE void en_passant(Bitboard from, Bitboard to) {
    f(after_en_passant(p, from, to), mirror_ranks(to));
  }
  CUARBITER_HD_INLINE void castling(Bitboard king, Bitboard rook) {
    f(after_castling(p, king, rook), mirror_ranks(rook > king ? kG1 | kF1 : kC1 | kD1));
  }
};

// The statistics of all legal moves of a position.
CUARBITER_HD LeafStats leaf_stats(const Position& p) {
  const BoardView<Bitboard> v = view(p);
  const Constraints<Bitboard> k = constraints(v);
  const PlainStats<Bitboard> plain = plain_stats(v, k);
  LeafStats stats;
  stats.count[kLeafNodes] = static_cast<std::uint16_t>(plain.nodes);
  stats.count[kLeafCaptures] = static_cast<std::uint16_t>(plain.captures);
  stats.count[kLeafEnPassants] = static_cast<std::uint16_t>(plain.en_passants);
  stats.count[kLeafCastles] = static_cast<std::uint16_t>(plain.castles);
  stats.count[kLeafPromotions] = static_cast<std::uint16_t>(plain.promotions);
  const auto add = [&stats](const Position& child, Bitboard moved) {
    add_check(stats, child, moved);
  };
  CandidateVisitor<decltype(add)> visitor{p, add};
  visit_check_candidates(v, k, check_map(v), visitor);
  return stats;
}

// The statistics of one legal move.
CUARBITER_HD LeafStats move_stats(const Position& p, Move m) {
  LeafStats stats;
  stats.count[kLeafNodes] = 1;
  const Bitboard from = square_bit(m.from), to = square_bit(m.to);
  Bitboard arrived = to;
  if (m.kind == MoveKind::castling) {
    stats.count[kLeafCastles] = 1;
    arrived = to > from ? kG1 | kF1 : kC1 | kD1;
  } else if (m.kind == MoveKind::en_passant) {
    stats.count[kLeafCaptures] = stats.count[kLeafEnPassants] = 1;
  } else if (view(p).occupied & to) {
    stats.count[kLeafCaptures] = 1;
  }
  if (m.promotion != PieceType::none) stats.count[kLeafPromotions] = 1;
  add_check(stats, make_move(p, m), mirror_ranks(arrived));
  return stats;
}

CUARBITER_RULES_END
