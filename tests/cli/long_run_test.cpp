// Runs that take long: checkpoints, signals, kills, shards and their merging, progress.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "tests/support/cuarbiter_program.hpp"
#include "tests/support/json_value.hpp"
#include "tests/support/running_program.hpp"

namespace cuarbiter {
namespace {

using namespace test;
using std::chrono::milliseconds;

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const std::string kKiwipete =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

std::vector<std::string> words(std::vector<std::string> more) {
  more.insert(more.begin(), {CUARBITER_PROGRAM, "perft"});
  more.insert(more.end(), {"--backend", "cpu", "-q"});
  return more;
}

RunResult perft(std::vector<std::string> more, const RunOptions& options = {}) {
  return run_program(words(std::move(more)), options);
}

// Every line is read as JSON.
std::vector<Json> records(const std::string& text) {
  std::vector<Json> out;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) out.push_back(Json::parse(line));
  return out;
}

TEST(Checkpoint, AWholeRunAndItsRepetition) {
  const TemporaryFolder folder;
  const std::string file = folder.path("state");
  EXPECT_EQ(perft({"6", "--checkpoint", file}).output, "Nodes: 119060324\n");
  // What is done is not done again.
  EXPECT_EQ(perft({"6", "--checkpoint", file, "--resume"}).output, "Nodes: 119060324\n");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"state"});
}

TEST(Checkpoint, IsRefusedWhereItDoesNotBelong) {
  const TemporaryFolder folder;
  const std::string file = folder.path("state");
  ASSERT_EQ(perft({"5", "--checkpoint", file}).status, 0);
  const std::string before = read_file(file);
  const RunResult exists = perft({"5", "--checkpoint", file});
  EXPECT_EQ(exists.status, 2);
  EXPECT_TRUE(contains(exists.errors, "the file exists; --resume goes on from it"));
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
  };
  for (const Case& c :
       {Case{{"6"}, "depth is 5, not 6"}, Case{{"5", "--fen", kKiwipete}, "the input is another"},
        Case{{"5", "--divide"}, "divide is no, not yes"},
        Case{{"5", "--no-merge"}, "merge is yes, not no"},
        Case{{"5", "--shard", "2/3"}, "it is shard 1/1, not 2/3"}}) {
    std::vector<std::string> arguments = c.arguments;
    arguments.insert(arguments.end(), {"--checkpoint", file, "--resume"});
    const RunResult run = perft(arguments);
    EXPECT_EQ(run.status, 2) << c.message;
    EXPECT_EQ(run.output, "");
    EXPECT_TRUE(contains(run.errors, std::string("the checkpoint is of another run: ") + c.message))
        << run.errors;
  }
  EXPECT_EQ(read_file(file), before);
}

TEST(Checkpoint, DamageIsSeen) {
  const TemporaryFolder folder;
  const std::string file = folder.path("state");
  ASSERT_EQ(perft({"4", "--checkpoint", file}).status, 0);
  const std::string good = read_file(file);
  std::string other = good;
  other[good.find("197281")] = '2';
  for (const std::string& bad :
       {other, good.substr(0, good.size() - 10), good.substr(0, good.rfind("{\"type\":\"end\"")),
        good + "{}\n", std::string(), std::string("nonsense\n")}) {
    folder.write("state", bad);
    const RunResult run = perft({"4", "--checkpoint", file, "--resume"});
    EXPECT_EQ(run.status, 3) << bad;
    EXPECT_EQ(run.output, "");
  }
  EXPECT_EQ(perft({"4", "--checkpoint", folder.path("no/folder")}).status, 3);
}

// Runs that are to be caught in the middle take the engine that every machine has and that is slow
// enough for it.
class SlowEngine {
 public:
  SlowEngine() { setenv("CUARBITER_ISA", "generic", 1); }
  ~SlowEngine() { unsetenv("CUARBITER_ISA"); }
  SlowEngine(const SlowEngine&) = delete;
  SlowEngine& operator=(const SlowEngine&) = delete;
};

TEST(Checkpoint, ASignalStopsAndResumeGoesOn) {
  const SlowEngine slow;
  for (const int number : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    const std::string file = folder.path("state"), answer = folder.path("answer");
    std::vector<std::string> run = words({"7", "--no-merge", "-j", "1", "--batch-size", "500",
                                          "--checkpoint", file, "--resume", "-o", answer});
    run.erase(std::find(run.begin(), run.end(), "-q"));
    {
      RunningProgram program(run, folder.path("out"), folder.path("err"));
      // It has begun when the checkpoint has moved.
      while (!contains(read_file(file), "\"type\":\"count\"") && !program.poll()) {
        std::this_thread::sleep_for(milliseconds(1));
      }
      program.signal(number);
      ASSERT_EQ(program.wait(), 75) << read_file(folder.path("err"));
    }
    EXPECT_TRUE(contains(read_file(folder.path("err")), "stopping at the next checkpoint"));
    // No answer, and nothing left of one.
    EXPECT_EQ(folder.names().size(), 3u);
    const std::string state = read_file(file);
    EXPECT_FALSE(contains(state, "\"nodes\":\"3195901860\"")) << state;
    const RunResult rest = run_program(run);
    EXPECT_EQ(rest.status, 0) << rest.errors;
    EXPECT_EQ(read_file(answer), "Nodes: 3195901860\n");
  }
}

TEST(Checkpoint, WithoutOneASignalEndsTheRunAtOnce) {
  const TemporaryFolder folder;
  RunningProgram program(words({"12", "-o", folder.path("answer")}), folder.path("out"),
                         folder.path("err"));
  std::this_thread::sleep_for(milliseconds(300));
  program.signal(SIGINT);
  const std::optional<int> status = program.wait_for(milliseconds(5000));
  ASSERT_TRUE(status);
  EXPECT_EQ(*status, 128 + SIGINT);
  EXPECT_EQ(folder.names().size(), 2u);
}

// Whatever moment it is killed at, the run goes on to the exact answer.
TEST(Checkpoint, SurvivesKillsAtRandomMoments) {
  const SlowEngine slow;
  std::mt19937 random(20260101);
  for (const bool merge : {true, false}) {
    const TemporaryFolder folder;
    const std::string file = folder.path("state");
    std::vector<std::string> run =
        words({"7", "--divide", "-j", "1", "--batch-size", "800", merge ? "--merge" : "--no-merge",
               "--checkpoint", file, "--resume", "--format", "jsonl"});
    unsigned kills = 0;
    std::optional<int> status;
    std::string out;
    while (!status) {
      RunningProgram program(run, folder.path("out"), folder.path("err"));
      // Often soon after the start or in the middle; later on longer, so that a busy machine comes
      // to an end.
      status = program.wait_for(milliseconds(10 + random() % (300 + 50 * kills)));
      if (!status) {
        program.signal(SIGKILL);
        if (program.wait() == 128 + SIGKILL) ++kills;
      }
    }
    EXPECT_EQ(*status, 0) << read_file(folder.path("err"));
    EXPECT_GE(kills, 3u);
    const RunResult whole = perft({"7", "--divide", "--format", "jsonl"});
    EXPECT_EQ(read_file(folder.path("out")), whole.output) << kills << " kills";
  }
}

TEST(Checkpoint, SuitesAndFiles) {
  const TemporaryFolder folder;
  const std::string suite = folder.write("suite.epd", kStart + " ;D1 20 ;D4 197281 ;D5 4865609\n" +
                                                          kKiwipete + " ;D4 4085603 ;D1 47\n");
  const RunResult plain = perft({"--suite", suite});
  const RunResult run = perft({"--suite", suite, "--checkpoint", folder.path("a")});
  EXPECT_EQ(run.status, 1) << run.errors;
  EXPECT_EQ(run.output, plain.output);
  EXPECT_EQ(perft({"--suite", suite, "--checkpoint", folder.path("a"), "--resume"}).output,
            plain.output);
  EXPECT_EQ(perft({"4", suite, "--checkpoint", folder.path("b")}).output,
            perft({"4", suite}).output);
  EXPECT_EQ(perft({"4", suite, "--checkpoint", folder.path("a"), "--resume"}).status, 2);
}

TEST(LongRuns, WhatMakesNoSenseIsRefused) {
  const TemporaryFolder folder;
  const std::string file = folder.path("state");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"4", "--resume"},
           {"4", "--shard", "0/3"},
           {"4", "--shard", "4/3"},
           {"4", "--shard", "3"},
           {"4", "--shard", "1/3x"},
           {"4", "--shard", "slurm"},
           {"4", "--shard", "1/3", "--format", "csv"},
           {"4", "--shard", "1/3", "--against", "x"},
           {"4", "--checkpoint", file, "--against", "x"},
           {"4", "--checkpoint", file, "--stats"},
           {"--suite", "-", "--shard", "1/3"},
           {"--suite", "-", "--fail-fast", "--checkpoint", file}}) {
    const RunResult run = perft(arguments);
    EXPECT_EQ(run.status, 2) << arguments.back() << run.errors;
    EXPECT_NE(run.errors, "");
  }
}

// The parts of a run, as files.
std::vector<std::string> parts_of(const TemporaryFolder& folder, std::vector<std::string> arguments,
                                  unsigned count) {
  std::vector<std::string> files;
  for (unsigned i = 1; i <= count; ++i) {
    const std::string shard = std::to_string(i) + "/" + std::to_string(count);
    files.push_back(folder.path("part-" + std::to_string(i) + "-of-" + std::to_string(count)));
    std::vector<std::string> more = arguments;
    more.insert(more.end(), {"--shard", shard, "-o", files.back()});
    const RunResult run = perft(more);
    EXPECT_EQ(run.status, 0) << run.errors;
  }
  return files;
}

RunResult merge(const std::vector<std::string>& files, std::vector<std::string> more = {}) {
  std::vector<std::string> all = {CUARBITER_PROGRAM, "merge"};
  all.insert(all.end(), files.rbegin(), files.rend());
  all.insert(all.end(), more.begin(), more.end());
  return run_program(all);
}

TEST(Shards, AddUpToTheWhole) {
  const TemporaryFolder folder;
  const std::string file = folder.write("in.fen", kStart + "\n\n" + kKiwipete + "\n");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"5"},
                                             {"0"},
                                             {"5", "--no-merge"},
                                             {"4", "--divide", "--fen", kKiwipete},
                                             {"4", file},
                                             {"3", "--divide", file}}) {
    for (const unsigned count : {1u, 2u, 7u}) {
      const std::vector<std::string> parts = parts_of(folder, arguments, count);
      for (const char* format : {"text", "jsonl", "csv"}) {
        std::vector<std::string> whole = arguments;
        whole.insert(whole.end(), {"--format", format});
        const RunResult merged = merge(parts, {"--format", format});
        EXPECT_EQ(merged.status, 0) << merged.errors;
        EXPECT_EQ(merged.output, perft(whole).output) << arguments[0] << count << format;
      }
    }
  }
}

// Each part has work of its own: the sum is not that of one part that does all.
TEST(Shards, HaveAboutTheSameShareEach) {
  const TemporaryFolder folder;
  double most = 0;
  for (const std::string& file : parts_of(folder, {"5"}, 4)) {
    const std::vector<Json> part = records(read_file(file));
    ASSERT_EQ(part.size(), 3u);
    most = std::max(most, std::stod(part[1].at("nodes").string()));
  }
  EXPECT_LT(most, 0.4 * 4865609);
}

TEST(Shards, MergeRefusesGapsRepetitionsAndOthers) {
  const TemporaryFolder folder;
  const std::vector<std::string> parts = parts_of(folder, {"4"}, 4);
  const auto refused = [](const RunResult& run, const std::string& message) {
    EXPECT_EQ(run.status, 2) << run.output;
    EXPECT_EQ(run.output, "");
    EXPECT_TRUE(contains(run.errors, message)) << run.errors;
  };
  refused(merge({parts[0], parts[3]}), "2 of 4 parts are missing: 2, 3");
  refused(merge({parts[0], parts[1], parts[2]}), "1 of 4 parts is missing: 4");
  refused(merge({parts[0], parts[1], parts[2], parts[3], parts[1]}), "part 2 of 4 is given twice");
  refused(merge({parts[0], parts_of(folder, {"4"}, 2)[1]}), "it is one of ");
  refused(merge({parts[0], parts_of(folder, {"3"}, 5)[1]}), "depth is ");
  refused(merge({parts[0], parts_of(folder, {"4", "--fen", kKiwipete}, 6)[1]}),
          "the input is another");
  ASSERT_EQ(perft({"4", "--checkpoint", folder.path("state")}).status, 0);
  refused(merge({folder.path("state")}), "is a checkpoint, not a part");
  refused(merge({"-"}), "standard input");
  EXPECT_EQ(merge({}).status, 2);
}

TEST(Shards, MergeSeesDamage) {
  const TemporaryFolder folder;
  const std::vector<std::string> parts = parts_of(folder, {"4"}, 2);
  const std::string good = read_file(parts[1]);
  std::string other = good;
  const std::size_t digit = good.find("\"nodes\":\"") + 9;
  other[digit] = other[digit] == '9' ? '8' : '9';
  for (const std::string& bad :
       {other, good.substr(0, good.size() - 2), good.substr(0, good.rfind("{\"type\":\"end\"")),
        good + good, std::string(), "\x1f\x8b" + good}) {
    folder.write("bad", bad);
    const RunResult run = merge({parts[0], folder.path("bad")});
    EXPECT_EQ(run.status, 3) << bad;
    EXPECT_EQ(run.output, "");
    EXPECT_NE(run.errors, "");
  }
  EXPECT_EQ(merge({parts[0], folder.path("none")}).status, 3);
}

TEST(Shards, AreWhatSlurmSays) {
  const RunResult expected = perft({"4", "--shard", "2/3"});
  ASSERT_EQ(expected.status, 0) << expected.errors;
  for (const std::vector<std::string>& environment : std::vector<std::vector<std::string>>{
           {"SLURM_ARRAY_TASK_ID=1", "SLURM_ARRAY_TASK_MIN=0", "SLURM_ARRAY_TASK_MAX=2",
            "SLURM_ARRAY_TASK_COUNT=3", "SLURM_NTASKS=1", "SLURM_PROCID=0"},
           {"SLURM_ARRAY_TASK_ID=15", "SLURM_ARRAY_TASK_MIN=10", "SLURM_ARRAY_TASK_MAX=20",
            "SLURM_ARRAY_TASK_STEP=5", "SLURM_ARRAY_TASK_COUNT=3"},
           {"SLURM_PROCID=1", "SLURM_NTASKS=3"}}) {
    RunOptions options;
    options.environment = environment;
    const RunResult run = perft({"4", "--shard", "slurm"}, options);
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_EQ(run.output, expected.output) << environment[0];
  }
}

TEST(Shards, GoOnFromCheckpoints) {
  const TemporaryFolder folder;
  const std::string file = folder.path("state");
  const RunResult plain = perft({"5", "--shard", "2/3"});
  EXPECT_EQ(perft({"5", "--shard", "2/3", "--checkpoint", file}).output, plain.output);
  EXPECT_EQ(perft({"5", "--shard", "2/3", "--checkpoint", file, "--resume"}).output, plain.output);
  EXPECT_EQ(perft({"5", "--shard", "1/3", "--checkpoint", file, "--resume"}).status, 2);
}

TEST(ProgressJson, IsOneObjectALine) {
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{}, {"--shard", "1/1"}}) {
    std::vector<std::string> arguments = {"6", "--fen",      kKiwipete,        "-j",
                                          "1", "--no-merge", "--progress-json"};
    // Often, since a fast machine counts them in less than a second.
    arguments.insert(arguments.end(), {"--progress-interval", "0.05"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto start = std::chrono::steady_clock::now();
    const RunResult run = perft(arguments);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(run.status, 0);
    const std::vector<Json> lines = records(run.errors);
    EXPECT_GE(lines.size(), 1u);
    EXPECT_LE(lines.size(), seconds.count() / 0.05 + 1);
    double count = 0, share = 0;
    for (const Json& line : lines) {
      EXPECT_EQ(line.at("type").string(), "progress");
      EXPECT_EQ(line.at("what").string(), "nodes");
      EXPECT_GE(std::stod(line.at("count").string()), count);
      count = std::stod(line.at("count").string());
      if (line.at("share").is_null()) continue;
      EXPECT_GE(line.at("share").number(), share);
      share = line.at("share").number();
      // The share is an estimate, but no guess.
      EXPECT_NEAR(share, count / 8031647685.0, 0.2);
    }
    EXPECT_GT(share, 0);
  }
}

TEST(ProgressLine, TellsTheTimeLeft) {
  const RunResult run = cuarbiter_on_cpu({"perft", "6", "--fen", kKiwipete, "-j", "1", "--no-merge",
                                          "--progress", "always", "--progress-interval", "0.05"});
  EXPECT_EQ(run.output, "Nodes: 8031647685\n");
  EXPECT_TRUE(contains(run.errors, " nodes, ")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "%, ")) << run.errors;
  EXPECT_TRUE(contains(run.errors, " left")) << run.errors;
}

}  // namespace
}  // namespace cuarbiter
