// validate --duplicates, and the keys in --games records.
#include <gtest/gtest.h>

#include <random>

#include "tests/support/cuarbiter_program.hpp"
#include "tests/support/json_value.hpp"

namespace cuarbiter {
namespace {

using namespace test;

std::string game(const std::string& moves, const std::string& white = "W",
                 const std::string& black = "B") {
  return "[Event \"E\"]\n[Site \"S\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n[White \"" + white +
         "\"]\n[Black \"" + black + "\"]\n[Result \"*\"]\n\n" + moves + " *\n\n";
}

const std::string kFirst = game("1. e4 e5 2. Nf3", "Carlsen, M.", "Anand, V");
const std::string kAgain = game("1. e4 {again} e5 2. Ngf3 $1", "CARLSEN,M", "Anand, V.");
const std::string kOther = game("1. e4 e5 2. Nf3", "Anand, V", "Carlsen, M.");

RunResult validate(std::vector<std::string> words) {
  words.insert(words.begin(), {"validate", "--duplicates"});
  return cuarbiter_on_cpu(std::move(words));
}

// The records of one type.
std::vector<Json> records(const std::string& output, const std::string& type) {
  std::vector<Json> out;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = output.find('\n', at);
    Json record = Json::parse(std::string_view(output).substr(at, end - at));
    if (record.at("type").string() == type) out.push_back(std::move(record));
    at = end + 1;
  }
  return out;
}

TEST(Duplicates, AreToldWithTheFirstOccurrence) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.pgn", game("1. d4") + kFirst);
  const std::string b = folder.write("b.pgn", kOther + kAgain + kFirst);
  const RunResult text = validate({a, b, "--only", "game.duplicate"});
  EXPECT_EQ(text.status, 0);
  const std::string as_in =
      "the same moves between the same players as in " + a + ":11, game 2 [game.duplicate]\n";
  EXPECT_TRUE(contains(text.output, b + ":11:1: warning: game 2: " + as_in)) << text.output;
  EXPECT_TRUE(contains(text.output, b + ":21:1: warning: game 3: " + as_in)) << text.output;
  EXPECT_TRUE(contains(text.output, ": 0 games with errors, 0 errors, 2 warnings\n"));

  const RunResult json =
      validate({a, b, "--only", "game.duplicate", "--games", "--format", "jsonl"});
  const std::vector<Json> problems = records(json.output, "problem");
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].at("file").number(), 2);
  EXPECT_EQ(problems[0].at("game").number(), 2);
  EXPECT_EQ(problems[0].at("ply").number(), 0);
  EXPECT_EQ(problems[0].at("severity").string(), "warning");
  EXPECT_EQ(problems[0].members().back().first, "first");
  EXPECT_TRUE(contains(json.output, "\"first\":{\"file\":1,\"game\":2,\"line\":11}}\n"));
  const std::vector<Json> games = records(json.output, "game");
  ASSERT_EQ(games.size(), 5u);
  const auto key = [&](std::size_t i) { return games[i].at("key").string(); };
  EXPECT_EQ(key(0).size(), 32u);
  EXPECT_EQ(key(1), key(3));
  EXPECT_EQ(key(1), key(4));
  EXPECT_NE(key(1), key(2));
  EXPECT_EQ(games[3].at("problems").number(), 1);
  EXPECT_EQ(games[2].at("problems").number(), 0);
}

TEST(Duplicates, AreLookedForOnlyWhenAsked) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.pgn", kFirst + kFirst);
  EXPECT_FALSE(contains(cuarbiter_on_cpu({"validate", a}).output, "duplicate"));
  EXPECT_FALSE(contains(validate({a, "--ignore", "game"}).output, "duplicate"));
  EXPECT_EQ(validate({a}).status, 0);
  EXPECT_EQ(validate({a, "--strict"}).status, 1);
}

TEST(Duplicates, GamesWithoutMovesOrJudgementAreNone) {
  const TemporaryFolder folder;
  const std::string atomic = "[Variant \"Atomic\"]\n" + game("1. e4");
  const std::string a = folder.write("a.pgn", game("") + game("") + atomic + atomic);
  const RunResult run = validate({a, "--games", "--format", "jsonl"});
  EXPECT_FALSE(contains(run.output, "game.duplicate")) << run.output;
  const std::vector<Json> games = records(run.output, "game");
  ASSERT_EQ(games.size(), 4u);
  EXPECT_TRUE(games[0].at("key").is_string());
  EXPECT_TRUE(games[2].at("key").is_null());
}

TEST(Duplicates, CsvHasTheKeyLast) {
  const TemporaryFolder folder;
  const RunResult run = validate({folder.write("a.pgn", kFirst), "--games", "--format", "csv"});
  EXPECT_TRUE(contains(run.output, ",drawn_by,key\n"));
  const std::string row = run.output.substr(run.output.find("\ngame,") + 1);
  const std::string key = row.substr(row.rfind(',') + 1);
  EXPECT_EQ(key.size(), 33u) << row;
  EXPECT_EQ(key.find_first_not_of("0123456789abcdef"), 32u);
}

// The whole output is the same however the work is cut and however little memory there is.
TEST(Duplicates, DoNotDependOnThreadsBatchesOrMemory) {
  std::mt19937 random(7);
  const char* moves[] = {"1. e4", "1. d4 d5", "1. c4 c5 2. g3", "1. Nf3 Ke3", "1. f4 e5"};
  std::string text[2];
  for (int i = 0; i < 3000; ++i) {
    text[i % 2] +=
        game(moves[random() % 5], std::string("W").append(std::to_string(random() % 400)));
  }
  const TemporaryFolder folder;
  const std::string a = folder.write("a.pgn", text[0]), b = folder.write("b.pgn", text[1]);
  RunResult first;
  for (const char* threads : {"1", "3"}) {
    for (const char* batch : {"1", "5000", "1000000"}) {
      for (const char* memory : {"1", "20K", "64M"}) {
        const RunResult run = validate({a, b, "--games", "--format", "jsonl", "-j", threads,
                                        "--batch-size", batch, "--memory", memory});
        EXPECT_EQ(run.status, 1);
        if (first.output.empty()) {
          first = run;
          EXPECT_GT(records(run.output, "problem").size(), 1500u);
        }
        EXPECT_EQ(run.output == first.output, true) << threads << " " << batch << " " << memory;
      }
    }
  }
}

TEST(Duplicates, StopAtTheMostErrors) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.pgn", kFirst + kFirst + kAgain + kFirst);
  const RunResult run = validate({a, "--strict", "--only", "game.duplicate", "--max-errors", "2"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(contains(run.output, "game 3"));
  EXPECT_FALSE(contains(run.output, "game 4"));
  EXPECT_TRUE(contains(run.output, "stopped"));
}

TEST(Duplicates, AreLeftOutOfWhatIsWritten) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.pgn", kFirst + kOther + kAgain + game("1. d4") + kFirst);
  for (const bool fix : {false, true}) {
    std::vector<std::string> words = {a,        "--only", "game.duplicate", "--strict",
                                      "--keep", "good",   "--format",       "pgn"};
    if (fix) words.push_back("--fix");
    const RunResult run = validate(words);
    EXPECT_TRUE(contains(run.errors, "3 games written")) << run.errors;
    EXPECT_FALSE(contains(run.output, "again"));
    const RunResult second =
        cuarbiter_on_cpu({"validate", "--duplicates", "--only", "game.duplicate", "--strict"},
                         with_input(run.output));
    EXPECT_EQ(second.status, 0) << second.output;
  }
}

TEST(Duplicates, AFolderForTemporaryFilesThatIsNotThere) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += game("1. e4", std::string("W").append(std::to_string(i)));
  RunOptions options = with_input(text);
  options.environment = {"TMPDIR=/nowhere/at-all"};
  const RunResult run = cuarbiter_on_cpu({"validate", "--duplicates", "--memory", "1"}, options);
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(contains(run.errors, "/nowhere/at-all")) << run.errors;
  EXPECT_EQ(cuarbiter_on_cpu({"validate", "--duplicates"}, options).status, 0);
}

}  // namespace
}  // namespace cuarbiter
