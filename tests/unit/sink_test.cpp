// Sinks: files that appear only when complete, and every way writing can fail.
#include "host/io/sink.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

namespace fs = std::filesystem;

class SinkFiles : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/cuarbiter_sink_test_XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder_ = name;
    path_ = folder_ + "/out.jsonl";
    ::signal(SIGPIPE, SIG_IGN);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static std::string error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const IoError& error) {
      return error.what();
    }
    return "";
  }

  std::string folder_;
  std::string path_;
};

TEST_F(SinkFiles, AppearOnlyWhenCommitted) {
  const auto sink = open_sink(path_);
  EXPECT_EQ(sink->name(), path_);
  std::string expected;
  for (int i = 0; i < 100000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    sink->write(line);
    expected += line;
  }
  const std::string large(1 << 20, 'x');
  sink->write(large);
  sink->write("end");
  expected += large + "end";
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_TRUE(fs::exists(sink->temporary_path()));
  sink->close();
  EXPECT_FALSE(fs::exists(path_));
  sink->commit();
  sink->commit();
  EXPECT_EQ(sink->temporary_path(), "");
  EXPECT_TRUE(content(path_) == expected);
  EXPECT_EQ(sink->bytes_written(), expected.size());
  EXPECT_EQ(files(), 1u);
  EXPECT_THROW(sink->write("more"), std::logic_error);
}

TEST_F(SinkFiles, LeaveNothingWhenAbandonedOrDropped) {
  {
    const auto sink = open_sink(path_);
    sink->write(std::string(1 << 20, 'x'));
    sink->abandon();
    EXPECT_EQ(files(), 0u);
  }
  {
    const auto sink = open_sink(path_);
    sink->write("x");
    sink->sync();
    EXPECT_EQ(files(), 1u);
  }
  EXPECT_EQ(files(), 0u);
  {
    const auto sink = open_sink(path_);
    sink->close();
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(SinkFiles, TakeTheirPermissionsFromTheUmask) {
  const mode_t before = ::umask(027);
  const auto sink = open_sink(path_);
  ::umask(before);
  sink->commit();
  EXPECT_EQ(fs::status(path_).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(SinkFiles, ReplaceAFileAndKeepItsPermissionsAndLinks) {
  std::ofstream(path_) << "old";
  fs::permissions(path_, static_cast<fs::perms>(0600));
  const std::string link = folder_ + "/link";
  fs::create_symlink("out.jsonl", link);
  {
    const auto sink = open_sink(link);
    sink->write("dropped");
  }
  EXPECT_EQ(content(path_), "old");
  const auto sink = open_sink(link);
  sink->write("new");
  EXPECT_EQ(content(path_), "old");
  sink->commit();
  EXPECT_EQ(content(path_), "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(fs::status(path_).permissions(), static_cast<fs::perms>(0600));
  EXPECT_EQ(files(), 2u);
}

TEST_F(SinkFiles, AWriteProtectedFileIsNotReplaced) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may write to everything";
  std::ofstream(path_) << "old";
  fs::permissions(path_, static_cast<fs::perms>(0400));
  EXPECT_EQ(error_of([&] { open_sink(path_); }), path_ + ": cannot write to: Permission denied");
}

TEST_F(SinkFiles, PlacesThatCannotHoldAFileAreNamed) {
  EXPECT_EQ(error_of([&] { open_sink(folder_); }), folder_ + ": cannot write to: Is a directory");
  const std::string nowhere = folder_ + "/none/out";
  EXPECT_EQ(error_of([&] { open_sink(nowhere); }),
            nowhere + ": cannot create a temporary file in its folder: No such file or directory");
  std::ofstream(path_) << "x";
  EXPECT_EQ(error_of([&] { open_sink(path_ + "/out"); }),
            path_ + "/out: cannot create: Not a directory");
  EXPECT_EQ(files(), 1u);
}

TEST_F(SinkFiles, ATargetThatBecameAFolderIsReportedAndTheTemporaryRemoved) {
  const auto sink = open_sink(path_);
  fs::create_directory(path_);
  EXPECT_EQ(error_of([&] { sink->commit(); }),
            path_ + ": cannot rename the finished file to it: Is a directory");
  EXPECT_EQ(files(), 1u);
}

TEST_F(SinkFiles, AFullDiskIsReportedAndTheTemporaryRemoved) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  {
    const auto sink = open_sink(path_);
    rlimit small = before;
    small.rlim_cur = 100000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string expected = path_ + ": cannot write to: File too large";
    EXPECT_EQ(error_of([&] {
                sink->write(std::string(200000, 'x'));
                sink->commit();
              }),
              expected);
    EXPECT_EQ(error_of([&] { sink->write("x"); }), expected) << "a fault must stay a fault";
    EXPECT_EQ(error_of([&] { sink->commit(); }), expected);
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(files(), 0u);
}

TEST_F(SinkFiles, DevicesAreWrittenDirectly) {
  const auto sink = open_sink("/dev/null");
  EXPECT_EQ(sink->temporary_path(), "");
  sink->write("x");
  sink->sync();
  sink->commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));

  const auto full = open_sink("/dev/full");
  full->write("x");
  EXPECT_EQ(error_of([&] { full->flush(); }),
            "/dev/full: cannot write to: No space left on device");
  const auto late = open_sink("/dev/full");
  late->write("x");
  EXPECT_NE(error_of([&] { late->commit(); }), "");
  open_sink("/dev/full")->write("nobody to tell in a destructor");
}

TEST_F(SinkFiles, FifosAreWrittenDirectly) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = content(path_); });
  {
    const auto sink = open_sink(path_);
    EXPECT_EQ(sink->temporary_path(), "");
    sink->write(std::string(1000000, 'x'));
    sink->write("end");
    sink->commit();
  }
  reader.join();
  EXPECT_TRUE(got == std::string(1000000, 'x') + "end");
  EXPECT_TRUE(fs::is_fifo(path_));
}

// Standard output replaced for one test; nothing may be printed meanwhile.
class StandardOutput : public SinkFiles {
 protected:
  void replace(int descriptor) {
    std::fflush(stdout);
    saved_ = ::dup(STDOUT_FILENO);
    ::dup2(descriptor, STDOUT_FILENO);
    ::close(descriptor);
  }
  void restore() {
    ::dup2(saved_, STDOUT_FILENO);
    ::close(saved_);
  }
  int saved_ = -1;
};

TEST_F(StandardOutput, IsBufferedAndStaysOpen) {
  replace(::open(path_.c_str(), O_WRONLY | O_CREAT, 0600));
  const auto sink = open_sink("");
  sink->write("one ");
  const std::string before = content(path_);
  sink->flush();
  const std::string after = content(path_);
  sink->write("two ");
  sink->commit();
  { open_sink("-")->write("three"); }
  restore();
  EXPECT_EQ(before, "");
  EXPECT_EQ(after, "one ");
  EXPECT_EQ(content(path_), "one two three");
  EXPECT_EQ(sink->name(), "<stdout>");
  {
    const auto dropped = open_sink("-");
    dropped->write("never shown");
    dropped->abandon();
  }
}

TEST_F(StandardOutput, AClosedPipeIsNoFault) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  replace(ends[1]);
  bool closed = false, again = false;
  {
    const auto sink = open_sink("-");
    try {
      sink->write("x");
      sink->flush();
    } catch (const ClosedPipe&) {
      closed = true;
    }
    try {
      sink->commit();
    } catch (const ClosedPipe&) {
      again = true;
    }
  }
  restore();
  EXPECT_TRUE(closed);
  EXPECT_TRUE(again);
}

TEST_F(StandardOutput, NonBlockingPipesGetEverything) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
  replace(ends[1]);
  std::size_t got = 0;
  std::thread reader([&] {
    char block[4096];
    for (ssize_t count; (count = ::read(ends[0], block, sizeof block)) > 0;) {
      got += static_cast<std::size_t>(count);
      ::usleep(50);
    }
    ::close(ends[0]);
  });
  const auto sink = open_sink("-");
  sink->write(std::string(1000000, 'x'));
  sink->commit();
  restore();
  reader.join();
  EXPECT_EQ(got, 1000000u);
}

}  // namespace
}  // namespace cuarbiter
