// validate: which problems are looked for, what counts, and when a run stops.
#include <gtest/gtest.h>

#include "tests/support/cuarbiter_program.hpp"

namespace cuarbiter {
namespace {

using namespace test;

std::string game(const std::string& moves, const std::string& result = "*") {
  return "[Event \"E\"]\n[Site \"S\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n[White \"W\"]\n"
         "[Black \"B\"]\n[Result \"" +
         result + "\"]\n\n" + moves + "\n\n";
}

const std::string kGood = game("1. e4 e5 *");
const std::string kIllegal = game("1. e4 Ke3 *");
const std::string kSuffix = game("1. e4+ e5 *");
const std::string kMismatch = game("1. e4 e5 1-0", "0-1");
const std::string kAll = kGood + kIllegal + kSuffix + kMismatch + kIllegal;

RunResult validate(const std::string& text, std::vector<std::string> words) {
  words.insert(words.begin(), "validate");
  words.push_back("--format");
  words.push_back("jsonl");
  return cuarbiter_on_cpu(words, with_input(text));
}

std::size_t problems(const RunResult& run) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = run.output.find("\"type\":\"problem\"", at)) != std::string::npos;
       ++at) {
    ++n;
  }
  return n;
}

TEST(ValidateFlags, OnlyAndIgnore) {
  EXPECT_EQ(problems(validate(kAll, {})), 4u);
  const RunResult only = validate(kAll, {"--only", "move.illegal"});
  EXPECT_EQ(problems(only), 2u);
  EXPECT_TRUE(contains(only.output,
                       "\"games_with_errors\":2,\"errors\":2,\"warnings\":0,\"codes\":"
                       "{\"move.illegal\":2}}"));
  EXPECT_EQ(only.status, 1);
  const RunResult ignore = validate(kAll, {"--ignore", "move.illegal,pgn.result-mismatch"});
  EXPECT_EQ(problems(ignore), 1u);
  EXPECT_EQ(ignore.status, 0);
  EXPECT_EQ(validate(kAll, {"--ignore", "move.illegal", "--ignore", "pgn"}).output, ignore.output);
  EXPECT_EQ(validate(kAll, {"--only", "san.*"}).output, ignore.output);
  EXPECT_EQ(problems(validate(kAll, {"--only", "san,move", "--ignore", "move.illegal"})), 1u);
  const TemporaryFolder folder;
  const RunResult file =
      cuarbiter_on_cpu({"validate", "--only", "move", folder.write("a.pgn", kAll), "--games"});
  EXPECT_TRUE(contains(file.output, "1 file, 5 games"));
  // A game's record counts what is left.
  EXPECT_TRUE(
      contains(validate(kIllegal, {"--games", "--ignore", "move"}).output, "\"problems\":0"));
  EXPECT_TRUE(contains(validate(kIllegal, {"--games"}).output, "\"problems\":1"));
}

TEST(ValidateFlags, UnknownCodesAreUsageErrors) {
  for (const char* name : {"move.ilegal", "san.", "san.*.*", "*", "move.illegal,"}) {
    const RunResult run = validate(kAll, {"--ignore", name});
    EXPECT_EQ(run.status, 2) << name;
    EXPECT_TRUE(contains(run.errors, "there is no code")) << name;
    EXPECT_EQ(run.output, "") << name;
  }
  const RunResult nothing = validate(kAll, {"--only", "san", "--ignore", "san"});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_TRUE(contains(nothing.errors, "leave no code"));
}

TEST(ValidateFlags, StrictCountsWarnings) {
  EXPECT_EQ(validate(kSuffix, {}).status, 0);
  EXPECT_EQ(validate(kSuffix, {"--strict"}).status, 1);
  EXPECT_EQ(validate(kSuffix, {"--strict", "--exit-zero"}).status, 0);
  EXPECT_EQ(validate(kSuffix, {"--strict", "--ignore", "san"}).status, 0);
  EXPECT_EQ(validate(kGood, {"--strict"}).status, 0);
}

// The summary speaks of the text up to the last problem told, wherever slabs are cut.
TEST(ValidateFlags, MaxErrorsStopsAtTheSamePlaceHoweverTheWorkIsCut) {
  for (const bool strict : {false, true}) {
    for (const unsigned most : {1u, 2u, 3u, 4u}) {
      std::string first;
      for (const char* threads : {"1", "3"}) {
        for (const char* batch : {"1", "200", "100000"}) {
          std::vector<std::string> words = {"--max-errors", std::to_string(most), "--games", "-j",
                                            threads,        "--batch-size",       batch};
          if (strict) words.push_back("--strict");
          const RunResult run = validate(kAll, words);
          EXPECT_EQ(run.status, 1);
          if (first.empty()) first = run.output;
          EXPECT_EQ(run.output, first) << most << ' ' << threads << ' ' << batch;
        }
      }
      const bool stops = most <= (strict ? 4u : 3u);
      EXPECT_EQ(contains(first, ",\"stopped\":true}"), stops) << most;
    }
  }
  const RunResult two = validate(kAll, {"--max-errors", "2"});
  EXPECT_EQ(problems(two), 3u);  // a warning among them
  const std::size_t until = (kGood + kIllegal + kSuffix).size() + kMismatch.rfind("1-0");
  EXPECT_TRUE(contains(two.output,
                       "{\"type\":\"summary\",\"files\":1,\"games\":4,\"plies\":7,"
                       "\"bytes\":" +
                           std::to_string(until) +
                           ",\"games_with_errors\":2,\"errors\":2,\"warnings\":1,"));
}

TEST(ValidateFlags, FailFastIsOneError) {
  const RunResult fast = validate(kAll, {"--fail-fast"});
  EXPECT_EQ(fast.output, validate(kAll, {"--max-errors", "1"}).output);
  EXPECT_EQ(problems(fast), 1u);
  EXPECT_EQ(fast.status, 1);
  EXPECT_EQ(validate(kGood + kSuffix, {"--fail-fast"}).status, 0);
  EXPECT_FALSE(contains(validate(kGood + kSuffix, {"--fail-fast"}).output, "stopped"));
  EXPECT_EQ(problems(validate(kSuffix + kSuffix, {"--fail-fast", "--strict"})), 1u);
  const RunResult text =
      cuarbiter_on_cpu({"validate", "--fail-fast"}, with_input(kIllegal + kIllegal));
  EXPECT_EQ(count_lines(text.output), 4u);
  EXPECT_TRUE(contains(text.output, "\nstopped at the most errors"));
}

// What comes behind the last error is not opened: a file that is not there is no fault then.
TEST(ValidateFlags, NothingBehindTheLastErrorCounts) {
  const TemporaryFolder folder;
  const std::string bad = folder.write("bad.pgn", kIllegal);
  const std::vector<std::string> words = {"validate", bad, folder.path("none.pgn"), "-j", "1"};
  EXPECT_EQ(cuarbiter_on_cpu(words).status, 3);
  std::vector<std::string> fast = words;
  fast.push_back("--fail-fast");
  const RunResult run = cuarbiter_on_cpu(fast);
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.errors, "");
  fast[4] = "3";
  EXPECT_EQ(cuarbiter_on_cpu(fast).status, 1);
}

TEST(ValidateFlags, BadNumbers) {
  for (const char* number : {"0", "-1", "x", "4000000001", "99999999999999999999", ""}) {
    EXPECT_EQ(validate(kGood, {std::string("--max-errors=") + number}).status, 2) << number;
  }
}

}  // namespace
}  // namespace cuarbiter
