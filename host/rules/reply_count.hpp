// The number of move pairs (our move, their reply) of a position without making most of our moves.
//
// The replies are counted once, as if we had passed. A move of ours that takes a man from s to t
// changes that number in ways that add up square by square: sliders of theirs lose what lies beyond
// t, blocked pawns their steps, a man taken on t all of its moves, and each of their men that
// guarded t may now take there. So for most moves
//
//   replies(s, t) = replies after a pass + gain(t) - loss(t),
//
// and the sum over all such moves comes from three numbers on each square: how many moves of ours
// go there, gain and loss. What does not add up is left open, to be made and counted one by one:
// moves that touch the neighbourhood of their king (its squares, checks, pins, the lines to it,
// castling), moves of men whose leaving changes something (attacked by a slider or a pawn, in the
// way of a pawn), promotions, en passant, castling, and double steps that allow en passant.
//
// Null-move counting as such is an idea of the field; gain and loss on all squares at once is what
// is done here. W as in bits.hpp: one position a lane.
#pragma once

#include "host/rules/castling.hpp"
#include "host/rules/square_counts.hpp"

namespace cuarbiter {

// The moves of ours that are left open, seen by us: those of a man of kind P from a square in
// from | P, those to a square in to | P (a queen is both bishop and rook), double steps to a square
// in double_to, and every promotion, en passant capture and castling.
template <class W>
struct OpenMoves {
  W from, to;
  W pawn, knight, bishop, rook, king;
  W double_to;
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

namespace detail {

// The replies as if we had passed, seen by those who reply.
template <class W>
struct Replies {
  W count;
  W change[5];        // bits 0 to 4 of gain - loss on each square, and
  W negative;         // what is worth -32 there
  OpenMoves<W> open;  // seen by those who reply; double_to is not set
};

// Square numbers of one direction: the targets of their sliders, and what a man of ours means to
// those.
template <int D, class W>
CUARBITER_HD_INLINE void scan_direction(const BoardView<W>& v, const LineFills<W>& fills, W movable,
                                        W empty, W zone, W& reached, W& kind, W& lines,
                                        SquareCounts<W>& gain, SquareCounts<W>& loss) {
  using Ops = WordOps<W>;
  constexpr int B = (D + 4) % 8;
  const Propagator<W> on = propagator<D>(empty);
  const W reach = slide<D>(movable, on);
  reached = reached | reach;
  gain.add(reach & v.us);
  // From every square on the way, and from the slider itself: one for each target further on.
  const W way = reach & empty;
  const W domain = way | movable;
  W ahead = domain & shift<B>(reach & ~v.us);
  loss.add(ahead);
  ahead = domain & shift<B>(ahead & way);
  loss.add(ahead);
  ahead = domain & shift<B>(ahead & way);
  loss.add(ahead);
  ahead = domain & shift<B>(ahead & way);
  loss.add(ahead);
  ahead = domain & shift<B>(ahead & way);
  loss.add(ahead);
  ahead = domain & shift<B>(ahead & way);
  loss.add(ahead);
  ahead = domain & shift<B>(ahead & way);
  loss.add(ahead);

  // Lines to their king: to the first man, and from there to the second.
  const W ray = fills.king[D];
  const W hit = fills.sliders[B];  // by ours, looking back
  const W behind = slide<D>(ray & v.occupied, on);
  const W theirs = ray & v.us;
  const W to_zone = slide<D>(zone, on) | ray;
  kind = kind | to_zone | (behind & mask_if_set(theirs));
  // Leaving or entering these opens or closes a line of ours.
  lines = lines | ((to_zone | behind) & hit) | Ops::select_zero(theirs & hit, Ops::splat(0), ray) |
          Ops::select_zero(behind & v.us & hit, Ops::splat(0), ray & v.them);
}

// e: the board seen by those who reply.
template <class W>
CUARBITER_HD_INLINE Replies<W> replies_after_pass(const BoardView<W>& e) {
  using Ops = WordOps<W>;
  const W zero = Ops::splat(0);
  LineFills<W> fills;
  const Constraints<W> k = constraints(e, &fills);
  const W empty = ~e.occupied;
  const W free = ~k.pinned;
  SquareCounts<W> gain, loss;

  CastlingSquares<W> castling{zero, zero};
  W castlings = zero;
  const W castling_rooks = e.castling_rooks() & e.us;
  if (Ops::any(castling_rooks)) {
    castling = castling_squares(e, k.king);
    castlings = Ops::popcount(legal_castling_rooks(e, k));
  }
  const W around = king_attacks(k.king);
  // In Chess960 the king may pass over the castling rook itself.
  const W zone = (around & ~e.us) | (castling.crossed & ~k.king);

  const W diagonal = e.diagonal_sliders() & e.us;
  const W orthogonal = e.orthogonal_sliders() & e.us;
  const W on_file = orthogonal & (free | k.pin_file);
  const W on_rank = orthogonal & (free | k.pin_rank);
  const W on_diagonal = diagonal & (free | k.pin_diagonal);
  const W on_anti = diagonal & (free | k.pin_anti);
  W reached = zero, rook = zero, bishop = zero, lines = zero;
  scan_direction<kNorth>(e, fills, on_file, empty, zone, reached, rook, lines, gain, loss);
  scan_direction<kSouth>(e, fills, on_file, empty, zone, reached, rook, lines, gain, loss);
  scan_direction<kEast>(e, fills, on_rank, empty, zone, reached, rook, lines, gain, loss);
  scan_direction<kWest>(e, fills, on_rank, empty, zone, reached, rook, lines, gain, loss);
  scan_direction<kNorthEast>(e, fills, on_diagonal, empty, zone, reached, bishop, lines, gain,
                             loss);
  scan_direction<kSouthWest>(e, fills, on_diagonal, empty, zone, reached, bishop, lines, gain,
                             loss);
  scan_direction<kNorthWest>(e, fills, on_anti, empty, zone, reached, bishop, lines, gain, loss);
  scan_direction<kSouthEast>(e, fills, on_anti, empty, zone, reached, bishop, lines, gain, loss);

  // Knights: a man of ours makes no difference to a jump, unless it takes the knight, or a man that
  // the knight guards.
  {
    const W knights = e.knights() & e.us & free;
    const W open = ~e.us;
    const W from_east = shift<kEast>(knights), from_west = shift<kWest>(knights);
    const W from_east2 = shift<kEast>(from_east), from_west2 = shift<kWest>(from_west);
    gain.add((from_east << 16) & e.us);
    gain.add((from_east >> 16) & e.us);
    gain.add((from_west << 16) & e.us);
    gain.add((from_west >> 16) & e.us);
    gain.add((from_east2 << 8) & e.us);
    gain.add((from_east2 >> 8) & e.us);
    gain.add((from_west2 << 8) & e.us);
    gain.add((from_west2 >> 8) & e.us);
    const W to_east = shift<kEast>(open), to_west = shift<kWest>(open);
    const W to_east2 = shift<kEast>(to_east), to_west2 = shift<kWest>(to_west);
    loss.add((to_east << 16) & knights);
    loss.add((to_east >> 16) & knights);
    loss.add((to_west << 16) & knights);
    loss.add((to_west >> 16) & knights);
    loss.add((to_east2 << 8) & knights);
    loss.add((to_east2 >> 8) & knights);
    loss.add((to_west2 << 8) & knights);
    loss.add((to_west2 >> 8) & knights);
  }

  // Pawns.
  const W pawns = e.pawns() & e.us;
  const W steppers = pawns & (free | k.pin_file);
  const W ahead = steppers << 8;
  const W singles = ahead & empty;
  const W doubles = ((singles & Ops::splat(kRank3)) << 8) & empty;
  const W to_east = shift<kNorthEast>(pawns & (free | k.pin_diagonal));
  const W to_west = shift<kNorthWest>(pawns & (free | k.pin_anti));
  const W takes_east = to_east & e.them;
  const W takes_west = to_west & e.them;
  gain.add(to_east & ~e.them);
  gain.add(to_west & ~e.them);
  loss.add(singles | (singles >> 8));
  loss.add(doubles | (doubles >> 16));
  loss.add(doubles >> 8);
  loss.add(shift<kSouthWest>(takes_east));
  loss.add(shift<kSouthEast>(takes_west));
  gain.close();
  loss.close();

  Replies<W> r;
  const W last = Ops::splat(kRank8);
  const W promotions = Ops::popcount(singles & last) + Ops::popcount(takes_east & last) +
                       Ops::popcount(takes_west & last);
  r.count = Ops::popcount(around & ~e.us & ~k.attacked) + castlings + promotions + promotions +
            promotions + Ops::popcount(loss.plane(0) & e.us) +
            (Ops::popcount(loss.plane(1) & e.us) << 1) +
            (Ops::popcount(loss.plane(2) & e.us) << 2) +
            (Ops::popcount(loss.plane(3) & e.us) << 3) + (Ops::popcount(loss.plane(4) & e.us) << 4);
  W borrow = zero;
  for (int i = 0; i < 5; ++i) {
    const W g = gain.plane(i), l = loss.plane(i);
    r.change[i] = g ^ l ^ borrow;
    borrow = (~g & (l | borrow)) | (l & borrow);
  }
  r.negative = borrow;

  const W promoting = pawns & Ops::splat(kRank8 >> 8);
  const W promotion_squares =
      promoting | (promoting << 8) | shift<kNorthEast>(promoting) | shift<kNorthWest>(promoting);
  const W nearby = zone | k.king;
  r.open.from = reached | takes_east | takes_west | ahead |
                ((steppers & Ops::splat(kRank1 << 8)) << 16) | lines | around | castling.path;
  r.open.to = around | castling.path | castling_rooks | (lines & empty) | promotion_squares;
  r.open.pawn = shift<kNorthEast>(nearby) | shift<kNorthWest>(nearby);
  r.open.knight = knight_attacks(nearby);
  r.open.bishop = bishop;
  r.open.rook = rook;
  r.open.king = king_attacks(nearby);
  r.open.double_to = zero;
  return r;
}

template <class W>
CUARBITER_HD_INLINE OpenMoves<W> mirrored(const OpenMoves<W>& o) {
  using Ops = WordOps<W>;
  return {Ops::mirror(o.from),   Ops::mirror(o.to),   Ops::mirror(o.pawn), Ops::mirror(o.knight),
          Ops::mirror(o.bishop), Ops::mirror(o.rook), Ops::mirror(o.king), o.double_to};
}

// Adds the targets of moves that are not open, as slides of men in direction D.
template <int D, class W>
CUARBITER_HD_INLINE void add_slides(SquareCounts<W>& arrivals, W from, W empty, W targets) {
  arrivals.add(slide<D>(from, propagator<D>(empty)) & targets);
}

}  // namespace detail

// The sum of replies over the moves of ours that are not open, and which are.
template <class W>
struct ReplySum {
  W sum;
  OpenMoves<W> open;
};

template <class W>
CUARBITER_HD_INLINE ReplySum<W> sum_replies(const BoardView<W>& v, const Constraints<W>& k) {
  using Ops = WordOps<W>;
  const detail::Replies<W> replies = detail::replies_after_pass(seen_by_other(v.a, v.b, v.c, v.d));
  ReplySum<W> result;
  OpenMoves<W>& open = result.open;
  open = detail::mirrored(replies.open);
  const W empty = ~v.occupied;
  const W free = ~k.pinned;
  const W targets = k.answers & ~v.us & ~open.to;
  const W men = v.us & ~open.from;
  SquareCounts<W> arrivals;

  {
    const W to = targets & ~open.pawn & ~Ops::splat(kRank8);
    const W pawns = v.pawns() & men & ~open.pawn;
    const W their_pawns = v.pawns() & v.them;
    open.double_to = open.to | open.pawn | shift<kEast>(their_pawns) | shift<kWest>(their_pawns);
    const W steps = ((pawns & (free | k.pin_file)) << 8) & empty;
    const W doubles = ((steps & Ops::splat(kRank3)) << 8) & empty & k.answers & ~open.double_to;
    // A pawn steps onto a square by one or by two: never both.
    arrivals.add((steps & to) | doubles);
    arrivals.add(shift<kNorthEast>(pawns & (free | k.pin_diagonal)) & v.them & to);
    arrivals.add(shift<kNorthWest>(pawns & (free | k.pin_anti)) & v.them & to);
  }
  {
    const W knights = v.knights() & men & free & ~open.knight;
    const W to = targets & ~open.knight;
    const W east = shift<kEast>(knights), west = shift<kWest>(knights);
    const W east2 = shift<kEast>(east), west2 = shift<kWest>(west);
    arrivals.add((east << 16) & to);
    arrivals.add((east >> 16) & to);
    arrivals.add((west << 16) & to);
    arrivals.add((west >> 16) & to);
    arrivals.add((east2 << 8) & to);
    arrivals.add((east2 >> 8) & to);
    arrivals.add((west2 << 8) & to);
    arrivals.add((west2 >> 8) & to);
  }
  arrivals.add(king_attacks(k.king & men & ~open.king) & ~v.us & ~k.attacked & ~open.to &
               ~open.king);
  {
    const W bishops = v.bishops() & men & ~open.bishop;
    const W to = targets & ~open.bishop;
    const W diagonal = bishops & (free | k.pin_diagonal);
    const W anti = bishops & (free | k.pin_anti);
    detail::add_slides<kNorthEast>(arrivals, diagonal, empty, to);
    detail::add_slides<kSouthWest>(arrivals, diagonal, empty, to);
    detail::add_slides<kNorthWest>(arrivals, anti, empty, to);
    detail::add_slides<kSouthEast>(arrivals, anti, empty, to);
  }
  {
    const W rooks = (v.rooks() | v.castling_rooks()) & men & ~open.rook;
    const W to = targets & ~open.rook;
    const W file = rooks & (free | k.pin_file);
    const W rank = rooks & (free | k.pin_rank);
    detail::add_slides<kNorth>(arrivals, file, empty, to);
    detail::add_slides<kSouth>(arrivals, file, empty, to);
    detail::add_slides<kEast>(arrivals, rank, empty, to);
    detail::add_slides<kWest>(arrivals, rank, empty, to);
  }
  {
    const W queens = v.queens() & men & ~open.bishop & ~open.rook;
    const W to = targets & ~open.bishop & ~open.rook;
    const W file = queens & (free | k.pin_file);
    const W rank = queens & (free | k.pin_rank);
    const W diagonal = queens & (free | k.pin_diagonal);
    const W anti = queens & (free | k.pin_anti);
    detail::add_slides<kNorth>(arrivals, file, empty, to);
    detail::add_slides<kSouth>(arrivals, file, empty, to);
    detail::add_slides<kEast>(arrivals, rank, empty, to);
    detail::add_slides<kWest>(arrivals, rank, empty, to);
    detail::add_slides<kNorthEast>(arrivals, diagonal, empty, to);
    detail::add_slides<kSouthWest>(arrivals, diagonal, empty, to);
    detail::add_slides<kNorthWest>(arrivals, anti, empty, to);
    detail::add_slides<kSouthEast>(arrivals, anti, empty, to);
  }
  arrivals.close();

  W moves = Ops::splat(0), sum = Ops::splat(0);
  for (int i = 0; i < 5; ++i) {
    const W plane = arrivals.plane(i);
    if (i >= 3 && !Ops::any(plane)) continue;
    moves = moves + (Ops::popcount(plane) << i);
    const W there = Ops::mirror(plane);
    W change = Ops::splat(0) - (Ops::popcount(there & replies.negative) << 5);
    for (int j = 0; j < 5; ++j) change = change + (Ops::popcount(there & replies.change[j]) << j);
    sum = sum + (change << i);
  }
  result.sum = sum + moves * replies.count;
  return result;
}

// Chooses the open moves of one position for visit_legal_moves.
struct OpenMoveFilter {
  const OpenMoves<Bitboard>& open;

  template <PieceType P>
  CUARBITER_HD_INLINE Bitboard own() const {
    if constexpr (P == PieceType::pawn) return open.pawn;
    if constexpr (P == PieceType::knight) return open.knight;
    if constexpr (P == PieceType::bishop) return open.bishop;
    if constexpr (P == PieceType::rook) return open.rook;
    if constexpr (P == PieceType::queen) return open.bishop | open.rook;
    if constexpr (P == PieceType::king) return open.king;
  }
  template <PieceType P>
  CUARBITER_HD_INLINE Bitboard targets(Bitboard from) const {
    return ((open.from | own<P>()) & from) ? ~Bitboard{0} : open.to | own<P>();
  }
  template <int D>
  CUARBITER_HD_INLINE Bitboard pawn_targets() const {
    return shift<D>(open.from | open.pawn) | open.to | open.pawn;
  }
  CUARBITER_HD_INLINE Bitboard double_targets() const {
    return open.double_to | ((open.from | open.pawn) << 16);
  }
};

CUARBITER_RULES_END
