// Borders of zstd frames, and decoding frames by several threads: the text, the faults and where
// they lie are those of one thread, and nobody waits for ever.
#include "host/io/zstd_frames.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "host/io/decoder.hpp"
#include "host/io/error.hpp"
#include "host/io/frame_parallel_source.hpp"
#include "host/io/memory_source.hpp"
#include "tests/support/run_program.hpp"

namespace cuarbiter {
namespace {

using namespace std::string_literals;

std::string sample(std::size_t size, std::uint32_t seed = 1) {
  static const char* const kWords[] = {"e4 ",   "Nf3 ", "O-O ", "1-0\n\n", "[Event \"?\"]\n",
                                       "Bxf7+ "};
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) {
    text += kWords[random() % std::size(kWords)] + std::to_string(random() % 1000) + ". ";
  }
  text.resize(size);
  return text;
}

struct FrameForm {
  bool checksum = true;
  bool sized = true;  // the header declares the size of the text
  int window_log = 0;
};

std::string frame(const std::string& text, const FrameForm& form = {}) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, form.checksum ? 1 : 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, form.sized ? 1 : 0);
  if (form.window_log) ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, form.window_log);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  // In two steps, so that a frame without a declared size really has none.
  if (!form.sized) ZSTD_compressStream2(context, &to, &in, ZSTD_e_continue);
  EXPECT_EQ(ZSTD_compressStream2(context, &to, &in, ZSTD_e_end), 0u);
  ZSTD_freeCCtx(context);
  out.resize(to.pos);
  return out;
}

// As pzstd writes before each frame: a skippable frame that holds the frame's size.
std::string size_frame(const std::string& of) {
  std::string out = "\x50\x2a\x4d\x18\x04\0\0\0"s;
  for (int i = 0; i < 4; ++i) out += static_cast<char>(of.size() >> (8 * i));
  return out;
}

struct Outcome {
  std::string text;
  std::string error;
};

Outcome drain(ByteSource& source) {
  Outcome outcome;
  std::vector<char> block(100000);
  try {
    while (const std::size_t count = source.read(block)) outcome.text.append(block.data(), count);
  } catch (const IoError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

Outcome decode(const std::string& bytes, unsigned threads, std::size_t piece = SIZE_MAX) {
  const auto source =
      decode_by_content(std::make_unique<MemorySource>(bytes, "f.zst", piece), threads);
  return drain(*source);
}

// With all threads at work from the start.
Outcome decode_at_once(const std::string& bytes, unsigned threads, std::size_t piece = SIZE_MAX) {
  FrameParallelSource source(CodedInput(std::make_unique<MemorySource>(bytes, "f.zst", piece)),
                             threads, threads);
  return drain(source);
}

std::vector<std::size_t> borders(const std::string& bytes, std::size_t piece) {
  std::vector<std::size_t> out;
  ZstdFrameScanner scanner;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::string_view rest = std::string_view(bytes).substr(at, piece);
    const std::size_t gone = scanner.scan(rest);
    EXPECT_GT(gone, 0u);
    at += gone;
    if (scanner.at_border()) out.push_back(at);
    if (gone != rest.size()) {
      EXPECT_TRUE(scanner.at_border());
    }
  }
  return out;
}

TEST(ZstdFrames, BordersAreFoundInPiecesOfAnySize) {
  std::string bytes;
  std::vector<std::size_t> expected;
  const auto add = [&](const std::string& part) {
    bytes += part;
    expected.push_back(bytes.size());
  };
  // The content size field has 0, 1, 2, 4 bytes; blocks are raw, RLE and compressed.
  std::mt19937 random(3);
  std::string noise(300000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  for (const bool checksum : {false, true}) {
    for (const bool sized : {false, true}) {
      for (const std::size_t size : {0u, 1u, 200u, 255u, 256u, 70000u, 400000u}) {
        add(frame(sample(size), FrameForm{checksum, sized, 0}));
        add(frame(std::string(size, 'x'), FrameForm{checksum, sized, 17}));
      }
      add(frame(noise, FrameForm{checksum, sized, 0}));
      add("\x5f\x2a\x4d\x18\x03\0\0\0abc"s);
      add("\x50\x2a\x4d\x18\0\0\0\0"s);
    }
  }
  for (const std::size_t piece : {1u, 2u, 3u, 5u, 1000u, 100000000u}) {
    EXPECT_EQ(borders(bytes, piece), expected) << piece;
  }
}

TEST(ZstdFrames, HeadersTellSizeAndWindow) {
  const auto scanned = [](const std::string& bytes) {
    ZstdFrameScanner scanner;
    EXPECT_EQ(scanner.scan(bytes), bytes.size());
    return scanner;
  };
  const std::string text = sample(3000000);
  const ZstdFrameScanner sized = scanned(frame(text, FrameForm{true, true, 20}));
  EXPECT_EQ(sized.text_bytes(), text.size());
  EXPECT_EQ(sized.window_bytes(), 1u << 20);
  const ZstdFrameScanner unsized = scanned(frame(text, FrameForm{true, false, 25}));
  EXPECT_EQ(unsized.text_bytes(), std::nullopt);
  EXPECT_EQ(unsized.window_bytes(), 1u << 25);
  // Small texts are single segments: the window is the text.
  EXPECT_EQ(scanned(frame(sample(3000))).window_bytes(), 3000u);
  const ZstdFrameScanner skippable = scanned(size_frame(text));
  EXPECT_TRUE(skippable.skippable());
  EXPECT_EQ(skippable.text_bytes(), 0u);
}

TEST(ZstdFrames, WhatIsNoFrameHasNoFurtherBorder) {
  const std::string good = frame(sample(1000));
  for (const std::string& bad : {"garbage"s, "\x28\xb5\x2f\xfd\x00\x38\x0f\x00\x00 reserved type"s,
                                 "\x28\xb5\x2f\xfd\x00\x38\xfd\xff\xff block too long"s}) {
    EXPECT_EQ(borders(good + bad + good, 7), std::vector<std::size_t>{good.size()});
  }
}

class FrameList : public testing::Test {
 protected:
  std::vector<ZstdFrame> list(const std::string& bytes) {
    return list_zstd_frames(folder_.write("f.zst", bytes));
  }
  test::TemporaryFolder folder_;
};

TEST_F(FrameList, NamesOffsetsInBothStreamsWhileTheyAreKnown) {
  const std::string a = sample(500000, 1), b = sample(70, 2), c = sample(300000, 3);
  const std::string fa = frame(a), fb = frame(b), fc = frame(c, FrameForm{true, false, 0});
  const std::string skip = size_frame(fa);
  const auto frames = list(skip + fa + fb + fc + fa);
  ASSERT_EQ(frames.size(), 5u);
  EXPECT_TRUE(frames[0].skippable);
  EXPECT_EQ(frames[0].coded_bytes, skip.size());
  EXPECT_EQ(frames[0].text_bytes, 0u);
  EXPECT_FALSE(frames[1].skippable);
  EXPECT_EQ(frames[1].coded_offset, skip.size());
  EXPECT_EQ(frames[1].coded_bytes, fa.size());
  EXPECT_EQ(frames[1].text_offset, 0u);
  EXPECT_EQ(frames[1].text_bytes, a.size());
  EXPECT_EQ(frames[2].text_offset, a.size());
  EXPECT_EQ(frames[2].text_bytes, b.size());
  EXPECT_EQ(frames[3].text_offset, a.size() + b.size());
  EXPECT_EQ(frames[3].text_bytes, std::nullopt);
  EXPECT_EQ(frames[4].coded_offset, skip.size() + fa.size() + fb.size() + fc.size());
  EXPECT_EQ(frames[4].text_offset, std::nullopt);
  EXPECT_EQ(frames[4].text_bytes, a.size());
}

TEST_F(FrameList, TheLastElementHoldsWhatIsLeft) {
  const std::string good = frame(sample(400000));
  for (const std::string& rest :
       {"x"s, "\x28\xb5"s, good.substr(0, 5), good.substr(0, 50000), std::string(200, 'y'),
        "\x50\x2a\x4d\x18\xff\xff\xff\xff more"s}) {
    const auto frames = list(good + good + rest);
    ASSERT_EQ(frames.size(), 3u) << rest.size();
    EXPECT_EQ(frames[2].coded_offset, 2 * good.size());
    EXPECT_EQ(frames[2].coded_bytes, rest.size());
  }
  EXPECT_TRUE(list("").empty());
  EXPECT_TRUE(list("[Event \"?\"]\n").empty());
  EXPECT_THROW(list_zstd_frames(folder_.path("missing")), IoError);
  EXPECT_THROW(list_zstd_frames(folder_.path("")), IoError);
  EXPECT_THROW(list_zstd_frames("/dev/null"), IoError);
}

TEST_F(FrameList, PartsOfAFileAreReadByTheirFrames) {
  std::string text, bytes;
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < 20; ++i) {
    texts.push_back(sample(i * 20011, i));
    bytes += frame(texts.back());
  }
  const std::string path = folder_.write("f.zst", bytes);
  const auto frames = list_zstd_frames(path);
  ASSERT_EQ(frames.size(), texts.size());
  for (const unsigned threads : {0u, 1u, 3u}) {
    for (std::size_t i = 0; i + 2 < frames.size(); i += 3) {
      SourceOptions options;
      options.decode_threads = threads;
      options.begin = frames[i].coded_offset;
      options.end = frames[i + 2].coded_offset;
      const auto source = open_source(path, options);
      EXPECT_EQ(source->size_bytes(), options.end - options.begin);
      EXPECT_TRUE(drain(*source).text == texts[i] + texts[i + 1]);
    }
    // Offsets in faults are those of the file.
    SourceOptions options;
    options.decode_threads = threads;
    options.begin = frames[5].coded_offset;
    options.end = frames[7].coded_offset - 1;
    const Outcome cut = drain(*open_source(path, options));
    EXPECT_TRUE(cut.error.find(" at compressed byte " + std::to_string(options.end) + ", after " +
                               std::to_string(cut.text.size()) + " bytes of text") !=
                std::string::npos)
        << cut.error;
  }
  EXPECT_THROW(open_source("/dev/null", SourceOptions{0, 1, 2}), IoError);
}

// Frames as archives have them: small ones by the hundred, long ones, with and without sizes.
std::string archive(std::string& text) {
  std::string bytes;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::string part = sample(i % 10 == 7 ? 1500000 : i * 97, i);
    const std::string packed = frame(part, FrameForm{i % 3 != 0, i % 2 == 0, 0});
    if (i % 4 == 0) bytes += size_frame(packed);
    bytes += packed;
    text += part;
  }
  return bytes;
}

TEST(FrameParallel, GivesTheTextInOrder) {
  std::string text;
  const std::string bytes = archive(text);
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    for (const std::size_t piece : {std::size_t{4099}, SIZE_MAX}) {
      const Outcome outcome = decode_at_once(bytes, threads, piece);
      EXPECT_EQ(outcome.error, "");
      EXPECT_TRUE(outcome.text == text) << threads << ' ' << piece;
    }
  }
}

TEST(FrameParallel, FaultsAreThoseOfOneThread) {
  std::string text;
  const std::string bytes = archive(text);
  std::mt19937 random(11);
  std::size_t faults = 0;
  for (int i = 0; i < 12; ++i) {
    std::string bad = bytes;
    const std::size_t at = random() % bad.size();
    if (i % 3 == 0) {
      bad.resize(at);
    } else {
      bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
    }
    const Outcome expected = decode(bad, 0);
    faults += expected.error.empty() ? 0 : 1;
    for (const unsigned threads : {1u, 4u}) {
      const Outcome outcome = decode_at_once(bad, threads);
      EXPECT_EQ(outcome.error, expected.error) << threads << ' ' << at;
      EXPECT_TRUE(outcome.text == expected.text) << threads << ' ' << at;
    }
  }
  EXPECT_GT(faults, 6u);
}

// More decoders join while the text is being read, if it is read faster than one decodes.
TEST(FrameParallel, GivesTheSameWhileDecodersCome) {
  std::string text;
  const std::string bytes = archive(text);
  const Outcome outcome = decode(bytes + bytes, 4);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.text == text + text);
}

TEST(FrameParallel, LargeWindowsAreDecodedOneByOne) {
  std::string text, bytes;
  for (std::uint32_t i = 0; i < 12; ++i) {
    const std::string part = sample(2000000, i);
    text += part;
    bytes += frame(part, FrameForm{true, i % 3 == 0, i % 2 == 0 ? 27 : 0});
  }
  const Outcome outcome = decode_at_once(bytes, 4);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.text == text);
}

// A reader so slow that every budget fills up, then one in a hurry.
TEST(FrameParallel, TextThatNobodyTakesIsBounded) {
  class Counting : public MemorySource {
   public:
    Counting(std::string bytes, std::atomic<std::size_t>& taken)
        : MemorySource(std::move(bytes)), taken_(taken) {}
    std::size_t read(std::span<char> into) override {
      const std::size_t count = MemorySource::read(into);
      taken_ += count;
      return count;
    }

   private:
    std::atomic<std::size_t>& taken_;
  };
  std::mt19937 random(5);
  std::string noise(1000000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  const std::string one = frame(noise);
  std::string bytes;
  for (int i = 0; i < 40; ++i) bytes += one;
  for (const unsigned threads : {1u, 4u}) {
    std::atomic<std::size_t> taken{0};
    const auto source = decode_by_content(std::make_unique<Counting>(bytes, taken), threads);
    char few[10];
    ASSERT_EQ(source->read(few), sizeof few);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    // Each 4 MiB of text and of compressed bytes, and what is under way.
    EXPECT_LT(taken.load(), 14000000u);
    EXPECT_EQ(drain(*source).text.size(), 40 * noise.size() - sizeof few);
  }
}

// Half of a stream that comes through a pipe: what is there is given, and going away does not wait
// for the rest.
TEST(FrameParallel, APipeThatKeepsWaitingHoldsNobodyUp) {
  const std::string text = sample(200000);
  const std::string packed = frame(text);
  const test::TemporaryFolder folder;
  for (const unsigned threads : {1u, 3u}) {
    const std::string path = folder.path("pipe" + std::to_string(threads));
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const int hold = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(hold, 0);
    ASSERT_EQ(::write(hold, packed.data(), packed.size()), static_cast<ssize_t>(packed.size()));
    {
      SourceOptions options;
      options.decode_threads = threads;
      const auto source = open_source(path, options);
      std::string got;
      std::vector<char> block(50000);
      while (got.size() != text.size()) got.append(block.data(), source->read(block));
      EXPECT_TRUE(got == text);
    }
    ::close(hold);
  }
}

TEST(ReadAhead, APipeThatKeepsWaitingHoldsNobodyUp) {
  // The start of a gzip stream with one stored block (RFC 1951, 3.2.4), and no more.
  const std::string bytes =
      "\x1f\x8b\x08\0\0\0\0\0\0\x03\0\x03\0\xfc\xff"
      "abc"s;
  const test::TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int hold = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::write(hold, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  {
    SourceOptions options;
    options.decode_threads = 1;
    const auto source = open_source(path, options);
    std::string got;
    char block[100];
    while (got.size() != 3) got.append(block, source->read(block));
    EXPECT_EQ(got, "abc");
  }
  ::close(hold);
}

}  // namespace
}  // namespace cuarbiter
