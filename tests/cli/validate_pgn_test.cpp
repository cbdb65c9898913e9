// validate --format pgn: the same bytes whatever computes them, the right games, repairs that hold.
#include <gtest/gtest.h>

#include "tests/support/cuarbiter_program.hpp"

namespace cuarbiter {
namespace {

using namespace test;

const std::string kData = CUARBITER_DATA;
const std::string kFaulty = kData + "/games/faulty.pgn";
const std::string kHistory = kData + "/games/history.pgn";

std::string game(const std::string& name, const std::string& moves,
                 const std::string& result = "*") {
  return "[Event \"" + name +
         "\"]\n[Site \"S\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n[White \"W\"]\n[Black "
         "\"B\"]\n[Result \"" +
         result + "\"]\n\n" + moves + "\n\n";
}

RunResult write(const std::string& text, std::vector<std::string> words = {}) {
  words.insert(words.begin(), {"validate", "--format", "pgn"});
  return cuarbiter_on_cpu(words, with_input(text));
}

// The names of the games written, with blanks between them.
std::string names(const RunResult& run) {
  std::string out;
  for (std::size_t at = 0; (at = run.output.find("[Event \"", at)) != std::string::npos;) {
    at += 8;
    if (!out.empty()) out += ' ';
    out += run.output.substr(at, run.output.find('"', at) - at);
  }
  return out;
}

const std::string kClean = game("clean", "1. e4 e5 *");
const std::string kWarned = game("warned", "1. e4+ e5 *");
const std::string kIllegal = game("illegal", "1. e4 Ke3 {why} 2. d4 *");
const std::string kMismatch = game("mismatch", "1. e4 e5 1-0", "0-1");
const std::string kMixed = kClean + kIllegal + kWarned + kMismatch;

TEST(ValidatePgn, GamesGoToTheOutputAndProblemsToStandardError) {
  const RunResult run = write(kMixed);
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.output, kClean + kIllegal + game("warned", "1. e4 e5 *") + kMismatch);
  const RunResult text = cuarbiter_on_cpu({"validate"}, with_input(kMixed));
  EXPECT_EQ(run.errors, text.output.substr(0, text.output.find("1 file")) +
                            text.output.substr(text.output.find("1 file")) + "4 games written\n");
  const RunResult quiet = write(kMixed, {"-q"});
  EXPECT_EQ(quiet.output, run.output);
  EXPECT_EQ(count_lines(quiet.errors), 2u);
  EXPECT_FALSE(contains(quiet.errors, "warning"));
  EXPECT_EQ(write(kClean).status, 0);
  EXPECT_EQ(write("").output, "");
}

TEST(ValidatePgn, TheSuffixOfTheOutputFileDecides) {
  const TemporaryFolder folder;
  const RunResult run =
      cuarbiter_on_cpu({"validate", "-o", folder.path("out.pgn")}, with_input(kMixed));
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(read_file(folder.path("out.pgn")), write(kMixed).output);
  // A file over itself.
  const std::string path = folder.write("games.pgn", kWarned);
  EXPECT_EQ(cuarbiter_on_cpu({"validate", path, "-o", path, "--fix"}).status, 0);
  EXPECT_EQ(read_file(path), game("warned", "1. e4 e5 *"));
}

TEST(ValidatePgn, KeepChoosesTheGames) {
  EXPECT_EQ(names(write(kMixed, {"--keep", "all"})), "clean illegal warned mismatch");
  EXPECT_EQ(names(write(kMixed, {"--keep", "good"})), "clean warned");
  EXPECT_EQ(names(write(kMixed, {"--keep", "faulty"})), "illegal mismatch");
  EXPECT_EQ(names(write(kMixed, {"--keep", "good", "--strict"})), "clean");
  EXPECT_EQ(names(write(kMixed, {"--keep", "faulty", "--strict"})), "illegal warned mismatch");
  EXPECT_EQ(names(write(kMixed, {"--keep", "faulty", "--ignore", "move"})), "mismatch");
  // What can be repaired is good.
  EXPECT_EQ(names(write(kMixed, {"--keep", "good", "--fix"})), "clean warned mismatch");
  EXPECT_EQ(names(write(kMixed, {"--keep", "faulty", "--fix"})), "illegal");
  EXPECT_EQ(names(write(kMixed, {"--keep", "faulty", "--fix", "--strict"})), "illegal");
  EXPECT_TRUE(contains(write(kMixed, {"--keep", "faulty"}).errors, "2 games written\n"));
}

TEST(ValidatePgn, KeepAndFixAreAboutPgn) {
  for (const char* flag : {"--fix", "--keep=good", "--keep=all"}) {
    const RunResult run = cuarbiter_on_cpu({"validate", flag}, with_input(kClean));
    EXPECT_EQ(run.status, 2) << flag;
    EXPECT_TRUE(contains(run.errors, "--format pgn")) << flag;
  }
  EXPECT_EQ(write(kClean, {"--keep", "some"}).status, 2);
}

TEST(ValidatePgn, StopsWithTheGameOfTheLastError) {
  for (const char* batch : {"1", "100000"}) {
    const RunResult run = write(kMixed, {"--fail-fast", "--batch-size", batch, "-j", "3"});
    EXPECT_EQ(names(run), "clean illegal");
    EXPECT_TRUE(contains(run.errors, "\n2 games written\nstopped at"));
    EXPECT_EQ(run.status, 1);
  }
}

std::string mixed_archive() {
  std::string text = "% header\nloose text {x}\n";
  for (int i = 0; i < 3; ++i) {
    text += read_file(kHistory) + "\n" + read_file(kFaulty) + "\n\n" + kMixed + "stray\n";
  }
  return text;
}

TEST(ValidatePgn, SameBytesHoweverTheWorkIsCut) {
  const std::string text = mixed_archive();
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{}, {"--fix"}, {"--fix", "--keep", "good"}}) {
    std::vector<std::string> first = flags;
    first.insert(first.end(), {"-j", "1"});
    const RunResult run = write(text, first);
    ASSERT_FALSE(run.output.empty());
    for (const char* threads : {"1", "3"}) {
      for (const char* batch : {"1", "3000"}) {
        std::vector<std::string> words = flags;
        words.insert(words.end(), {"-j", threads, "--batch-size", batch});
        const RunResult other = write(text, words);
        EXPECT_EQ(other.output, run.output) << threads << ' ' << batch;
        EXPECT_EQ(other.errors, run.errors) << threads << ' ' << batch;
      }
    }
  }
}

TEST(ValidatePgn, ASecondRunChangesNothing) {
  for (const bool fix : {false, true}) {
    std::vector<std::string> words;
    if (fix) words.push_back("--fix");
    const RunResult once = write(mixed_archive(), words);
    EXPECT_EQ(write(once.output, words).output, once.output);
  }
  // And finds nothing in the games that could be repaired.
  const RunResult good = write(mixed_archive(), {"--fix", "--keep", "good", "--strict"});
  const RunResult again = write(good.output, {"--strict"});
  EXPECT_EQ(again.status, 0);
  EXPECT_TRUE(contains(again.errors, "0 errors, 0 warnings"));
  EXPECT_EQ(again.output, good.output);
}

// The games of data/games/faulty.pgn that --fix cannot make good are those with faulty moves, two
// different values of a tag, an impossible start, and a result that no board contradicts.
TEST(ValidatePgn, FaultyGamesAfterRepair) {
  const RunResult run =
      cuarbiter_on_cpu({"validate", kFaulty, "--format", "pgn", "--fix", "--keep", "faulty", "-q"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.output, read_file(kData + "/golden/faulty-after-fix.pgn"));
}

TEST(ValidatePgn, LongCommentsAreWrittenWhole) {
  std::string comment;
  while (comment.size() < (std::size_t{1} << 20)) comment += "word ";
  const RunResult run = write(game("long", "1. e4 {" + comment + "} e5 *"));
  EXPECT_EQ(run.status, 0);
  std::string words;
  for (const char c : run.output) words += c == '\n' ? ' ' : c;
  EXPECT_TRUE(contains(words, "{" + comment + "} 1... e5 *"));
  // One past all bounds is cut, and that is an error.
  const RunResult cut = write(game("huge", "1. e4 {" + std::string(20u << 20, 'x') + "} e5 *"));
  EXPECT_EQ(cut.status, 1);
  EXPECT_TRUE(contains(cut.errors, "bytes of the text here are left out [pgn.game-too-long]"));
  EXPECT_TRUE(contains(cut.output, "x}\n1... e5 *"));
  EXPECT_LT(cut.peak_bytes, std::uint64_t{256} << 20);
  EXPECT_EQ(names(write(game("huge", "1. e4 {" + std::string(20u << 20, 'x') + "} e5 *"),
                        {"--keep", "good", "--fix"})),
            "");
}

TEST(ValidatePgn, DeepVariationsAndLongGames) {
  std::string deep = "1. e4 ";
  for (int i = 0; i < 10000; ++i) deep += i % 2 ? "(1. d4 " : "(1. e4 ";
  const RunResult nested = write(game("deep", deep + std::string(10000, ')') + " *"));
  EXPECT_EQ(nested.status, 0);
  EXPECT_EQ(write(nested.output).output, nested.output);
  std::string shuffle;
  for (int i = 0; i < 25000; ++i) shuffle += "Nf3 Nf6 Ng1 Ng8 ";
  const RunResult long_game = write(game("long", shuffle + "*"));
  EXPECT_EQ(long_game.status, 0);
  EXPECT_TRUE(contains(long_game.output, "50000."));
  EXPECT_LT(long_game.peak_bytes, std::uint64_t{256} << 20);
}

TEST(ValidatePgn, ClosedPipesAndFullDisksEndAsForOtherOutput) {
  RunOptions options = with_input(mixed_archive());
  options.closed_pipe = true;
  EXPECT_EQ(cuarbiter_on_cpu({"validate", "--format", "pgn", "--exit-zero"}, options).status, 0);
  EXPECT_EQ(cuarbiter_on_cpu({"validate", "-o", "/dev/full", "--format", "pgn"}, with_input(kMixed))
                .status,
            3);
}

}  // namespace
}  // namespace cuarbiter
