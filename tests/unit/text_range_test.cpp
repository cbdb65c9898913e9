// Parts of a file's text: any two places of it, compressed or not, and what faults say.
#include "host/io/text_range.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <random>

#include "host/io/decode_error.hpp"
#include "host/io/zstd_frames.hpp"
#include "tests/support/run_program.hpp"

namespace cuarbiter {
namespace {

using test::TemporaryFolder;

std::string words(std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < bytes) text += "word" + std::to_string(random()) + "\n";
  text.resize(bytes);
  return text;
}

std::string zstd_frame(const std::string& text, bool sized) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  std::string out(ZSTD_compressBound(text.size()) + 100, '\0');
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  if (!sized) ZSTD_compressStream2(context, &to, &in, ZSTD_e_continue);
  EXPECT_EQ(ZSTD_compressStream2(context, &to, &in, ZSTD_e_end), 0u);
  ZSTD_freeCCtx(context);
  out.resize(to.pos);
  return out;
}

std::string read_all(const std::string& path, const TextRange& range, unsigned threads = 0) {
  const auto source = open_text_range(path, range, threads);
  std::string out;
  char block[777];
  for (;;) {
    const std::size_t got = source->read(block);
    if (got == 0) return out;
    out.append(block, got);
  }
}

TEST(TextRange, OfPlainText) {
  const TemporaryFolder folder;
  const std::string text = words(5000, 1);
  const std::string path = folder.write("a", text);
  EXPECT_EQ(read_all(path, {}), text);
  EXPECT_EQ(read_all(path, {{100, 0}, TextPlace{300, 0}, 0}), text.substr(100, 200));
  EXPECT_EQ(read_all(path, {{100, 50}, TextPlace{300, 0}, 0}), text.substr(150, 150));
  EXPECT_EQ(read_all(path, {{100, 50}, TextPlace{300, 20}, 0}), text.substr(150, 170));
  EXPECT_EQ(read_all(path, {{4000, 0}, std::nullopt, 0}), text.substr(4000));
  EXPECT_EQ(read_all(path, {{9000, 0}, std::nullopt, 0}), "");
  EXPECT_EQ(read_all(path, {{100, 0}, TextPlace{100, 0}, 0}), "");
  const TextRange rest = without_first(path, {{100, 0}, TextPlace{300, 0}, 0}, 30);
  EXPECT_EQ(rest.begin, (TextPlace{130, 0}));
  EXPECT_EQ(rest.number, 30u);
  EXPECT_EQ(read_all(path, rest), text.substr(130, 170));
}

TEST(TextRange, OfFrames) {
  const TemporaryFolder folder;
  std::mt19937 random(2);
  for (const bool sized : {true, false}) {
    const std::string text = words(60000, 3);
    std::string coded;
    std::vector<std::uint64_t> coded_at, text_at;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t bytes = std::min<std::size_t>(1 + random() % 9000, text.size() - at);
      coded_at.push_back(coded.size());
      text_at.push_back(at);
      coded += zstd_frame(text.substr(at, bytes), sized);
      at += bytes;
    }
    const std::string path = folder.write("a.zst", coded);
    for (unsigned round = 0; round < 300; ++round) {
      // Places may lie many frames behind the one that they are told from.
      std::size_t begin = random() % coded_at.size(), end = random() % coded_at.size();
      if (begin > end) std::swap(begin, end);
      const std::uint64_t more = random() % 20000, end_more = random() % 20000;
      TextRange range{{coded_at[begin], more}, TextPlace{coded_at[end], end_more}, 0};
      const std::uint64_t from = std::min<std::uint64_t>(text_at[begin] + more, text.size());
      std::uint64_t to = std::min<std::uint64_t>(text_at[end] + end_more, text.size());
      to = std::max(from, to);
      const std::string wanted = text.substr(from, to - from);
      ASSERT_EQ(read_all(path, range, random() % 3), wanted);
      const std::uint64_t skipped = wanted.empty() ? 0 : random() % wanted.size();
      const TextRange rest = without_first(path, range, skipped);
      ASSERT_EQ(read_all(path, rest), wanted.substr(skipped));
      EXPECT_EQ(rest.number, skipped);
    }
  }
}

// Frames that declare their sizes are not decoded once more to be passed over.
TEST(TextRange, PassesOverFrames) {
  const TemporaryFolder folder;
  const std::string text = words(40000, 5);
  std::string coded;
  std::vector<std::uint64_t> at;
  for (std::size_t i = 0; i < 40; ++i) {
    at.push_back(coded.size());
    coded += zstd_frame(text.substr(1000 * i, 1000), true);
  }
  const std::string path = folder.write("a.zst", coded);
  EXPECT_EQ(without_first(path, {}, 5500).begin, (TextPlace{at[5], 500}));
  EXPECT_EQ(without_first(path, {}, 6000).begin, (TextPlace{at[6], 0}));
  EXPECT_EQ(without_first(path, {{at[3], 100}, std::nullopt, 0}, 5500).begin,
            (TextPlace{at[8], 600}));
  // Not past the frame in which the range ends.
  EXPECT_EQ(without_first(path, {{at[3], 100}, TextPlace{at[4], 9000}, 0}, 5500).begin,
            (TextPlace{at[4], 4600}));
  const std::string unsized = folder.write("b.zst", zstd_frame(text, false));
  EXPECT_EQ(without_first(unsized, {}, 5500).begin, (TextPlace{0, 5500}));
  EXPECT_EQ(without_first(folder.write("c", text), {}, 5500).begin, (TextPlace{5500, 0}));
}

// A fault is where it is in the text of the range, from wherever that is decoded.
TEST(TextRange, FaultsCountFromTheRange) {
  const TemporaryFolder folder;
  const std::string text = words(500000, 4);
  std::string coded = zstd_frame(text.substr(0, 10000), true);
  const std::uint64_t second = coded.size();
  coded += zstd_frame(text.substr(10000, 10000), true);
  const std::uint64_t third = coded.size();
  coded += zstd_frame(text.substr(20000), true);
  coded.resize(coded.size() - 20);
  const std::string path = folder.write("a.zst", coded);
  const auto fault = [&](const TextRange& range) -> std::uint64_t {
    const auto source = open_text_range(path, range, 0);
    std::uint64_t handed_out = 0;
    try {
      char block[500];
      for (;;) {
        const std::size_t got = source->read(block);
        if (got == 0) return 0;
        handed_out += got;
      }
    } catch (const DecodeError& error) {
      EXPECT_EQ(error.coded_offset(), coded.size());
      EXPECT_EQ(error.text_bytes(), range.number + handed_out);
      EXPECT_EQ(std::string(error.what()),
                DecodeError(path, error.reason(), coded.size(), error.text_bytes()).what());
      return error.text_bytes();
    }
  };
  const std::uint64_t whole = fault({});
  EXPECT_GT(whole, 100000u);
  EXPECT_EQ(fault({{second, 300}, std::nullopt, 0}), whole - 10300);
  EXPECT_EQ(fault({{second, 300}, TextPlace{third, 490000}, 0}), whole - 10300);
  EXPECT_EQ(fault(without_first(path, {{second, 300}, std::nullopt, 0}, 12000)), whole - 10300);
  EXPECT_EQ(fault(without_first(path, {}, 15000)), whole);
  EXPECT_EQ(fault({{0, 0}, TextPlace{third, 0}, 0}), 0u);
}

}  // namespace
}  // namespace cuarbiter
