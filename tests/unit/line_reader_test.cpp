// Lines for every mix of line ends, wherever the borders of blocks fall.
#include "host/io/line_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "host/io/error.hpp"
#include "host/io/memory_source.hpp"

namespace cuarbiter {
namespace {

using namespace std::string_literals;

struct Got {
  std::string text;
  std::uint64_t number = 0;
  std::uint64_t offset = 0;
  bool truncated = false;
  bool terminated = false;
  bool operator==(const Got&) const = default;
};

std::vector<Got> lines_of(ByteSource& source, std::size_t limit) {
  LineReader reader(source, limit);
  std::vector<Got> lines;
  for (Line line; reader.next(line);) {
    lines.push_back(
        {std::string(line.text), line.number, line.offset, line.truncated, line.terminated});
  }
  Line line;
  EXPECT_FALSE(reader.next(line)) << "the end must stay the end";
  return lines;
}

// The same, byte by byte and without blocks.
std::vector<Got> expected_lines(const std::string& text, std::size_t limit) {
  std::vector<Got> lines;
  std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  while (at < text.size()) {
    const std::size_t stop = std::min(text.find_first_of("\r\n", at), text.size());
    const std::string whole = text.substr(at, stop - at);
    lines.push_back(
        {whole.substr(0, limit), lines.size() + 1, at, whole.size() > limit, stop < text.size()});
    at = stop;
    if (at < text.size()) at += text.compare(at, 2, "\r\n") == 0 ? 2 : 1;
  }
  return lines;
}

void check(const std::string& text, std::size_t piece, std::size_t limit) {
  MemorySource source(text, "f", piece);
  const auto got = lines_of(source, limit);
  const auto expected = expected_lines(text, limit);
  if (got == expected) return;
  ADD_FAILURE() << "lines differ: size " << text.size() << " piece " << piece << " limit " << limit
                << (text.size() < 50 ? " text " + testing::PrintToString(text) : "");
}

TEST(LineReader, EveryShortTextInEveryPiece) {
  const std::string letters = "a\r\n"s + '\0';
  for (std::size_t length = 0; length <= 5; ++length) {
    std::size_t count = 1;
    for (std::size_t i = 0; i < length; ++i) count *= letters.size();
    for (std::size_t code = 0; code < count; ++code) {
      std::string text;
      for (std::size_t i = 0, rest = code; i < length; ++i, rest /= letters.size()) {
        text.push_back(letters[rest % letters.size()]);
      }
      for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, SIZE_MAX}) {
        for (const std::size_t limit : {1u, 2u, 100u}) check(text, piece, limit);
      }
    }
  }
}

TEST(LineReader, LinesAcrossBlockBorders) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 12; ++trial) {
    std::string text;
    const unsigned longest = trial % 3 == 0 ? 20 : trial % 3 == 1 ? 3000 : 700000;
    while (text.size() < 2200000) {
      text.append(random() % longest, 'x');
      const char* const ends[] = {"\n", "\r\n", "\r", "\n\r", "\r\r\n"};
      text += ends[random() % 5];
    }
    check(text, SIZE_MAX, 1u << 20);
    check(text, 65536, 1u << 20);
    check(text, 4093, 100000);
    check(text, SIZE_MAX, 10);
  }
}

TEST(LineReader, LineEndsExactlyAtABlocksEdge) {
  for (const std::size_t edge : {std::size_t{1} << 18, std::size_t{1} << 19}) {
    for (std::size_t before = edge - 3; before <= edge + 3; ++before) {
      for (const std::string end : {"\n", "\r\n", "\r", "\r\r", "\n\n"}) {
        const std::string text = std::string(before, 'x') + end + "y" + end + "z";
        check(text, SIZE_MAX, 1u << 20);
        check(text, 1u << 18, 1u << 20);
        check(text, SIZE_MAX, before);
        check(text, SIZE_MAX, before - 1);
      }
    }
  }
}

TEST(LineReader, OnlyCarriageReturnsInManyBlocks) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += std::to_string(i) + '\r';
  check(text, SIZE_MAX, 100);
  check(text, 10000, 100);
}

TEST(LineReader, ALineLongerThanTheLimitTakesBoundedMemory) {
  // 300 MB of one line, made on the fly; the room asked for shows how large the buffer gets.
  class Endless : public ByteSource {
   public:
    std::size_t read(std::span<char> into) override {
      largest_ = std::max(largest_, into.size());
      const std::size_t count = std::min(into.size(), left_);
      std::fill_n(into.begin(), count, 'x');
      left_ -= count;
      if (count != 0) return count;
      const std::size_t tail = std::min(into.size(), tail_.size());
      tail_.copy(into.data(), tail);
      tail_.erase(0, tail);
      return tail;
    }
    const std::string& name() const override { return name_; }
    std::optional<std::uint64_t> size_bytes() const override { return std::nullopt; }
    std::uint64_t consumed_bytes() const override { return 0; }
    std::size_t left_ = 300'000'000, largest_ = 0;
    std::string name_ = "endless", tail_ = "\r\nnext\n";
  };
  Endless source;
  const auto lines = lines_of(source, LineReader::kDefaultMaxLineBytes);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].text, std::string(LineReader::kDefaultMaxLineBytes, 'x'));
  EXPECT_TRUE(lines[0].truncated && lines[0].terminated);
  EXPECT_EQ(lines[1], (Got{"next", 2, 300'000'002, false, true}));
  EXPECT_LT(source.largest_, 4u << 20);
}

TEST(LineReader, SkipsAByteOrderMarkAtTheStartOnly) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, SIZE_MAX}) {
    check("\xef\xbb\xbfone\n\xef\xbb\xbftwo", piece, 100);
    check("\xef\xbb\xbf", piece, 100);
    check("\xef\xbb", piece, 100);
    check("\xef\xbbx\n", piece, 100);
    check("\xef\n", piece, 100);
  }
}

TEST(LineReader, KnowsUtf16WhenItSeesIt) {
  const auto looks = [](const std::string& text, std::size_t piece) {
    MemorySource source(text, "f", piece);
    LineReader reader(source);
    return reader.looks_utf16();
  };
  for (const std::size_t piece : {std::size_t{1}, SIZE_MAX}) {
    for (const std::string& text : {"\xff\xfe[\0"s, "\xfe\xff\0["s, "[\0E\0v\0"s, "\0[\0E"s}) {
      EXPECT_TRUE(looks(text, piece)) << testing::PrintToString(text);
    }
    for (const std::string& text :
         {""s, "a"s, "[Event"s, "a\0bc"s, "\0\0\0\0"s, "a\0b"s, "\xff"s, "\xef\xbb\xbfx"s, "\n"s}) {
      EXPECT_FALSE(looks(text, piece)) << testing::PrintToString(text);
    }
  }
}

TEST(LineReader, AFaultComesAfterTheBytesBeforeIt) {
  class Failing : public MemorySource {
   public:
    using MemorySource::MemorySource;
    std::size_t read(std::span<char> into) override {
      const std::size_t count = MemorySource::read(into);
      if (count == 0) throw IoError("cut here");
      return count;
    }
  };
  for (const std::string tail : {"", "part", "\r", "part of a line that is too long"}) {
    Failing source("one\n" + tail, "f", 2);
    LineReader reader(source, 20);
    Line line;
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line.text, "one");
    EXPECT_FALSE(reader.failed());
    if (!tail.empty()) {
      ASSERT_TRUE(reader.next(line));
      EXPECT_EQ(line.text, tail == "\r" ? "" : tail.substr(0, 20));
      EXPECT_EQ(line.terminated, tail == "\r");
      EXPECT_EQ(reader.failed(), tail != "\r");
    }
    EXPECT_THROW(reader.next(line), IoError);
    EXPECT_TRUE(reader.failed());
    EXPECT_THROW(reader.next(line), IoError) << "a fault must stay a fault";
  }
}

}  // namespace
}  // namespace cuarbiter
