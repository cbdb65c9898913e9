// validate: records of every form, the same bytes whatever computes them, every fault of input and
// output, and text without bounds in bounded memory.
#include <bzlib.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/support/cuarbiter_program.hpp"
#include "tests/support/validate_stream.hpp"

namespace cuarbiter {
namespace {

using namespace test;

const std::string kData = CUARBITER_DATA;
const std::string kFaulty = kData + "/games/faulty.pgn";
const std::string kHistory = kData + "/games/history.pgn";

// Runs validate in the folder of the games, so that messages name a file as a user would.
RunResult validate_there(const std::string& words) {
  return run_program(
      {"/bin/sh", "-c",
       "cd '" + kData + "/games' && exec '" CUARBITER_PROGRAM "' validate --backend cpu " + words});
}

std::string roster(const std::string& result) {
  return "[Event \"E\"]\n[Site \"S\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n[White \"W\"]\n"
         "[Black \"B\"]\n[Result \"" +
         result + "\"]\n\n";
}

const std::string kGood = roster("*") + "1. e4 e5 *\n\n";
const std::string kBad = roster("*") + "1. e4 Ke3 *\n\n";
const std::string kSloppy = roster("*") + "1. e4+ e5 *\n\n";  // a warning

std::string summary_of(const std::string& jsonl) {
  const std::size_t at = jsonl.rfind("{\"type\":\"summary\"");
  return at == std::string::npos ? std::string() : jsonl.substr(at);
}

// The files of data/golden were read line by line: every place, move, position and code is true.
// They come from `cuarbiter validate [--games] --format F faulty.pgn` in data/games.
TEST(Validate, FaultyGamesInEveryFormat) {
  for (const auto& [format, suffix] : std::vector<std::pair<std::string, std::string>>{
           {"text", "txt"}, {"jsonl", "jsonl"}, {"csv", "csv"}}) {
    for (const bool games : {false, true}) {
      const RunResult run =
          validate_there("--format " + format + (games ? " --games" : "") + " faulty.pgn");
      const std::string golden =
          read_file(kData + "/golden/faulty" + (games ? "-games." : ".") + suffix);
      ASSERT_FALSE(golden.empty());
      EXPECT_EQ(run.output, golden) << format;
      EXPECT_EQ(run.errors, "") << format;
      EXPECT_EQ(run.status, 1) << format;
    }
  }
}

TEST(Validate, HistoryIsClean) {
  const RunResult run = validate_there("history.pgn");
  EXPECT_EQ(run.output,
            "1 file, 52 games, 3037 plies, 26158 bytes: 0 games with errors, 0 errors, 0 "
            "warnings\n");
  EXPECT_EQ(run.errors, "");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(validate_there("--strict history.pgn").status, 0);
  const RunResult games = validate_there("--games --format jsonl history.pgn");
  EXPECT_EQ(count_lines(games.output), 53u);
  EXPECT_FALSE(contains(games.output, "\"type\":\"problem\""));
}

// All there is to read, a few times over.
std::string mixed_archive() {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    text += read_file(kHistory) + "\n" + read_file(kFaulty) + "\n\n";
    text += roster("1-0") + "1. e4 {a\n\n[Event \"no game\"]\n} e5 (1... c5 (1... Nf6)) 1-0\n\n";
  }
  return text;
}

TEST(Validate, SameBytesForAnyThreadsAndBatchSize) {
  const TemporaryFolder folder;
  const std::string archive = folder.write("mixed.pgn", mixed_archive());
  for (const std::string format : {"text", "jsonl", "csv"}) {
    const auto run = [&](const std::string& threads, const std::string& batch) {
      return cuarbiter_on_cpu({"validate", "--games", "--format", format, "-j", threads,
                               "--batch-size", batch, archive, kHistory, archive});
    };
    const RunResult one = run("1", "16000000");
    EXPECT_EQ(one.status, 1);
    for (const char* threads : {"1", "3"}) {
      for (const char* batch : {"1", "1000", "50000"}) {
        const RunResult other = run(threads, batch);
        EXPECT_TRUE(other.output == one.output) << format << threads << batch;
        EXPECT_EQ(other.errors, one.errors);
        EXPECT_EQ(other.status, 1);
      }
    }
  }
}

TEST(Validate, SameBytesForEveryInstructionSet) {
  RunOptions options = with_input(mixed_archive());
  const RunResult widest = cuarbiter_on_cpu({"validate", "--games"}, options);
  options.environment = {"CUARBITER_ISA=generic"};
  EXPECT_TRUE(cuarbiter_on_cpu({"validate", "--games"}, options).output == widest.output);
}

TEST(Validate, cuda_SameBytes) {
  const RunOptions input = with_input(mixed_archive());
  const std::vector<std::string> words = {"validate", "--games", "--format", "jsonl"};
  const RunResult device = cuarbiter_on("cuda", words, input);
  if (device.status == 4) {
    EXPECT_NE(device.errors, "");
    GTEST_SKIP() << device.errors;
  }
  EXPECT_TRUE(device.output == cuarbiter_on_cpu(words, input).output);
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}
std::string gzip(const std::string& text) {
  std::string out(text.size() + 4096, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
std::string bzip2(const std::string& text) {
  std::string out(text.size() * 2 + 4096, '\0');
  auto size = static_cast<unsigned>(out.size());
  BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()),
                           static_cast<unsigned>(text.size()), 1, 0, 0);
  out.resize(size);
  return out;
}
std::string xz(const std::string& text) {
  std::string out(text.size() * 2 + 4096, '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  out.resize(size);
  return out;
}

TEST(ValidateInput, EveryCompressionByContent) {
  const TemporaryFolder folder;
  const std::string text = mixed_archive();
  const RunResult plain = cuarbiter_on_cpu({"validate", "--format", "jsonl"}, with_input(text));
  for (const std::string& packed : {zstd(text), gzip(text), bzip2(text), xz(text)}) {
    // The name says nothing.
    const std::string path = folder.write("archive", packed);
    EXPECT_TRUE(cuarbiter_on_cpu({"validate", "--format", "jsonl", path}).output == plain.output);
    EXPECT_TRUE(
        cuarbiter_on_cpu({"validate", "--format", "jsonl", "-"}, with_input(packed)).output ==
        plain.output);
  }
}

TEST(ValidateInput, SeveralFilesAreCountedOneByOne) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good.pgn", kGood);
  const std::string bad = folder.write("bad.pgn", kGood + kBad);
  const std::string empty = folder.write("empty.pgn", "");
  const RunResult run =
      cuarbiter_on_cpu({"validate", "--format", "jsonl", "--games", good, empty, bad, good, bad});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(count_lines(run.output), 9u) << run.output;
  EXPECT_TRUE(contains(run.output, "{\"type\":\"problem\",\"file\":3,\"game\":2,\"line\":19,"))
      << run.output;
  EXPECT_TRUE(contains(run.output, "{\"type\":\"game\",\"file\":4,\"game\":1,\"line\":1,"));
  EXPECT_TRUE(contains(run.output, "{\"type\":\"problem\",\"file\":5,\"game\":2,\"line\":19,"));
  EXPECT_TRUE(contains(summary_of(run.output), "\"files\":5,\"games\":6,\"plies\":10,"))
      << run.output;
  EXPECT_TRUE(contains(summary_of(run.output), "\"codes\":{\"move.illegal\":2}")) << run.output;
}

TEST(ValidateInput, NothingToRead) {
  const RunResult run = cuarbiter_on_cpu({"validate"}, with_input(""));
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output,
            "1 file, 0 games, 0 plies, 0 bytes: 0 games with errors, 0 errors, 0 warnings\n");
}

TEST(ValidateInput, AMissingFileIsStatusThreeAndTheNextOneIsRead) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good.pgn", kGood);
  const std::string missing = folder.path("missing.pgn");
  for (const char* threads : {"1", "3"}) {
    const RunResult run = cuarbiter_on_cpu(
        {"validate", "--format", "jsonl", "-j", threads, good, missing, folder.path(""), good});
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(count_lines(run.errors), 2u) << run.errors;
    EXPECT_TRUE(contains(run.errors, missing)) << run.errors;
    EXPECT_TRUE(contains(run.output, "\"games\":2,")) << run.output;
    EXPECT_TRUE(contains(run.output, "\"files\":2,")) << run.output;
  }
}

TEST(ValidateInput, BrokenCompressionIsStatusThreeAfterTheGamesBeforeIt) {
  const TemporaryFolder folder;
  std::string text = kBad;
  for (int i = 0; i < 20000; ++i) text += kGood;
  // Two frames: the second is cut.
  std::string packed = zstd(text);
  const std::string second = zstd(text + std::to_string(text.size()));
  packed += second.substr(0, second.size() / 2);
  const std::string cut = folder.write("cut.pgn.zst", packed);
  const std::string good = folder.write("good.pgn", kGood);
  for (const char* threads : {"1", "3"}) {
    const RunResult run =
        cuarbiter_on_cpu({"validate", "--format", "jsonl", "-j", threads, cut, good});
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(count_lines(run.errors), 1u) << run.errors;
    EXPECT_TRUE(contains(run.errors, "cut.pgn.zst")) << run.errors;
    EXPECT_TRUE(contains(run.output, "\"move\":\"Ke3\"")) << run.output;
    const std::size_t games = run.output.find("\"games\":");
    ASSERT_NE(games, std::string::npos);
    EXPECT_GE(std::stoul(run.output.substr(games + 8)), 20002u);
  }
}

TEST(ValidateStatus, ErrorsWarningsAndWhatSilencesThem) {
  const auto status = [](const std::string& text, std::vector<std::string> words) {
    words.insert(words.begin(), "validate");
    return cuarbiter_on_cpu(words, with_input(text)).status;
  };
  EXPECT_EQ(status(kGood, {}), 0);
  EXPECT_EQ(status(kGood, {"--strict"}), 0);
  EXPECT_EQ(status(kSloppy, {}), 0);
  EXPECT_EQ(status(kSloppy, {"--strict"}), 1);
  EXPECT_EQ(status(kBad, {}), 1);
  EXPECT_EQ(status(kBad, {"--exit-zero"}), 0);
  EXPECT_EQ(status(kSloppy, {"--strict", "--exit-zero"}), 0);
  EXPECT_EQ(status(kBad, {"--exit-zero", "-", "/no/such/file"}), 3);
  EXPECT_EQ(status(kBad, {"--backend", "gpu"}), 2);
  EXPECT_EQ(status(kBad, {"--no-such-flag"}), 2);
  EXPECT_EQ(status(kBad, {"--format", "markdown"}), 2);
  EXPECT_EQ(status(kBad, {"--batch-size", "0"}), 2);
  EXPECT_EQ(status(kBad, {"--rules", "chess"}), 2);
}

TEST(ValidateRules, ProfilesDecideAboutAutomaticDraws) {
  std::string dance;
  for (int i = 0; i < 5; ++i) dance += "Nf3 Nf6 Ng1 Ng8 ";
  const RunOptions input = with_input(roster("*") + dance + "*\n");
  EXPECT_TRUE(contains(cuarbiter_on_cpu({"validate"}, input).output, "[game.beyond-fivefold]"));
  const RunResult old = cuarbiter_on_cpu({"validate", "--rules", "fide-2001", "--games"}, input);
  EXPECT_FALSE(contains(old.output, "game.beyond-fivefold"));
  EXPECT_TRUE(contains(old.output, "can claim threefold_repetition")) << old.output;
  EXPECT_TRUE(contains(cuarbiter_on_cpu({"validate", "--move-limit", "5"}, input).output,
                       "[game.beyond-seventyfive]"));
}

TEST(ValidateOutput, AFileAndItsSuffix) {
  const TemporaryFolder folder;
  for (const auto& [name, start] :
       std::vector<std::pair<std::string, std::string>>{{"a.jsonl", "{\"type\":\"problem\""},
                                                        {"a.csv", "type,file,game"},
                                                        {"a.txt", "<stdin>:9:"}}) {
    const RunResult run = cuarbiter_on_cpu({"validate", "-o", folder.path(name)}, with_input(kBad));
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.output, "");
    EXPECT_EQ(read_file(folder.path(name)).rfind(start, 0), 0u) << read_file(folder.path(name));
  }
  EXPECT_EQ(folder.names().size(), 3u);
}

TEST(ValidateOutput, AClosedPipeIsAQuietSuccess) {
  std::string many;
  for (int i = 0; i < 20000; ++i) many += kSloppy;
  for (const char* threads : {"1", "3"}) {
    RunOptions options;
    options.input = many;
    options.closed_pipe = true;
    const RunResult run = cuarbiter_on_cpu({"validate", "--threads", threads}, options);
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.errors, "");
  }
}

TEST(ValidateOutput, UntrustedTextCannotControlTheTerminal) {
  const RunResult run =
      cuarbiter_on_cpu({"validate"}, with_input(roster("*") + "1. e4 \x1b[31mred\x07 *\n"));
  EXPECT_EQ(run.status, 1);
  EXPECT_FALSE(contains(run.output, "\x1b"));
  EXPECT_FALSE(contains(run.output, "\x07"));
  EXPECT_TRUE(contains(run.output, "\\x1B")) << run.output;
}

TEST(ValidateOutput, TextThatIsNotUtf8IsBase64InJson) {
  const RunResult run = cuarbiter_on_cpu({"validate", "--format", "jsonl"},
                                         with_input(roster("*") + "1. e4 N\xFC\x66\x33 *\n"));
  EXPECT_TRUE(contains(run.output, "\"move_base64\":\"TvxmMw==\"")) << run.output;
  EXPECT_TRUE(contains(run.output, "\"message_base64\":")) << run.output;
}

// ---- without bounds ----

TEST(ValidateBounds, TenThousandNestedVariations) {
  std::string text = roster("*") + "1. e4 ";
  for (int i = 0; i < 10000; ++i) text += i % 2 ? "(1. e4 " : "(1. d4 ";
  text += std::string(10000, ')') + " e5 *\n\n" + kBad;
  const RunResult run = cuarbiter_on_cpu({"validate", "--format", "jsonl"}, with_input(text));
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(count_lines(run.output), 2u) << run.output.substr(0, 2000);
  EXPECT_TRUE(contains(run.output, "\"games\":2,\"plies\":3,")) << run.output.substr(0, 2000);
}

TEST(ValidateBounds, AGameOfAHundredThousandPlies) {
  std::string text = roster("*");
  for (int i = 0; i < 25000; ++i) text += "Nf3 Nf6 Ng1 Ng8\n";
  text += "Ke3 *\n\n" + kGood;
  const RunResult run =
      cuarbiter_on_cpu({"validate", "--format", "jsonl", "--games"}, with_input(text));
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(contains(run.output, "\"ply\":100001,\"move\":\"Ke3\""))
      << run.output.substr(0, 2000);
  EXPECT_TRUE(contains(run.output, "\"plies\":100000,")) << run.output.substr(0, 2000);
  EXPECT_TRUE(
      contains(run.output, "\"fivefold_ply\":16,\"fifty_ply\":100,\"seventyfive_ply\":150,"))
      << run.output.substr(0, 2000);
}

TEST(ValidateBounds, ACommentOfThreeHundredMegabytes) {
  const std::string piece = "words of a comment that does not end for long\n";
  const RunResult run =
      validate_stream(roster("*") + "1. e4 {", piece, 300000000, "} e5 2. Ke3 *\n\n" + kGood);
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(count_lines(run.output), 2u) << run.output;
  EXPECT_TRUE(contains(run.output, "\"column\":9,")) << run.output;
  EXPECT_TRUE(contains(run.output, "\"games\":2,\"plies\":4,")) << run.output;
  std::uint64_t block = 0;
  while (block < 65536) block += piece.size();
  const std::uint64_t blocks = (300000000 + block - 1) / block;
  const std::uint64_t lines = 9 + blocks * (block / piece.size());
  EXPECT_TRUE(contains(run.output, "\"line\":" + std::to_string(lines) + ",")) << run.output;
  if (!kSanitized) {
    EXPECT_LT(run.peak_bytes, kMemory);
  }
}

TEST(ValidateBounds, OneEndlessLine) {
  for (const std::string piece : {"x", "word ", "1. ", "( ", "e4 "}) {
    const RunResult run = validate_stream(roster("*") + "1. e4 ", piece, 100000000, "\n\n" + kBad);
    EXPECT_EQ(run.status, 1) << piece;
    EXPECT_TRUE(contains(run.output, "\"pgn.game-too-long\"")) << piece;
    EXPECT_TRUE(contains(run.output, "\"line\":19,") || contains(run.output, "\"move\":\"Ke3\""))
        << piece;
    EXPECT_TRUE(contains(summary_of(run.output), "\"games\":2,")) << piece;
  }
}

TEST(ValidateBounds, ManyGamesTakeNoMoreMemoryThanFew) {
  const RunResult run = validate_stream("", kGood, 100000000, kBad);
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(count_lines(run.output), 2u);
  if (!kSanitized) {
    EXPECT_LT(run.peak_bytes, kMemory);
  }
}

}  // namespace
}  // namespace cuarbiter
