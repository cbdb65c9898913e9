// Files and standard input as sources: read, reserved piece by piece, growing and shrinking
// meanwhile.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "host/io/decoder.hpp"
#include "host/io/error.hpp"
#include "host/io/source.hpp"
#include "tests/support/compressed_text.hpp"

namespace cuarbiter {
namespace {

using test::compress;
using test::drain;
using test::Outcome;
using test::sample;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/cuarbiter_file_source_XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string put(const std::string& name, const std::string& bytes) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  static std::string error_of(const std::string& path) {
    try {
      open_source(path);
    } catch (const IoError& error) {
      return error.what();
    }
    return "";
  }

  std::string folder_;
};

TEST_F(Files, AreReadRawAndDecodedWhateverTheirName) {
  const std::string text = sample(300000);
  const std::string plain = put("misleading.zst", text);
  EXPECT_TRUE(drain(*open_source(plain)).text == text);
  const std::string bytes = compress(Codec::zstd, text);
  const std::string packed = put("plain.pgn", bytes);
  const auto source = open_source(packed);
  EXPECT_EQ(source->name(), packed);
  EXPECT_EQ(source->size_bytes(), bytes.size());
  EXPECT_TRUE(drain(*source).text == text);
  EXPECT_EQ(source->consumed_bytes(), bytes.size());
  EXPECT_TRUE(drain(*open_raw_source(packed)).text == bytes);
  EXPECT_EQ(drain(*open_source(put("empty", ""))).text, "");
  EXPECT_EQ(open_source("/dev/null")->size_bytes(), std::nullopt);
}

TEST_F(Files, ThatCannotBeReadAreNamedWithTheReason) {
  EXPECT_EQ(error_of(folder_ + "/none"), folder_ + "/none: cannot open: No such file or directory");
  EXPECT_EQ(error_of(folder_), folder_ + ": cannot read: Is a directory");
  EXPECT_EQ(error_of(""), ": cannot open: No such file or directory");
}

TEST_F(Files, MayGrowOrShrinkMeanwhile) {
  const std::string path = put("f", std::string(1000, 'a'));
  char block[600];
  const auto growing = open_raw_source(path);
  EXPECT_EQ(growing->read(block), 600u);
  std::ofstream(path, std::ios::app) << std::string(500, 'b');
  EXPECT_EQ(drain(*growing).text, std::string(400, 'a') + std::string(500, 'b'));
  EXPECT_EQ(growing->consumed_bytes(), 1500u);
  const auto shrinking = open_raw_source(path);
  EXPECT_EQ(shrinking->read(block), 600u);
  std::filesystem::resize_file(path, 10);
  EXPECT_EQ(drain(*shrinking).text, "");
}

TEST_F(Files, GiveWhatWasReservedInAnyOrder) {
  const std::string text = sample(600000);
  const std::string path = put("f", text);
  for (const bool raw : {true, false}) {
    const auto source = raw ? open_raw_source(path) : open_source(path);
    std::string got(5000, '\0');
    if (!raw) {
      // The bytes that were looked at to tell the codec come first.
      EXPECT_EQ(source->reserve(100), std::nullopt);
    }
    std::exception_ptr fault;
    EXPECT_EQ(read_whole(*source, got, fault), got.size());
    // Of what is looked at for the codec more may be at hand.
    while (!source->reserve(1)) {
      char byte;
      ASSERT_EQ(source->read({&byte, 1}), 1u);
      got += byte;
    }
    got += text[got.size()];
    const std::size_t from = got.size();
    std::vector<std::uint64_t> places;
    for (int i = 0; i < 3; ++i) {
      const std::optional<std::uint64_t> place = source->reserve(7000);
      ASSERT_TRUE(place.has_value());
      places.push_back(*place);
    }
    EXPECT_EQ(source->consumed_bytes(), from + 21000);
    EXPECT_EQ(source->reserve(text.size()), std::nullopt);
    std::string rest(text.size(), '\0');
    rest.resize(read_whole(*source, rest, fault));
    EXPECT_TRUE(rest == text.substr(from + 21000));
    EXPECT_EQ(source->reserve(1), std::nullopt);
    for (const std::size_t i : {2, 0, 1}) {
      std::string piece(7000, '\0');
      EXPECT_EQ(fetch_whole(*source, places[i], piece, fault), piece.size());
      EXPECT_TRUE(piece == text.substr(from + 7000 * i, 7000)) << raw << i;
    }
    EXPECT_FALSE(fault);
  }
}

TEST_F(Files, ReserveWhatWasLookedAtForTheCodec) {
  const std::string text = sample(600000);
  const auto source = open_source(put("f", text));
  const std::optional<std::uint64_t> place = source->reserve(500000);
  ASSERT_TRUE(place.has_value());
  std::string piece(500000, '\0');
  std::exception_ptr fault;
  EXPECT_EQ(fetch_whole(*source, *place, piece, fault), piece.size());
  EXPECT_TRUE(piece == text.substr(0, piece.size()));
  EXPECT_TRUE(drain(*source).text == text.substr(piece.size()));
}

TEST_F(Files, ReserveNothingInWhatIsDecoded) {
  const std::string bytes = compress(Codec::zstd, sample(100000));
  const std::string path = put("z", bytes);
  for (const unsigned threads : {0u, 2u}) {
    const auto source = open_source(path, SourceOptions{threads});
    EXPECT_EQ(source->reserve(1), std::nullopt);
    EXPECT_TRUE(drain(*source).text == sample(100000));
  }
}

TEST_F(Files, ShrinkBehindWhatWasReserved) {
  const std::string path = put("f", std::string(1000, 'a'));
  const auto source = open_raw_source(path);
  const std::optional<std::uint64_t> first = source->reserve(600);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(source->reserve(600), std::nullopt);
  std::filesystem::resize_file(path, 250);
  std::string piece(600, '\0');
  std::exception_ptr fault;
  EXPECT_EQ(fetch_whole(*source, *first, piece, fault), 250u);
  EXPECT_FALSE(fault);
  EXPECT_EQ(drain(*source).text, "");
}

// Standard input replaced for one test.
class StandardInput : public testing::Test {
 protected:
  void SetUp() override {
    saved_ = ::dup(STDIN_FILENO);
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
    writer_ = ends[1];
  }
  void TearDown() override {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }
  int saved_ = -1;
  int writer_ = -1;
};

TEST_F(StandardInput, IsReadAndDecoded) {
  const std::string text = sample(200000);
  const std::string bytes = compress(Codec::gzip, text);
  std::thread writer([&] {
    for (std::size_t at = 0; at < bytes.size(); at += 1000) {
      const std::size_t count = std::min<std::size_t>(1000, bytes.size() - at);
      EXPECT_EQ(::write(writer_, bytes.data() + at, count), static_cast<ssize_t>(count));
    }
    ::close(writer_);
  });
  const auto source = open_source("-");
  EXPECT_EQ(source->name(), "<stdin>");
  EXPECT_EQ(source->size_bytes(), std::nullopt);
  EXPECT_TRUE(drain(*source).text == text);
  writer.join();
  EXPECT_EQ(source->consumed_bytes(), bytes.size());
  EXPECT_FALSE(is_terminal(STDIN_FILENO));
}

TEST_F(StandardInput, ReservesNothingInAPipe) {
  const auto source = open_raw_source("-");
  EXPECT_EQ(source->reserve(1), std::nullopt);
  ::close(writer_);
}

TEST_F(StandardInput, SurvivesSignalsAndNonBlockingMode) {
  ::fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) {};  // no SA_RESTART: a waiting call returns EINTR
  ::sigaction(SIGUSR1, &action, &before);
  const pthread_t reader = ::pthread_self();
  std::thread writer([&] {
    for (int i = 0; i < 20; ++i) {
      ::usleep(2000);
      ::pthread_kill(reader, SIGUSR1);
      EXPECT_EQ(::write(writer_, "x", 1), 1);
    }
    ::close(writer_);
  });
  EXPECT_EQ(drain(*open_raw_source("-")).text, std::string(20, 'x'));
  writer.join();
  ::sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace cuarbiter
