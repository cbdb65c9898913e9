// Which position a legal move leads to: every child of positions of random games, and nothing else.
#include "host/rules/successor.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "host/notation/fen.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using test_support::legal_moves;

bool by_trial(const Position& p, const Position& next) {
  for (const Move move : legal_moves(p)) {
    if (same_position(make_move(p, move), next)) return true;
  }
  return false;
}

Position position(const char* fen) {
  const FenResult f = read_fen(fen, {true});
  EXPECT_TRUE(f.computable) << fen;
  return f.position;
}

TEST(OneMoveLeads, ChildrenOfRandomGames) {
  test_support::Random random(5);
  for (int game = 0; game < 40; ++game) {
    Position p = read_fen(test_support::random_chess960_fen(random), {true}).position;
    std::vector<Position> path{p};
    for (int ply = 0; ply < 120; ++ply) {
      const std::vector<Move> moves = legal_moves(p);
      if (moves.empty()) break;
      for (const Move move : moves) EXPECT_TRUE(one_move_leads(p, make_move(p, move)));
      p = make_move(p, moves[random.below(static_cast<unsigned>(moves.size()))]);
      path.push_back(p);
    }
    // Positions further on or back, and the same one.
    for (std::size_t i = 0; i < path.size(); ++i) {
      for (std::size_t j = i < 4 ? 0 : i - 4; j < path.size() && j < i + 4; ++j) {
        EXPECT_EQ(one_move_leads(path[i], path[j]), by_trial(path[i], path[j])) << i << ' ' << j;
      }
    }
  }
}

TEST(OneMoveLeads, SpecialMoves) {
  // En passant, promotion, castling with both men on each other's target.
  EXPECT_TRUE(one_move_leads(position("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2"),
                             position("4k3/8/4P3/8/8/8/8/4K3 b - - 0 2")));
  EXPECT_FALSE(one_move_leads(position("4k3/8/8/3Pp3/8/8/8/4K3 w - - 0 2"),
                              position("4k3/8/4P3/8/8/8/8/4K3 b - - 0 2")));
  EXPECT_TRUE(one_move_leads(position("7k/P7/8/8/8/8/8/4K3 w - - 0 1"),
                             position("N6k/8/8/8/8/8/8/4K3 b - - 0 1")));
  EXPECT_TRUE(one_move_leads(position("4k3/8/8/8/8/8/8/5KR1 w G - 0 1"),
                             position("4k3/8/8/8/8/8/8/5RK1 b - - 1 1")));
  // Castling that looks like a move of the rook alone, and the same with the king's move alone.
  EXPECT_TRUE(one_move_leads(position("4k3/8/8/8/8/8/8/5K1R w H - 0 1"),
                             position("4k3/8/8/8/8/8/8/5RK1 b - - 1 1")));
  EXPECT_FALSE(one_move_leads(position("4k3/8/8/8/8/8/8/5K1R w - - 0 1"),
                              position("4k3/8/8/8/8/8/8/5RK1 b - - 1 1")));
  // A move into check, a pinned man's, a capture in passing that opens a line: made all the same.
  const Position by_rook = position("3rk3/8/8/8/8/8/8/4K3 w - - 0 1");
  EXPECT_FALSE(one_move_leads(by_rook, make_move(by_rook, Move{4, 3})));
  EXPECT_TRUE(one_move_leads(by_rook, make_move(by_rook, Move{4, 5})));
  const Position pinned = position("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1");
  EXPECT_FALSE(one_move_leads(pinned, make_move(pinned, Move{12, 18})));
  Position passing = position("6k1/8/8/K2Pp2r/8/8/8/8 w - - 0 1");
  passing.d |= square_bit(44);  // a mark that no reader leaves
  const Move takes{35, 44, PieceType::none, MoveKind::en_passant};
  EXPECT_FALSE(one_move_leads(passing, make_move(passing, takes)));
  // A pawn's step onto a man, a double step over one.
  EXPECT_FALSE(one_move_leads(position("4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1"),
                              position("4k3/8/8/4P3/8/8/8/4K3 b - - 0 1")));
  EXPECT_FALSE(one_move_leads(position("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1"),
                              position("4k3/8/8/8/4P3/4n3/8/4K3 b - - 0 1")));
  // The right to castle must have gone with the king's move.
  EXPECT_TRUE(one_move_leads(position("4k3/8/8/8/8/8/8/4K2R w H - 0 1"),
                             position("4k3/8/8/8/8/8/4K3/7R b - - 1 1")));
  EXPECT_FALSE(one_move_leads(position("r3k3/8/8/8/8/8/8/4K2R w Ha - 0 1"),
                              position("r3k3/8/8/8/8/8/4K3/7R b - - 1 1")));
}

}  // namespace
}  // namespace cuarbiter
