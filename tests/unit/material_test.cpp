// Material signatures, and the classes of endgames at their borders.
#include "host/notation/material_text.hpp"

#include <gtest/gtest.h>

#include "tests/support/board_text.hpp"

namespace cuarbiter {
namespace {

using namespace test;

std::string material(std::string_view fen) {
  std::string out;
  const bool black = fen[fen.find(' ') + 1] == 'b';
  append_material(out, board_of(fen), black ? Color::black : Color::white);
  return out;
}

std::string_view endgame(std::string_view fen) {
  return endgame_class_name(endgame_class(view(board_of(fen))));
}

TEST(Material, SignatureHasWhiteFirstWhoeverMoves) {
  EXPECT_EQ(material("4k3/8/8/8/8/8/4P3/R3K2r w - - 0 1"), "KRPvKR");
  EXPECT_EQ(material("4k3/8/8/8/8/8/4P3/R3K2r b - - 0 1"), "KRPvKR");
  EXPECT_EQ(material("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1"), "KRRPvK");
  EXPECT_EQ(material("4k3/p7/8/8/8/8/8/4K3 b - - 0 1"), "KvKP");
  EXPECT_EQ(material("1nbqk3/8/8/8/8/8/8/1NBQK3 w - - 0 1"), "KQBNvKQBN");
  EXPECT_EQ(material(kStartFen), "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP");
}

TEST(Material, BareKing) {
  EXPECT_EQ(endgame("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "bare_king");
  EXPECT_EQ(endgame("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1"), "bare_king");
  EXPECT_EQ(endgame("4k3/8/8/8/8/8/8/4K3 b - - 0 1"), "bare_king");
  EXPECT_EQ(endgame("qqrrk3/8/8/8/8/8/8/4K3 b - - 0 1"), "bare_king");
  // Five pieces against a bare king are no endgame by the count of pieces.
  EXPECT_EQ(endgame("qqrrkb2/8/8/8/8/8/8/4K3 b - - 0 1"), "none");
  // A pawn, and the king is not bare.
  EXPECT_EQ(endgame("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1"), "bare_king");
  EXPECT_EQ(endgame("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1"), "simple");
}

TEST(Material, SimpleMixedAndComplex) {
  EXPECT_EQ(endgame("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1"), "simple");
  EXPECT_EQ(endgame("r3k3/p7/8/8/8/8/P7/R3K3 w - - 0 1"), "simple");
  EXPECT_EQ(endgame("r3k3/8/8/8/8/8/8/4K2R w K - 0 1"), "simple");
  EXPECT_EQ(endgame("b3k3/8/8/8/8/8/8/4KB2 w - - 0 1"), "simple");
  EXPECT_EQ(endgame("b3k3/8/8/8/8/8/8/4KN2 w - - 0 1"), "mixed");
  EXPECT_EQ(endgame("r3k3/8/8/8/8/8/8/4KQ2 w - - 0 1"), "mixed");
  EXPECT_EQ(endgame("r3k3/p7/8/8/8/8/8/4KB2 b - - 0 1"), "mixed");
  EXPECT_EQ(endgame("r3k3/8/8/8/8/8/8/R3KB2 w - - 0 1"), "complex");
  EXPECT_EQ(endgame("4k3/p7/8/8/8/8/8/R3KB2 w - - 0 1"), "complex");
  EXPECT_EQ(endgame("rr2k3/8/8/8/8/8/8/R3K2R w - - 0 1"), "complex");
}

TEST(Material, AnEndgameHasAtMostFourPieces) {
  EXPECT_EQ(endgame("rb2k3/pppppppp/8/8/8/8/PPPPPPPP/R3KB2 w - - 0 1"), "complex");
  EXPECT_EQ(endgame("rbn1k3/pppppppp/8/8/8/8/PPPPPPPP/R3KB2 w - - 0 1"), "none");
  EXPECT_EQ(endgame(kStartFen), "none");
}

}  // namespace
}  // namespace cuarbiter
