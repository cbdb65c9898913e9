// The touch-move rule, article by article (FIDE Laws of Chess 2023, article 4).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/notation/san_text.hpp"
#include "host/rules/touch_move.hpp"
#include "tests/support/board_text.hpp"

namespace cuarbiter {
namespace {

using namespace test;

std::vector<Square> squares_of(std::string_view list, bool black) {
  std::vector<Square> squares;
  for (std::size_t at = 0; at + 1 < list.size(); at += 3) {
    const int square = 8 * (list[at + 1] - '1') + (list[at] - 'a');
    squares.push_back(static_cast<Square>(black ? square ^ 56 : square));
  }
  return squares;
}

// The UCI moves left, sorted, castling as king takes rook; the touched squares with commas between.
std::string left(std::string_view fen, std::string_view touched) {
  const Position p = board_of(fen);
  const bool black = fen[fen.find(' ') + 1] == 'b';
  const std::vector<Square> squares = squares_of(touched, black);
  const TouchDuty duty = touch_duty(p, squares.data(), static_cast<unsigned>(squares.size()));
  std::vector<std::string> moves;
  for_each_legal_move(p, [&](Move m) {
    if (touch_allows(duty, p, m)) moves.push_back(uci_text(m, black, true));
  });
  std::sort(moves.begin(), moves.end());
  std::string out;
  for (const std::string& move : moves) out += (out.empty() ? "" : " ") + move;
  return out;
}

constexpr std::string_view kItalian =
    "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
// Both castlings are legal; so are moves of both rooks and of the king.
constexpr std::string_view kBothSides = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

TEST(TouchMove, NothingTouchedLeavesEveryMove) {
  EXPECT_EQ(left("7k/8/8/8/8/8/8/K7 w - - 0 1", ""), "a1a2 a1b1 a1b2");
  EXPECT_EQ(left("7k/8/8/8/8/8/8/K7 w - - 0 1", "d4,e5"), "a1a2 a1b1 a1b2");
}

TEST(TouchMove, FirstOwnManThatCanMove) {  // 4.3.1
  EXPECT_EQ(left(kStartFen, "g1"), "g1f3 g1h3");
  EXPECT_EQ(left(kStartFen, "g1,b1"), "g1f3 g1h3");
  EXPECT_EQ(left(kStartFen, "a1,c1,b1,g1"), "b1a3 b1c3");
  // A pinned knight cannot move, so the man touched next must.
  EXPECT_EQ(left("4k3/8/8/8/4r3/8/P3N3/4K3 w - - 0 1", "e2,a2"), "a2a3 a2a4");
  // In check the knight moves only where it answers.
  EXPECT_EQ(left("4k3/8/8/8/4r3/8/8/2N1K3 w - - 0 1", "c1"), "c1e2");
}

TEST(TouchMove, FirstOpponentsManThatCanBeTaken) {  // 4.3.2
  EXPECT_EQ(left(kItalian, "e5"), "f3e5");
  EXPECT_EQ(left(kItalian, "c6,f7"), "c4f7");
  EXPECT_EQ(left(kItalian, "f7,e5"), "c4f7");
  // More than one man can take it.
  EXPECT_EQ(left("4k3/8/3p4/2P1P3/8/8/8/4K3 w - - 0 1", "d6"), "c5d6 e5d6");
  // The king can never be taken.
  EXPECT_EQ(left("7k/8/8/8/8/8/8/K7 w - - 0 1", "h8"), "a1a2 a1b1 a1b2");
}

TEST(TouchMove, EnPassantTakesThePawnThatPassed) {
  const std::string_view fen = "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1";
  EXPECT_EQ(left(fen, "c5"), "d5c6");
  EXPECT_EQ(left(fen, "d5,c5"), "d5c6");
  EXPECT_EQ(left("4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1", "f4"), "e4f3");
}

TEST(TouchMove, OneManOfEachColour) {  // 4.3.3
  EXPECT_EQ(left(kItalian, "f3,e5"), "f3e5");
  EXPECT_EQ(left(kItalian, "e5,f3"), "f3e5");
  // Only the first of each colour makes the pair: the bishop touched later does not.
  EXPECT_EQ(left(kItalian, "f3,e5,c4,f7"), "f3e5");
  // Not possible together: the first touched that can be moved or captured.
  EXPECT_EQ(left(kItalian, "f3,f7"), "f3d4 f3e5 f3g1 f3g5 f3h4");
  EXPECT_EQ(left(kItalian, "f7,f3"), "c4f7");
  EXPECT_EQ(left(kItalian, "a1,c6,e5"), "f3e5");
  EXPECT_EQ(left(kItalian, "c6,a1,b2"), "b2b3 b2b4");
}

TEST(TouchMove, KingThenRookMustCastle) {  // 4.4.1
  EXPECT_EQ(left(kBothSides, "e1,h1"), "e1h1");
  EXPECT_EQ(left(kBothSides, "e1,a1"), "e1a1");
  EXPECT_EQ(left(kBothSides, "e1,h1,a1"), "e1h1");
  EXPECT_EQ(left("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8,a8"), "e8a8");
  // Touching squares twice or empty ones changes nothing.
  EXPECT_EQ(left(kBothSides, "e1,e1,d4,h1"), "e1h1");
  // Men touched after castling was begun do not matter.
  EXPECT_EQ(left("4k3/8/8/8/8/8/4p3/R3K2R w KQ - 0 1", "e1,e2,h1"), "e1e2");
}

TEST(TouchMove, KingAloneMayCastle) {
  EXPECT_EQ(left(kBothSides, "e1"), "e1a1 e1d1 e1d2 e1e2 e1f1 e1f2 e1h1");
}

TEST(TouchMove, RookThenKingMustNotCastleThere) {  // 4.4.2
  EXPECT_EQ(left(kBothSides, "h1,e1"), "h1f1 h1g1 h1h2 h1h3 h1h4 h1h5 h1h6 h1h7 h1h8");
  // The rook cannot move: the king must, and castling with the other rook is open to it.
  const std::string_view shut = "4k3/8/8/8/8/8/6PP/RN2K1NR w KQ - 0 1";
  EXPECT_EQ(left(shut, "h1,e1"), "e1d1 e1d2 e1e2 e1f1 e1f2");
  // Chess960: the rook beside its king cannot move, castling is legal all the same.
  const std::string_view close = "4k3/8/8/8/8/8/6PP/R4KRN w AG - 0 1";
  EXPECT_EQ(left(close, "f1"), "f1a1 f1e1 f1e2 f1f2 f1g1");
  EXPECT_EQ(left(close, "g1,f1"), "f1a1 f1e1 f1e2 f1f2");
  EXPECT_EQ(left(close, "f1,g1"), "f1g1");
  // A rook touched on either side of the king: the one touched after it binds.
  EXPECT_EQ(left(close, "g1,f1,a1"), "f1a1");
}

TEST(TouchMove, CastlingForbiddenStaysSoWhenNothingTouchedCanMove) {
  // King and rook can only castle; touched in the wrong order, another man must move.
  const std::string_view fen = "4k3/8/8/8/8/p7/P3PPPP/3NBKRN w G - 0 1";
  EXPECT_EQ(left(fen, "f1"), "f1g1");
  EXPECT_EQ(left(fen, "g1,f1").find("f1g1"), std::string::npos);
  EXPECT_EQ(left(fen, "g1,f1,h1"), "h1g3");
  // The only legal move there is stays legal.
  const std::string_view only = "4k3/8/8/8/5p1p/p3pPpP/P2pP1P1/5KRB w G - 0 1";
  EXPECT_EQ(left(only, ""), "f1g1");
  EXPECT_EQ(left(only, "g1,f1"), "f1g1");
}

TEST(TouchMove, IllegalCastlingBindsTheKing) {  // 4.4.3
  // The king would pass over f1, which is attacked.
  const std::string_view f_file = "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
  EXPECT_EQ(left(f_file, "e1,h1"), "e1a1 e1d1 e1d2 e1e2");
  // No right to castle with that rook.
  EXPECT_EQ(left("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1,h1"), "e1a1 e1d1 e1d2 e1e2 e1f1 e1f2");
  // The other rook was touched as well, and with it castling is legal.
  EXPECT_EQ(left(f_file, "e1,h1,a1"), "e1a1");
  // The king has no legal move: any move of any man.
  const std::string_view shut = "4k3/8/8/8/8/8/P2PPP1p/3QKB1R w - - 0 1";
  const std::string every = left(shut, "");
  EXPECT_NE(every.find("h1h2"), std::string::npos);
  EXPECT_NE(every.find("a2a3"), std::string::npos);
  EXPECT_EQ(left(shut, "e1,h1"), every);
  // Another man touched in between: castling was not intended, and the next man must move.
  EXPECT_EQ(left(shut, "e1,a2,h1"), "a2a3 a2a4");
}

TEST(TouchMove, PromotionIsChosenLater) {  // 4.4.4
  EXPECT_EQ(left("8/P1k5/K7/8/8/8/8/8 w - - 0 1", "a7"), "a7a8b a7a8n a7a8q a7a8r");
}

TEST(TouchMove, NothingTouchedCanBeDoneLeavesEveryMove) {  // 4.5
  const std::string every = left(kStartFen, "");
  EXPECT_EQ(std::count(every.begin(), every.end(), ' '), 19);
  EXPECT_EQ(left(kStartFen, "a1"), every);
  EXPECT_EQ(left(kStartFen, "d1,c8,e8"), every);
}

// Whatever is touched, something is left where there was something, and nothing illegal comes up.
TEST(TouchMove, NeverLeavesNothing) {
  std::uint64_t seed = 7;
  for (const Position& p : random_positions(3000, 5)) {
    Square touched[4];
    for (Square& square : touched) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      square = static_cast<Square>(seed >> 58);
    }
    const TouchDuty duty = touch_duty(p, touched, 4);
    unsigned legal = 0, allowed = 0;
    for_each_legal_move(p, [&](Move m) {
      ++legal;
      allowed += touch_allows(duty, p, m) ? 1 : 0;
    });
    EXPECT_LE(allowed, legal);
    EXPECT_EQ(allowed == 0, legal == 0);
  }
}

}  // namespace
}  // namespace cuarbiter
