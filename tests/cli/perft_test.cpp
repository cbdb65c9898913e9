// perft: counts and records of every form, suites, and the same bytes whatever computes them.
#include <gtest/gtest.h>

#include "tests/support/cuarbiter_program.hpp"

namespace cuarbiter {
namespace {

using namespace test;

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const std::string kKiwipete =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

TEST(Perft, StartPosition) {
  const RunResult run = cuarbiter_on_cpu({"perft", "4"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, "Nodes: 197281\n");
  EXPECT_TRUE(contains(run.errors, "197281 nodes in ")) << run.errors;
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "0", "-q"}).output, "Nodes: 1\n");
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "0", "-q", "--divide"}).output, "Nodes: 1\n");
}

// What is said on standard error is exact, too, beyond what a double holds; and nothing counted is
// no reason for a gap.
TEST(Perft, TheReportIsExact) {
  const RunResult kings = cuarbiter_on_cpu({"perft", "40", "--fen", "7k/8/8/8/8/8/8/K7 w - - 0 1"});
  EXPECT_EQ(kings.output, "Nodes: 216704261412396932345014524142128\n");
  EXPECT_TRUE(contains(kings.errors, ": 216704261412396932345014524142128 nodes in "))
      << kings.errors;
  const RunResult mate =
      cuarbiter_on_cpu({"perft", "1", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"});
  EXPECT_TRUE(contains(mate.errors, ": 0 nodes in ")) << mate.errors;
  EXPECT_TRUE(contains(mate.errors, " s, 0.0 nodes/s\n")) << mate.errors;
}

TEST(Perft, Records) {
  const RunResult run =
      cuarbiter_on_cpu({"perft", "3", "--fen", kKiwipete, "--format", "jsonl", "-q"});
  EXPECT_EQ(run.output, "{\"type\":\"perft\",\"line\":1,\"fen\":\"" + kKiwipete +
                            "\",\"depth\":3,\"nodes\":\"97862\"}\n");
  EXPECT_EQ(run.errors, "");
}

TEST(Perft, DivideIsSortedByMoveAndAddsUp) {
  const std::string fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
  const RunResult run = cuarbiter_on_cpu({"perft", "2", "--divide", "--fen", fen, "-q"});
  EXPECT_EQ(run.output,
            "a5a4: 15\na5a6: 15\nb4a4: 15\nb4b1: 16\nb4b2: 16\nb4b3: 15\nb4c4: 15\nb4d4: 15\n"
            "b4e4: 15\nb4f4: 2\ne2e3: 15\ne2e4: 16\ng2g3: 4\ng2g4: 17\n\nNodes: 191\n");
  const RunResult jsonl =
      cuarbiter_on_cpu({"perft", "1", "--divide", "--fen", "7k/8/8/8/8/8/8/K7 w - - 0 1",
                        "--format", "jsonl", "-q"});
  EXPECT_EQ(jsonl.output,
            "{\"type\":\"divide\",\"line\":1,\"move\":\"a1a2\",\"nodes\":\"1\"}\n"
            "{\"type\":\"divide\",\"line\":1,\"move\":\"a1b1\",\"nodes\":\"1\"}\n"
            "{\"type\":\"divide\",\"line\":1,\"move\":\"a1b2\",\"nodes\":\"1\"}\n"
            "{\"type\":\"perft\",\"line\":1,\"fen\":\"7k/8/8/8/8/8/8/K7 w - - 0 1\",\"depth\":1,"
            "\"nodes\":\"3\"}\n");
}

TEST(Perft, LinesOfAFileBecomeASuite) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("in.fen", "# two positions\n" + kStart + "\n\n" + kKiwipete + "\n");
  const RunResult run = cuarbiter_on_cpu({"perft", "3", "-q", path});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, kStart + " ;D3 8902\n" + kKiwipete + " ;D3 97862\n");
  const std::string suite = folder.write("suite.epd", run.output);
  const RunResult checked = cuarbiter_on_cpu({"perft", "--suite", suite, "-q"});
  EXPECT_EQ(checked.status, 0);
  EXPECT_EQ(checked.output, "2 positions, 2 checks, 0 mismatches, 0 skipped\n");
  const RunResult csv = cuarbiter_on_cpu({"perft", "2", "-q", "--format", "csv", path});
  EXPECT_EQ(csv.output, "type,line,fen,depth,move,nodes\nperft,2," + kStart + ",2,,400\nperft,4," +
                            kKiwipete + ",2,,2039\n");
}

TEST(Perft, PositionsThatCannotBeComputedAreReportedAndPassedOver) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("in.fen", "8/8/8/8/8/8/8/K7 w - - 0 1\n" + kStart + "\nnonsense\n");
  const RunResult run = cuarbiter_on_cpu({"perft", "1", "-q", path});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.output, kStart + " ;D1 20\n");
  EXPECT_TRUE(contains(run.errors, path + ":1:1: error: ")) << run.errors;
  EXPECT_TRUE(contains(run.errors, " [fen.kings]\n")) << run.errors;
  EXPECT_TRUE(contains(run.errors, path + ":3:1: error: ")) << run.errors;
}

TEST(Perft, UnreachablePositionsAreCountedAndReported) {
  const RunResult run =
      cuarbiter_on_cpu({"perft", "1", "-q", "--fen", "4k3/8/8/8/P7/8/PPPPPPPP/4K3 w - - 0 1"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.output, "Nodes: 18\n");
  EXPECT_TRUE(contains(run.errors, "[fen.too-many]")) << run.errors;
}

const std::string kSuite =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902\n"
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1; D1 15; D2 67; D3 1197;\n"
    "\n"
    "id last\n"
    "epd 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -\n"
    "perft 1 14\n"
    "perft 3 2812\n"
    "perft 2 191\n";

TEST(Suite, EveryCountIsCheckedInBothForms) {
  const RunResult run = cuarbiter_on_cpu({"perft", "--suite", "-"}, with_input(kSuite));
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.output,
            "ok       D3         8902  " + kStart +
                "\n"
                "mismatch <stdin>:2: D2 66, expected 67: 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n"
                "ok       D3         2812  8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\n"
                "3 positions, 9 checks, 1 mismatches, 0 skipped\n");
}

TEST(Suite, Records) {
  const RunResult run = cuarbiter_on_cpu(
      {"perft", "--suite", "--format", "jsonl", "--depth-limit", "2"}, with_input(kSuite));
  const std::string rook = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
  const std::string endgame = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
  const auto record = [](int line, const std::string& fen, int depth, const char* nodes,
                         const char* expected, const char* ok) {
    return "{\"type\":\"perft\",\"line\":" + std::to_string(line) + ",\"fen\":\"" + fen +
           "\",\"depth\":" + std::to_string(depth) + ",\"nodes\":\"" + nodes +
           "\",\"expected\":\"" + expected + "\",\"ok\":" + ok + "}\n";
  };
  EXPECT_EQ(run.output,
            record(1, kStart, 1, "20", "20", "true") + record(1, kStart, 2, "400", "400", "true") +
                record(2, rook, 1, "15", "15", "true") + record(2, rook, 2, "66", "67", "false") +
                record(5, endgame, 1, "14", "14", "true") +
                record(5, endgame, 2, "191", "191", "true") +
                "{\"type\":\"summary\",\"positions\":3,\"checks\":6,\"mismatches\":1,"
                "\"skipped\":3}\n");
  EXPECT_EQ(run.status, 1);
}

TEST(Suite, LargerCountsAreSkippedAndSmallerDepthsStillChecked) {
  const RunResult run =
      cuarbiter_on_cpu({"perft", "--suite", "--max-nodes", "400", "-q"}, with_input(kSuite));
  EXPECT_TRUE(contains(run.output, "3 positions, 6 checks, 1 mismatches, 3 skipped\n"))
      << run.output;
}

TEST(Suite, FailFastStopsAtTheFirstMismatch) {
  const RunResult run = cuarbiter_on_cpu({"perft", "--suite", "--fail-fast"}, with_input(kSuite));
  EXPECT_EQ(run.status, 1);
  EXPECT_FALSE(contains(run.output, "2812")) << run.output;
  EXPECT_TRUE(contains(run.output, "2 positions, 6 checks, 1 mismatches, 0 skipped\n"))
      << run.output;
}

TEST(Suite, WhatIsNoPositionIsAFinding) {
  const RunResult run =
      cuarbiter_on_cpu({"perft", "--suite", "-q"}, with_input("perft 1 20\nnonsense ;D1 20\n"));
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(contains(run.errors, "<stdin>:1:1: error: ")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "<stdin>:2:1: error: ")) << run.errors;
}

TEST(Suite, FilesOfTheProjectHold) {
  for (const char* name : {"/perft/standard.epd", "/perft/chess960.epd"}) {
    const RunResult run = cuarbiter_on_cpu(
        {"perft", "--suite", std::string(CUARBITER_DATA) + name, "--max-nodes", "5000000"});
    EXPECT_EQ(run.status, 0) << run.output << run.errors;
    EXPECT_TRUE(contains(run.output, " 0 mismatches")) << run.output;
  }
}

TEST(SamePerft, ForAnyThreadsBatchSizeAndMerging) {
  std::string lines;
  for (int i = 0; i < 10; ++i) lines += kStart + "\n" + kKiwipete + "\nnonsense\n";
  const RunOptions input = with_input(lines);
  for (const char* format : {"text", "jsonl", "csv"}) {
    const RunResult one = cuarbiter_on_cpu(
        {"perft", "3", "--divide", "-", "--format", format, "-q", "-j", "1"}, input);
    EXPECT_EQ(one.status, 1);
    EXPECT_GT(count_lines(one.output), 500u);
    for (const char* threads : {"1", "3"}) {
      for (const char* batch : {"1", "7", "100000"}) {
        for (const char* merge : {"--merge", "--no-merge"}) {
          const RunResult other =
              cuarbiter_on_cpu({"perft", "3", "--divide", "-", "--format", format, "-q", "-j",
                                threads, "--batch-size", batch, merge},
                               input);
          EXPECT_EQ(other.output, one.output) << format << threads << batch << merge;
          EXPECT_EQ(other.errors, one.errors);
        }
      }
    }
  }
}

TEST(PerftStats, Text) {
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "4", "--stats", "-q", "--fen", kKiwipete}).output,
            "Nodes: 4085603\nCaptures: 757163\nEn passants: 1929\nCastles: 128013\n"
            "Promotions: 15172\nChecks: 25523\nDiscovered checks: 42\nDouble checks: 6\n"
            "Checkmates: 43\n");
}

TEST(PerftStats, Records) {
  const RunResult jsonl =
      cuarbiter_on_cpu({"perft", "3", "--stats", "--fen", kKiwipete, "--format", "jsonl", "-q"});
  EXPECT_EQ(jsonl.output,
            "{\"type\":\"perft\",\"line\":1,\"fen\":\"" + kKiwipete +
                "\",\"depth\":3,\"nodes\":\"97862\",\"captures\":\"17102\",\"en_passants\":\"45\","
                "\"castles\":\"3162\",\"promotions\":\"0\",\"checks\":\"993\","
                "\"discovered_checks\":\"0\",\"double_checks\":\"0\",\"checkmates\":\"1\"}\n");
  const RunResult csv = cuarbiter_on_cpu({"perft", "0", "--stats", "--format", "csv", "-q"});
  EXPECT_EQ(csv.output,
            "type,line,fen,depth,move,nodes,captures,en_passants,castles,promotions,checks,"
            "discovered_checks,double_checks,checkmates\nperft,1," +
                kStart + ",0,,1,0,0,0,0,0,0,0,0\n");
}

// At depth 1 the first moves are the leaf moves.
TEST(PerftStats, Divide) {
  const std::string fen = "3nk3/4P3/8/8/8/8/8/4R2K w - - 0 1";
  const RunResult one = cuarbiter_on_cpu(
      {"perft", "1", "--stats", "--divide", "--fen", fen, "--format", "csv", "-q"});
  EXPECT_TRUE(contains(one.output, "divide,1," + fen + ",1,e7d8n,1,1,0,0,1,1,1,0,0\n"))
      << one.output;
  EXPECT_TRUE(contains(one.output, "divide,1," + fen + ",1,e7d8q,1,1,0,0,1,1,0,1,0\n"))
      << one.output;
  EXPECT_TRUE(contains(one.output, "perft,1," + fen + ",1,,18,4,0,0,4,4,2,2,0\n")) << one.output;
  const RunResult two = cuarbiter_on_cpu({"perft", "2", "--stats", "--divide", "--fen", fen, "-q"});
  EXPECT_EQ(count_lines(two.output), 18u + 1 + 9) << two.output;
  EXPECT_TRUE(contains(two.output, "\ne7d8q: ")) << two.output;
}

TEST(PerftStats, LinesOfAFileBecomeASuite) {
  const RunOptions input = with_input(kStart + "\n" + kKiwipete + "\n");
  const RunResult run = cuarbiter_on_cpu({"perft", "3", "--stats", "-q", "-"}, input);
  EXPECT_EQ(run.output, kStart +
                            " ;D3 8902 ;captures 34 ;en_passants 0 ;castles 0 ;promotions 0 "
                            ";checks 12 ;discovered_checks 0 ;double_checks 0 ;checkmates 0\n" +
                            kKiwipete +
                            " ;D3 97862 ;captures 17102 ;en_passants 45 ;castles 3162 "
                            ";promotions 0 ;checks 993 ;discovered_checks 0 ;double_checks 0 "
                            ";checkmates 1\n");
  const RunResult checked =
      cuarbiter_on_cpu({"perft", "--suite", "-", "-q"}, with_input(run.output));
  EXPECT_EQ(checked.output, "2 positions, 2 checks, 0 mismatches, 0 skipped\n");
}

TEST(PerftStats, SameForAnyThreadsBatchSizeMergingAndMemory) {
  std::string lines;
  for (int i = 0; i < 5; ++i) lines += kStart + "\n" + kKiwipete + "\nnonsense\n";
  const RunOptions input = with_input(lines);
  for (const char* format : {"text", "jsonl", "csv"}) {
    const std::vector<std::string> words = {"perft", "3",        "--stats", "--divide",
                                            "-",     "--format", format,    "-q"};
    const RunResult one = cuarbiter_on_cpu(words, input);
    EXPECT_EQ(one.status, 1);
    for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
             {"-j", "1"}, {"-j", "3", "--batch-size", "7"}, {"--no-merge"}, {"--memory", "1M"}}) {
      std::vector<std::string> all = words;
      all.insert(all.end(), more.begin(), more.end());
      const RunResult other = cuarbiter_on_cpu(all, input);
      EXPECT_EQ(other.output, one.output) << format << more.front();
      EXPECT_EQ(other.errors, one.errors) << format << more.front();
    }
  }
}

TEST(PerftUnique, Forms) {
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "4", "--unique"}).output,
            "1: 20\n2: 400\n3: 5362\n4: 72078\n");
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "0", "--unique"}).output, "0: 1\n");
  const RunOptions input = with_input(kStart + "\nnonsense\n" + kKiwipete + "\n");
  const RunResult text = cuarbiter_on_cpu({"perft", "2", "--unique", "-"}, input);
  EXPECT_EQ(text.status, 1);
  EXPECT_EQ(text.output, kStart + " ;U1 20 ;U2 400\n" + kKiwipete + " ;U1 48 ;U2 2038\n");
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "1", "--unique", "-", "--format", "jsonl"}, input).output,
            "{\"type\":\"unique\",\"line\":1,\"fen\":\"" + kStart +
                "\",\"ply\":1,\"positions\":\"20\"}\n"
                "{\"type\":\"unique\",\"line\":3,\"fen\":\"" +
                kKiwipete + "\",\"ply\":1,\"positions\":\"48\"}\n");
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "2", "--unique", "-", "--format", "csv"}, input).output,
            "type,line,fen,ply,positions\nunique,1," + kStart + ",1,20\nunique,1," + kStart +
                ",2,400\nunique,3," + kKiwipete + ",1,48\nunique,3," + kKiwipete + ",2,2038\n");
}

TEST(PerftUnique, SameForAnyThreadsAndMemory) {
  for (const char* threads : {"1", "3"}) {
    for (const char* memory : {"1M", "5M", "200M"}) {
      EXPECT_EQ(
          cuarbiter_on_cpu({"perft", "5", "--unique", "-j", threads, "--memory", memory}).output,
          "1: 20\n2: 400\n3: 5362\n4: 72078\n5: 822518\n")
          << threads << ' ' << memory;
    }
  }
}

TEST(PerftUnique, NothingThatTellsPathsApartGoesWithIt) {
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--divide"}, {"--stats"}, {"--no-merge"}, {"--suite"}, {"--against", "true"}}) {
    std::vector<std::string> words = {"perft", "2", "--unique"};
    words.insert(words.end(), more.begin(), more.end());
    const RunResult run = cuarbiter_on_cpu(words);
    EXPECT_EQ(run.status, 2) << more.front();
    EXPECT_TRUE(contains(run.errors, more.front() + " does not go with --unique")) << run.errors;
  }
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "--stats", "--suite", "x"}).status, 2);
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "2", "--stats", "--against", "true"}).status, 2);
}

TEST(SamePerft, UnderATinyMemoryBudget) {
  EXPECT_EQ(cuarbiter_on_cpu({"perft", "5", "-q", "--memory", "1M"}).output, "Nodes: 4865609\n");
}

TEST(SamePerft, cuda) {
  const RunOptions input = with_input(kStart + "\n" + kKiwipete + "\n");
  const RunResult device =
      cuarbiter_on("cuda", {"perft", "3", "--divide", "-", "--format", "jsonl", "-q"}, input);
  if (device.status == 4) {
    EXPECT_NE(device.errors, "");
    GTEST_SKIP() << device.errors;
  }
  EXPECT_EQ(
      device.output,
      cuarbiter_on_cpu({"perft", "3", "--divide", "-", "--format", "jsonl", "-q"}, input).output);
}

}  // namespace
}  // namespace cuarbiter
