// Looking at a stream's beginning loses none of it, in blocks of any size, and keeps its faults.
#include "host/io/peeked_source.hpp"

#include <gtest/gtest.h>

#include <string>

#include "host/io/error.hpp"
#include "host/io/memory_source.hpp"

namespace cuarbiter {
namespace {

std::string pattern(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text.push_back(static_cast<char>(i * 7 + i / 251));
  return text;
}

std::string read_all(ByteSource& source, std::size_t block) {
  std::string out;
  std::string buffer(block, '\0');
  while (const std::size_t got = source.read(buffer)) out.append(buffer, 0, got);
  return out;
}

TEST(PeekedSource, GivesBackEveryByte) {
  for (const std::size_t size : {0u, 1u, 4095u, 4096u, 4097u, 20000u}) {
    const std::string text = pattern(size);
    for (const std::size_t step : {1u, 13u, 100000u}) {
      for (const std::size_t block : {1u, 1000u, 100000u}) {
        for (const int peeks : {0, 1, 3, 1000}) {
          PeekedSource source(std::make_unique<MemorySource>(text, "f", step));
          std::size_t before = 0;
          for (int i = 0; i < peeks; ++i) {
            const bool more = source.peek_more();
            EXPECT_EQ(more, source.peeked().size() > before);
            before = source.peeked().size();
          }
          EXPECT_EQ(source.peeked(), text.substr(0, before));
          EXPECT_EQ(before == 0, peeks == 0 || size == 0);
          EXPECT_TRUE(read_all(source, block) == text) << size << ' ' << step << ' ' << block;
          EXPECT_EQ(source.read({}), 0u);
        }
      }
    }
  }
}

TEST(PeekedSource, PeeksBehindWhatWasRead) {
  PeekedSource source(std::make_unique<MemorySource>("abcdef", "f", 2));
  EXPECT_TRUE(source.peek_more());
  char one[1];
  EXPECT_EQ(source.read(one), 1u);
  EXPECT_EQ(one[0], 'a');
  EXPECT_EQ(source.peeked(), "b");
  EXPECT_TRUE(source.peek_more());
  EXPECT_EQ(source.peeked(), "bcd");
  EXPECT_EQ(read_all(source, 10), "bcdef");
  EXPECT_FALSE(source.peek_more());
}

class Failing : public MemorySource {
 public:
  using MemorySource::MemorySource;
  std::size_t read(std::span<char> into) override {
    const std::size_t got = MemorySource::read(into);
    if (got == 0) throw IoError("f: broken");
    return got;
  }
};

TEST(PeekedSource, AFaultComesBehindTheBytesBeforeIt) {
  PeekedSource source(std::make_unique<Failing>("abc", "f"));
  EXPECT_TRUE(source.peek_more());
  EXPECT_FALSE(source.peek_more());
  EXPECT_FALSE(source.peek_more());
  char bytes[8];
  EXPECT_EQ(source.read(bytes), 3u);
  EXPECT_THROW(source.read(bytes), IoError);
  EXPECT_THROW(source.read(bytes), IoError);
}

TEST(PeekedSource, NameAndSizesAreTheSources) {
  PeekedSource source(std::make_unique<MemorySource>("abcdef", "name", 4));
  EXPECT_EQ(source.name(), "name");
  EXPECT_EQ(source.size_bytes(), 6u);
  EXPECT_TRUE(source.peek_more());
  EXPECT_EQ(source.consumed_bytes(), 4u);
}

}  // namespace
}  // namespace cuarbiter
