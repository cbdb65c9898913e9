// perft statistics against the tables of the shared folder, up to a budget of nodes, on every
// backend, merged and not.
//
// Those tables tell four kinds of checks, each without its mates and these apart: direct,
// discovered by one man, discovered and direct, discovered by two. Ours are sums of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "host/backend.hpp"
#include "host/notation/fen.hpp"
#include "tests/support/cuda_device.hpp"
#include "tests/support/json_value.hpp"
#include "tests/support/shared_folder.hpp"

namespace cuarbiter {
namespace {

class StatsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (cuda() && !test::cuda_missing().empty()) GTEST_SKIP() << test::cuda_missing();
  }
  bool cuda() const { return std::string(GetParam()) == "cuda"; }
};

Uint128 sum(const test::Json& row, std::initializer_list<const char*> names) {
  std::uint64_t total = 0;
  // Numbers below 2^53 are exact as read.
  for (const char* name : names) total += static_cast<std::uint64_t>(row.at(name).number());
  return Uint128{total, 0};
}

PerftStats expected_of(const test::Json& row) {
  PerftStats s{};
  s[kLeafNodes] = sum(row, {"nodes"});
  s[kLeafCaptures] = sum(row, {"captures"});
  s[kLeafEnPassants] = sum(row, {"enpassants"});
  s[kLeafCastles] = sum(row, {"castles"});
  s[kLeafPromotions] = sum(row, {"promotions"});
  s[kLeafChecks] = sum(row, {"total_checks", "total_mates"});
  s[kLeafDiscoveredChecks] = sum(row, {"single_discovered_checks", "single_discovered_mates"});
  s[kLeafDoubleChecks] = sum(row, {"direct_discovered_checks", "double_discovered_checks",
                                   "direct_discovered_mates", "double_discovered_mates"});
  s[kLeafCheckmates] = sum(row, {"total_mates"});
  return s;
}

TEST_P(StatsTest, EveryTable) {
  if (test::shared_path("perft").empty()) GTEST_SKIP() << test::kNoSharedFolder;
  const std::unique_ptr<Backend> backend =
      cuda() ? make_cuda_backend(CudaOptions{}) : make_cpu_backend(CpuOptions{2, 0});
  const double most_merged = cuda() ? 200000 : 8.1e9;
  const double most_unmerged = cuda() ? 200000 : 2e8;
  unsigned compared = 0;
  for (const char* name : {"startpos", "kiwipete", "position6"}) {
    const std::string path = test::shared_path(std::string("perft/stats-") + name + ".json");
    ASSERT_FALSE(path.empty()) << name;
    std::ifstream file(path);
    const test::Json table =
        test::Json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
    const FenResult fen = read_fen(table.at("position_fen").string());
    ASSERT_TRUE(fen.computable) << name;
    for (const test::Json& row : table.at("results").items()) {
      const auto depth = static_cast<unsigned>(row.at("depth").number());
      const PerftStats expected = expected_of(row);
      for (const bool merge : {true, false}) {
        if (row.at("nodes").number() > (merge ? most_merged : most_unmerged)) continue;
        PerftOptions options;
        options.merge = merge;
        PerftStats found{};
        backend->perft_stats(PerftRows{std::span(&fen.position, 1), {}, {}}, depth, options,
                             std::span(&found, 1));
        for (unsigned c = 0; c < kLeafColumns; ++c) {
          EXPECT_EQ(found.count[c], expected.count[c])
              << name << " depth " << depth << " merge " << merge << " column " << c;
        }
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, cuda() ? 24u : 36u);
}

INSTANTIATE_TEST_SUITE_P(Backends, StatsTest, testing::Values("cpu", "cuda"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace cuarbiter
