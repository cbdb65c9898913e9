// Legal move generation. One enumerator, written as a visitor, serves every use: expanding perft
// nodes, listing moves, finding one. Visits each legal move once; nothing is allocated.
#pragma once

#include "host/rules/count.hpp"
#include "host/rules/make_move.hpp"

CUARBITER_RULES_BEGIN

// A visitor V has these members, all bits being single:
// - template <PieceType P> void plain(Bitboard from, Bitboard to): for a pawn, a step or a capture;
// - void promotion(Bitboard from, Bitboard to): stands for four moves;
// - void double_push(Bitboard from, Bitboard to);
// - void en_passant(Bitboard from, Bitboard to);
// - void castling(Bitboard king, Bitboard rook).
// Order: pawns, knights, bishops, rooks, queens, king, castling.
template <class V>
CUARBITER_HD_INLINE void visit_legal_moves(const BoardView<Bitboard>& v,
                                           const Constraints<Bitboard>& k, V& visitor);

namespace detail {

template <PieceType P, class V>
CUARBITER_HD_INLINE void visit_targets(V& visitor, Bitboard from, Bitboard targets) {
  while (targets) {
    const Bitboard to = targets & (0 - targets);
    targets ^= to;
    visitor.template plain<P>(from, to);
  }
}

template <PieceType P, class V>
CUARBITER_HD_INLINE void visit_sliders(V& visitor, Bitboard men, const BoardView<Bitboard>& v,
                                       const Constraints<Bitboard>& k, Bitboard targets) {
  while (men) {
    const Bitboard from = men & (0 - men);
    men ^= from;
    const int square = lowest_square(from);
    Bitboard reach = 0;
    const bool free = (k.pinned & from) == 0;
    if constexpr (P != PieceType::bishop) {
      if (free) {
        reach |= rook_attacks(square, v.occupied);
      } else if (k.pin_file & from) {
        reach |= line_attacks(masks_of(square).file, from - 1, v.occupied);
      } else if (k.pin_rank & from) {
        reach |= line_attacks(masks_of(square).rank, from - 1, v.occupied);
      }
    }
    if constexpr (P != PieceType::rook) {
      if (free) {
        reach |= bishop_attacks(square, v.occupied);
      } else if (k.pin_diagonal & from) {
        reach |= line_attacks(masks_of(square).diagonal, from - 1, v.occupied);
      } else if (k.pin_anti & from) {
        reach |= line_attacks(masks_of(square).anti, from - 1, v.occupied);
      }
    }
    visit_targets<P>(visitor, from, reach & targets);
  }
}

// Pawn moves whose target squares are given; `Delta` leads from origin to target.
template <int Delta, class V>
CUARBITER_HD_INLINE void visit_pawns(V& visitor, Bitboard targets) {
  Bitboard last = targets & kRank8;
  targets ^= last;
  while (targets) {
    const Bitboard to = targets & (0 - targets);
    targets ^= to;
    visitor.template plain<PieceType::pawn>(to >> Delta, to);
  }
  while (last) {
    const Bitboard to = last & (0 - last);
    last ^= to;
    visitor.promotion(to >> Delta, to);
  }
}

}  // namespace detail

template <class V>
CUARBITER_HD_INLINE void visit_legal_moves(const BoardView<Bitboard>& v,
                                           const Constraints<Bitboard>& k, V& visitor) {
  const Bitboard empty = ~v.occupied;
  const Bitboard free = ~k.pinned;
  const Bitboard targets = k.answers & ~v.us;
  if (targets) {
    const Bitboard pawns = v.pawns() & v.us;
    const Bitboard takes = v.them & k.answers;
    const Bitboard right_pawns = shift<kNorthEast>(pawns & (free | k.pin_diagonal));
    const Bitboard left_pawns = shift<kNorthWest>(pawns & (free | k.pin_anti));
    const Bitboard steps = ((pawns & (free | k.pin_file)) << 8) & empty;
    Bitboard doubles = ((steps & kRank3) << 8) & empty & k.answers;
    detail::visit_pawns<8>(visitor, steps & k.answers);
    detail::visit_pawns<9>(visitor, right_pawns & takes);
    detail::visit_pawns<7>(visitor, left_pawns & takes);
    while (doubles) {
      const Bitboard to = doubles & (0 - doubles);
      doubles ^= to;
      visitor.double_push(to >> 16, to);
    }
    if (v.en_passant) {
      if (right_pawns & v.en_passant) visitor.en_passant(v.en_passant >> 9, v.en_passant);
      if (left_pawns & v.en_passant) visitor.en_passant(v.en_passant >> 7, v.en_passant);
    }
    Bitboard knights = v.knights() & v.us & free;
    while (knights) {
      const Bitboard from = knights & (0 - knights);
      knights ^= from;
      const int square = lowest_square(from);
      detail::visit_targets<PieceType::knight>(visitor, from, masks_of(square).knight & targets);
    }
    detail::visit_sliders<PieceType::bishop>(visitor, v.bishops() & v.us, v, k, targets);
    detail::visit_sliders<PieceType::rook>(visitor, v.rooks() & v.us, v, k, targets);
    detail::visit_sliders<PieceType::queen>(visitor, v.queens() & v.us, v, k, targets);
  }
  detail::visit_targets<PieceType::king>(visitor, k.king,
                                         king_attacks(k.king) & ~v.us & ~k.attacked);
  if (v.castling_rooks() & v.us) {
    Bitboard rooks = legal_castling_rooks(v, k);
    while (rooks) {
      const Bitboard rook = rooks & (0 - rooks);
      rooks ^= rook;
      visitor.castling(k.king, rook);
    }
  }
}

// Calls f(Move) for every legal move.
template <class F>
struct MoveVisitor {
  F& f;
  CUARBITER_HD_INLINE static Square at(Bitboard bit) {
    return static_cast<Square>(lowest_square(bit));
  }
  CUARBITER_HD_INLINE void put(Bitboard from, Bitboard to, PieceType promotion, MoveKind kind) {
    f(Move{at(from), at(to), promotion, kind});
  }
  template <PieceType P>
  CUARBITER_HD_INLINE void plain(Bitboard from, Bitboard to) {
    put(from, to, PieceType::none, MoveKind::normal);
  }
  CUARBITER_HD_INLINE void promotion(Bitboard from, Bitboard to) {
    put(from, to, PieceType::queen, MoveKind::normal);
    put(from, to, PieceType::rook, MoveKind::normal);
    put(from, to, PieceType::bishop, MoveKind::normal);
    put(from, to, PieceType::knight, MoveKind::normal);
  }
  CUARBITER_HD_INLINE void double_push(Bitboard from, Bitboard to) {
    put(from, to, PieceType::none, MoveKind::double_push);
  }
  CUARBITER_HD_INLINE void en_passant(Bitboard from, Bitboard to) {
    put(from, to, PieceType::none, MoveKind::en_passant);
  }
  CUARBITER_HD_INLINE void castling(Bitboard king, Bitboard rook) {
    put(king, rook, PieceType::none, MoveKind::castling);
  }
};

template <class F>
CUARBITER_HD_INLINE void for_each_legal_move(const Position& p, F&& f) {
  const BoardView<Bitboard> v = view(p);
  const Constraints<Bitboard> k = constraints(v);
  MoveVisitor<F> visitor{f};
  visit_legal_moves(v, k, visitor);
}

// Calls f(Position child) for every legal move: the child is built straight from its kind of move.
template <class F>
struct ChildVisitor {
  const Position& p;
  F& f;
  template <PieceType P>
  CUARBITER_HD_INLINE void plain(Bitboard from, Bitboard to) {
    f(after_plain_move<P>(p, from, to));
  }
  CUARBITER_HD_INLINE void promotion(Bitboard from, Bitboard to) {
    f(after_plain_move<PieceType::queen>(p, from, to));
    f(after_plain_move<PieceType::rook>(p, from, to));
    f(after_plain_move<PieceType::bishop>(p, from, to));
    f(after_plain_move<PieceType::knight>(p, from, to));
  }
  CUARBITER_HD_INLINE void double_push(Bitboard from, Bitboard to) {
    f(after_double_push(p, from, to));
  }
  CUARBITER_HD_INLINE void en_passant(Bitboard from, Bitboard to) {
    f(after_en_passant(p, from, to));
  }
  CUARBITER_HD_INLINE void castling(Bitboard king, Bitboard rook) {
    f(after_castling(p, king, rook));
  }
};

template <class F>
CUARBITER_HD_INLINE void for_each_child(const Position& p, F&& f) {
  const BoardView<Bitboard> v = view(p);
  const Constraints<Bitboard> k = constraints(v);
  ChildVisitor<F> visitor{p, f};
  visit_legal_moves(v, k, visitor);
}

CUARBITER_RULES_END
