// PgnSlabs: files as slabs, by steps that several jobs take at once.
#include "cli/pgn_slabs.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/run_program.hpp"

namespace cuarbiter {
namespace {

using test::TemporaryFolder;

constexpr std::size_t kSlab = 4096;

std::string games(int first, int count) {
  std::string text;
  for (int i = first; i < first + count; ++i) {
    text += "[Event \"";
    text += std::to_string(i);
    text += "\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n";
  }
  return text;
}

// What came out: text by file, faults as "!file", and whether all is as it should be.
struct Outcome {
  std::vector<std::string> files;
  std::vector<std::string> texts;
  std::vector<std::string> faults;

  void add(const SlabJob& job) {
    if (job.nothing) {
      EXPECT_TRUE(job.slab.frames.empty() || job.slab.size == 0);
      return;
    }
    if (!job.fault.empty()) {
      faults.push_back(job.fault);
      return;
    }
    if (job.starts_piece) {
      files.push_back(job.file);
      texts.emplace_back();
    }
    ASSERT_FALSE(files.empty());
    EXPECT_EQ(job.file, files.back());
    EXPECT_EQ(job.slab.offset, texts.back().size());
    texts.back() += job.slab.view(0, static_cast<std::uint32_t>(job.slab.size));
    EXPECT_EQ(job.next_offset, texts.back().size());
  }
};

// Runs jobs with `ahead` of them begun before the first of those is prepared, and the last begun
// prepared first. `between` is called when the first so many are begun.
template <class Between>
Outcome run(const std::vector<std::string>& paths, std::size_t ahead, Between&& between) {
  InputFiles files(paths, InputKind::games);
  PgnSlabs slabs(files, kSlab);
  Outcome outcome;
  bool ended = false, first = true;
  while (!ended) {
    std::deque<SlabJob> jobs;
    while (jobs.size() < ahead) {
      SlabJob& job = jobs.emplace_back();
      const Begun begun = slabs.begin(job);
      if (begun == Begun::yes) continue;
      jobs.pop_back();
      ended = begun == Begun::end;
      EXPECT_TRUE(ended || !jobs.empty()) << "nothing is under way, and nothing begins";
      break;
    }
    if (first) between();
    first = false;
    for (std::size_t i = jobs.size(); i-- > 0;) slabs.prepare(jobs[i]);
    for (SlabJob& job : jobs) {
      slabs.complete(job);
      outcome.add(job);
    }
  }
  return outcome;
}
Outcome run(const std::vector<std::string>& paths, std::size_t ahead) {
  return run(paths, ahead, [] {});
}

TEST(PgnSlabs, GiveTheSameWhateverIsUnderWay) {
  const TemporaryFolder folder;
  const std::vector<std::string> texts = {
      games(0, 500), "", "1. e4 *\n", games(500, 80), "\n\n" + games(0, 3), games(7, 20000)};
  std::vector<std::string> paths;
  for (const std::string& text : texts) {
    paths.push_back(folder.write(std::to_string(paths.size()), text));
  }
  for (const std::size_t ahead : {1u, 2u, 3u, 8u}) {
    const Outcome outcome = run(paths, ahead);
    EXPECT_EQ(outcome.files, paths) << ahead;
    EXPECT_TRUE(outcome.texts == texts) << ahead;
    EXPECT_TRUE(outcome.faults.empty());
  }
}

TEST(PgnSlabs, FilesThatCannotBeOpenedAreToldInOrder) {
  const TemporaryFolder folder;
  const std::string first = folder.write("a", games(0, 300)), last = folder.write("b", games(0, 9));
  for (const std::size_t ahead : {1u, 4u}) {
    const Outcome outcome = run({first, folder.path("none"), last, folder.path("nor")}, ahead);
    EXPECT_EQ(outcome.files, (std::vector<std::string>{first, last}));
    EXPECT_EQ(outcome.faults.size(), 2u);
  }
}

TEST(PgnSlabs, AFileThatShrinksEnds) {
  const TemporaryFolder folder;
  // The first 256 KiB are read at once.
  const std::string text = games(0, 20000);
  const std::string other = folder.write("b", games(0, 9));
  for (const std::size_t ahead : {80u, 200u}) {
    const std::string path = folder.write("a", text);
    for (const std::size_t size : {std::size_t{300000}, std::size_t{270001}}) {
      const Outcome outcome =
          run({path, other}, ahead, [&] { std::filesystem::resize_file(path, size); });
      ASSERT_EQ(outcome.texts.size(), 2u) << ahead;
      EXPECT_TRUE(outcome.texts[0] == text.substr(0, size)) << outcome.texts[0].size();
      EXPECT_EQ(outcome.texts[1], games(0, 9));
      EXPECT_TRUE(outcome.faults.empty());
    }
  }
}

TEST(PgnSlabs, AFileThatGrowsIsReadToItsEnd) {
  const TemporaryFolder folder;
  const std::string text = games(0, 20000), more = games(20000, 500);
  const std::string path = folder.write("a", text);
  const Outcome outcome = run({path}, 90, [&] { std::ofstream(path, std::ios::app) << more; });
  ASSERT_EQ(outcome.texts.size(), 1u);
  EXPECT_TRUE(outcome.texts[0] == text + more);
}

TEST(PgnSlabs, NothingIsBegunAfterStop) {
  const TemporaryFolder folder;
  InputFiles files(std::vector<std::string>{folder.write("a", games(0, 500))}, InputKind::games);
  PgnSlabs slabs(files, kSlab);
  SlabJob job;
  ASSERT_EQ(slabs.begin(job), Begun::yes);
  slabs.stop();
  slabs.prepare(job);
  slabs.complete(job);
  EXPECT_FALSE(job.nothing);
  EXPECT_EQ(slabs.begin(job), Begun::end);
}

}  // namespace
}  // namespace cuarbiter
