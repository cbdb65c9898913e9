// Decoders: every codec whole, in pieces, cut short, damaged and followed by garbage, with the
// input coming in blocks of any size.
#include "host/io/decoder.hpp"

#include <gtest/gtest.h>
#include <lzma.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "host/io/error.hpp"
#include "host/io/memory_source.hpp"
#include "host/io/source.hpp"
#include "tests/support/compressed_text.hpp"

namespace cuarbiter {
namespace {

using test::compress;
using test::drain;
using test::Outcome;
using test::sample;
using namespace std::string_literals;

Outcome decode_by(unsigned threads, const std::string& bytes, std::size_t piece, std::size_t room) {
  const auto source =
      decode_by_content(std::make_unique<MemorySource>(bytes, "f.pgn", piece), threads);
  EXPECT_EQ(source->name(), "f.pgn");
  EXPECT_EQ(source->size_bytes(), bytes.size());
  const Outcome outcome = drain(*source, room);
  if (outcome.error.empty()) {
    EXPECT_EQ(source->consumed_bytes(), bytes.size());
  }
  return outcome;
}

// Decodes on the reading thread and on others: text and fault must be the same.
Outcome decode(const std::string& bytes, std::size_t piece = SIZE_MAX, std::size_t room = 65536) {
  const Outcome outcome = decode_by(0, bytes, piece, room);
  for (const unsigned threads : {1u, 3u}) {
    if (threads > 1 && detect_codec(bytes) != Codec::zstd) continue;  // one is all that it takes
    const Outcome ahead = decode_by(threads, bytes, piece, room);
    EXPECT_TRUE(ahead.text == outcome.text) << threads << ' ' << ahead.text.size();
    EXPECT_EQ(ahead.error, outcome.error) << threads;
  }
  return outcome;
}

// How a fault ends that is found at this compressed byte, behind all of the text.
std::string place(std::size_t coded_offset, const Outcome& outcome) {
  return " at compressed byte " + std::to_string(coded_offset) + ", after " +
         std::to_string(outcome.text.size()) + " bytes of text";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class EveryCodec : public testing::TestWithParam<Codec> {
 protected:
  Codec codec() const { return GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Io, EveryCodec,
                         testing::Values(Codec::zstd, Codec::gzip, Codec::bzip2, Codec::xz),
                         [](const auto& test) { return std::string(codec_name(test.param)); });

TEST_P(EveryCodec, IsToldByItsFirstSixBytes) {
  const std::string bytes = compress(codec(), sample(1000));
  EXPECT_EQ(detect_codec(bytes), codec());
  EXPECT_EQ(detect_codec(bytes.substr(0, 6)), codec());
  EXPECT_EQ(detect_codec(compress(codec(), "").substr(0, 6)), codec());
}

TEST_P(EveryCodec, RoundTripsAnySize) {
  for (const std::size_t size :
       {0u, 1u, 31u, 32u, 33u, 65535u, 65536u, 65537u, 262144u, 1500000u}) {
    const std::string text = sample(size);
    const Outcome outcome = decode(compress(codec(), text));
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(outcome.text == text) << size;
  }
}

TEST_P(EveryCodec, RoundTripsForAnyPieceAndRoom) {
  const std::string text = sample(3000);
  const std::string bytes = compress(codec(), text);
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 1000u}) {
    for (const std::size_t room : {1u, 2u, 5u, 100u, 100000u}) {
      const Outcome outcome = decode(bytes, piece, room);
      EXPECT_EQ(outcome.error, "") << piece << ' ' << room;
      EXPECT_TRUE(outcome.text == text) << piece << ' ' << room;
    }
  }
}

TEST_P(EveryCodec, RoundTripsWhatDoesNotCompress) {
  std::mt19937 random(5);
  std::string text(400000, '\0');
  for (char& c : text) c = static_cast<char>(random());
  for (const std::size_t room : {1000u, 131072u, 1000000u}) {
    const Outcome outcome = decode(compress(codec(), text), 70000, room);
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(outcome.text == text);
  }
}

TEST_P(EveryCodec, ReadsStreamsOneAfterTheOther) {
  std::string text, bytes;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const std::string part = sample(i % 5 == 0 ? 0 : i * 211, i);
    text += part;
    bytes += compress(codec(), part);
  }
  for (const std::size_t piece : {std::size_t{1}, std::size_t{13}, SIZE_MAX}) {
    const Outcome outcome = decode(bytes, piece);
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(outcome.text == text);
  }
}

TEST_P(EveryCodec, CutShortGivesWhatThereIsThenTheFault) {
  const std::string text = sample(2000);
  const std::string bytes = compress(codec(), text);
  for (std::size_t size = 7; size < bytes.size(); size += 7) {
    for (const std::size_t piece : {std::size_t{1}, SIZE_MAX}) {
      const Outcome outcome = decode(bytes.substr(0, size), piece);
      EXPECT_TRUE(text.starts_with(outcome.text)) << size;
      EXPECT_TRUE(contains(outcome.error, "f.pgn: truncated " + std::string(codec_name(codec()))))
          << size << ": " << outcome.error;
      EXPECT_TRUE(outcome.error.ends_with(place(size, outcome))) << size << ": " << outcome.error;
    }
  }
}

TEST_P(EveryCodec, CutInTheSecondStreamStillGivesTheFirst) {
  const std::string first = sample(700000), second = sample(500, 2);
  const std::string head = compress(codec(), first), tail = compress(codec(), second);
  for (std::size_t size = 1; size < tail.size(); size += 7) {
    const Outcome outcome = decode(head + tail.substr(0, size));
    EXPECT_TRUE(outcome.text.starts_with(first)) << size;
    EXPECT_TRUE((first + second).starts_with(outcome.text)) << size;
    EXPECT_NE(outcome.error, "") << size;
  }
}

TEST_P(EveryCodec, CutLateGivesMostOfALongStream) {
  // 2 MB of text: no codec here keeps more than a megabyte back (bzip2 at level 1: 100 kB).
  const std::string text = sample(2000000);
  const std::string bytes = compress(codec(), text);
  for (const std::size_t room : {4096u, 262144u, 4000000u}) {
    const Outcome outcome = decode(bytes.substr(0, bytes.size() - 100), SIZE_MAX, room);
    EXPECT_TRUE(text.starts_with(outcome.text));
    EXPECT_GT(outcome.text.size(), 1000000u) << room;
    EXPECT_NE(outcome.error, "");
  }
}

TEST_P(EveryCodec, DamageIsFoundAndWhatCameBeforeIsGiven) {
  const std::string first = sample(300000), second = sample(2000, 3);
  const std::string head = compress(codec(), first);
  const std::string tail = compress(codec(), second);
  std::size_t faults = 0, trials = 0;
  for (std::size_t at = 0; at < tail.size(); at += 7) {
    std::string bytes = head + tail;
    bytes[head.size() + at] = static_cast<char>(bytes[head.size() + at] ^ (1 << (at % 8)));
    const Outcome outcome = decode(bytes, at % 2 == 0 ? SIZE_MAX : 11, 1 + at * 37);
    ++trials;
    EXPECT_TRUE(outcome.text.starts_with(first)) << at;
    if (outcome.error.empty()) {
      // Some header bits (gzip's time stamp) may be anything: then the data must be untouched.
      EXPECT_TRUE(outcome.text == first + second) << at;
    } else {
      ++faults;
      EXPECT_TRUE(contains(outcome.error, codec_name(codec()).data())) << outcome.error;
      const std::string behind = " compressed byte ";
      const std::size_t offset =
          std::stoull(outcome.error.substr(outcome.error.rfind(behind) + behind.size()));
      EXPECT_TRUE(outcome.error.ends_with(place(offset, outcome))) << outcome.error;
      EXPECT_GE(offset, head.size()) << outcome.error;
      EXPECT_LE(offset, bytes.size()) << outcome.error;
    }
  }
  EXPECT_GE(faults + 2, trials);
  EXPECT_GT(trials, 20u);
}

TEST_P(EveryCodec, GarbageBehindIsAFaultAfterTheData) {
  const std::string text = sample(5000);
  const std::string bytes = compress(codec(), text);
  for (const std::string& garbage :
       {"x"s, "xyz"s, "garbage that goes on for a while"s, "\x1f"s, "BZ"s, "\0\0\0\0x"s}) {
    const Outcome outcome = decode(bytes + garbage, 17);
    EXPECT_TRUE(outcome.text == text);
    const std::size_t zeros =
        codec() == Codec::gzip || codec() == Codec::xz ? garbage.find_first_not_of('\0') : 0;
    EXPECT_TRUE(contains(outcome.error, "bytes after the last " + std::string(codec_name(codec()))))
        << outcome.error;
    EXPECT_TRUE(outcome.error.ends_with(place(bytes.size() + zeros, outcome))) << outcome.error;
  }
}

TEST_P(EveryCodec, AFailingInputKeepsItsOwnMessageAndTheDataBefore) {
  class Failing : public MemorySource {
   public:
    using MemorySource::MemorySource;
    std::size_t read(std::span<char> into) override {
      const std::size_t count = MemorySource::read(into);
      if (count == 0) throw IoError("disk on fire");
      return count;
    }
  };
  const std::string text = sample(100000);
  for (const unsigned threads : {0u, 1u, 3u}) {
    const auto source = decode_by_content(
        std::make_unique<Failing>(compress(codec(), text), "f.pgn", 999), threads);
    const Outcome outcome = drain(*source);
    EXPECT_TRUE(outcome.text == text) << threads;
    EXPECT_EQ(outcome.error, "disk on fire") << threads;
  }
}

TEST(Decoder, HandsOtherContentThrough) {
  for (const std::string& text :
       {""s, "e"s, "1. e4 e5 *\n"s, "B"s, "BZh"s, "BZh0rest"s, "BZhx"s, "\x28\xb5\x2f"s,
        "\x1f\x8b"s, "\xfd"s, "PK"s, "\0\0\0\0\0\0\0\0\0\0\0\0"s, "\xef\xbb\xbf[Event \"?\"]"s,
        "P\x2a\x4d"s, "Paris 1783"s}) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, SIZE_MAX}) {
      const Outcome outcome = decode(text, piece, 4);
      EXPECT_EQ(outcome.error, "");
      EXPECT_EQ(outcome.text, text);
    }
  }
  const std::string large = sample(1000000);
  EXPECT_TRUE(decode(large, 1000).text == large);
}

TEST(Decoder, DoesNotAskForMoreThanItNeedsToSeePlainText) {
  class OneLine : public MemorySource {
   public:
    using MemorySource::MemorySource;
    std::size_t read(std::span<char> into) override {
      EXPECT_EQ(consumed_bytes(), 0u) << "a pipe with one line so far would block here";
      return MemorySource::read(into);
    }
  };
  char block[16];
  const auto source = decode_by_content(std::make_unique<OneLine>("e4\n"));
  EXPECT_EQ(source->read(block), 3u);
}

TEST(Decoder, NamesArchivesThatMustBeUnpacked) {
  const std::pair<std::string, std::string> cases[] = {{"PK\x03\x04 and more", "zip"},
                                                       {"7z\xbc\xaf\x27\x1c more", "7z"},
                                                       {"Rar!\x1a\x07\x01", "rar"},
                                                       {"\x04\x22\x4d\x18 more", "lz4"}};
  for (const auto& [bytes, name] : cases) {
    try {
      decode_by_content(std::make_unique<MemorySource>(bytes, "a.bin", 1));
      ADD_FAILURE() << name;
    } catch (const IoError& error) {
      EXPECT_TRUE(contains(error.what(), "a.bin: this is a " + name + " archive")) << error.what();
    }
  }
}

TEST(Decoder, ZstdSkipsSkippableFrames) {
  const std::string skip = "\x5f\x2a\x4d\x18\x05\x00\x00\x00skip!"s;
  const std::string text = sample(1000);
  const std::string frame = compress(Codec::zstd, text);
  for (const std::size_t piece : {std::size_t{1}, SIZE_MAX}) {
    EXPECT_TRUE(decode(skip + frame + skip + skip + frame + skip, piece).text == text + text);
    EXPECT_EQ(decode(skip, piece).error, "");
    EXPECT_TRUE(contains(decode(frame + skip.substr(0, 10), piece).error, "truncated zstd"));
  }
}

TEST(Decoder, ZstdWindowsAreBounded) {
  // A frame of one raw block "a" whose header asks for a window of 2^log bytes.
  const auto frame = [](int log) {
    return "\x28\xb5\x2f\xfd\x00"s + static_cast<char>((log - 10) << 3) + "\x09\x00\x00"s + "a";
  };
  EXPECT_EQ(decode(frame(10)).text, "a");
  EXPECT_EQ(decode(frame(27)).text, "a");
  for (const int log : {28, 31, 41}) {
    const Outcome outcome = decode(frame(10) + frame(log));
    EXPECT_EQ(outcome.text, "a");
    EXPECT_TRUE(contains(outcome.error, "window of more than 128 MiB")) << outcome.error;
  }
}

TEST(Decoder, ZstdWithoutChecksumGivesEveryBlockBeforeTheFault) {
  // Three raw blocks, then a block of the reserved type: all three must come out first.
  std::string bytes = "\x28\xb5\x2f\xfd\x00\x38"s, text;
  for (const char c : {'a', 'b', 'c'}) {
    const std::string block(50000, c);
    const std::uint32_t header = 50000u << 3;
    bytes += {static_cast<char>(header), static_cast<char>(header >> 8),
              static_cast<char>(header >> 16)};
    bytes += block;
    text += block;
  }
  bytes += "\x0f\x00\x00"s;
  for (const std::size_t room : {1u, 999u, 50000u, 1000000u}) {
    const Outcome outcome = decode(bytes, SIZE_MAX, room);
    EXPECT_TRUE(outcome.text == text) << room << ' ' << outcome.text.size();
    EXPECT_TRUE(contains(outcome.error, "corrupt zstd data")) << outcome.error;
  }
}

TEST(Decoder, GzipLetsZeroPaddingPass) {
  const std::string text = sample(1000);
  const std::string member = compress(Codec::gzip, text);
  for (const std::size_t zeros : {1u, 512u, 300000u}) {
    const Outcome outcome = decode(member + std::string(zeros, '\0'), 100);
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(outcome.text == text);
  }
}

TEST(Decoder, XzPaddingComesInFours) {
  const std::string text = sample(1000);
  const std::string stream = compress(Codec::xz, text);
  for (const std::size_t zeros : {4u, 8u, 300000u}) {
    const Outcome outcome = decode(stream + std::string(zeros, '\0') + stream, 100);
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(outcome.text == text + text);
    EXPECT_EQ(decode(stream + std::string(zeros, '\0')).error, "");
  }
  for (const std::size_t zeros : {1u, 2u, 3u, 5u}) {
    const Outcome outcome = decode(stream + std::string(zeros, '\0'));
    EXPECT_TRUE(outcome.text == text);
    EXPECT_TRUE(contains(outcome.error, "multiple of four")) << outcome.error;
  }
}

TEST(Decoder, XzMemoryIsBounded) {
  // The dictionary size is one byte of the block header, which has its own checksum.
  std::string bytes = compress(Codec::xz, sample(1000));
  constexpr std::size_t kHeader = 12;
  const std::size_t header_size = (static_cast<unsigned char>(bytes[kHeader]) + 1u) * 4u;
  const std::size_t filter = bytes.find("\x21\x01", kHeader);  // LZMA2, one byte of properties
  ASSERT_LT(filter, kHeader + header_size);
  bytes[filter + 2] = 36;  // 2^30 bytes
  const std::uint32_t check =
      lzma_crc32(reinterpret_cast<const std::uint8_t*>(bytes.data()) + kHeader, header_size - 4, 0);
  for (std::size_t i = 0; i < 4; ++i) {
    bytes[kHeader + header_size - 4 + i] = static_cast<char>(check >> (8 * i));
  }
  const Outcome outcome = decode(bytes);
  EXPECT_EQ(outcome.text, "");
  EXPECT_TRUE(contains(outcome.error, "MiB of memory, more than the 256 MiB allowed"))
      << outcome.error;
}

TEST(Decoder, RandomBytesBehindASignatureNeverCrash) {
  std::mt19937 random(9);
  for (const Codec codec : {Codec::zstd, Codec::gzip, Codec::bzip2, Codec::xz}) {
    const std::string text = sample(3000);
    const std::string good = compress(codec, text);
    for (int i = 0; i < 300; ++i) {
      std::string bytes = good;
      const std::size_t from = 6 + random() % (bytes.size() - 6);
      for (std::size_t at = from; at < bytes.size(); ++at) bytes[at] = static_cast<char>(random());
      const Outcome outcome = decode(bytes, 1 + random() % 500, 1 + random() % 5000);
      // The very last byte may be replaced by itself, or have bits that mean nothing (bzip2).
      EXPECT_TRUE(!outcome.error.empty() || outcome.text == text) << codec_name(codec) << from;
      EXPECT_TRUE(!outcome.error.empty() || from + 2 > bytes.size()) << codec_name(codec) << from;
    }
  }
}

}  // namespace
}  // namespace cuarbiter
