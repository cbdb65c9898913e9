// Who can still win: the prover on positions whose answer is known, its lines played out, its
// budget, and the two static proofs on their own.
#include "host/proof/prover.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/notation/fen.hpp"
#include "host/rules/movegen.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

FenResult read(const std::string& fen) {
  FenResult result = read_fen(fen, {true});
  EXPECT_TRUE(result.computable) << fen;
  return result;
}

// 'W' or '-', 'B' or '-', '?' for open; every yes is played out to the mate.
std::string answers(Prover& prover, const std::string& fen) {
  const FenResult f = read(fen);
  std::string out;
  for (const bool white : {true, false}) {
    const bool us = white != f.black();
    const Winnable answer = prover.prove(f.position, us);
    out += answer == Winnable::open ? '?' : answer == Winnable::no ? '-' : white ? 'W' : 'B';
    if (answer != Winnable::yes) {
      EXPECT_TRUE(prover.line().empty()) << fen;
      continue;
    }
    Position p = f.position;
    bool winner_to_move = us;
    for (const Move move : prover.line()) {
      bool legal = false;
      for_each_legal_move(p, [&](Move m) { legal |= m == move; });
      EXPECT_TRUE(legal) << fen;
      p = make_move(p, move);
      winner_to_move = !winner_to_move;
    }
    EXPECT_FALSE(winner_to_move) << fen;
    EXPECT_TRUE(in_check(p) && !has_legal_move(p)) << fen;
  }
  return out;
}

TEST(Prover, KnownPositions) {
  const struct {
    const char* answer;
    const char* fen;
  } known[] = {
      {"WB", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
      {"--", "8/8/4k3/8/8/3K4/8/8 w - - 0 1"},
      {"W-", "8/8/4k3/8/8/3K4/8/R7 w - - 0 1"},
      {"WB", "8/8/4k3/8/8/3KN3/8/5b2 w - - 0 1"},  // in the corner, behind the own bishop
      {"--", "8/8/4k3/8/8/3KB3/8/2b5 w - - 0 1"},  // bishops of one colour
      {"WB", "8/8/4k3/8/8/3KB3/8/5b2 w - - 0 1"},
      {"-B", "8/8/4k3/8/8/3KN3/8/5q2 w - - 0 1"},  // a queen cannot be made to stand by
      // Walls.
      {"--", "8/2k5/8/1p1p2p1/1P1P2P1/8/2K5/8 w - - 0 1"},
      {"--", "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1"},
      {"WB", "8/2k5/8/PpPpPpPp/1P1P1P1P/8/2K5/8 w - - 0 1"},
      // The only move takes the last man that could win.
      {"--", "8/8/8/8/8/8/2q5/K1k5 w - - 0 1"},
      // Over already.
      {"W-", "6k1/6P1/6K1/6P1/8/8/8/8 w - - 0 1"},
      {"-B", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"},
      {"--", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"},
  };
  Prover prover;
  for (const auto& [answer, fen] : known) {
    EXPECT_EQ(answers(prover, fen), answer) << fen;
  }
}

TEST(Prover, Chess960) {
  test_support::Random random(960);
  Prover prover;
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(answers(prover, test_support::random_chess960_fen(random)), "WB");
  }
  // Castling alone frees the rook.
  EXPECT_EQ(answers(prover, "8/8/8/8/8/3k4/8/RK6 w A - 0 1"), "W-");
}

TEST(Prover, AnswersDoNotDependOnWhatCameBefore) {
  Prover used;
  const std::string easy = "8/8/4k3/8/8/3K4/8/R7 w - - 0 1";
  const std::string hard = "8/1p1p1p1p/1P6/KP6/PP6/1P6/3P1P1P/k7 w - - 0 1";
  for (const std::string& fen : {hard, easy, hard}) {
    const FenResult f = read(fen);
    Prover fresh;
    EXPECT_EQ(used.prove(f.position, true), fresh.prove(f.position, true));
    EXPECT_EQ(used.nodes(), fresh.nodes());
    EXPECT_EQ(used.line(), fresh.line());
  }
}

TEST(Prover, BudgetEndsInAnHonestUnknown) {
  const FenResult f = read("8/1p1p1p1p/1P6/KP6/PP6/1P6/3P1P1P/k7 w - - 0 1");
  Prover small({100});
  EXPECT_EQ(small.prove(f.position, true), Winnable::open);
  EXPECT_LE(small.nodes(), 100u);
  Prover one({1});
  EXPECT_EQ(one.prove(f.position, true), Winnable::open);
  // What needs no search is answered all the same.
  EXPECT_EQ(one.prove(read("8/8/4k3/8/8/3K4/8/8 w - - 0 1").position, true), Winnable::no);
  EXPECT_EQ(one.prove(start_position(), true), Winnable::yes);
}

TEST(Prover, ImpossiblePositions) {
  Prover prover({20000});
  for (const char* fen : {
           "qqrrknnq/bbbnnbbb/8/8/8/8/NPPNNBNP/RQNNKQQR w - - 0 1",
           "qqqqkqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1",
           "8/8/4k3/8/8/3K4/8/4R3 w - - 0 1",  // the side that just moved is in check
       }) {
    const FenResult f = read_fen(fen);
    if (!f.computable) continue;
    for (const bool us : {true, false}) {
      EXPECT_NO_FATAL_FAILURE(prover.prove(f.position, us)) << fen;
    }
  }
}

// What the mobility of a wall says: nobody gets through, unless a pawn can be taken.
TEST(Mobility, Walls) {
  const auto excluded = [](const char* fen, bool deep = false) {
    const FenResult f = read(fen);
    Mobility mobility(f.position, true);
    if (deep) mobility.deepen();
    return !mobility.mate_is_possible();
  };
  EXPECT_TRUE(excluded("8/2k5/8/1p1p2p1/1P1P2P1/8/2K5/8 w - - 0 1"));
  EXPECT_FALSE(excluded("8/2k5/8/1p1p2p1/1P1P2P1/8/2K5/7R w - - 0 1"));
  // Pawns that face each other on a file never pass.
  EXPECT_TRUE(excluded("1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 b - - 0 1"));
  // Only together: the rook is shut in for good because king and bishop cannot move before it does.
  const char* shut = "B2b4/8/8/4k3/1p1p1p1p/1PpP1P1P/K1P4b/RB6 w - - 0 1";
  EXPECT_FALSE(excluded(shut));
}

// What the game with shadows says, with the pieces in `locked` on the board and all others shadows.
TEST(Shadows, LockedUpMen) {
  const auto excluded = [](const char* fen, bool us, Bitboard locked) {
    const FenResult f = read(fen);
    Mobility mobility(f.position, us);
    mobility.deepen();
    EXPECT_TRUE(mobility.mate_is_possible()) << fen;
    const BoardView<Bitboard> v = us ? view(f.position) : view(flipped(f.position));
    ShadowSearch search;
    return search.excludes_mate(f.position, us, mobility,
                                v.occupied & ~v.pawns() & ~v.kings() & ~locked, 20000);
  };
  // White's rook and bishop in the corner get out only if they are forgotten.
  const char* shut = "B2b4/8/8/4k3/1p1p1p1p/1PpP1P1P/K1P4b/RB6 w - - 0 1";
  EXPECT_TRUE(excluded(shut, true, 0x3));
  EXPECT_FALSE(excluded(shut, true, 0));
  // No move of the walled king's men but one that mates or is taken, no check but one that is
  // taken. Seen by White, who is not to move: the knight on h1, queen and knight on rank 2, the
  // bishop.
  const char* court = "8/8/8/8/5ppp/Q4pkb/5pnq/5K1n b - - 0 1";
  const Bitboard men =
      square_bit(7) | square_bit(14) | square_bit(15) | square_bit(16) | square_bit(23);
  EXPECT_TRUE(excluded(court, false, men));
  EXPECT_FALSE(excluded(court, false, 0));
  // Without the queen there is room.
  EXPECT_FALSE(excluded("8/8/8/8/5ppp/Q4pkb/5pn1/5K1n b - - 0 1", false, men));
}

TEST(Shadows, ChoiceIsFound) {
  ShadowProof proof;
  const auto excluded = [&](const char* fen, bool us) {
    const FenResult f = read(fen);
    Mobility mobility(f.position, us);
    mobility.deepen();
    return proof.excludes_mate(f.position, us, mobility, 20000, 40000);
  };
  EXPECT_TRUE(excluded("B2b4/8/8/4k3/1p1p1p1p/1PpP1P1P/K1P4b/RB6 w - - 0 1", true));
  EXPECT_TRUE(excluded("8/8/7p/8/5ppp/Q4pkb/5pnq/5K1n b - - 0 1", false));
  EXPECT_LT(proof.nodes(), 5000u);
  EXPECT_FALSE(excluded("8/8/7p/8/5ppp/Q4pkb/5pn1/5K1n b - - 0 1", false));
  EXPECT_FALSE(excluded("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", true));
  // A castling king and a pawn that can be captured in passing.
  EXPECT_FALSE(excluded("8/8/8/8/8/3k4/8/RK6 w A - 0 1", true));
  EXPECT_FALSE(excluded("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", true));
}

// A mate that random play brings about contradicts any no, from every position on the way.
TEST(Prover, RandomPlayNeverContradicts) {
  test_support::Random random(20);
  Prover prover({3000});
  int mates = 0;
  for (const char* fen : {"8/8/8/3k4/8/3K4/1q6/8 b - - 0 1", "8/8/1n1k4/8/8/3K1B2/1p6/8 w - - 0 1",
                          "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1"}) {
    for (int game = 0; game < 200; ++game) {
      std::vector<Position> path{read(fen).position};
      for (int ply = 0; ply < 200; ++ply) {
        const std::vector<Move> moves = test_support::legal_moves(path.back());
        if (moves.empty()) break;
        path.push_back(
            make_move(path.back(), moves[random.below(static_cast<unsigned>(moves.size()))]));
      }
      if (!in_check(path.back()) || has_legal_move(path.back())) continue;
      ++mates;
      bool us = false;  // in the last position the other side has won
      for (std::size_t i = path.size(); i-- > 0; us = !us) {
        EXPECT_NE(prover.prove(path[i], us), Winnable::no) << fen;
        EXPECT_TRUE(Mobility(path[i], us).mate_is_possible()) << fen;
      }
    }
  }
  EXPECT_GT(mates, 5);
}

}  // namespace
}  // namespace cuarbiter
