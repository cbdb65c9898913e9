// Perft of two plies by the sum of the replies (host/rules/reply_count.hpp), one thread a parent.
//
// The sum leaves a few moves open, in one position more than in the next. They are written down in
// 16 bits each, listed one after the other for all parents, and then made and counted, one thread a
// move.
#pragma once

#include <cstdint>

#include "host/rules/reply_count.hpp"
#include "kernels/ops/rows.hpp"

namespace cuarbiter {

// A move with the parent that it is a move of.
struct OpenMove {
  std::uint32_t parent = 0;
  std::uint16_t move = 0;  // of a MoveList
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

// Open moves of one parent, written `stride` apart: from, to (6 bits each) and what it is, which is
// the piece code that arrives or one of the values below. Takes moves from visit_lane_moves.
class MoveList {
 public:
  static constexpr unsigned kMost = 218;  // moves of a position

  CUARBITER_HD_INLINE MoveList(std::uint16_t* moves, std::uint64_t stride)
      : next_(moves), stride_(stride) {}

  CUARBITER_HD_INLINE std::uint32_t size() const { return size_; }

  CUARBITER_HD_INLINE void man(Bitboard from, Bitboard to, Bitboard victim, Bitboard code,
                               Bitboard) {
    put(from, to, victim == to ? static_cast<unsigned>(code) : kEnPassant);
  }
  CUARBITER_HD_INLINE void double_step(Bitboard from, Bitboard to) { put(from, to, kDoubleStep); }
  CUARBITER_HD_INLINE void castling(Bitboard king, Bitboard rook) { put(king, rook, kCastling); }

  // The position after a move that was written down.
  CUARBITER_HD_INLINE static BoardView<Bitboard> make(const Position& p, unsigned move) {
    const Bitboard from = square_bit(static_cast<int>(move & 63));
    const Bitboard to = square_bit(static_cast<int>((move >> 6) & 63));
    const unsigned what = move >> 12;
    const BoardView<Bitboard> v = view(p);
    if (what == kCastling) return after_castling(v, to, to > from ? ~Bitboard{0} : 0);
    const Bitboard victim = what == kEnPassant ? to >> 8 : to;
    const Bitboard code = what == kEnPassant || what == kDoubleStep ? kPawn : what;
    BoardView<Bitboard> child =
        after_men(v, from, to, victim, code, code == kKing ? ~Bitboard{0} : 0);
    if (what == kDoubleStep) {
      child.en_passant = legal_en_passant(child, mirror_ranks(to));
      child.d |= child.en_passant;
    }
    return child;
  }

 private:
  static constexpr unsigned kEnPassant = 0;
  static constexpr unsigned kPawn = static_cast<unsigned>(PieceType::pawn);
  static constexpr unsigned kKing = static_cast<unsigned>(PieceType::king);
  static constexpr unsigned kCastling = 7;
  static constexpr unsigned kDoubleStep = 8;

  CUARBITER_HD_INLINE void put(Bitboard from, Bitboard to, unsigned what) {
    *next_ =
        static_cast<std::uint16_t>(static_cast<unsigned>(lowest_square(from)) |
                                   (static_cast<unsigned>(lowest_square(to)) << 6) | (what << 12));
    next_ += stride_;
    ++size_;
  }

  std::uint16_t* next_;
  std::uint64_t stride_;
  std::uint32_t size_ = 0;
};

// 1: the sum of parent i, the number of its open moves, and the moves themselves:
// moves[k * stride + i], with room for MoveList::kMost of them.
struct ReplySumOp {
  const Position* parents;
  std::uint32_t* sums;
  std::uint64_t* open;
  std::uint16_t* moves;
  std::uint64_t stride;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const Position parent = parents[i];
    MoveList list(moves + i, stride);
    sums[i] = static_cast<std::uint32_t>(sum_replies(view(parent), list));
    open[i] = list.size();
  }
};

// 2: after an inclusive scan of `open`: lists the moves of a part of the parents without gaps.
// `ends` and `base` as in ExpandOp; parent i is parent first + i for `moves` and for the list.
struct OpenListOp {
  const std::uint64_t* ends;
  std::uint64_t base;
  const std::uint16_t* moves;
  std::uint64_t stride;
  std::uint32_t first;
  OpenMove* list;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const std::uint64_t parent = first + i;
    const std::uint16_t* move = moves + parent;
    const std::uint64_t end = ends[i] - base;
    for (std::uint64_t k = i == 0 ? 0 : ends[i - 1] - base; k < end; ++k, move += stride) {
      list[k] = OpenMove{static_cast<std::uint32_t>(parent), *move};
    }
  }
};

// 3: the number of replies to move i of the list.
struct OpenCountOp {
  const Position* parents;
  const OpenMove* list;
  std::uint16_t* counts;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const OpenMove open = list[i];
    const Position parent = parents[open.parent];
    counts[i] = static_cast<std::uint16_t>(count_legal_moves(MoveList::make(parent, open.move)));
  }
};

// 4: adds the replies to the open moves of each parent to its sum. `ends` and `base` as before.
struct OpenSumOp {
  const std::uint64_t* ends;
  std::uint64_t base;
  const std::uint16_t* counts;
  std::uint32_t* sums;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const std::uint64_t end = ends[i] - base;
    std::uint32_t sum = sums[i];
    for (std::uint64_t k = i == 0 ? 0 : ends[i - 1] - base; k < end; ++k) sum += counts[k];
    sums[i] = sum;
  }
};

// 5: what parent i adds to its root: its sum times its multiplicity.
struct ReplyProductOp {
  const std::uint32_t* sums;
  const Uint128* multiplicities;
  Uint128* products;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    products[i] = saturated_product(multiplicities[i], sums[i]);
  }
};

CUARBITER_RULES_END
