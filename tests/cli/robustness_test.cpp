// Input and output that go wrong in the middle of a run, and text that is large in ways of its own:
// located messages, the other files read all the same, memory within bounds.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/support/cuarbiter_program.hpp"
#include "tests/support/validate_stream.hpp"

namespace cuarbiter {
namespace {

using namespace test;

std::string game(const std::string& moves) {
  return "[Event \"E\"]\n[Site \"S\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n[White \"W\"]\n"
         "[Black \"B\"]\n[Result \"*\"]\n\n" +
         moves + " *\n\n";
}
const std::string kGood = game("1. e4 e5");
const std::string kBad = game("1. e4 Ke3");

std::string frame(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

std::string games(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += game("1. d4 {" + std::to_string(i * 7919) + "} d5");
  return text;
}

// ---- input ----

TEST(RobustInput, AFrameThatIsDamagedIsTheEndOfItsFileAlone) {
  const TemporaryFolder folder;
  std::string packed;
  for (int i = 0; i < 40; ++i) packed += frame(games(1000));
  const std::size_t one = packed.size() / 40;
  const std::size_t text = games(1000).size();
  // The magic number of the 31st frame is not one.
  packed[30 * one + 1] = 'x';
  const std::string damaged = folder.write("damaged.zst", packed);
  const std::string good = folder.write("good.pgn", kGood + kBad);
  const std::string place =
      "damaged.zst: bytes after the last zstd frame that are no zstd frame "
      "at compressed byte " +
      std::to_string(30 * one) + ", after " + std::to_string(30 * text) + " bytes of text\n";
  std::string first;
  for (const char* threads : {"1", "2", "5"}) {
    const RunResult run =
        cuarbiter_on_cpu({"validate", "--format", "jsonl", "-j", threads, good, damaged, good});
    EXPECT_EQ(run.status, 3);
    EXPECT_TRUE(run.errors.ends_with(place)) << run.errors;
    EXPECT_EQ(count_lines(run.errors), 1u) << run.errors;
    EXPECT_TRUE(contains(run.output, "\"games\":30004,")) << run.output;
    if (first.empty()) first = run.output;
    EXPECT_EQ(run.output, first) << threads;
  }
}

TEST(RobustInput, FilesOfEveryKindInOneRun) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good.pgn", kBad);
  const std::string empty = folder.write("empty.pgn", "");
  const std::string nothing = folder.write("nothing.zst", frame(""));
  const std::string locked = folder.write("locked.pgn", kBad);
  ASSERT_EQ(::chmod(locked.c_str(), 0), 0);
  const bool root = ::access(locked.c_str(), R_OK) == 0;
  const std::string fifo = folder.path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  for (const char* threads : {"1", "3"}) {
    std::thread writer([&] {
      const int out = ::open(fifo.c_str(), O_WRONLY | O_CLOEXEC);
      const std::string packed = frame(kBad) + frame(kBad);
      EXPECT_EQ(::write(out, packed.data(), packed.size()), static_cast<ssize_t>(packed.size()));
      ::close(out);
    });
    const RunResult run = cuarbiter_on_cpu({"validate", "--format", "jsonl", "-j", threads, empty,
                                            nothing, folder.path(""), locked, fifo, "/dev/null",
                                            folder.path("missing"), good});
    // Whoever waits for a reader that did not come has one now.
    const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    writer.join();
    ::close(reader);
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(count_lines(run.errors), root ? 2u : 3u) << run.errors;
    EXPECT_TRUE(contains(run.errors, ": Is a directory")) << run.errors;
    EXPECT_TRUE(contains(run.output, root ? "\"games\":4," : "\"games\":3,")) << run.output;
  }
}

// ---- output ----

TEST(RobustOutput, AFullDiskEndsTheRunWithAMessage) {
  const TemporaryFolder folder;
  const std::string file = folder.write("many.pgn", games(3000));
  struct stat status {};
  const bool full = ::stat("/dev/full", &status) == 0;
  for (const char* threads : {"1", "3"}) {
    if (full) {
      const RunResult run = cuarbiter_on_cpu(
          {"validate", "--games", "--format", "jsonl", "-j", threads, "-o", "/dev/full", file});
      EXPECT_EQ(run.status, 3);
      EXPECT_EQ(count_lines(run.errors), 1u) << run.errors;
      EXPECT_TRUE(contains(run.errors, "/dev/full: cannot write to: No space left")) << run.errors;
    }
    // A limit on the size of files: the old file stays, and nothing is left behind.
    const std::string old = folder.write("old.jsonl", "old");
    const RunResult run = run_program(
        {"/bin/sh", "-c",
         "ulimit -f 64; exec '" CUARBITER_PROGRAM "' validate --games --backend cpu -j " +
             std::string(threads) + " -o '" + old + "' '" + file + "'"});
    EXPECT_EQ(run.status, 3) << run.errors;
    EXPECT_TRUE(contains(run.errors, "old.jsonl: cannot write to: File too large")) << run.errors;
    EXPECT_EQ(read_file(old), "old");
    EXPECT_EQ(folder.names().size(), 2u);
  }
}

// ---- memory ----

TEST(RobustMemory, GamesOfManyMegabytesOneAfterTheOther) {
  std::string dance, wrong, variations;
  while (dance.size() < 8300000) dance += "Nf3 Nf6 Ng1 Ng8 ";
  while (wrong.size() < 8300000) wrong += "Ke3 ";
  while (variations.size() < 8300000) variations += "(1. d4 d5) ";
  for (const std::string& text : {game(dance), game(wrong), game("1. e4 " + variations)}) {
    const RunResult run = validate_stream("", text, 5 * text.size(), kBad);
    EXPECT_EQ(run.status, 1);
    EXPECT_TRUE(contains(run.output, "\"code\":\"move.illegal\"") ||
                contains(run.output, "\"code\":\"move.king-left-in-check\""))
        << run.output.substr(0, 1000);
    if (!kSanitized) {
      EXPECT_LT(run.peak_bytes, kMemory);
    }
  }
}

// What is written of one such game is not kept for the next ones.
TEST(RobustMemory, GamesOfManyMegabytesWritten) {
  std::string variations, text;
  while (variations.size() < 7500000) variations += "(1. d4 d5) ";
  for (unsigned i = 0; i < 8; ++i) text += game("1. e4 " + variations);
  const TemporaryFolder folder;
  const RunResult run = cuarbiter_on_cpu({"validate", "-j", "2", "--format", "pgn", "--fix",
                                          "--keep", "good", folder.write("a.pgn", text)});
  EXPECT_EQ(run.status, 0) << run.errors.substr(0, 1000);
  EXPECT_GT(run.output.size(), text.size() * 9 / 10);
  if (!kSanitized) {
    EXPECT_LT(run.peak_bytes, kMemory / 2);
  }
}

TEST(RobustMemory, TheSmallestGames) {
  const RunResult run = validate_stream("", "[Event \"E\"]\n\n*\n\n", 16000000, kBad,
                                        {"--ignore", "pgn.tag-missing"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(count_lines(run.output), 2u) << run.output.substr(0, 1000);
  if (!kSanitized) {
    EXPECT_LT(run.peak_bytes, kMemory / 2);
  }
}

TEST(RobustMemory, ATagWithoutEnd) {
  for (const char* end : {"\"]\n\n1. e4 e5 *\n\n", "\n\n"}) {
    const RunResult run =
        validate_stream("[Event \"", "very long ", 100000000, std::string(end) + kBad);
    EXPECT_EQ(run.status, 1);
    EXPECT_TRUE(contains(run.output, "\"move\":\"Ke3\"")) << run.output.substr(0, 1000);
    if (!kSanitized) {
      EXPECT_LT(run.peak_bytes, kMemory / 2);
    }
  }
}

}  // namespace
}  // namespace cuarbiter
