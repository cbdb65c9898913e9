// Legal moves of a batch of positions at once, one position a lane of the word type W (bits.hpp).
//
// Moves are found kind by kind (a slide in one direction, one of the eight jumps of a knight, a
// pawn's step ...): for all lanes the set of squares that moves of the kind reach. A square is
// reached by at most one man in a kind, so that the set stands for the moves. The sets are then
// taken apart bit by bit, the lanes together, and the positions after the moves are built in the
// lanes.
//
// A filter says which moves of a kind are wanted, and may count the others: EveryLaneMove, and the
// one of reply_count.hpp. A sink takes the positions:
//   void child(const BoardView<W>& child, W active): lanes where `active` is 0 hold nothing;
// or, to make them later, the moves:
//   void man(W from, W to, W victim, W code, W active): the arguments of after_men();
//   void double_step(W from, W to), void castling(W king, W rook): active where `to` or `rook` is.
#pragma once

#include "host/rules/castling.hpp"
#include "host/rules/make_move.hpp"

CUARBITER_RULES_BEGIN

// A knight's jump of Files to the east and Ranks up, on a set.
template <int Files, int Ranks, class W>
CUARBITER_HD_INLINE W jump(W x) {
  if constexpr (Files > 0) x = shift<kEast>(x);
  if constexpr (Files > 1) x = shift<kEast>(x);
  if constexpr (Files < 0) x = shift<kWest>(x);
  if constexpr (Files < -1) x = shift<kWest>(x);
  if constexpr (Ranks > 0) {
    return x << (8 * Ranks);
  } else {
    return x >> (-8 * Ranks);
  }
}

// Wants every move.
template <class W>
struct EveryLaneMove {
  template <int D>
  CUARBITER_HD_INLINE W slides(W plain, W queens, const Propagator<W>& on, W targets) {
    return slide<D>(plain | queens, on) & targets;
  }
  template <int Files, int Ranks>
  CUARBITER_HD_INLINE W jumps(W knights, W targets) {
    return jump<Files, Ranks>(knights) & targets;
  }
  CUARBITER_HD_INLINE W steps(W pawns, W targets) { return (pawns << 8) & targets; }
  CUARBITER_HD_INLINE W double_steps(W pawns, W targets) { return (pawns << 16) & targets; }
  template <int D>
  CUARBITER_HD_INLINE W takes(W pawns, W targets) {
    return shift<D>(pawns) & targets;
  }
  CUARBITER_HD_INLINE W king_steps(W king, W targets) { return king_attacks(king) & targets; }
};

namespace detail {

template <class Sink, class W>
concept MoveSink = requires(Sink& sink, W word) {
  sink.castling(word, word);
};

// A man moves; the king when the mask says so.
template <class W, class Sink>
CUARBITER_HD_INLINE void make_in_lanes(const BoardView<W>& v, W from, W to, W victim, W code,
                                       W is_king, W active, Sink& sink) {
  if constexpr (MoveSink<Sink, W>) {
    sink.man(from, to, victim, code, active);
  } else {
    sink.child(after_men(v, from, to, victim, code, is_king), active);
  }
}
template <class W, class Sink>
CUARBITER_HD_INLINE void make_in_lanes(const BoardView<W>& v, W from, W to, W victim, W code,
                                       Sink& sink) {
  make_in_lanes(v, from, to, victim, code, WordOps<W>::splat(0), to, sink);
}

template <int D, class W, class Filter, class Sink>
CUARBITER_HD_INLINE void lane_slides(const BoardView<W>& v, W plain, W queens, W empty, W targets,
                                     Filter& filter, Sink& sink) {
  using Ops = WordOps<W>;
  constexpr int B = (D + 4) % 8;
  constexpr PieceType kPlain = D % 2 ? PieceType::bishop : PieceType::rook;
  W open = filter.template slides<D>(plain, queens, propagator<D>(empty), targets);
  while (Ops::any(open)) {
    const W to = open & (Ops::splat(0) - open);
    open = open ^ to;
    const W from = slide<B>(to, propagator<B>(empty)) & (plain | queens);
    const W code = Ops::select_zero(from & queens, Ops::splat(static_cast<Bitboard>(kPlain)),
                                    Ops::splat(static_cast<Bitboard>(PieceType::queen)));
    make_in_lanes(v, from, to, to, code, sink);
  }
}

template <int Files, int Ranks, class W, class Filter, class Sink>
CUARBITER_HD_INLINE void lane_jumps(const BoardView<W>& v, W knights, W targets, Filter& filter,
                                    Sink& sink) {
  using Ops = WordOps<W>;
  W open = filter.template jumps<Files, Ranks>(knights, targets);
  while (Ops::any(open)) {
    const W to = open & (Ops::splat(0) - open);
    open = open ^ to;
    make_in_lanes(v, jump<-Files, -Ranks>(to), to, to,
                  Ops::splat(static_cast<Bitboard>(PieceType::knight)), sink);
  }
}

template <class W, class Sink>
CUARBITER_HD_INLINE void put_pawn(const BoardView<W>& v, W from, W to, PieceType code, W active,
                                  Sink& sink) {
  using Ops = WordOps<W>;
  make_in_lanes(v, from, to, to, Ops::splat(static_cast<Bitboard>(code)), Ops::splat(0), active,
                sink);
}

// Pawn moves in direction D to the squares `open`, promotions taken apart.
template <int D, class W, class Sink>
CUARBITER_HD_INLINE void lane_pawns(const BoardView<W>& v, W open, Sink& sink) {
  using Ops = WordOps<W>;
  constexpr int B = (D + 4) % 8;
  const W last = Ops::splat(kRank8);
  while (Ops::any(open)) {
    const W to = open & (Ops::splat(0) - open);
    open = open ^ to;
    const W from = shift<B>(to);
    const W promotes = mask_if_set(to & last);
    const W stays = to & ~promotes;
    if (Ops::any(stays)) put_pawn(v, from, to, PieceType::pawn, stays, sink);
    const W promoted = to & promotes;
    if (Ops::any(promoted)) {
      put_pawn(v, from, to, PieceType::queen, promoted, sink);
      put_pawn(v, from, to, PieceType::rook, promoted, sink);
      put_pawn(v, from, to, PieceType::bishop, promoted, sink);
      put_pawn(v, from, to, PieceType::knight, promoted, sink);
    }
  }
}

template <class W>
CUARBITER_HD_INLINE BoardView<W> after_double_step(const BoardView<W>& v, W to) {
  using Ops = WordOps<W>;
  BoardView<W> child = after_men(v, to >> 16, to, to,
                                 Ops::splat(static_cast<Bitboard>(PieceType::pawn)), Ops::splat(0));
  child.en_passant = legal_en_passant(child, Ops::mirror(to));
  child.d = child.d | child.en_passant;
  return child;
}

template <class W, class Sink>
CUARBITER_HD_INLINE void lane_double_steps(const BoardView<W>& v, W open, Sink& sink) {
  using Ops = WordOps<W>;
  while (Ops::any(open)) {
    const W to = open & (Ops::splat(0) - open);
    open = open ^ to;
    if constexpr (MoveSink<Sink, W>) {
      sink.double_step(to >> 16, to);
    } else {
      sink.child(after_double_step(v, to), to);
    }
  }
}

template <class W, class Sink>
CUARBITER_HD_INLINE void lane_castlings(const BoardView<W>& v, const Constraints<W>& k,
                                        Sink& sink) {
  using Ops = WordOps<W>;
  if (!Ops::any(v.castling_rooks() & v.us)) return;
  W rooks = legal_castling_rooks(v, k);
  while (Ops::any(rooks)) {
    const W rook = rooks & (Ops::splat(0) - rooks);
    rooks = rooks ^ rook;
    if constexpr (MoveSink<Sink, W>) {
      sink.castling(k.king, rook);
    } else {
      sink.child(after_castling(v, rook, mask_if_zero(rook & (k.king - Ops::splat(1)))), rook);
    }
  }
}

}  // namespace detail

// Visits the legal moves that the filter wants.
template <class W, class Filter, class Sink>
CUARBITER_HD_INLINE void visit_lane_moves(const BoardView<W>& v, const Constraints<W>& k,
                                          Filter& filter, Sink& sink) {
  using Ops = WordOps<W>;
  const W zero = Ops::splat(0);
  const W empty = ~v.occupied;
  const W free = ~k.pinned;
  const W targets = k.answers & ~v.us;

  {
    const W pawns = v.pawns() & v.us;
    const W ahead = pawns & (free | k.pin_file);
    const W east = pawns & (free | k.pin_diagonal);
    const W west = pawns & (free | k.pin_anti);
    const W takes = v.them & k.answers;
    detail::lane_pawns<kNorth>(v, filter.steps(ahead, empty & k.answers), sink);
    detail::lane_double_steps(
        v, filter.double_steps(ahead, ((empty & Ops::splat(kRank3)) << 8) & empty & k.answers),
        sink);
    detail::lane_pawns<kNorthEast>(v, filter.template takes<kNorthEast>(east, takes), sink);
    detail::lane_pawns<kNorthWest>(v, filter.template takes<kNorthWest>(west, takes), sink);
    if (Ops::any(v.en_passant)) {
      const W code = Ops::splat(static_cast<Bitboard>(PieceType::pawn));
      const W to_east = shift<kNorthEast>(east) & v.en_passant;
      const W to_west = shift<kNorthWest>(west) & v.en_passant;
      if (Ops::any(to_east)) {
        detail::make_in_lanes(v, to_east >> 9, to_east, to_east >> 8, code, sink);
      }
      if (Ops::any(to_west)) {
        detail::make_in_lanes(v, to_west >> 7, to_west, to_west >> 8, code, sink);
      }
    }
  }
  {
    const W knights = v.knights() & v.us & free;
    detail::lane_jumps<1, 2>(v, knights, targets, filter, sink);
    detail::lane_jumps<2, 1>(v, knights, targets, filter, sink);
    detail::lane_jumps<2, -1>(v, knights, targets, filter, sink);
    detail::lane_jumps<1, -2>(v, knights, targets, filter, sink);
    detail::lane_jumps<-1, -2>(v, knights, targets, filter, sink);
    detail::lane_jumps<-2, -1>(v, knights, targets, filter, sink);
    detail::lane_jumps<-2, 1>(v, knights, targets, filter, sink);
    detail::lane_jumps<-1, 2>(v, knights, targets, filter, sink);
  }
  {
    const W queens = v.queens() & v.us;
    const W rooks = v.rooks() & v.us;
    const W bishops = v.bishops() & v.us;
    detail::lane_slides<kNorth>(v, rooks & (free | k.pin_file), queens & (free | k.pin_file), empty,
                                targets, filter, sink);
    detail::lane_slides<kSouth>(v, rooks & (free | k.pin_file), queens & (free | k.pin_file), empty,
                                targets, filter, sink);
    detail::lane_slides<kEast>(v, rooks & (free | k.pin_rank), queens & (free | k.pin_rank), empty,
                               targets, filter, sink);
    detail::lane_slides<kWest>(v, rooks & (free | k.pin_rank), queens & (free | k.pin_rank), empty,
                               targets, filter, sink);
    detail::lane_slides<kNorthEast>(v, bishops & (free | k.pin_diagonal),
                                    queens & (free | k.pin_diagonal), empty, targets, filter, sink);
    detail::lane_slides<kSouthWest>(v, bishops & (free | k.pin_diagonal),
                                    queens & (free | k.pin_diagonal), empty, targets, filter, sink);
    detail::lane_slides<kNorthWest>(v, bishops & (free | k.pin_anti), queens & (free | k.pin_anti),
                                    empty, targets, filter, sink);
    detail::lane_slides<kSouthEast>(v, bishops & (free | k.pin_anti), queens & (free | k.pin_anti),
                                    empty, targets, filter, sink);
  }
  W open = filter.king_steps(k.king, ~v.us & ~k.attacked);
  while (Ops::any(open)) {
    const W to = open & (zero - open);
    open = open ^ to;
    detail::make_in_lanes(v, k.king, to, to, Ops::splat(static_cast<Bitboard>(PieceType::king)),
                          Ops::splat(~Bitboard{0}), to, sink);
  }
  detail::lane_castlings(v, k, sink);
}

CUARBITER_RULES_END
