// The number of move pairs (our move, their reply) of a position without making most of our moves.
//
// The replies are counted once, as if we had passed. A move of ours that takes a man from s to t
// changes that number in ways that add up square by square. What t loses them: sliders what lies
// beyond, blocked pawns their steps, a man taken there all of its moves. What t gains them: each of
// their men that guarded it may now take there. Leaving s opens what lies beyond it to their
// sliders and steps to their pawns, and loses their pawns a capture. So for most moves
//
//   replies(s, t) = replies after a pass + change(t) - change(s),
//
// and the sum over all such moves comes from numbers on each square: how many moves of ours arrive,
// how many leave, and the change. What does not add up is left open, to be made and counted one by
// one: moves that touch the neighbourhood of their king (its squares, checks, pins, the lines to
// it, castling), moves along the line by which the man is attacked, promotions, en passant,
// castling, and double steps that allow en passant. From the start position 1 move in 40 is left.
//
// Null-move counting as such is an idea of the field; changes on all squares at once, bit-sliced,
// are what is done here. W as in bits.hpp: one position a lane.
#pragma once

#include "host/rules/count.hpp"
#include "host/rules/lane_moves.hpp"
#include "host/rules/square_counts.hpp"

CUARBITER_RULES_BEGIN

namespace detail {

// What the replies say about our moves. The first part is seen by those who reply, the second was
// turned to our view.
template <class W>
struct Replies {
  W count;      // as if we had passed
  W change[5];  // on each square that is not ours: bits 0 to 4 of gain - loss there,
  W negative;   // and what is worth -32
  W leave[5];   // on our men: bits 0 to 4 of what their leaving gains them,
  W held[2];    // and bits 0 and 1 of what it loses them

  W from, to;                          // open: every move of these men; every move to these squares
  W pawn, knight, bishop, rook, king;  // open: moves of that kind from and to these squares
  W on_file, on_rank, on_diagonal, on_anti;  // open: moves along that line of these men
  W take_east, take_west;  // our men that a pawn of theirs to the north-east (north-west) attacks
};

template <int B, class W>
CUARBITER_HD_INLINE void count_on(W& ahead, W domain, W way, W counted, SquareCounts<W>& loss) {
  ahead = domain & shift<B>(ahead & way);
  loss.add(ahead & counted);
}

// What a direction in which their sliders move adds to the picture; e is the board seen by those
// who reply.
template <int D, class W>
CUARBITER_HD_INLINE W scan_direction(const BoardView<W>& e, const LineFills<W>& fills, W movable,
                                     W empty, W zone, W& kind, W& lines, SquareCounts<W>& gain,
                                     SquareCounts<W>& loss) {
  using Ops = WordOps<W>;
  constexpr int B = (D + 4) % 8;
  const Propagator<W> on = propagator<D>(empty);
  const W reach = slide<D>(movable, on);
  gain.add(reach & e.us);
  // Numbers of targets further on: from each square on the way and from the slider itself, and
  // from a man of ours that is attacked for what it hides.
  const W attacked = reach & e.them;
  const W hidden = slide<D>(attacked, on);
  const W way = (reach | hidden) & empty;
  const W counted = (reach & ~e.us) | movable;
  const W domain = counted | hidden;
  W ahead = domain & shift<B>((reach | hidden) & ~e.us);
  loss.add(ahead & counted);
  count_on<B>(ahead, domain, way, counted, loss);
  count_on<B>(ahead, domain, way, counted, loss);
  count_on<B>(ahead, domain, way, counted, loss);
  count_on<B>(ahead, domain, way, counted, loss);
  count_on<B>(ahead, domain, way, counted, loss);
  count_on<B>(ahead, domain, way, counted, loss);

  // Lines to their king: to the first man, and from there to the second.
  const W ray = fills.king[D];
  const W hit = fills.sliders[B];  // by ours, looking back
  const W behind = slide<D>(ray & e.occupied, on);
  const W theirs = ray & e.us;
  const W to_zone = slide<D>(zone, on) | ray;
  kind = kind | to_zone | (behind & mask_if_set(theirs));
  // Leaving or entering these opens or closes a line of ours.
  lines = lines | ((to_zone | behind) & hit) | Ops::select_zero(theirs & hit, Ops::splat(0), ray) |
          Ops::select_zero(behind & e.us & hit, Ops::splat(0), ray & e.them);
  return attacked;
}

// Both directions of a line; returns the men of ours that are attacked along it.
template <int D, class W>
CUARBITER_HD_INLINE W scan_line_of_replies(const BoardView<W>& e, const LineFills<W>& fills,
                                           W movable, W empty, W zone, W& kind, W& lines,
                                           SquareCounts<W>& gain, SquareCounts<W>& loss) {
  constexpr int B = (D + 4) % 8;
  return scan_direction<D>(e, fills, movable, empty, zone, kind, lines, gain, loss) |
         scan_direction<B>(e, fills, movable, empty, zone, kind, lines, gain, loss);
}

template <int Files, int Ranks, class W>
CUARBITER_HD_INLINE void reply_jumps(const BoardView<W>& e, W knights, SquareCounts<W>& gain,
                                     SquareCounts<W>& loss) {
  gain.add(jump<Files, Ranks>(knights) & e.us);
  loss.add(jump<Files, Ranks>(~e.us) & knights);
}

template <class W>
CUARBITER_HD_INLINE void replies_after_pass(const BoardView<W>& e, Replies<W>& r) {
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
  W rook = zero, bishop = zero, lines = zero;
  // A diagonal turned over is an anti-diagonal.
  r.on_file = Ops::mirror(scan_line_of_replies<kNorth>(e, fills, orthogonal & (free | k.pin_file),
                                                       empty, zone, rook, lines, gain, loss));
  r.on_rank = Ops::mirror(scan_line_of_replies<kEast>(e, fills, orthogonal & (free | k.pin_rank),
                                                      empty, zone, rook, lines, gain, loss));
  r.on_anti = Ops::mirror(scan_line_of_replies<kNorthEast>(
      e, fills, diagonal & (free | k.pin_diagonal), empty, zone, bishop, lines, gain, loss));
  r.on_diagonal = Ops::mirror(scan_line_of_replies<kSouthEast>(
      e, fills, diagonal & (free | k.pin_anti), empty, zone, bishop, lines, gain, loss));

  // A jump does not mind a man of ours, unless it takes the knight or a man that the knight guards.
  const W knights = e.knights() & e.us & free;
  reply_jumps<1, 2>(e, knights, gain, loss);
  reply_jumps<2, 1>(e, knights, gain, loss);
  reply_jumps<2, -1>(e, knights, gain, loss);
  reply_jumps<1, -2>(e, knights, gain, loss);
  reply_jumps<-1, -2>(e, knights, gain, loss);
  reply_jumps<-2, -1>(e, knights, gain, loss);
  reply_jumps<-2, 1>(e, knights, gain, loss);
  reply_jumps<-1, 2>(e, knights, gain, loss);

  // Pawns. Each line of loss adds one for the pawn, for the empty square where a man would block
  // its move, and for our man that blocks it now.
  const W last = Ops::splat(kRank8);
  const W pawns = e.pawns() & e.us;
  const W ahead = (pawns & (free | k.pin_file)) << 8;
  const W singles = ahead & empty;
  const W start = ahead & Ops::splat(kRank3);
  const W doubles = ((start & empty) << 8) & ~e.us;
  const W to_east = shift<kNorthEast>(pawns & (free | k.pin_diagonal));
  const W to_west = shift<kNorthWest>(pawns & (free | k.pin_anti));
  const W takes_east = to_east & e.them;
  const W takes_west = to_west & e.them;
  gain.add(to_east);
  gain.add(to_west);
  loss.add((ahead & ~e.us) | (singles >> 8));
  loss.add(doubles | ((doubles & empty) >> 16));
  loss.add(start & ~e.us & (empty >> 8));
  loss.add(shift<kSouthWest>(takes_east));
  loss.add(shift<kSouthEast>(takes_west));
  gain.close();
  loss.close();

  const W promotions = Ops::popcount(singles & last) + Ops::popcount(takes_east & last) +
                       Ops::popcount(takes_west & last);
  W count = Ops::popcount(around & ~e.us & ~k.attacked) + castlings + promotions + promotions +
            promotions;
  W borrow = zero;
  for (int i = 0; i < 5; ++i) {
    const W g = gain.plane(i), l = loss.plane(i);
    count = count + (Ops::popcount(l & e.us) << i);
    r.change[i] = (g ^ l ^ borrow) & ~e.them;
    borrow = (~g & (l | borrow)) | (l & borrow);
    r.leave[i] = Ops::mirror(l & e.them);
  }
  r.count = count;
  r.negative = borrow & ~e.them;
  r.held[0] = Ops::mirror(gain.plane(0) & e.them);
  r.held[1] = Ops::mirror(gain.plane(1) & e.them);

  // A pawn that may promote has four moves where another has one.
  const W promoting = pawns & (last >> 8);
  const W promoting_to =
      (promoting << 8) | shift<kNorthEast>(promoting) | shift<kNorthWest>(promoting);
  const W nearby = zone | k.king;
  r.from = Ops::mirror(lines | around | castling.path | promoting_to);
  r.to = Ops::mirror(around | castling.path | castling_rooks | (lines & empty) | promoting |
                     promoting_to);
  r.pawn = Ops::mirror(shift<kNorthEast>(nearby) | shift<kNorthWest>(nearby));
  r.knight = Ops::mirror(knight_attacks(nearby));
  r.bishop = Ops::mirror(bishop);
  r.rook = Ops::mirror(rook);
  r.king = Ops::mirror(king_attacks(nearby));
  // In the way of a pawn: moves along the file are moves along its line.
  r.on_file = r.on_file | Ops::mirror(ahead | ((start & empty) << 8));
  r.take_west = Ops::mirror(takes_east);
  r.take_east = Ops::mirror(takes_west);
}

// Moves that are not open, kind by kind: `settled` is what they reach from the men given, and the
// rest of the kind is what is open.
template <class W>
class SettledMoves {
 public:
  CUARBITER_HD_INLINE SettledMoves(const Replies<W>& r, W their_pawns)
      : r_(r),
        passing_(shift<kEast>(their_pawns) | shift<kWest>(their_pawns)),
        king_from_(r.from | r.king | r.on_file | r.on_rank | r.on_diagonal | r.on_anti |
                   r.take_east | r.take_west) {}

  template <int D>
  CUARBITER_HD_INLINE W open_line() const {
    if constexpr (D == kNorth || D == kSouth) return r_.on_file;
    if constexpr (D == kEast || D == kWest) return r_.on_rank;
    if constexpr (D == kNorthEast) return r_.on_diagonal | r_.take_east;
    if constexpr (D == kSouthWest) return r_.on_diagonal;
    if constexpr (D == kNorthWest) return r_.on_anti | r_.take_west;
    if constexpr (D == kSouthEast) return r_.on_anti;
  }
  template <int D>
  CUARBITER_HD_INLINE W kind() const {
    return D % 2 ? r_.bishop : r_.rook;
  }
  template <int D>
  CUARBITER_HD_INLINE W plain_from() const {
    return r_.from | open_line<D>() | kind<D>();
  }
  template <int D>
  CUARBITER_HD_INLINE W queens_from() const {
    return r_.from | open_line<D>() | r_.bishop | r_.rook;
  }
  template <int D>
  CUARBITER_HD_INLINE W plain_to() const {
    return r_.to | kind<D>();
  }
  CUARBITER_HD_INLINE W queens_to() const { return r_.to | r_.bishop | r_.rook; }
  CUARBITER_HD_INLINE W knights_from() const { return r_.from | r_.knight; }
  CUARBITER_HD_INLINE W knights_to() const { return r_.to | r_.knight; }
  CUARBITER_HD_INLINE W steps_from() const { return r_.from | r_.on_file | r_.pawn; }
  CUARBITER_HD_INLINE W steps_to() const { return r_.to | r_.pawn | WordOps<W>::splat(kRank8); }
  CUARBITER_HD_INLINE W double_steps_to() const { return r_.to | r_.pawn | passing_; }
  template <int D>
  CUARBITER_HD_INLINE W takes_from() const {
    return r_.from | (D == kNorthEast ? r_.on_diagonal : r_.on_anti) | r_.pawn;
  }
  CUARBITER_HD_INLINE W king_from() const { return king_from_; }
  CUARBITER_HD_INLINE W king_to() const { return r_.to | r_.king; }

 private:
  const Replies<W>& r_;
  W passing_;
  W king_from_;
};

// The filter of visit_lane_moves that keeps account of the moves that are not open.
template <class W>
class OpenLaneMoves {
  using Ops = WordOps<W>;

 public:
  CUARBITER_HD_INLINE OpenLaneMoves(const SettledMoves<W>& settled, const Replies<W>& r)
      : settled_(settled), r_(r) {}

  template <int D>
  CUARBITER_HD_INLINE W slides(W plain, W queens, const Propagator<W>& on, W targets) {
    const SlideReach<D> reach{on, targets};
    return part(plain, settled_.template plain_from<D>(), settled_.template plain_to<D>(), reach) |
           part(queens, settled_.template queens_from<D>(), settled_.queens_to(), reach);
  }
  template <int Files, int Ranks>
  CUARBITER_HD_INLINE W jumps(W knights, W targets) {
    return part(knights, settled_.knights_from(), settled_.knights_to(),
                JumpReach<Files, Ranks>{targets});
  }
  CUARBITER_HD_INLINE W steps(W pawns, W targets) {
    return part(pawns, settled_.steps_from(), settled_.steps_to(), StepReach<8>{targets});
  }
  CUARBITER_HD_INLINE W double_steps(W pawns, W targets) {
    return part(pawns, settled_.steps_from(), settled_.double_steps_to(), StepReach<16>{targets});
  }
  template <int D>
  CUARBITER_HD_INLINE W takes(W pawns, W targets) {
    // A pawn that takes the pawn by which it is attacked: that one's capture was taken off twice.
    const W from = settled_.template takes_from<D>();
    const W to = settled_.steps_to();
    twice_ = twice_ + Ops::popcount(shift<D>(pawns & ~from &
                                             (D == kNorthEast ? r_.take_east : r_.take_west)) &
                                    targets & ~to);
    return part(pawns, from, to, TakeReach<D>{targets});
  }
  CUARBITER_HD_INLINE W king_steps(W king, W targets) {
    return part(king, settled_.king_from(), settled_.king_to(), KingReach{targets});
  }

  // How many moves arrive on each square, and what was taken off twice.
  SquareCounts<W> arrivals;
  W twice_ = Ops::splat(0);

 private:
  // The squares that the moves of a kind reach.
  template <int D>
  struct SlideReach {
    const Propagator<W>& on;
    const W& targets;
    CUARBITER_HD_INLINE W operator()(W men) const { return slide<D>(men, on) & targets; }
  };
  template <int Files, int Ranks>
  struct JumpReach {
    const W& targets;
    CUARBITER_HD_INLINE W operator()(W men) const { return jump<Files, Ranks>(men) & targets; }
  };
  template <int Squares>
  struct StepReach {
    const W& targets;
    CUARBITER_HD_INLINE W operator()(W men) const { return (men << Squares) & targets; }
  };
  template <int D>
  struct TakeReach {
    const W& targets;
    CUARBITER_HD_INLINE W operator()(W men) const { return shift<D>(men) & targets; }
  };
  struct KingReach {
    const W& targets;
    CUARBITER_HD_INLINE W operator()(W men) const { return king_attacks(men) & targets; }
  };

  // Splits a kind: what is not open arrives, what is open is returned.
  template <class R>
  CUARBITER_HD_INLINE W part(W men, W open_from, W open_to, const R& reach) {
    const W reached = reach(men & ~open_from);
    arrivals.add(reached & ~open_to);
    W open = reached & open_to;
    const W rest = men & open_from;
    if (Ops::any(rest)) open = open | reach(rest);
    return open;
  }

  const SettledMoves<W>& settled_;
  const Replies<W>& r_;
};

template <int D, class W>
CUARBITER_HD_INLINE W count_settled_slides(W plain, W queens, W on_line, W empty, W targets,
                                           const SettledMoves<W>& settled) {
  return count_slides<D>(plain & on_line & ~settled.template plain_from<D>(), empty,
                         targets & ~settled.template plain_to<D>()) +
         count_slides<D>(queens & on_line & ~settled.template queens_from<D>(), empty,
                         targets & ~settled.queens_to());
}

// The number of moves that are not open of the men in `men`.
template <class W>
CUARBITER_HD_INLINE W count_settled(const BoardView<W>& v, const Constraints<W>& k,
                                    const SettledMoves<W>& settled, W men) {
  using Ops = WordOps<W>;
  const W empty = ~v.occupied;
  const W free = men & ~k.pinned;
  const W targets = k.answers & ~v.us;
  W n = Ops::splat(0);

  const W pawns = v.pawns() & men;
  if (Ops::any(pawns)) {
    const W steps = ((pawns & (free | k.pin_file) & ~settled.steps_from()) << 8) & empty;
    const W doubles = ((steps & Ops::splat(kRank3)) << 8) & empty;
    const W takes = v.them & k.answers & ~settled.steps_to();
    n = n + Ops::popcount(steps & k.answers & ~settled.steps_to()) +
        Ops::popcount(doubles & k.answers & ~settled.double_steps_to()) +
        Ops::popcount(shift<kNorthEast>(pawns & (free | k.pin_diagonal) &
                                        ~settled.template takes_from<kNorthEast>()) &
                      takes) +
        Ops::popcount(shift<kNorthWest>(pawns & (free | k.pin_anti) &
                                        ~settled.template takes_from<kNorthWest>()) &
                      takes);
  }
  const W knights = v.knights() & free & ~settled.knights_from();
  if (Ops::any(knights)) n = n + count_knights(knights, targets & ~settled.knights_to());
  const W queens = v.queens() & men;
  const W rooks = v.rooks() & men;
  const W bishops = v.bishops() & men;
  if (Ops::any(rooks | queens)) {
    n = n + count_settled_slides<kNorth>(rooks, queens, free | (men & k.pin_file), empty, targets,
                                         settled);
    n = n + count_settled_slides<kSouth>(rooks, queens, free | (men & k.pin_file), empty, targets,
                                         settled);
    n = n + count_settled_slides<kEast>(rooks, queens, free | (men & k.pin_rank), empty, targets,
                                        settled);
    n = n + count_settled_slides<kWest>(rooks, queens, free | (men & k.pin_rank), empty, targets,
                                        settled);
  }
  if (Ops::any(bishops | queens)) {
    n = n + count_settled_slides<kNorthEast>(bishops, queens, free | (men & k.pin_diagonal), empty,
                                             targets, settled);
    n = n + count_settled_slides<kSouthWest>(bishops, queens, free | (men & k.pin_diagonal), empty,
                                             targets, settled);
    n = n + count_settled_slides<kNorthWest>(bishops, queens, free | (men & k.pin_anti), empty,
                                             targets, settled);
    n = n + count_settled_slides<kSouthEast>(bishops, queens, free | (men & k.pin_anti), empty,
                                             targets, settled);
  }
  return n + Ops::popcount(king_attacks(k.king & men & ~settled.king_from()) & ~v.us & ~k.attacked &
                           ~settled.king_to());
}

// The sum, given what the replies say.
template <class W, class Sink>
CUARBITER_HD_INLINE W sum_settled(const BoardView<W>& v, const Replies<W>& r, Sink& sink) {
  using Ops = WordOps<W>;
  const Constraints<W> k = constraints(v);
  const SettledMoves<W> settled(r, v.pawns() & v.them);
  OpenLaneMoves<W> moves(settled, r);
  visit_lane_moves(v, k, moves, sink);
  moves.arrivals.close();

  W settled_count = Ops::splat(0), sum = moves.twice_;
  for (int i = 0; i < 5; ++i) {
    const W plane = moves.arrivals.plane(i);
    if (i >= 3 && !Ops::any(plane)) continue;
    settled_count = settled_count + (Ops::popcount(plane) << i);
    const W there = Ops::mirror(plane);
    W change = Ops::splat(0) - (Ops::popcount(there & r.negative) << 5);
    for (int j = 0; j < 5; ++j) change = change + (Ops::popcount(there & r.change[j]) << j);
    sum = sum + (change << i);
  }
  for (int j = 0; j < 5; ++j) {
    if (!Ops::any(r.leave[j])) continue;
    sum = sum + (count_settled(v, k, settled, r.leave[j]) << j);
  }
  for (int j = 0; j < 2; ++j) {
    if (!Ops::any(r.held[j])) continue;
    sum = sum - (count_settled(v, k, settled, r.held[j]) << j);
  }
  return sum + settled_count * r.count;
}

}  // namespace detail

// The sum of their replies over our moves that are not open, lane by lane; the positions after the
// open moves go to `sink` (lane_moves.hpp), each to be counted by count_legal_moves.
template <class W, class Sink>
CUARBITER_HD_INLINE W sum_replies(const BoardView<W>& v, Sink& sink) {
  detail::Replies<W> r;
  detail::replies_after_pass(seen_by_other(v.a, v.b, v.c, v.d), r);
  return detail::sum_settled(v, r, sink);
}

CUARBITER_RULES_END
