// Positions that no game can have led to, each beside its nearest neighbour that a game can.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/notation/fen.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

std::string codes(const std::string& fen, bool chess960 = false) {
  std::string out;
  for (const FenDefect& d : read_fen(fen, FenOptions{.chess960 = chess960}).defects) {
    EXPECT_FALSE(d.fatal) << d.message;
    if (!out.empty()) out += ' ';
    out += fen_fault_code(d.fault);
  }
  return out;
}

// White to move; the counters leave room for any game.
std::string at(const std::string& placement, const std::string& castling = "-") {
  return placement + " w " + castling + " - 0 90";
}

TEST(ImpossibleHistory, FaultsOfHistoryAreErrorsThatCanBeUsed) {
  for (const FenFault fault : {FenFault::shut_in, FenFault::pawn_structure, FenFault::promotions}) {
    EXPECT_TRUE(fen_fault_is_error(fault));
    EXPECT_TRUE(fen_fault_is_of_history(fault));
  }
  for (unsigned i = 0; i < static_cast<unsigned>(FenFault::shut_in); ++i) {
    EXPECT_FALSE(fen_fault_is_of_history(static_cast<FenFault>(i)));
  }
  EXPECT_TRUE(read_fen(at("4k3/8/8/8/8/B7/PPPPPPPP/4K3")).computable);
}

// ---- bishops and other pieces behind pawns that have never moved ----

TEST(ShutIn, BishopThatCannotHaveLeft) {
  EXPECT_EQ(codes(at("4k3/8/8/8/8/B7/PPPPPPPP/4K3")), "fen.shut-in");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/BP6/P1PPPPPP/4K3")), "");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/B2P4/PPP1PPPP/4K3")), "");
  // A pawn is missing: it may have promoted.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/B7/PPPPPPP1/4K3")), "");
  // Only what is missing counts: gone it may be, taken at home.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/8/PPPPPPPP/4K3")), "");
  // The king's bishop, and Black's two.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/7B/PPPPPPPP/4K3")), "fen.shut-in");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/6PB/PPPPPP1P/4K3")), "");
  EXPECT_EQ(codes(at("4k3/pppppppp/7b/8/8/8/8/4K3")), "fen.shut-in");
  EXPECT_EQ(codes(at("4k3/pppp1ppp/4p2b/8/8/8/8/4K3")), "");
  EXPECT_EQ(codes(at("4k3/pppppp1p/6pb/8/8/8/8/4K3")), "");
  EXPECT_EQ(codes(at("4k3/pppppppp/b7/8/8/8/8/4K3")), "fen.shut-in");
  EXPECT_EQ(codes(at("4k3/ppp1pppp/3pb3/8/8/8/8/4K3")), "");
  // The other bishop's pawns do not matter.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/B2PP3/PPP2PPP/4K3")), "");
}

TEST(ShutIn, PromotedBishopBesideTheOneAtHome) {
  EXPECT_EQ(codes(at("4k3/8/8/8/8/B7/PPPPPPP1/2B1K3")), "");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/B7/PPPPPPPP/2B1K3")), "fen.too-many");
  // Two promoted bishops and one pawn missing.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/B1B5/PPPPPPP1/4K3")), "fen.shut-in");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/B1B5/PPPPPP2/4K3")), "");
}

TEST(ShutIn, RooksQueenAndKingInTheirCorner) {
  // The bishop at home and pawns make a cage for the rook, which reaches only b1.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/R6P/PPPPPPP1/2B1K2R")), "fen.shut-in");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/7P/PPPPPPP1/1RB1K2R")), "");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/P6R/1PPPPPPP/R1B1K3")), "fen.shut-in");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/P6R/1PPPPPPP/2B1K2R")), "");
  // The bishop has been taken at home: the rook got out past its square.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/R4PPP/PPPPP3/4K2R")), "");
  // One rook outside may be either: only one of two is shut in.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/R6P/PPPPPPP1/2B1K3")), "");
  // Both shut in.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/R7/PPPPPPPP/2B1KB2")), "fen.shut-in");
  // The queen behind her pawns, beside a king that has not moved.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/Q7/PPPPPPPP/R1B1KB1R", "KQ")), "fen.shut-in");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/Q1P5/PP1PPPPP/R1B1KB1R", "KQ")), "");
  // The king.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/K7/PPPPPPPP/2B2B2")), "fen.shut-in");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/K2P4/PPP1PPPP/2B2B2")), "");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/8/PPPPPPPP/2BK1B2")), "");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/8/PPPPPPPP/K1B2B2")), "fen.shut-in");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/8/PPPPPPPP/K4B2")), "");
}

TEST(ShutIn, NothingIsKnownOfPiecesInChess960) {
  EXPECT_EQ(codes(at("4k3/8/8/8/8/B7/PPPPPPPP/4K3"), true), "");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/R7/PPPPPPPP/2B1KB2"), true), "");
  // Rights by the files of the rooks say that it is Chess960.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/B7/PPPPPPPP/R3K3", "A")), "");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/B7/PPPPPPPP/R3K3", "Q")), "fen.shut-in");
}

// ---- pawns ----

TEST(PawnStructure, CapturesThatWereNotMade) {
  // Doubled pawns take one capture; all of Black's men are there.
  EXPECT_EQ(codes(at("rnbqkbnr/pppppppp/8/8/8/4P3/PPP1PPPP/RNBQKBNR", "KQkq")),
            "fen.pawn-structure");
  EXPECT_EQ(codes(at("rnbqkb1r/pppppppp/8/8/8/4P3/PPP1PPPP/RNBQKBNR", "KQkq")), "");
  // A pawn two files from where one is missing: two captures.
  EXPECT_EQ(codes(at("rnbqkb1r/pppppppp/8/8/5P2/8/PPP1PPPP/RNBQKBNR", "KQkq")),
            "fen.pawn-structure");
  EXPECT_EQ(codes(at("r1bqkb1r/pppppppp/8/8/5P2/8/PPP1PPPP/RNBQKBNR", "KQkq")), "");
  // Four pawns have each moved over by one: the cheapest way is not each pawn's own.
  EXPECT_EQ(codes(at("2b1kb1r/pppppppp/8/8/7P/4PPPP/PPP5/RNBQKBNR")), "");
  EXPECT_EQ(codes(at("2bqkb1r/pppppppp/8/8/7P/4PPPP/PPP5/RNBQKBNR")), "fen.pawn-structure");
  // Black.
  EXPECT_EQ(codes(at("rnbqkbnr/ppp1pppp/4p3/8/8/8/PPPPPPPP/RNBQKBNR", "KQkq")),
            "fen.pawn-structure");
  EXPECT_EQ(codes(at("rnbqkbnr/ppp1pppp/4p3/8/8/8/PPPPPPPP/R1BQKBNR", "KQkq")), "");
}

TEST(PawnStructure, AtMostOneFileARank) {
  // Six pawns on the a-file: fifteen captures, and Black has fifteen men missing.
  EXPECT_EQ(codes(at("4k3/P7/P7/P7/P7/P7/P7/4K3")), "");
  // A second one on the third rank could only come from a2 or b2, where pawns stand.
  EXPECT_EQ(codes(at("4k3/8/8/8/8/P7/PP6/4K3")), "fen.pawn-structure");
  EXPECT_EQ(codes(at("4k3/8/8/8/8/P7/P1P5/4K3")), "");
  EXPECT_EQ(codes(at("4k3/8/8/8/P7/8/PP6/4K3")), "");
  EXPECT_EQ(codes(at("4k3/8/8/8/P7/P7/PP6/4K3")), "fen.pawn-structure");
  EXPECT_EQ(codes(at("4k3/8/8/8/P7/P7/P7/4K3")), "");
  EXPECT_EQ(codes(at("4k3/p1p5/p7/8/8/8/8/4K3")), "");
  EXPECT_EQ(codes(at("4k3/pp6/p7/8/8/8/8/4K3")), "fen.pawn-structure");
}

TEST(PawnStructure, ABishopTakenAtHomeWasTakenByNoPawn) {
  const std::string doubled = "/pppppppp/8/8/8/4P3/PPP1PPPP/RNBQKBNR";
  EXPECT_EQ(codes(at("rn1qkbnr" + doubled, "KQkq")), "fen.pawn-structure");
  EXPECT_EQ(codes(at("rnbq1bnr/pppppppp/4k3/8/8/4P3/PPP1PPPP/RNBQKBNR", "KQ")),
            "fen.shut-in fen.pawn-structure");
  EXPECT_EQ(codes(at("r1bqkbnr" + doubled, "KQkq")), "");
  EXPECT_EQ(codes(at("rn1qkbnr/p1pppppp/1p6/8/8/4P3/PPP1PPPP/RNBQKBNR", "KQkq")), "");
  EXPECT_EQ(codes(at("rn1qkbnr" + doubled), true), "");
}

TEST(PawnStructure, PawnsThatPassedEachOtherOnAFile) {
  // All men there: none has captured, so no pawn has left its file.
  EXPECT_EQ(codes(at("rnbqkbnr/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKBNR", "KQkq")),
            "fen.pawn-structure fen.pawn-structure");
  EXPECT_EQ(codes(at("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "KQkq")), "");
  // White has captured twice: its pawn went round. Once is not enough.
  EXPECT_EQ(codes(at("rnbqkb1r/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKBNR", "KQkq")),
            "fen.pawn-structure");
  EXPECT_EQ(codes(at("rnbqk2r/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKBNR", "KQkq")), "");
  // Each has captured once: the d-pawn on the e-file, say, and the e-pawn on another.
  EXPECT_EQ(codes(at("rnbqkb1r/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKB1R", "KQkq")), "");
}

TEST(PawnStructure, PromotedPawnsHadToPass) {
  // Black's pawns have never moved: none of White's ever stood on the seventh rank.
  EXPECT_EQ(codes(at("4k3/pppppppp/8/8/8/QQ6/PPPPPPP1/4K3")), "fen.pawn-structure");
  EXPECT_EQ(codes(at("4k3/ppppppp1/7p/8/8/QQ6/PPPPPPP1/4K3")), "");
  // The way up is on the a-file, seven captures away at least for the h-pawn, which makes six at
  // most; without the b-pawn it is one.
  EXPECT_EQ(codes(at("4k3/1ppppppp/p7/8/8/QQ6/PPPPPPP1/4K3")), "fen.pawn-structure");
  EXPECT_EQ(codes(at("4k3/1ppppppp/p7/8/8/QQ6/P1PPPPPP/4K3")), "");
  // White has captured nothing and still promoted the pawn of a file where Black's stands at home.
  EXPECT_EQ(codes(at("rnbqkbnr/1ppppppp/p7/8/8/QQ6/P1PPPPPP/RNB1KB2")), "fen.pawn-structure");
  EXPECT_EQ(codes(at("rnbqkbnr/p1pppppp/1p6/8/8/QQ6/P1PPPPPP/RNB1KB2")), "");
}

// ---- promotions by the number of captures ----

TEST(Promotions, NonePassesWithoutACapture) {
  // 32 men, a knight in place of a pawn. Moved pawns, so that only the count tells.
  EXPECT_EQ(codes(at("rnbqkbnr/1ppppppp/p7/8/8/N7/1PPPPPPP/RNBQKBNR", "KQkq")), "fen.promotions");
  EXPECT_EQ(codes(at("rnbqkb1r/1ppppppp/p7/8/8/N7/1PPPPPPP/RNBQKBNR", "KQkq")), "");
}

TEST(Promotions, OneCaptureOfAPieceLetsTwoPass) {
  // A pawn of White took a knight: it and the one of Black that faced it promoted.
  EXPECT_EQ(codes(at("rnbqkb1r/1ppppppp/8/8/8/N1q5/1PPPPPPP/RNBQKBNR")), "");
  EXPECT_EQ(codes(at("rnbqkb1r/2pppppp/8/8/8/NPqq4/2PPPPPP/RNBQKBNR")), "fen.promotions");
}

TEST(Promotions, OneCaptureOfAPawnLetsThreePass) {
  EXPECT_EQ(codes(at("rnbqkbnr/3ppppp/n1p5/8/8/NN6/2PPPPPP/RNBQKBNR")), "");
  EXPECT_EQ(codes(at("rnbqkbnr/3ppppp/nn6/8/8/NN6/2PPPPPP/RNBQKBNR")), "fen.promotions");
}

TEST(Promotions, OfOneSideByTheFilesThatOpened) {
  // One knight taken: of each side at most one pawn has passed.
  EXPECT_EQ(codes(at("rnbqkb1r/1ppppppp/p7/8/8/NN6/2PPPPPP/RNBQKBNR")), "fen.promotions");
  EXPECT_EQ(codes(at("rnbqkb2/1ppppppp/p7/8/8/NN6/2PPPPPP/RNBQKBNR")), "");
}

// ---- the line between the two ----

// Nothing is ever found of what play reaches, promotions in plenty.
TEST(ImpossibleHistory, RandomPlayIsPossible) {
  const char* const starts[] = {
      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
      "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
      "rkbnnbrq/pppppppp/8/8/8/8/PPPPPPPP/RKBNNBRQ w GAga - 0 1",
  };
  std::uint64_t seed = 3;
  const auto random = [&seed](std::size_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>((seed >> 33) % below);
  };
  std::uint64_t promotions = 0;
  for (int game = 0; game < 900; ++game) {
    const bool chess960 = game % 3 != 0;
    FenResult fen = read_fen(starts[game % 3]);
    Position p = fen.position;
    bool black = false;
    for (int ply = 0; ply < 300; ++ply) {
      std::vector<Move> moves, pawn_moves;
      for_each_legal_move(p, [&](Move m) {
        moves.push_back(m);
        if (piece_at(p, m.from) == PieceType::pawn) pawn_moves.push_back(m);
      });
      if (moves.empty()) break;
      // In every other game pawns run: structures and promotions while many men are left.
      const bool run = game % 2 && !pawn_moves.empty() && random(3) != 0;
      const Move m = run ? pawn_moves[random(pawn_moves.size())] : moves[random(moves.size())];
      promotions += m.promotion != PieceType::none ? 1 : 0;
      p = make_move(p, m);
      black = !black;
      const std::string text = write_fen(p, black ? Color::black : Color::white, 0, 300);
      const std::string found = codes(text, chess960);
      ASSERT_EQ(found, "") << text;
    }
  }
  EXPECT_GT(promotions, 3000u);
}

}  // namespace
}  // namespace cuarbiter
