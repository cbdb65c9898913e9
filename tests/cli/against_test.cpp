// perft --against: agreement with engines that are right, and the first difference with those that
// are not.
#include <gtest/gtest.h>

#include "tests/support/cuarbiter_program.hpp"

namespace cuarbiter {
namespace {

using namespace test;

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const std::string kEndgame = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
// After e2e4 Black may capture en passant.
const std::string kPawns = "4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1";
const std::string kEngine = CUARBITER_FAULTY_ENGINE;

RunResult against(const std::string& engine, std::vector<std::string> words,
                  const std::string& input = "") {
  words.insert(words.begin(), "perft");
  words.insert(words.end(), {"-q", "--against", engine});
  return cuarbiter_on_cpu(words, with_input(input));
}

TEST(Against, AgreesWithARightEngine) {
  for (const char* kind : {"", " other-form"}) {
    const RunResult run = against(kEngine + kind, {"4", "--fen", kEndgame, "--format", "jsonl"});
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_EQ(run.output, "{\"type\":\"against\",\"line\":1,\"fen\":\"" + kEndgame +
                              "\",\"depth\":4,\"nodes\":\"43238\",\"engine_nodes\":\"43238\","
                              "\"ok\":true}\n{\"type\":\"summary\",\"positions\":1,"
                              "\"differences\":0}\n");
  }
}

TEST(Against, WalksDownToAMissingMove) {
  const RunResult text = against(kEngine + " no-en-passant", {"3", "--fen", kPawns});
  EXPECT_EQ(text.status, 1) << text.errors;
  EXPECT_EQ(text.output, "differs  D3 248, engine 245: " + kPawns +
                             "\n  path     e2e4\n"
                             "  position 4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1\n"
                             "  missing  f4e3\n1 positions, 1 differences\n");
  const RunResult json =
      against(kEngine + " no-en-passant", {"2", "--fen", kPawns, "--format", "jsonl"});
  EXPECT_EQ(json.status, 1);
  EXPECT_TRUE(contains(json.output,
                       "\"ok\":false,\"path\":[\"e2e4\"],"
                       "\"position\":\"4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1\","
                       "\"missing\":[\"f4e3\"],\"extra\":[],\"remark\":\"\"}\n"))
      << json.output;
  const RunResult csv =
      against(kEngine + " no-en-passant", {"2", "--fen", kPawns, "--format", "csv"});
  EXPECT_TRUE(contains(csv.output, ",false,e2e4,4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1,f4e3,,"))
      << csv.output;
  EXPECT_EQ(against(kEngine + " no-en-passant", {"2", "--fen", kPawns, "--exit-zero"}).status, 0);
}

TEST(Against, ExtraAndRepeatedMoves) {
  EXPECT_TRUE(contains(against(kEngine + " extra-move", {"2"}).output,
                       "\n  position " + kStart + "\n  extra    a1h8\n"));
  // Deeper positions are reached in the order of the moves.
  EXPECT_TRUE(contains(against(kEngine + " no-en-passant", {"4", "--fen", kPawns}).output,
                       "\n  path     e1d1 e8d7 e2e4\n"));
  const RunResult twice = against(kEngine + " en-passant-twice", {"3", "--fen", kPawns});
  EXPECT_TRUE(contains(twice.output, "\n  path     e2e4\n")) << twice.output;
  EXPECT_TRUE(contains(twice.output, "\n  extra    f4e3\n")) << twice.output;
}

// Whoever loses state from move to move is right when asked about the position alone.
TEST(Against, WhatAFenAloneDoesNotShowIsSaid) {
  const RunResult run = against(kEngine + " forgets-en-passant", {"3", "--fen", kPawns});
  EXPECT_EQ(run.status, 1) << run.errors;
  EXPECT_TRUE(contains(run.output, "  missing  f4e3\n  remark   set up from this FEN alone"))
      << run.output;
}

TEST(Against, FilesAndSuites) {
  const std::string lines = kStart + " ;D1 20 ;D2 400\n" + kPawns + " ;D2 38 ;D3 248\n";
  const RunResult file = against(kEngine + " no-en-passant", {"2", "-"}, lines);
  EXPECT_EQ(file.status, 1);
  EXPECT_TRUE(contains(file.output, "differs  D2 38, engine 37: " + kPawns)) << file.output;
  EXPECT_TRUE(contains(file.output, "2 positions, 1 differences\n")) << file.output;
  const RunResult suite = against(kEngine, {"--suite", "-", "--format", "jsonl"}, lines);
  EXPECT_EQ(suite.status, 0) << suite.output << suite.errors;
  EXPECT_TRUE(contains(suite.output, "\"depth\":2,\"nodes\":\"400\"")) << suite.output;
  EXPECT_TRUE(contains(suite.output, "\"depth\":3,\"nodes\":\"248\"")) << suite.output;
  const RunResult limited =
      against(kEngine, {"--suite", "-", "--max-nodes", "100", "--format", "jsonl"}, lines);
  EXPECT_TRUE(contains(limited.output, "\"depth\":1,\"nodes\":\"20\"")) << limited.output;
}

TEST(Against, Chess960) {
  const std::string fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
  const RunResult run = against(kEngine, {"3", "--fen", fen});
  EXPECT_EQ(run.status, 0) << run.output << run.errors;
  const RunResult without = against(kEngine + " no-chess960", {"3", "--fen", fen});
  EXPECT_EQ(without.status, 3);
  EXPECT_TRUE(contains(without.errors, "has no option UCI_Chess960")) << without.errors;
}

TEST(Against, EnginesThatFail) {
  struct Case {
    const char* command;
    const char* message;
  };
  for (const Case& c : {Case{" dies", "was ended by signal 9"},
                        Case{" no-perft", "searches for a best move when told to \"go perft\""},
                        Case{" ignores-perft", "says nothing to \"go perft\""},
                        Case{" garbage", "says nothing to \"go perft\""},
                        Case{" never-answers", "does not answer \"go perft 3\" in time"},
                        Case{" not-uci", "does not say \"uciok\""}}) {
    const RunResult run = against(kEngine + c.command, {"3", "--against-timeout", "3"});
    EXPECT_EQ(run.status, 3) << c.command;
    EXPECT_EQ(run.output, "") << c.command;
    EXPECT_TRUE(contains(run.errors, c.message)) << c.command << ": " << run.errors;
  }
  const RunResult missing = against("/nonexistent/engine", {"3"});
  EXPECT_EQ(missing.status, 3);
  EXPECT_TRUE(contains(missing.errors, "engine \"/nonexistent/engine\" has ended with status 127"))
      << missing.errors;
}

TEST(Against, WhatMakesNoSenseIsRefused) {
  EXPECT_EQ(against(kEngine, {"0"}).status, 2);
  EXPECT_EQ(against(kEngine, {"3", "--divide"}).status, 2);
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "3", "--against-timeout", "3"}).status, 2);
}

TEST(Against, AgreesWithStockfish) {
  const std::string stockfish = "/usr/games/stockfish";
  if (::access(stockfish.c_str(), X_OK) != 0) GTEST_SKIP() << stockfish << " is not installed";
  const RunResult start = against(stockfish, {"5"});
  EXPECT_EQ(start.status, 0) << start.output << start.errors;
  for (const char* name : {"/perft/standard.epd", "/perft/chess960.epd"}) {
    const RunResult run = against(
        stockfish, {"--suite", std::string(CUARBITER_DATA) + name, "--max-nodes", "200000"});
    EXPECT_EQ(run.status, 0) << run.output << run.errors;
    EXPECT_TRUE(contains(run.output, " 0 differences\n")) << run.output;
  }
}

}  // namespace
}  // namespace cuarbiter
