// The perft suites of the shared folder on every backend, each count up to a budget of nodes.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/backend.hpp"
#include "host/notation/epd.hpp"
#include "host/notation/perft_block.hpp"
#include "tests/support/cuda_device.hpp"
#include "tests/support/shared_folder.hpp"

namespace cuarbiter {
namespace {

struct KnownCount {
  std::string where;
  Position position;
  std::uint64_t nodes;
};

struct SuiteFile {
  const char* name;
  bool chess960;
  std::size_t positions;  // at least so many
};

class SuitesTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (cuda() && !test::cuda_missing().empty()) GTEST_SKIP() << test::cuda_missing();
  }
  bool cuda() const { return std::string(GetParam()) == "cuda"; }
  // Counts larger than this are left to a full run.
  std::uint64_t most_nodes() const { return cuda() ? 200000 : 3000000; }

  void add(const FenResult& fen, const std::vector<PerftCount>& counts, const std::string& where) {
    ASSERT_TRUE(fen.computable) << where;
    EXPECT_FALSE(counts.empty()) << where;
    ++positions_;
    for (const PerftCount& count : counts) {
      if (count.nodes.size() > 9) continue;
      const std::uint64_t nodes = std::stoull(count.nodes);
      if (nodes <= most_nodes()) counts_[count.depth].push_back({where, fen.position, nodes});
    }
  }

  void read(const std::string& path, bool chess960) {
    const FenOptions options{chess960};
    std::ifstream file(path);
    std::string line;
    PerftBlockReader blocks;
    std::uint64_t number = 0;
    const auto take = [&] {
      if (!blocks.ready()) return;
      const PerftBlock block = blocks.take();
      add(read_position_line(block.position, options).fen, block.counts,
          path + ":" + std::to_string(block.line));
    };
    while (std::getline(file, line)) {
      const std::string where = path + ":" + std::to_string(++number);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      switch (blocks.read(line, number)) {
        case PerftBlockReader::Line::taken:
          take();
          continue;
        case PerftBlockReader::Line::broken:
          ADD_FAILURE() << where;
          continue;
        case PerftBlockReader::Line::other_form:
          break;
      }
      if (is_comment_or_blank(line)) continue;
      const PositionLine position = read_position_line(line, options);
      add(position.fen, position.counts, where);
    }
    blocks.finish();
    take();
  }

  // All counts of one depth in one call.
  void check(Backend& backend) {
    for (const auto& [depth, known] : counts_) {
      std::vector<Position> roots;
      for (const KnownCount& k : known) roots.push_back(k.position);
      std::vector<Uint128> nodes(roots.size());
      backend.perft(roots, depth, {}, nodes);
      for (std::size_t i = 0; i < known.size(); ++i) {
        EXPECT_EQ(nodes[i], (Uint128{known[i].nodes, 0})) << known[i].where << " depth " << depth;
      }
    }
  }

  std::size_t positions_ = 0;
  std::map<unsigned, std::vector<KnownCount>> counts_;
};

TEST_P(SuitesTest, EveryFile) {
  const SuiteFile files[] = {
      {"perftsuite.epd", false, 126},    {"tricky-chris.epd", false, 170},
      {"double-checks.epd", false, 184}, {"en-passant.epd", false, 3760},
      {"single-check.epd", false, 5000}, {"perft-random.perft", false, 6838},
      {"perft-tricky.perft", true, 19},  {"perft-chess960.perft", true, 960},
  };
  if (test::shared_path("perft").empty()) GTEST_SKIP() << test::kNoSharedFolder;
  const std::unique_ptr<Backend> backend =
      cuda() ? make_cuda_backend(CudaOptions{}) : make_cpu_backend(CpuOptions{2, 0});
  for (const SuiteFile& file : files) {
    const std::string path = test::shared_path(std::string("perft/") + file.name);
    ASSERT_FALSE(path.empty()) << file.name;
    positions_ = 0;
    counts_.clear();
    read(path, file.chess960);
    EXPECT_GE(positions_, file.positions) << file.name;
    check(*backend);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, SuitesTest, testing::Values("cpu", "cuda"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace cuarbiter
