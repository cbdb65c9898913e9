// Perft statistics of every backend and instruction set: known tables, and sums over many roots.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "host/backend.hpp"
#include "tests/support/board_text.hpp"
#include "tests/support/cuda_device.hpp"
#include "tests/support/each_backend.hpp"

namespace cuarbiter {
namespace {

using test::board_of;

class PerftStatsTest : public test::EachBackend {
 protected:
  static std::vector<PerftStats> stats(Backend& backend, const std::vector<Position>& roots,
                                       unsigned depth, bool merge) {
    // What stood there before must not matter.
    PerftStats before;
    for (Uint128& count : before.count) count = Uint128{77, 77};
    std::vector<PerftStats> found(roots.size(), before);
    PerftOptions options;
    options.merge = merge;
    backend.perft_stats(PerftRows{roots, {}, {}}, depth, options, found);
    return found;
  }
};

PerftStats sums(std::initializer_list<std::uint64_t> columns) {
  PerftStats out{};
  unsigned c = 0;
  for (const std::uint64_t n : columns) out.count[c++] = Uint128{n, 0};
  return out;
}

// By the plainest recursion.
PerftStats plain_stats_of(const Position& p, unsigned depth) {
  PerftStats sum{};
  if (depth == 0) {
    sum[kLeafNodes] = Uint128{1, 0};
  } else if (depth == 1) {
    for_each_legal_move(p, [&](Move m) {
      const LeafStats one = move_stats(p, m);
      for (unsigned c = 0; c < kLeafColumns; ++c) sum.count[c] += Uint128{one.count[c], 0};
    });
  } else {
    for_each_child(p, [&](const Position& child) { sum += plain_stats_of(child, depth - 1); });
  }
  return sum;
}

struct KnownStats {
  const char* fen;
  unsigned depth;
  PerftStats stats;
};

// Nodes, captures, en passants, castles, promotions, checks, discovered checks, double checks,
// checkmates: chessprogramming.org, "Perft Results".
const KnownStats kKnownStats[] = {
    {test::kStartFen.data(), 3, sums({8902, 34, 0, 0, 0, 12, 0, 0, 0})},
    {test::kStartFen.data(), 4, sums({197281, 1576, 0, 0, 0, 469, 0, 0, 8})},
    {test::kKiwipeteFen.data(), 1, sums({48, 8, 0, 2, 0, 0, 0, 0, 0})},
    {test::kKiwipeteFen.data(), 2, sums({2039, 351, 1, 91, 0, 3, 0, 0, 0})},
    {test::kKiwipeteFen.data(), 3, sums({97862, 17102, 45, 3162, 0, 993, 0, 0, 1})},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4,
     sums({43238, 3348, 123, 0, 0, 1680, 106, 0, 17})},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3,
     sums({9467, 1021, 4, 0, 120, 38, 2, 0, 22})},
};

TEST_P(PerftStatsTest, KnownTables) {
  const std::unique_ptr<Backend> backend = make();
  for (const KnownStats& known : kKnownStats) {
    for (const bool merge : {false, true}) {
      EXPECT_EQ(stats(*backend, {board_of(known.fen)}, known.depth, merge)[0], known.stats)
          << known.fen << " depth " << known.depth << " merge " << merge;
    }
  }
}

TEST_P(PerftStatsTest, InTheLeastMemory) {
  const std::unique_ptr<Backend> backend = make(1);
  for (const bool merge : {false, true}) {
    const std::vector<PerftStats> found =
        stats(*backend, {board_of(test::kStartFen), board_of(test::kKiwipeteFen)}, 3, merge);
    EXPECT_EQ(found[0], kKnownStats[0].stats);
    EXPECT_EQ(found[1], kKnownStats[4].stats);
  }
}

TEST_P(PerftStatsTest, ManyRoots) {
  const std::unique_ptr<Backend> backend = make();
  for (const std::size_t size : {0, 1, 31, 32, 33, 129, 1000}) {
    std::vector<Position> roots = test::random_positions(size, 5);
    for (std::size_t i = 3; i < roots.size(); i += 3) roots[i] = roots[i - 1];
    for (unsigned depth = 0; depth <= (size > 200 ? 1u : 3u); ++depth) {
      for (const bool merge : {false, true}) {
        const std::vector<PerftStats> found = stats(*backend, roots, depth, merge);
        for (std::size_t i = 0; i < roots.size(); ++i) {
          ASSERT_EQ(found[i], plain_stats_of(roots[i], depth))
              << "root " << i << " of " << size << " depth " << depth << " merge " << merge;
        }
      }
    }
  }
}

TEST_P(PerftStatsTest, WeightedRows) {
  const std::unique_ptr<Backend> backend = make();
  const std::vector<Position> rows = {board_of(test::kStartFen), board_of(test::kKiwipeteFen),
                                      board_of(test::kKiwipeteFen)};
  const std::vector<std::uint32_t> roots = {0, 2, 2};
  const std::vector<Uint128> weights = {{3, 0}, {5, 0}, {0, 1}};
  std::vector<PerftStats> found(3);
  backend->perft_stats(PerftRows{rows, roots, weights}, 3, {}, found);
  EXPECT_EQ(found[0][kLeafChecks], (Uint128{36, 0}));
  EXPECT_EQ(found[1], PerftStats{});
  EXPECT_EQ(found[2][kLeafCastles], (Uint128{5 * 3162, 3162}));
}

TEST_P(PerftStatsTest, NodesAreThoseOfPerft) {
  const std::unique_ptr<Backend> backend = make(std::uint64_t{32} << 20);
  const Position kings = board_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  std::vector<Uint128> nodes(1);
  backend->perft(std::span(&kings, 1), 28, {}, nodes);
  ASSERT_GT(nodes[0].hi, 0u);
  const PerftStats found = stats(*backend, {kings}, 28, true)[0];
  EXPECT_EQ(found[kLeafNodes], nodes[0]);
  EXPECT_EQ(found[kLeafChecks], Uint128{});
  try {
    stats(*backend, {kings}, 60, true);
    FAIL() << "no error";
  } catch (const BackendError& error) {
    EXPECT_STREQ(error.what(), "perft: a count passes 128 bits");
  }
}

TEST_P(PerftStatsTest, ProgressCountsTheNodes) {
  const std::unique_ptr<Backend> backend = make(0, 1);
  const std::vector<Position> roots = {board_of(test::kStartFen)};
  std::vector<PerftStats> found(1);
  double last = 0;
  PerftOptions options;
  options.progress = [&](double nodes) {
    EXPECT_GE(nodes, last);
    last = nodes;
  };
  backend->perft_stats(PerftRows{roots, {}, {}}, 4, options, found);
  EXPECT_EQ(last, 197281);
}

INSTANTIATE_TEST_SUITE_P(Backends, PerftStatsTest, test::each_backend(),
                         [](const auto& instance) { return std::string(instance.param); });

// Column by column, both devices at once.
TEST(PerftStats, SeveralDevices_cuda) {
  if (!test::cuda_missing().empty()) GTEST_SKIP() << test::cuda_missing();
  CudaOptions options;
  for (std::size_t i = 0; i < cuda_info().size(); ++i) {
    options.devices.push_back(static_cast<int>(i));
  }
  if (options.devices.size() < 2) GTEST_SKIP() << "one CUDA device only";
  options.memory_bytes = std::uint64_t{32} << 20;
  const std::vector<Position> roots = {board_of(test::kStartFen), board_of(test::kKiwipeteFen)};
  std::vector<PerftStats> found(2);
  make_cuda_backend(options)->perft_stats(PerftRows{roots, {}, {}}, 4, {}, found);
  EXPECT_EQ(found[0], kKnownStats[1].stats);
  EXPECT_EQ(found[1], sums({4085603, 757163, 1929, 128013, 15172, 25523, 42, 6, 43}));
}

}  // namespace
}  // namespace cuarbiter
