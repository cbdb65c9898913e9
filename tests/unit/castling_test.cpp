// Castling rights that may be used, told by what attacks the first rank alone and by everything
// that restricts the mover: on boards full of random men, with the king and its rooks anywhere on
// the first rank, as in Chess960.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "host/rules/castling.hpp"

namespace cuarbiter {
namespace {

class Boards {
 public:
  Position next() {
    static constexpr PieceType kMen[] = {PieceType::pawn,   PieceType::knight, PieceType::bishop,
                                         PieceType::rook,   PieceType::queen,  PieceType::knight,
                                         PieceType::bishop, PieceType::queen};
    Position p;
    const int king = 1 + below(6);
    put_piece(p, king, PieceType::king, false);
    if (below(4)) put_piece(p, king + 1 + below(7 - king), PieceType::castling_rook, false);
    if (below(4)) put_piece(p, below(king), PieceType::castling_rook, false);
    put(p, PieceType::king, true);
    for (int men = below(12); men > 0; --men) put(p, kMen[below(8)], below(3) != 0);
    return p;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  void put(Position& p, PieceType man, bool enemy) {
    for (;;) {
      // Half of them near the first rank.
      const int square = below(2) ? below(64) : below(24);
      if (man == PieceType::pawn && (square < 8 || square > 55)) continue;
      if (view(p).occupied & square_bit(square)) continue;
      put_piece(p, square, man, enemy);
      return;
    }
  }

  std::mt19937 random_{3};
};

TEST(Castling, TheFirstRankTellsAll) {
  Boards boards;
  unsigned usable = 0, refused = 0, pinned = 0;
  for (int i = 0; i < 200000; ++i) {
    const Position p = boards.next();
    const BoardView<Bitboard> v = view(p);
    const Constraints<Bitboard> all = constraints(v);
    const BackRankConstraints<Bitboard> rank = back_rank_constraints(v);
    ASSERT_EQ(rank.king, all.king);
    ASSERT_EQ(rank.attacked & kRank1, all.attacked & kRank1);
    ASSERT_EQ(rank.pin_rank, all.pin_rank);
    const Bitboard rooks = legal_castling_rooks(v, all);
    ASSERT_EQ(legal_castling_rooks(v, rank), rooks);
    const Bitboard rights = v.castling_rooks() & v.us;
    (rooks ? usable : refused) += rights ? 1 : 0;
    pinned += (rights & all.pin_rank) != 0 ? 1 : 0;
  }
  EXPECT_GT(usable, 10000u);
  EXPECT_GT(refused, 10000u);
  EXPECT_GT(pinned, 1000u);
}

}  // namespace
}  // namespace cuarbiter
