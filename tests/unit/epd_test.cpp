// EPD operations, the perft suites' lines and blocks, and telling FEN from EPD.
#include "host/notation/epd.hpp"

#include <gtest/gtest.h>

#include <string>

#include "host/notation/perft_block.hpp"
#include "host/notation/san_text.hpp"

namespace cuarbiter {
namespace {

const std::string kBoard = "4k3/8/8/8/8/8/8/4K2R w K -";

std::string codes(const PositionLine& line) {
  std::string out;
  for (const FenDefect& d : line.fen.defects) {
    if (!out.empty()) out += ' ';
    out += fen_fault_code(d.fault);
  }
  return out;
}

std::string fen_of(const PositionLine& line) {
  return write_fen(line.fen.position, line.fen.side_to_move, line.fen.halfmove_clock,
                   line.fen.fullmove_number);
}

std::string moves_of(const PositionLine& line, const char* opcode) {
  const EpdOperation* operation = line.find(opcode);
  if (!operation) return "none";
  std::string out;
  bool black = line.fen.black();
  for (const Move move : operation->moves) {
    if (!out.empty()) out += ' ';
    append_uci(out, move, black, false);
    if (operation->opcode == "pv") black = !black;
  }
  return out;
}

TEST(Epd, FourFieldsAlone) {
  const PositionLine line = read_position_line(kBoard);
  EXPECT_TRUE(line.epd);
  EXPECT_EQ(codes(line), "");
  EXPECT_EQ(fen_of(line), kBoard + " 0 1");
}

// https://github.com/cutechess/cutechess/pull/546
TEST(Epd, CountersInOperations) {
  const PositionLine line = read_position_line(kBoard + " hmvc 37; fmvn 60;");
  EXPECT_TRUE(line.epd);
  EXPECT_EQ(codes(line), "");
  EXPECT_EQ(fen_of(line), kBoard + " 37 60");
  EXPECT_EQ(codes(read_position_line(kBoard + " hmvc 37; fmvn 5;")), "fen.counters");
  EXPECT_EQ(codes(read_position_line(kBoard + " hmvc x; fmvn 1 2;")), "epd.operand epd.operand");
  EXPECT_EQ(fen_of(read_position_line(kBoard + " fmvn 60;")), kBoard + " 0 60");
}

// An opcode starts with a letter, so the line is a FEN in an EPD file.
// https://github.com/niklasf/python-chess/issues/1080
TEST(Epd, CountersAreNoOperation) {
  const std::string text = "4k3/8/8/8/8/8/8/3K4 b - - 12 13";
  const PositionLine line = read_position_line(text);
  EXPECT_FALSE(line.epd);
  EXPECT_EQ(codes(line), "");
  EXPECT_EQ(fen_of(line), text);
  const PositionLine strict = read_epd(text);
  EXPECT_EQ(codes(strict), "epd.opcode");
  EXPECT_FALSE(strict.fen.valid());
}

// https://github.com/niklasf/python-chess/issues/376
TEST(Epd, MovesAreSan) {
  const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
  const PositionLine uci = read_position_line(start + " bm b1c3; id \"x\";");
  EXPECT_EQ(codes(uci), "epd.move");
  EXPECT_TRUE(uci.fen.valid());
  EXPECT_EQ(moves_of(uci, "bm"), "b1c3");
  ASSERT_NE(uci.find("id"), nullptr);
  EXPECT_EQ(uci.find("id")->operands.at(0), "x");
  EXPECT_EQ(codes(read_position_line(start + " bm e2e4;")), "epd.move");

  const PositionLine san = read_position_line(start + " bm Nf3 e4; am f3; pv e4 e5 Nf3 Nc6;");
  EXPECT_EQ(codes(san), "");
  EXPECT_EQ(moves_of(san, "bm"), "g1f3 e2e4");
  EXPECT_EQ(moves_of(san, "am"), "f2f3");
  EXPECT_EQ(moves_of(san, "pv"), "e2e4 e7e5 g1f3 b8c6");

  EXPECT_EQ(codes(read_position_line(kBoard + " bm Ra9;")), "epd.operand");
  EXPECT_EQ(codes(read_position_line(kBoard + " bm Ra1;")), "epd.operand");
  EXPECT_EQ(codes(read_position_line(start + " pv e4 e4 e5;")), "epd.operand");
  EXPECT_FALSE(read_position_line(kBoard + " bm Ra9;").fen.valid());
}

TEST(Epd, Operations) {
  const PositionLine line =
      read_position_line(kBoard + " id \"a; b\" ;c0 \"\"; noop;ce -132;acd 4 ;;");
  EXPECT_EQ(codes(line), "");
  ASSERT_EQ(line.operations.size(), 5u);
  EXPECT_EQ(line.operations[0].operands.at(0), "a; b");
  EXPECT_EQ(line.operations[1].operands.at(0), "");
  EXPECT_TRUE(line.operations[2].operands.empty());
  EXPECT_EQ(line.operations[3].operands.at(0), "-132");
  EXPECT_EQ(line.operations[0].column, kBoard.size() + 2);

  EXPECT_EQ(codes(read_position_line(kBoard + " id \"never closed; bm Rh8;")),
            "epd.operand fen.normalised");
  EXPECT_EQ(codes(read_position_line(kBoard + " id \"x\"")), "fen.normalised");
  EXPECT_EQ(codes(read_position_line(kBoard + " b*m Rh8; id \"x\";")), "epd.opcode");
  EXPECT_EQ(codes(read_position_line(kBoard + " abcdefghijklmnop 1;")), "epd.opcode");
}

TEST(Epd, OperationsBehindSixFields) {
  const PositionLine line = read_position_line(kBoard + " 3 9 bm Rh8+; id \"x\";");
  EXPECT_FALSE(line.epd);
  EXPECT_EQ(codes(line), "fen.normalised");
  EXPECT_EQ(moves_of(line, "bm"), "h1h8");
  EXPECT_EQ(fen_of(line), kBoard + " 3 9");
  EXPECT_EQ(codes(read_position_line(kBoard + " 0 1 foo")), "fen.fields");
}

TEST(EpdPerft, SuiteForms) {
  for (const char* tail : {" 0 1 ;D1 15 ;D2 66", " 0 1; D1 15; D2 66", " 0 1;D1 15;D2 66 ",
                           " ;D1 15 ;D2 66", "; D1 15; D2 66;", " D1 15; D2 66;"}) {
    const PositionLine line = read_position_line(kBoard + tail);
    EXPECT_EQ(codes(line), "") << tail;
    ASSERT_EQ(line.counts.size(), 2u) << tail;
    EXPECT_EQ(line.counts[0].depth, 1u);
    EXPECT_EQ(line.counts[0].nodes, "15");
    EXPECT_EQ(line.counts[1].depth, 2u);
    EXPECT_EQ(line.counts[1].nodes, "66");
    EXPECT_EQ(fen_of(line), kBoard + " 0 1");
  }
  const PositionLine big = read_position_line(kBoard + " 0 1; D14 0061885021521585529237;");
  ASSERT_EQ(big.counts.size(), 1u);
  EXPECT_EQ(big.counts[0].nodes, "61885021521585529237");
  EXPECT_EQ(codes(read_position_line(kBoard + " 0 1; D4 12x;")), "epd.operand");
  EXPECT_EQ(read_position_line(kBoard + " ;D0 0").counts.at(0).nodes, "0");
}

// Lines that end in a NUL byte occur in public suites.
TEST(EpdPerft, NulAtTheEnd) {
  const PositionLine line = read_position_line(kBoard + " 0 1; D1 15" + std::string(1, '\0'));
  EXPECT_EQ(codes(line), "");
  ASSERT_EQ(line.counts.size(), 1u);
  EXPECT_EQ(line.counts[0].nodes, "15");
}

TEST(EpdPerft, Blocks) {
  PerftBlockReader reader;
  using Line = PerftBlockReader::Line;
  std::vector<PerftBlock> blocks;
  std::uint64_t number = 0;
  const auto feed = [&](std::string_view text) {
    const Line kind = reader.read(text, ++number);
    if (reader.ready()) blocks.push_back(reader.take());
    return kind;
  };
  EXPECT_EQ(feed("# comment"), Line::taken);
  EXPECT_EQ(feed("perft 1 20"), Line::broken);
  EXPECT_EQ(feed("id one"), Line::taken);
  EXPECT_EQ(feed("epd " + kBoard), Line::taken);
  EXPECT_EQ(feed("perft 1 15"), Line::taken);
  EXPECT_EQ(feed("perft 2 066 \r"), Line::taken);
  EXPECT_EQ(feed("perft 3"), Line::broken);
  EXPECT_EQ(feed("perft 3 x"), Line::broken);
  EXPECT_EQ(feed(""), Line::taken);
  EXPECT_EQ(feed("epd  second"), Line::taken);
  EXPECT_EQ(feed(kBoard), Line::other_form);
  reader.finish();
  ASSERT_TRUE(reader.ready());
  blocks.push_back(reader.take());
  reader.finish();
  EXPECT_FALSE(reader.ready());
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].id, "one");
  EXPECT_EQ(blocks[0].position, kBoard);
  EXPECT_EQ(blocks[0].line, 4u);
  EXPECT_EQ(blocks[0].column, 5u);
  ASSERT_EQ(blocks[0].counts.size(), 2u);
  EXPECT_EQ(blocks[0].counts[1].nodes, "66");
  EXPECT_EQ(blocks[1].id, "");
  EXPECT_EQ(blocks[1].position, "second");
  EXPECT_EQ(blocks[1].column, 6u);
  EXPECT_TRUE(PerftBlockReader::starts_like_block("epd " + kBoard));
  EXPECT_FALSE(PerftBlockReader::starts_like_block(kBoard));
}

TEST(Epd, CommentsAndBlankLines) {
  EXPECT_TRUE(is_comment_or_blank(""));
  EXPECT_TRUE(is_comment_or_blank(" \t\r"));
  EXPECT_TRUE(is_comment_or_blank("  # words"));
  EXPECT_FALSE(is_comment_or_blank(kBoard));
}

TEST(Epd, AResultUsedAgainKeepsNothing) {
  PositionLine line;
  read_position_line(kBoard + " bm Rh8; D1 3; hmvc 4;", {}, line);
  read_position_line(kBoard + " 0 1", {}, line);
  EXPECT_FALSE(line.epd);
  EXPECT_TRUE(line.operations.empty());
  EXPECT_TRUE(line.counts.empty());
  EXPECT_EQ(codes(line), "");
}

}  // namespace
}  // namespace cuarbiter
