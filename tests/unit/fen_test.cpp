// FEN: every field's forms and faults, the position's defects, the normal form.
#include "host/notation/fen.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "host/rules/movegen.hpp"

namespace {
unsigned long allocations = 0;
}

// Counted, so that a test can tell that a clean record needs no memory.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace cuarbiter {
namespace {

std::string codes_of(const FenResult& fen) {
  std::string codes;
  for (const FenDefect& d : fen.defects) {
    if (!codes.empty()) codes += ' ';
    codes += fen_fault_code(d.fault);
  }
  return codes;
}

std::string codes(const std::string& fen, bool chess960 = false) {
  return codes_of(read_fen(fen, FenOptions{.chess960 = chess960}));
}

std::string normal(const std::string& text, bool chess960 = false) {
  const FenResult fen = read_fen(text, FenOptions{.chess960 = chess960});
  return write_fen(fen.position, fen.side_to_move, fen.halfmove_clock, fen.fullmove_number);
}

TEST(Fen, StartPosition) {
  const FenResult fen = read_fen(kStartFen);
  EXPECT_TRUE(fen.valid());
  EXPECT_TRUE(fen.computable);
  EXPECT_TRUE(fen.defects.empty());
  EXPECT_FALSE(fen.chess960);
  EXPECT_EQ(fen.side_to_move, Color::white);
  EXPECT_EQ(count_legal_moves(fen.position), 20);
  EXPECT_TRUE(same_position(fen.position, start_position()));
  EXPECT_EQ(normal(std::string(kStartFen)), kStartFen);
}

TEST(Fen, BlackToMoveSeesTheSameBoardFromTheOtherSide) {
  const FenResult white = read_fen(kStartFen);
  const FenResult black = read_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
  EXPECT_TRUE(same_position(white.position, black.position));
  EXPECT_TRUE(black.black());
}

TEST(Fen, ManyBlanksAreReadAndNoted) {
  const std::string fen = "4k3/8/8/8/8/8/8/4K2R w K -  0 1";
  EXPECT_EQ(codes(fen), "fen.normalised");
  EXPECT_TRUE(read_fen(fen).valid());
  EXPECT_EQ(normal(fen), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/4K2R\tw  K - 0   1"), "fen.normalised");
  EXPECT_EQ(codes("  4k3/8/8/8/8/8/8/4K2R w K - 0 1 \r"), "");
}

TEST(Fen, MissingFields) {
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/4K3 w - -"), "fen.normalised");
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/4K3 w - - 7"), "fen.normalised");
  EXPECT_EQ(normal("4k3/8/8/8/8/8/8/4K3 w - - 7"), "4k3/8/8/8/8/8/8/4K3 w - - 7 1");
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/4K3 w -"), "fen.fields");
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/4K3"), "fen.fields");
  EXPECT_EQ(codes(""), "fen.syntax");
  EXPECT_EQ(codes("   "), "fen.syntax");
  EXPECT_FALSE(read_fen("4k3/8/8/8/8/8/8/4K3 w -").computable);
}

TEST(Fen, PlacementFaultsNameTheirColumn) {
  const struct {
    const char* fen;
    unsigned column;
  } faults[] = {
      {"4k3/8/8/8/8/8/8/4x3 w - - 0 1", 18},        {"4k3/8/8/7/8/8/8/4K3 w - - 0 1", 9},
      {"4k3/8/8/9/8/8/8/4K3 w - - 0 1", 9},         {"4k3/8/8/8/8/8/8 w - - 0 1", 1},
      {"4k3/8/8/8/8/8/8/4K4 w - - 0 1", 17},        {"4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", 1},
      {"4k3/8/8//8/8/8/4K3 w - - 0 1", 9},          {"4k3/8/8/0/8/8/8/4K3 w - - 0 1", 9},
      {"4k3/8/8/ppppppppp/8/8/8/4K3 w - - 0 1", 9},
  };
  for (const auto& row : faults) {
    const FenResult fen = read_fen(row.fen);
    EXPECT_EQ(codes_of(fen), "fen.placement") << row.fen;
    ASSERT_FALSE(fen.defects.empty()) << row.fen;
    EXPECT_EQ(fen.defects[0].column, row.column) << row.fen;
    EXPECT_FALSE(fen.computable) << row.fen;
  }
  // 44 is 8 in other words.
  EXPECT_EQ(codes("4k3/8/8/44/8/8/8/4K3 w - - 0 1"), "fen.normalised");
  EXPECT_EQ(normal("4k3/8/8/44/8/8/8/4K3 w - - 0 1"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

TEST(Fen, EveryDefectIsListed) {
  EXPECT_EQ(codes("4k3/8/x7/8/8/8/8/4K4 W QZ e9 -1 x"),
            "fen.placement fen.placement fen.side fen.halfmove fen.fullmove fen.castling "
            "fen.en-passant");
  EXPECT_EQ(codes("P3k2P/8/8/8/8/PPPPPPPP/8/8 b Kk e6 0 0"),
            "fen.castling-impossible fen.castling-impossible fen.en-passant fen.kings "
            "fen.pawn-rank fen.too-many fen.counters");
}

TEST(Fen, SideToMove) {
  for (const char* side : {"W", "B", "white", "x", "-"}) {
    const std::string fen = std::string("4k3/8/8/8/8/8/8/4K3 ") + side + " - - 0 1";
    EXPECT_EQ(codes(fen), "fen.side") << side;
    EXPECT_FALSE(read_fen(fen).computable);
  }
}

TEST(FenCastling, StandardRights) {
  const std::string board = "r3k2r/8/8/8/8/8/8/R3K2R w ";
  EXPECT_EQ(codes(board + "KQkq - 0 1"), "");
  EXPECT_EQ(codes(board + "HAha - 0 1"), "");
  EXPECT_EQ(normal(board + "HAha - 0 1"), board + "KQkq - 0 1");
  EXPECT_FALSE(read_fen(board + "HAha - 0 1").chess960);
  EXPECT_EQ(codes(board + "kK - 0 1"), "fen.normalised");
  EXPECT_EQ(codes(board + "qkQK - 0 1"), "fen.normalised");
  EXPECT_EQ(codes(board + "KH - 0 1"), "fen.normalised");
  EXPECT_EQ(codes(board + "\xE2\x80\x94 - 0 1"), "fen.normalised");
  EXPECT_EQ(codes(board + "KQkqx - 0 1"), "fen.castling");
  EXPECT_EQ(codes(board + "K- - 0 1"), "fen.castling");
  EXPECT_TRUE(read_fen(board + "KQkqx - 0 1").computable);
  EXPECT_EQ(normal(board + "Kq - 0 1"), board + "Kq - 0 1");
  // The board is White's to castle whoever moves.
  EXPECT_EQ(normal("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1"), "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1");
}

TEST(FenCastling, VoidRightsAreReportedAndDropped) {
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
            "fen.castling-impossible fen.castling-impossible");
  EXPECT_EQ(normal("4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/4K2r w K - 0 1"), "fen.castling-impossible");
  EXPECT_EQ(codes("4k3/8/8/8/8/8/4K3/7R w K - 0 1"), "fen.castling-impossible");
}

TEST(FenCastling, XFenAndShredderFen) {
  // The outermost rook has the letter K, an inner one its file.
  const std::string outer = "4k3/8/8/8/8/8/8/4K1RR w H - 0 1";
  EXPECT_EQ(normal(outer), "4k3/8/8/8/8/8/8/4K1RR w K - 0 1");
  const std::string inner = "4k3/8/8/8/8/8/8/4K1RR w G - 0 1";
  EXPECT_EQ(codes(inner), "");
  EXPECT_TRUE(read_fen(inner).chess960);
  EXPECT_EQ(normal(inner), inner);
  EXPECT_EQ(normal("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", true), "4k3/8/8/8/8/8/8/4K1RR w K - 0 1");
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1"), "fen.castling-impossible");

  const std::string xfen = "1r1kr3/8/8/8/8/8/8/1R1KR3 b KQkq - 0 1";
  const FenResult fen = read_fen(xfen, FenOptions{.chess960 = true});
  EXPECT_TRUE(fen.defects.empty());
  EXPECT_TRUE(fen.chess960);
  EXPECT_TRUE(needs_chess960(fen.position));
  // The other side's king where this one's would stand in standard chess.
  EXPECT_TRUE(read_fen("8/8/8/8/8/8/8/4k1KR w H - 0 1").chess960);
  EXPECT_TRUE(read_fen("4K1kr/8/8/8/8/8/8/8 w h - 0 1").chess960);
  EXPECT_EQ(write_fen(fen.position, fen.side_to_move, 0, 1, FenWriteOptions{.shredder = true}),
            "1r1kr3/8/8/8/8/8/8/1R1KR3 b EBeb - 0 1");
  EXPECT_EQ(normal("1r1kr3/8/8/8/8/8/8/1R1KR3 b EBeb - 0 1"), xfen);
  EXPECT_EQ(codes(xfen),
            "fen.castling-impossible fen.castling-impossible "
            "fen.castling-impossible fen.castling-impossible");
  // No Chess960 start position has the king in the corner.
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/K6R w K - 0 1", true), "fen.castling-impossible");
}

TEST(FenEnPassant, IsKeptOnlyWhereACaptureIsLegal) {
  EXPECT_EQ(normal("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2"), "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2");
  EXPECT_EQ(normal("4k3/8/8/4p3/8/8/8/4K3 w - e6 0 2"), "4k3/8/8/4p3/8/8/8/4K3 w - - 0 2");
  EXPECT_EQ(codes("4k3/8/8/4p3/8/8/8/4K3 w - e6 0 2"), "");
  EXPECT_EQ(normal("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 2"), "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 2");
}

TEST(FenEnPassant, Faults) {
  const struct {
    const char* fen;
    const char* codes;
  } faults[] = {
      {"4k3/8/8/3Pp3/8/8/8/4K3 w - \xE2\x80\x93 0 2", "fen.normalised"},
      {"4k3/8/8/3Pp3/8/8/8/4K3 w - E6 0 2", "fen.normalised"},
      {"4k3/8/8/3Pp3/8/8/8/4K3 w - e5 0 2", "fen.en-passant"},
      {"4k3/8/8/3Pp3/8/8/8/4K3 w - e3 0 2", "fen.en-passant"},
      {"4k3/8/8/3Pp3/8/8/8/4K3 w - e9 0 2", "fen.en-passant"},
      {"4k3/8/8/3Pp3/8/8/8/4K3 w - e 0 2", "fen.en-passant"},
      {"4k3/8/8/3Pp3/8/8/8/4K3 w - f6 0 2", "fen.en-passant-impossible"},
      {"4k3/4r3/8/3Pp3/8/8/8/4K3 w - e6 0 2", "fen.en-passant-impossible"},
      {"4k3/8/4n3/3Pp3/8/8/8/4K3 w - e6 0 2", "fen.en-passant-impossible"},
      // A double step does not count the clock up.
      {"4k3/8/8/3Pp3/8/8/8/4K3 w - e6 1 2", "fen.counters"},
  };
  for (const auto& row : faults) {
    const FenResult fen = read_fen(row.fen);
    EXPECT_EQ(codes_of(fen), row.codes) << row.fen;
    EXPECT_TRUE(fen.computable) << row.fen;
    EXPECT_EQ(fen.defects.at(0).column, std::string(row.fen).find(" - ") + 4) << row.fen;
  }
}

TEST(FenCounters, Numbers) {
  const std::string board = "4k3/8/8/8/8/8/8/4KR2 w - - ";
  EXPECT_EQ(read_fen(board + "500 50").halfmove_clock, 500u);
  EXPECT_EQ(codes(board + "98 50"), "");
  EXPECT_EQ(codes(board + "99 50"), "fen.counters");
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/4KR2 b - - 99 50"), "");
  EXPECT_EQ(codes(board + "70000 999999999"), "");
  EXPECT_EQ(read_fen(board + "70000 999999999").halfmove_clock, 70000u);
  EXPECT_EQ(read_fen(board + "70000 999999999").fullmove_number, 999999999u);
  EXPECT_EQ(codes(board + "0 0"), "fen.counters");
  EXPECT_EQ(read_fen(board + "0 0").fullmove_number, 1u);
  EXPECT_EQ(codes(board + "-1 50"), "fen.halfmove");
  EXPECT_EQ(codes(board + "- -"), "fen.halfmove fen.fullmove");
  EXPECT_EQ(codes(board + "0 1000000000"), "fen.fullmove");
  EXPECT_EQ(codes(board + "99999999999999999999 1"), "fen.halfmove");
  EXPECT_EQ(codes(board + "0 01"), "fen.normalised");
}

TEST(FenNumbers, PromotionBudget) {
  // Ten knights, and the pawns that became eight of them gone: possible.
  EXPECT_EQ(codes("7k/8/8/8/NNNNN3/NNNNN3/8/4K3 w - - 0 60"), "");
  EXPECT_EQ(codes("7k/8/8/8/NNNNN3/NNNNN3/7P/4K3 w - - 0 60"), "fen.too-many");
  // Two bishops on one colour: one is promoted.
  EXPECT_EQ(codes("4k3/8/8/8/8/B1BP4/1PP1PPPP/4K3 w - - 0 60"), "");
  EXPECT_EQ(codes("4k3/8/8/8/8/B1B5/PPPPPPPP/4K3 w - - 0 60"), "fen.too-many");
  // Nothing past the numbers of a game is refused when it can be computed.
  EXPECT_TRUE(read_fen("7k/8/8/8/NNNNNNNN/NNNNNNNN/8/4K3 w - - 0 60").computable);
  EXPECT_FALSE(read_fen("4k3/nnnnnnnn/nnnnnnnn/NNNNNNNN/NNNNNNNN/8/8/4K3 w - - 0 60").computable);
}

// Each is given by one last move: discovered, en passant, promotion, castling.
TEST(FenChecks, PossibleDoubleChecks) {
  for (const char* fen : {
           "4k3/8/5N2/8/8/8/8/4R1K1 b - - 0 60",   // a knight leaves the file
           "4k3/8/8/1B6/8/8/8/4R1K1 b - - 0 60",   // a bishop does
           "8/8/8/2k5/3P4/8/1K6/2R5 b - - 0 60",   // a pawn captures from c3
           "4kQ2/8/8/8/8/8/8/4R1K1 b - - 0 60",    // a pawn promotes by a capture from e7
           "8/8/3Pk3/8/2B5/8/8/4R1K1 b - - 0 60",  // en passant opens two lines
           "5k2/8/8/8/8/8/8/5RK1 b - - 0 60",      // castling
       }) {
    EXPECT_EQ(codes(fen), "") << fen;
  }
}

TEST(FenChecks, ImpossibleChecks) {
  for (const char* fen : {
           "8/8/8/3k4/2P1P3/8/8/3K4 b - - 0 60",  // two pawns
           "8/8/8/3k4/1N2P3/8/8/3K4 b - - 0 60",  // knight and pawn
           "3R4/8/8/3k4/8/8/3R4/6K1 b - - 0 60",  // two rooks on one file
           "7K/8/8/3k4/8/1B3B2/8/8 b - - 0 60",   // two bishops of one colour
           "8/8/8/8/8/2k5/3P4/6K1 b - - 0 60",    // a pawn that has not moved yet
       }) {
    const FenResult result = read_fen(fen);
    EXPECT_EQ(codes_of(result), "fen.impossible-check") << fen;
    EXPECT_TRUE(result.computable) << fen;
  }
}

TEST(FenResultReuse, NothingOfTheLastLineStays) {
  FenResult fen;
  read_fen("4k3/8/x/8 q Z9 e1 a b c", {}, fen);
  EXPECT_FALSE(fen.computable);
  read_fen(kStartFen, {}, fen);
  EXPECT_TRUE(fen.computable);
  EXPECT_TRUE(fen.defects.empty());
  EXPECT_EQ(fen.fullmove_number, 1u);
}

TEST(FenResultReuse, ACleanRecordNeedsNoMemory) {
  FenResult fen;
  const unsigned long before = allocations;
  for (const char* text : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                           "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
                           "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 0 9"}) {
    read_fen(text, {}, fen);
    EXPECT_TRUE(fen.computable && fen.defects.empty()) << text;
  }
  EXPECT_EQ(allocations, before);
  read_fen("x", {}, fen);
  EXPECT_GT(allocations, before);
}

TEST(FenFaults, CodesAndMessagesAreClean) {
  EXPECT_STREQ(fen_fault_code(FenFault::en_passant_impossible), "fen.en-passant-impossible");
  EXPECT_STREQ(fen_fault_code(FenFault::epd_opcode), "epd.opcode");
  EXPECT_FALSE(fen_fault_is_error(FenFault::normalised));
  EXPECT_FALSE(fen_fault_is_error(FenFault::counters));
  EXPECT_FALSE(fen_fault_is_error(FenFault::epd_move));
  EXPECT_TRUE(fen_fault_is_error(FenFault::castling_impossible));
  const FenResult fen = read_fen("\x1b[31m/\xff\x01 \x07 \xe2\x80\x93\xe2 \x1b 0 1\n2");
  ASSERT_FALSE(fen.defects.empty());
  for (const FenDefect& d : fen.defects) {
    for (char c : d.message) EXPECT_TRUE(c >= 0x20 && c < 0x7F) << d.message;
    EXPECT_GE(d.column, 1u);
  }
}

TEST(FenPositionDefects, OfAPositionPutTogetherByHand) {
  std::vector<FenDefect> defects;
  EXPECT_TRUE(find_position_defects(start_position(), Color::white, 1, defects));
  EXPECT_TRUE(defects.empty());
  Position p = start_position();
  put_piece(p, 20, PieceType::king, false);
  EXPECT_FALSE(find_position_defects(p, Color::white, 5, defects));
  ASSERT_FALSE(defects.empty());
  EXPECT_EQ(defects[0].fault, FenFault::kings);
  EXPECT_EQ(defects[0].column, 5u);
}

}  // namespace
}  // namespace cuarbiter
