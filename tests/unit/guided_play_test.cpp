// Guided play: every line it finds is played out by the rules core, and where nobody can mate it
// finds none.
#include "host/play/guided_play.hpp"

#include <gtest/gtest.h>

#include <string>

#include "host/notation/fen.hpp"
#include "host/rules/game_state.hpp"
#include "host/rules/movegen.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

constexpr unsigned kRounds = 40;

// True when the line is legal to the last move, which mates for the side asked for.
bool mates(const Position& position, bool us, const std::vector<Move>& line) {
  Position p = position;
  for (const Move move : line) {
    bool legal = false;
    for_each_legal_move(p, [&](Move m) { legal |= m == move; });
    if (!legal) return false;
    p = make_move(p, move);
    us = !us;
  }
  return !line.empty() && !us && in_check(p) && !has_legal_move(p);
}

// Looks for a line and plays it out.
bool found(GuidedPlay& play, const Position& position, bool us, unsigned rounds) {
  if (!play.find(position, us, rounds)) return false;
  std::vector<Move> line;
  play.append_line(position, line);
  EXPECT_TRUE(mates(position, us, line));
  return true;
}

TEST(GuidedPlay, PlansAlone) {
  GuidedPlay play;
  for (const char* fen : {
           "r2q1rk1/ppp2ppp/2np1n2/4p3/2B1P3/2NP1Q2/PPP2PPP/R3R1K1 w - - 0 10",  // in contact
           "6k1/5ppp/8/8/8/2b5/5PPP/3R2K1 w - - 0 30",                           // along the edge
           "8/8/3k4/8/8/8/8/K6Q w - - 0 1", "8/8/3k4/8/8/8/8/K6R w - - 0 1",
           "8/8/3k4/8/P7/8/8/K7 w - - 0 1",    // by promotion
           "8/8/1p6/P3k3/8/8/8/K7 w - - 0 1",  // after a capture
       }) {
    const FenResult f = read_fen(fen);
    ASSERT_TRUE(f.computable) << fen;
    EXPECT_TRUE(found(play, f.position, true, 0)) << fen;
  }
}

TEST(GuidedPlay, StartPositions) {
  GuidedPlay play;
  test_support::Random random(1);
  for (int i = 0; i < 200; ++i) {
    const FenResult f = read_fen(test_support::random_chess960_fen(random), {true});
    ASSERT_TRUE(f.computable);
    for (const bool us : {true, false}) EXPECT_TRUE(found(play, f.position, us, kRounds));
  }
  for (const bool us : {true, false}) EXPECT_TRUE(found(play, start_position(), us, kRounds));
}

// Positions of random games down to few men: nearly every question that material leaves open is
// answered, and every answer holds.
TEST(GuidedPlay, RandomGames) {
  GuidedPlay play;
  test_support::Random random(2);
  unsigned asked = 0, answered = 0;
  for (int game = 0; game < 150; ++game) {
    const FenResult f = read_fen(test_support::random_chess960_fen(random), {true});
    Position p = f.position;
    for (unsigned ply = 0; ply < 400; ++ply) {
      const std::vector<Move> moves = test_support::legal_moves(p);
      if (moves.empty()) break;
      p = make_move(p, moves[random.below(static_cast<unsigned>(moves.size()))]);
      if (ply % 8 != 0) continue;
      const BoardView<Bitboard> v = view(p);
      for (const bool us : {true, false}) {
        const bool answer = found(play, p, us, kRounds);
        if (material_cannot_win(v, us ? v.us : v.them)) {
          EXPECT_FALSE(answer);
        } else {
          ++asked;
          answered += answer ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(asked, 5000u);
  EXPECT_GT(answered, asked / 100 * 85);
}

TEST(GuidedPlay, NothingWhereNobodyCan) {
  GuidedPlay play;
  for (const char* fen : {
           "8/2k5/8/1p1p2p1/1P1P2P1/8/2K5/8 w - - 0 1",
           "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
           "8/8/8/8/8/8/2q5/K1k5 w - - 0 1",
           "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",   // stalemate
           "5k2/5Q2/5K2/8/8/8/8/8 b - - 0 1",  // mate already: no line
           "8/8/4k3/8/8/3K4/8/4R3 w - - 0 1",  // impossible: the side that just moved is in check
           "8/8/4k3/8/8/3KB3/8/2b5 w - - 0 1",
       }) {
    const FenResult f = read_fen(fen);
    if (!f.computable) continue;
    for (const bool us : {true, false}) EXPECT_FALSE(found(play, f.position, us, 200)) << fen;
  }
}

// What an object has done before does not matter.
TEST(GuidedPlay, AnswersDoNotDependOnWhatCameBefore) {
  GuidedPlay used;
  test_support::Random random(3);
  for (int i = 0; i < 20; ++i) {
    const FenResult f = read_fen(test_support::random_chess960_fen(random), {true});
    GuidedPlay fresh;
    ASSERT_TRUE(used.find(f.position, false, kRounds));
    ASSERT_TRUE(fresh.find(f.position, false, kRounds));
    std::vector<Move> one, other;
    used.append_line(f.position, one);
    fresh.append_line(f.position, other);
    EXPECT_EQ(one, other);
  }
}

}  // namespace
}  // namespace cuarbiter
