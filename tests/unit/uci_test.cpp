// UCI moves: writing, reading, castling in both spellings.
#include <gtest/gtest.h>

#include <string>

#include "host/notation/fen.hpp"
#include "host/notation/san_text.hpp"
#include "host/rules/movegen.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

std::string read_back(const char* fen_text, const char* uci, bool chess960 = false) {
  const FenResult fen = read_fen(fen_text, FenOptions{.chess960 = chess960});
  const std::optional<Move> move = read_uci(fen.position, uci, fen.black());
  return move ? san_text(fen.position, *move, fen.black()) : "none";
}

TEST(Uci, PlainMovesAndPromotions) {
  EXPECT_EQ(read_back(kStartFen.data(), "e2e4"), "e4");
  EXPECT_EQ(read_back(kStartFen.data(), "g1f3"), "Nf3");
  EXPECT_EQ(read_back(kStartFen.data(), "e2e5"), "none");
  EXPECT_EQ(read_back(kStartFen.data(), "e7e5"), "none");
  EXPECT_EQ(read_back("4k3/8/8/8/8/8/6p1/4K3 b - - 0 1", "g2g1n"), "g1=N");
  EXPECT_EQ(read_back("4k3/8/8/8/8/8/6p1/4K3 b - - 0 1", "g2g1"), "none");
  EXPECT_EQ(read_back("4k3/8/8/8/8/8/6p1/4K3 b - - 0 1", "g2g1k"), "none");
  EXPECT_EQ(read_back("4k3/8/8/8/8/8/6p1/4K3 b - - 0 1", "e8e7q"), "none");
  EXPECT_EQ(read_back("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2", "d5e6"), "dxe6");
}

TEST(Uci, WhatIsNoMove) {
  for (const char* text : {"", "e2", "e2e", "e2e9", "i2e4", "E2E4", "0000", "e2e4qq", "e2-e4"}) {
    EXPECT_EQ(read_back(kStartFen.data(), text), "none") << text;
  }
}

TEST(Uci, CastlingInBothSpellings) {
  const char* fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
  EXPECT_EQ(read_back(fen, "e8g8"), "O-O");
  EXPECT_EQ(read_back(fen, "e8h8"), "O-O");
  EXPECT_EQ(read_back(fen, "e8c8"), "O-O-O");
  EXPECT_EQ(read_back(fen, "e8a8"), "O-O-O");
  const FenResult r = read_fen(fen);
  const Move move = read_uci(r.position, "e8h8", true).value();
  EXPECT_EQ(uci_text(move, true, false), "e8g8");
  EXPECT_EQ(uci_text(move, true, true), "e8h8");
  EXPECT_EQ(read_back("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"), "O-O");
  EXPECT_EQ(read_back("4k3/8/8/8/8/8/8/5KR1 w - - 0 1", "f1g1"), "none");
  EXPECT_EQ(read_back("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1c1"), "none");
}

TEST(Uci, EveryLegalMoveOfRandomGamesIsReadBack) {
  unsigned long moves = 0;
  test_support::play_random_games(
      2, 40, 120, [&](const test_support::PlayedPosition& p, bool chess960) {
        for (const Move move : test_support::legal_moves(p.position)) {
          const std::string text = uci_text(move, p.black(), chess960);
          const std::optional<Move> back = read_uci(p.position, text, p.black());
          ASSERT_TRUE(back.has_value()) << p.fen() << " " << text;
          EXPECT_EQ(*back, move) << p.fen() << " " << text;
          ++moves;
        }
      });
  EXPECT_GT(moves, 50000u);
}

}  // namespace
}  // namespace cuarbiter
