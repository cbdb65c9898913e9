// classify and moves: exact records, and the same bytes for any threads, batch size and backend.
#include <gtest/gtest.h>

#include "host/notation/fen.hpp"
#include "tests/support/cuarbiter_program.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using namespace test;

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

std::string classify(const std::string& line, std::vector<std::string> flags = {}) {
  flags.insert(flags.begin(), {"classify", "--format", "jsonl"});
  return cuarbiter_on_cpu(std::move(flags), with_input(line + "\n")).output;
}

TEST(Classify, OneRecordALineInFixedFieldOrder) {
  EXPECT_EQ(classify(kStart),
            "{\"type\":\"position\",\"line\":1,\"input\":\"" + kStart +
                "\",\"valid\":true,\"fen\":\"" + kStart +
                "\",\"side_to_move\":\"white\",\"legal_moves\":20,\"in_check\":false,"
                "\"checkers\":0,\"state\":\"ongoing\",\"draw\":[],\"insufficient_material\":false,"
                "\"dead_position\":\"no\",\"can_win\":{\"white\":\"yes\",\"black\":"
                "\"yes\"},\"material\":\"KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP\",\"endgame\":"
                "\"none\",\"defects\":[]}\n");
}

TEST(Classify, CheckmateSaysWhoCanWin) {
  const std::string mate =
      classify("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
  EXPECT_TRUE(contains(
      mate,
      "\"legal_moves\":0,\"in_check\":true,\"checkers\":1,\"state\":\"checkmate\",\"draw\":[],"
      "\"insufficient_material\":false,\"dead_position\":\"no\",\"can_win\":{\"white\":\"no\","
      "\"black\":\"yes\"}"))
      << mate;
}

TEST(Classify, StalemateAndDeadPosition) {
  EXPECT_TRUE(
      contains(classify("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
               "\"state\":\"stalemate\",\"draw\":[],\"insufficient_material\":false,"
               "\"dead_position\":\"yes\",\"can_win\":{\"white\":\"no\",\"black\":\"no\"}"));
  EXPECT_TRUE(
      contains(classify("8/8/4k3/8/8/3K4/8/8 w - - 0 1"),
               "\"state\":\"dead_position\",\"draw\":[],\"insufficient_material\":true,"
               "\"dead_position\":\"yes\",\"can_win\":{\"white\":\"no\",\"black\":\"no\"}"));
}

TEST(Classify, WhoCanWinIsProved) {
  const std::string wall = "8/2k5/8/1p1p2p1/1P1P2P1/8/2K5/8 w - - 0 1";
  EXPECT_TRUE(contains(classify(wall), "\"state\":\"dead_position\",\"draw\":[],"));
  EXPECT_TRUE(contains(classify(wall),
                       "\"insufficient_material\":false,\"dead_position\":\"yes\","
                       "\"can_win\":{\"white\":\"no\",\"black\":\"no\"}"));
  // It shows without a search, as does what is forced.
  EXPECT_EQ(classify(wall, {"--proof-nodes", "0"}), classify(wall));
  EXPECT_TRUE(
      contains(classify("k7/8/8/8/8/8/1q6/K7 w - - 0 1", {"--proof-nodes", "0"}),
               "\"state\":\"dead_position\",\"draw\":[],\"insufficient_material\":false,"
               "\"dead_position\":\"yes\",\"can_win\":{\"white\":\"no\",\"black\":\"no\"}"));
  // What neither shows, nor a search too small, stays open.
  const std::string hard = "8/1p1p1p1p/1P6/KP6/PP6/1P6/3P1P1P/k7 w - - 0 1";
  EXPECT_TRUE(contains(classify(hard, {"--proof-nodes", "0"}),
                       "\"state\":\"ongoing\",\"draw\":[],\"insufficient_material\":false,"
                       "\"dead_position\":\"unknown\",\"can_win\":{\"white\":\"unknown\",\"black\":"
                       "\"unknown\"}"));
  EXPECT_TRUE(
      contains(classify(hard, {"--proof-nodes", "1"}), "\"can_win\":{\"white\":\"unknown\""));
}

// Positions of a game, line by line: what the next line shows is used, and batches do not matter,
// also where a search is too small for some lines.
TEST(Classify, LinesOfAGame) {
  test_support::Random random(4);
  std::string lines;
  for (int game = 0; game < 4; ++game) {
    Position p = start_position();
    bool black = false;
    for (unsigned ply = 0; ply < 500; ++ply, black = !black) {
      append_fen(lines, p, black ? Color::black : Color::white, 0, 1 + ply / 2);
      lines += '\n';
      const std::vector<Move> moves = test_support::legal_moves(p);
      if (moves.empty()) break;
      p = make_move(p, moves[random.below(static_cast<unsigned>(moves.size()))]);
    }
  }
  const RunOptions input = with_input(lines);
  for (const char* nodes : {"0", "1", "1000000"}) {
    const std::string whole =
        cuarbiter_on_cpu({"classify", "--format", "jsonl", "--proof-nodes", nodes}, input).output;
    for (const char* batch : {"1", "100", "300"}) {
      EXPECT_EQ(cuarbiter_on_cpu({"classify", "--format", "jsonl", "--proof-nodes", nodes,
                                  "--batch-size", batch, "-j", "2"},
                                 input)
                    .output,
                whole);
    }
    if (nodes != std::string("1000000")) continue;
    // Written with the lines of moves, each position is proved by itself.
    const std::string alone =
        cuarbiter_on_cpu({"classify", "--proof", "--proof-nodes", nodes, "--format", "csv"}, input)
            .output;
    const std::string together =
        cuarbiter_on_cpu({"classify", "--proof-nodes", nodes, "--format", "csv"}, input).output;
    const auto count = [](const std::string& text, const std::string& what) {
      std::size_t n = 0;
      for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
      return n;
    };
    for (const char* what : {",yes,yes,", ",yes,no,", ",no,yes,", ",no,no,"}) {
      EXPECT_EQ(count(alone, what), count(together, what)) << what;
    }
  }
}

TEST(Classify, ProofLines) {
  const std::string rook = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
  EXPECT_TRUE(contains(classify(rook, {"--proof"}),
                       "\"proof\":{\"white\":\"h1h8\",\"black\":null},\"defects\":[]}"));
  EXPECT_FALSE(contains(classify(rook), "\"proof\""));
  EXPECT_EQ(
      cuarbiter_on_cpu({"classify", "--proof", "--format", "csv"}, with_input(rook + "\n")).output,
      "line,input,valid,fen,side_to_move,legal_moves,in_check,checkers,state,draw,"
      "insufficient_material,dead_position,can_win_white,can_win_black,material,endgame,defects,"
      "proof_white,proof_black\n"
      "1," +
          rook + ",true," + rook +
          ",white,20,false,0,ongoing,,false,no,yes,no,KRvK,"
          "bare_king,,h1h8,\n");
  EXPECT_TRUE(contains(cuarbiter_on_cpu({"classify", "--proof"}, with_input(rook + "\n")).output,
                       "; white mates: h1h8\n"));
  // A mate on the board needs no move; Black's line is written for Black.
  EXPECT_TRUE(contains(classify("k6R/8/1K6/8/8/8/8/8 b - - 0 1", {"--proof"}),
                       "\"proof\":{\"white\":\"\""));
  EXPECT_TRUE(
      contains(classify("7r/8/8/8/8/1k6/8/K7 b - - 0 1", {"--proof"}), "\"black\":\"h8h1\""));
  EXPECT_EQ(cuarbiter_on_cpu({"classify", "--proof", "--proof-nodes", "0"}, with_input("")).status,
            2);
  EXPECT_EQ(cuarbiter_on_cpu({"classify", "--proof-nodes", "x"}, with_input("")).status, 2);
  EXPECT_EQ(cuarbiter_on_cpu({"classify", "--proof", "--every-ply"}, with_input("")).status, 2);
}

TEST(Classify, ClocksUnderEachProfile) {
  const std::string at_100 = "8/8/4k3/8/8/3K4/R7/8 w - - 100 90";
  const std::string at_150 = "8/8/4k3/8/8/3K4/R7/8 w - - 150 115";
  EXPECT_TRUE(contains(classify(at_100), "\"state\":\"ongoing\",\"draw\":[\"fifty_moves\"]"));
  EXPECT_TRUE(contains(classify(at_150), "\"state\":\"seventyfive_moves\",\"draw\":[]"));
  EXPECT_TRUE(contains(classify(at_150, {"--rules", "fide-2001"}),
                       "\"state\":\"ongoing\",\"draw\":[\"fifty_moves\"]"));
  EXPECT_TRUE(contains(classify(at_100, {"--rules", "qq"}), "\"state\":\"thirty_moves\""));
  EXPECT_TRUE(
      contains(classify(at_150, {"--move-limit", "100"}), "\"state\":\"ongoing\",\"draw\":[]"));
}

TEST(Classify, AnImpossiblePositionIsComputedWithItsDefects) {
  const RunResult run = cuarbiter_on_cpu({"classify", "--format", "jsonl"},
                                         with_input("4k3/8/8/8/P7/8/PPPPPPPP/4K3 w - - 0 1\n"));
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.errors, "");
  EXPECT_TRUE(
      contains(run.output, "\"valid\":false,\"fen\":\"4k3/8/8/8/P7/8/PPPPPPPP/4K3 w - - 0 1\""));
  EXPECT_TRUE(contains(run.output, "\"legal_moves\":18"));
  EXPECT_TRUE(contains(run.output, "\"defects\":[{\"code\":\"fen.too-many\",\"message\":\""));
}

TEST(Classify, WhatCannotBeComputedHasNulls) {
  const std::string out = classify("8/8/8/8/8/8/8/K7 w - - 0 1");
  EXPECT_TRUE(contains(out,
                       "\"valid\":false,\"fen\":null,\"side_to_move\":null,\"legal_moves\":null,"
                       "\"in_check\":null,\"checkers\":null,\"state\":null,\"draw\":null,"
                       "\"insufficient_material\":null,\"dead_position\":null,\"can_win\":null,"
                       "\"material\":null,\"endgame\":null,"
                       "\"defects\":[{\"code\":\"fen.kings\",\"message\":"))
      << out;
}

TEST(Classify, EveryDefectIsListed) {
  const std::string out = classify("this is not a position");
  for (const char* code : {"fen.placement", "fen.side", "fen.castling", "fen.en-passant"}) {
    EXPECT_TRUE(contains(out, std::string("\"code\":\"") + code + "\"")) << code << out;
  }
}

TEST(Classify, TextNamesFileAndLineAndPutsDefectsOnStandardError) {
  const TemporaryFolder folder;
  const std::string path = folder.write("two.fen", "# comment\n\n" + kStart + "\r\nnonsense\n");
  const RunResult run = cuarbiter_on_cpu({"classify", path});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(
      run.output.rfind(path + ":3: ongoing, white to move, 20 legal moves: " + kStart + "\n", 0),
      0u)
      << run.output;
  EXPECT_EQ(count_lines(run.output), 2u);
  EXPECT_TRUE(contains(run.output, ":4: impossible (")) << run.output;
  EXPECT_EQ(run.errors.rfind(path + ":4:2: error: ", 0), 0u) << run.errors;
  EXPECT_TRUE(contains(run.errors, "[fen.placement]")) << run.errors;
}

TEST(Classify, WarningsAreFindingsOnlyWithStrict) {
  const RunOptions epd = with_input("4k3/8/8/8/8/8/8/4KR2 w - - 0 0\n");
  EXPECT_EQ(cuarbiter_on_cpu({"classify"}, epd).status, 0);
  EXPECT_EQ(cuarbiter_on_cpu({"classify", "--strict"}, epd).status, 1);
}

TEST(Classify, ALineThatIsTooLongIsASyntaxErrorAndTheNextOneIsRead) {
  const RunResult run =
      cuarbiter_on_cpu({"classify", "--format", "jsonl"},
                       with_input(std::string(70000, 'x') + "\n" + kStart + "\n"));
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(count_lines(run.output), 2u);
  EXPECT_TRUE(contains(
      run.output, "{\"code\":\"fen.syntax\",\"message\":\"the line is longer than 65536 bytes\""));
  EXPECT_TRUE(contains(run.output, "\"line\":2,\"input\":\"" + kStart + "\",\"valid\":true"));
}

TEST(Classify, InputThatIsNoTextIsBase64) {
  const std::string out = classify("\xff\xff w");
  EXPECT_TRUE(contains(out, "\"input_base64\":\"//8gdw==\"")) << out;
}

TEST(Classify, CsvHasAHeaderAndOneRowALine) {
  const RunResult run = cuarbiter_on_cpu({"classify", "--format", "csv"},
                                         with_input(kStart + "\n8/8/8/8/8/8/8/K7 w - - 0 1\n"));
  EXPECT_EQ(
      run.output,
      "line,input,valid,fen,side_to_move,legal_moves,in_check,checkers,state,draw,"
      "insufficient_material,dead_position,can_win_white,can_win_black,material,endgame,defects\n"
      "1," +
          kStart + ",true," + kStart +
          ",white,20,false,0,ongoing,,false,no,yes,yes,"
          "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP,none,\n"
          "2,8/8/8/8/8/8/8/K7 w - - 0 1,false,,,,,,,,,,,,,,fen.kings\n");
}

TEST(Classify, UtfSixteenIsRefused) {
  const RunResult run = cuarbiter_on_cpu({"classify"}, with_input(std::string("\xff\xfe"
                                                                              "8\0/\0",
                                                                              6)));
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(contains(run.errors, "UTF-16")) << run.errors;
}

TEST(Moves, OneRecordALine) {
  const RunResult run = cuarbiter_on_cpu({"moves", "--format", "jsonl"},
                                         with_input("8/P1k5/K7/8/8/8/8/8 w - - 0 1\n"));
  EXPECT_EQ(run.status, 0);
  const auto move = [](const std::string& san, const std::string& uci, const std::string& piece,
                       const std::string& promotion, bool check) {
    return "{\"san\":\"" + san + "\",\"uci\":\"" + uci + "\",\"piece\":\"" + piece +
           "\",\"from\":\"" + uci.substr(0, 2) + "\",\"to\":\"" + uci.substr(2, 2) +
           "\",\"capture\":false,\"en_passant\":false,\"castling\":null,\"promotion\":" +
           (promotion.empty() ? "null" : "\"" + promotion + "\"") +
           ",\"check\":" + (check ? "true" : "false") + ",\"checkmate\":false,\"stalemate\":false}";
  };
  EXPECT_EQ(run.output,
            "{\"type\":\"moves\",\"line\":1,\"fen\":\"8/P1k5/K7/8/8/8/8/8 w - - 0 1\","
            "\"side_to_move\":\"white\",\"count\":6,\"moves\":[" +
                move("Ka5", "a6a5", "king", "", false) + "," +
                move("Kb5", "a6b5", "king", "", false) + "," +
                move("a8=B", "a7a8b", "pawn", "bishop", false) + "," +
                move("a8=N+", "a7a8n", "pawn", "knight", true) + "," +
                move("a8=Q", "a7a8q", "pawn", "queen", false) + "," +
                move("a8=R", "a7a8r", "pawn", "rook", false) + "]}\n");
}

TEST(Moves, WhatAMoveIs) {
  const RunResult black = cuarbiter_on_cpu(
      {"moves", "--format", "csv"},
      with_input("r3k2r/8/8/8/3pP3/8/8/4K2R b kq e3 0 1\n6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1\n"
                 "k7/2Q5/8/8/8/8/8/K7 w - - 0 1\n"));
  EXPECT_EQ(black.status, 0) << black.errors;
  const std::string fen = "r3k2r/8/8/8/3pP3/8/8/4K2R b kq e3 0 1";
  EXPECT_TRUE(contains(black.output,
                       "\n1," + fen + ",dxe3,d4e3,pawn,d4,e3,true,true,,,false,false,false\n"));
  EXPECT_TRUE(
      contains(black.output,
               "\n1," + fen + ",O-O-O,e8c8,king,e8,c8,false,false,queenside,,false,false,false\n"));
  EXPECT_TRUE(contains(black.output,
                       "\n1," + fen + ",Rxh1+,h8h1,rook,h8,h1,true,false,,,true,false,false\n"));
  EXPECT_TRUE(contains(black.output, ",Re8#,e1e8,rook,e1,e8,false,false,,,true,true,false\n"));
  EXPECT_TRUE(contains(black.output, ",Qb6,c7b6,queen,c7,b6,false,false,,,false,false,true\n"));
}

TEST(Moves, Chess960CastlingIsKingTakesRook) {
  const RunResult run = cuarbiter_on_cpu({"moves", "--format", "csv"},
                                         with_input("1k6/8/8/8/8/8/8/RK5R w HA - 0 1\n"));
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_TRUE(contains(run.output, ",O-O,b1h1,king,b1,g1,false,false,kingside,")) << run.output;
}

TEST(Moves, TextHasAHeadLineAndOneMoveALine) {
  const RunResult run = cuarbiter_on_cpu({"moves"}, with_input("7k/8/8/8/8/8/8/K7 w - - 0 1\n"));
  EXPECT_EQ(run.output,
            "<stdin>:1: 3 legal moves: 7k/8/8/8/8/8/8/K7 w - - 0 1\n"
            "  Ka2     a1a2   king\n"
            "  Kb1     a1b1   king\n"
            "  Kb2     a1b2   king\n");
}

TEST(Moves, WhatCannotBeComputedIsARecordToo) {
  const RunResult run =
      cuarbiter_on_cpu({"moves", "--format", "jsonl"}, with_input("8/8/8/8/8/8/8/K7 w - - 0 1\n"));
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.errors, "");
  EXPECT_EQ(
      run.output.rfind("{\"type\":\"moves\",\"line\":1,\"input\":\"8/8/8/8/8/8/8/K7 w - - 0 1\","
                       "\"valid\":false,\"defects\":[{\"code\":\"fen.kings\"",
                       0),
      0u)
      << run.output;
}

TEST(Moves, TouchedMenLeaveWhatTheLawsLeave) {
  const std::string both =
      "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\n"
      "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1\n";
  const RunResult run =
      cuarbiter_on_cpu({"moves", "--touched", "e1,h1", "--format", "csv"}, with_input(both));
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_TRUE(contains(run.output, "\n1,4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1,O-O,e1g1,king,e1,g1,"))
      << run.output;
  // In the second position White's king stands on e1 and cannot be taken: any legal move.
  EXPECT_EQ(count_lines(run.output), 2 + 26u) << run.output;
  EXPECT_EQ(run.errors,
            "<stdin>:2:1: warning: no man stands on h1, which is given as touched "
            "[touch.empty-square]\n");
  EXPECT_EQ(cuarbiter_on_cpu({"moves", "--touched=e1,h1", "--strict"}, with_input(both)).status, 1);
  // A file behind the option is a file.
  EXPECT_TRUE(contains(cuarbiter_on_cpu({"moves", "--touched", "e8", "-"}, with_input(both)).output,
                       "<stdin>:2: 7 legal moves: r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1\n"));
}

TEST(Moves, TouchedSquaresMustBeSquares) {
  for (const char* list : {"", "e1,", "e9", "E1", "e1 h1", ",e1", "e1,h1,", "e11"}) {
    const RunResult run =
        cuarbiter_on_cpu({"moves", std::string("--touched=") + list}, with_input("\n"));
    EXPECT_EQ(run.status, 2) << list;
    EXPECT_TRUE(contains(run.errors, "--touched")) << list << run.errors;
  }
}

TEST(Positions, ImpossibleHistoryIsAnErrorToValidateAndAWarningToUse) {
  const RunOptions shut_in = with_input("4k3/8/8/8/8/B7/PPPPPPPP/4K3 w - - 0 60\n");
  const RunResult classified = cuarbiter_on_cpu({"classify", "--format", "jsonl"}, shut_in);
  EXPECT_EQ(classified.status, 1);
  EXPECT_TRUE(contains(classified.output, "\"valid\":false,\"fen\":\"4k3/")) << classified.output;
  EXPECT_TRUE(contains(classified.output, "\"defects\":[{\"code\":\"fen.shut-in\""));
  EXPECT_EQ(cuarbiter_on_cpu({"classify", "--chess960"}, shut_in).status, 0);
  const RunResult moves = cuarbiter_on_cpu({"moves"}, shut_in);
  EXPECT_EQ(moves.status, 0);
  EXPECT_TRUE(contains(moves.errors, "<stdin>:1:1: warning: White has ")) << moves.errors;
  EXPECT_EQ(cuarbiter_on_cpu({"moves", "--strict"}, shut_in).status, 1);
  const RunResult perft = cuarbiter_on_cpu({"perft", "1", "-"}, shut_in);
  EXPECT_EQ(perft.status, 0);
  EXPECT_TRUE(contains(perft.errors, ": warning: ")) << perft.errors;
  // In an archive it is the FEN tag's.
  const std::string tags = "[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"";
  const RunResult game = cuarbiter_on_cpu(
      {"validate"}, with_input(tags + "4k3/8/8/8/8/B7/PPPPPPPP/4K3 w - - 0 60\"]\n\n*\n"));
  EXPECT_EQ(game.status, 1);
  EXPECT_TRUE(contains(game.output, "[fen.shut-in]")) << game.output;
}

// Lines of many kinds, some of them faulty.
std::string mixed_lines() {
  const std::vector<std::string> kinds = {
      kStart,
      "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
      "8/8/8/8/8/8/8/K7 w - - 0 1",
      "# a comment",
      "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
      "4k3/8/8/8/8/8/8/4KR2 w - -",
      "",
      "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
      "4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1",
      "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 3 8",
  };
  std::string text;
  for (int i = 0; i < 400; ++i)
    text += kinds[static_cast<std::size_t>(i * 7 + i / 10) % kinds.size()] + "\n";
  return text;
}

class SameBytes : public testing::TestWithParam<std::string> {};

TEST_P(SameBytes, ForAnyThreadsAndBatchSize) {
  const RunOptions input = with_input(mixed_lines());
  for (const char* format : {"text", "jsonl", "csv"}) {
    const std::vector<std::string> words = {GetParam(), "--format", format};
    const RunResult one = cuarbiter_on_cpu({GetParam(), "--format", format, "-j", "1"}, input);
    EXPECT_EQ(one.status, 1);
    for (const char* threads : {"1", "3"}) {
      for (const char* batch : {"1", "7", "100000"}) {
        const RunResult other = cuarbiter_on_cpu(
            {GetParam(), "--format", format, "-j", threads, "--batch-size", batch}, input);
        EXPECT_EQ(other.output, one.output) << format << threads << batch;
        EXPECT_EQ(other.errors, one.errors) << format << threads << batch;
        EXPECT_EQ(other.status, 1);
      }
    }
  }
}

TEST_P(SameBytes, ForEveryInstructionSet) {
  RunOptions options = with_input(mixed_lines());
  const RunResult widest = cuarbiter_on_cpu({GetParam(), "--format", "jsonl"}, options);
  options.environment = {"CUARBITER_ISA=generic"};
  EXPECT_EQ(cuarbiter_on_cpu({GetParam(), "--format", "jsonl"}, options).output, widest.output);
}

TEST_P(SameBytes, cuda) {
  const RunOptions input = with_input(mixed_lines());
  const RunResult device = cuarbiter_on("cuda", {GetParam(), "--format", "jsonl"}, input);
  if (device.status == 4) {
    EXPECT_NE(device.errors, "");
    GTEST_SKIP() << device.errors;
  }
  EXPECT_EQ(device.output, cuarbiter_on_cpu({GetParam(), "--format", "jsonl"}, input).output);
}

INSTANTIATE_TEST_SUITE_P(Commands, SameBytes, testing::Values("classify", "moves"),
                         [](const auto& parameter) { return parameter.param; });

}  // namespace
}  // namespace cuarbiter
