#include "host/proof/quick_proof.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/notation/fen.hpp"
#include "host/proof/prover.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

FenResult read(const std::string& fen) {
  FenResult f = read_fen(fen);
  EXPECT_TRUE(f.computable) << fen;
  return f;
}

// W and B for the sides that the proof shows can never mate.
template <class Proof>
std::string shown(const std::string& fen, Proof&& proof) {
  const FenResult f = read(fen);
  const unsigned sides = proof(f.position, kSideUs | kSideThem);
  std::string out;
  if (sides & (f.black() ? kSideThem : kSideUs)) out += 'W';
  if (sides & (f.black() ? kSideUs : kSideThem)) out += 'B';
  return out;
}

std::string forced(const std::string& fen) {
  return shown(fen, forced_lines_exclude);
}

std::string walled(const std::string& fen) {
  return shown(fen, walls_exclude);
}

TEST(ForcedLines, CapturesThatHaveToBeMade) {
  // The queen has to be taken: a bare king each.
  EXPECT_EQ(forced("k7/8/8/8/8/8/1q6/K7 w - - 0 1"), "WB");
  // It need not be.
  EXPECT_EQ(forced("k7/8/8/8/8/8/2q5/K7 b - - 0 1"), "W");
  // So has the rook, but beside it there is a square.
  EXPECT_EQ(forced("k7/8/8/8/8/8/r7/K7 w - - 0 1"), "W");
  // Taking with the king leaves a knight, which cannot mate a bare king.
  EXPECT_EQ(forced("k7/8/8/8/8/2n5/1q6/K7 w - - 0 1"), "WB");
}

TEST(ForcedLines, MatesAndStalemates) {
  // Mated: the other side has won, and this one cannot.
  EXPECT_EQ(forced("k6R/8/1K6/8/8/8/8/8 b - - 0 1"), "B");
  EXPECT_EQ(forced("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), "WB");
  EXPECT_EQ(forced("8/8/8/8/8/1k6/p7/K7 w - - 0 1"), "WB");
  // A mate that no game brings about: bishops of one colour, both giving check.
  EXPECT_EQ(forced("5B2/7r/5K1k/7r/8/4B3/8/8 b - - 0 1"), "B");
  // The only move mates.
  EXPECT_EQ(forced("8/8/8/8/8/1k6/2p5/K7 b - - 0 1"), "W");
}

TEST(ForcedLines, TooManyMovesProveNothing) {
  // Every move of Black's king but one leaves the pawn, which promotes.
  EXPECT_EQ(forced("8/8/8/8/3k4/8/1P6/K7 b - - 0 1"), "B");
  EXPECT_EQ(forced("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "");
}

TEST(Walls, LockedPawns) {
  EXPECT_EQ(walled("8/2k5/8/1p1p2p1/1P1P2P1/8/2K5/8 w - - 0 1"), "WB");
  EXPECT_EQ(walled("8/2k5/8/1p1p2p1/1P1P2P1/8/2K5/8 b - - 0 1"), "WB");
  // The rook mates from where it is, or takes a pawn.
  EXPECT_EQ(walled("8/2k5/8/1p1p2p1/1P1P2P1/8/2K5/7R w - - 0 1"), "");
  // Pawns that face each other on a file never pass.
  EXPECT_EQ(walled("1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 b - - 0 1"), "WB");
  // One more pawn can be taken, at the latest when it has promoted.
  EXPECT_EQ(walled("8/2k2p2/8/1p1p2p1/1P1P2P1/8/2K5/8 w - - 0 1"), "");
}

TEST(Walls, OrdinaryPositionsDoNotLookLocked) {
  test_support::Random random(3);
  unsigned locked = 0, asked = 0;
  for (int game = 0; game < 50; ++game) {
    Position p = start_position();
    for (unsigned ply = 0; ply < 60; ++ply) {
      const std::vector<Move> moves = test_support::legal_moves(p);
      if (moves.empty()) break;
      p = make_move(p, moves[random.below(static_cast<unsigned>(moves.size()))]);
      locked += looks_locked(view(p)) ? 1 : 0;
      ++asked;
    }
  }
  EXPECT_GT(asked, 2000u);
  EXPECT_LT(locked, asked / 20);
}

// Boards of few men beside each other, where much is forced: what the quick proofs exclude, the
// search, which looks at all lines of play, does not find.
TEST(QuickProof, SearchFindsNoMateThatIsExcluded) {
  test_support::Random random(11);
  Prover prover({20'000});
  unsigned excluded = 0;
  const std::string men = "PNBRQpnbrq";
  for (int i = 0; i < 30'000; ++i) {
    std::string squares(64, '1');
    squares[random.below(64)] = 'K';
    const unsigned king = random.below(64);
    if (squares[king] != '1') continue;
    squares[king] = 'k';
    for (unsigned n = 1 + random.below(3); n != 0; --n) {
      const unsigned at = random.below(64);
      const char man = men[random.below(10)];
      if (squares[at] != '1' || ((man == 'P' || man == 'p') && (at < 8 || at >= 56))) continue;
      squares[at] = man;
    }
    std::string fen;
    for (unsigned rank = 0; rank < 8; ++rank) {
      fen += squares.substr(8 * rank, 8) + (rank < 7 ? "/" : " w - - 0 1");
    }
    const FenResult f = read_fen(fen);
    if (!f.computable || opponent_in_check(f.position)) continue;
    const BoardView<Bitboard> v = view(f.position);
    for (const bool us : {true, false}) {
      if (material_cannot_win(v, us ? v.us : v.them) ||
          !quickly_excluded(f.position, us ? kSideUs : kSideThem))
        continue;
      ++excluded;
      EXPECT_NE(prover.prove(f.position, us, true), Winnable::yes) << fen << (us ? " us" : " them");
    }
  }
  EXPECT_GT(excluded, 50u);
}

}  // namespace
}  // namespace cuarbiter
