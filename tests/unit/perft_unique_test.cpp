// Distinct positions ply by ply: every backend, much and little memory, against plain sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "host/backend.hpp"
#include "tests/support/board_text.hpp"
#include "tests/support/each_backend.hpp"

namespace cuarbiter {
namespace {

using test::board_of;
using Counts = std::vector<std::uint64_t>;

class PerftUniqueTest : public test::EachBackend {
 protected:
  static Counts unique(Backend& backend, const Position& root, unsigned depth) {
    Counts counts;
    backend.perft_unique(root, depth, {}, [&](unsigned ply, std::uint64_t positions) {
      EXPECT_EQ(ply, counts.size() + 1);
      counts.push_back(positions);
    });
    return counts;
  }
};

Counts plain_unique(const Position& root, unsigned depth) {
  using Planes = std::array<Bitboard, 4>;
  std::set<Planes> ply = {{root.a, root.b, root.c, root.d}};
  Counts counts;
  for (unsigned i = 0; i < depth; ++i) {
    std::set<Planes> next;
    for (const Planes& planes : ply) {
      const Position p{planes[0], planes[1], planes[2], planes[3]};
      for_each_child(p, [&](const Position& c) { next.insert({c.a, c.b, c.c, c.d}); });
    }
    counts.push_back(next.size());
    ply = std::move(next);
  }
  return counts;
}

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

// OEIS A083276; the others by python-chess, a set of EPDs with legal en passant squares.
TEST_P(PerftUniqueTest, KnownCounts) {
  for (const std::uint64_t memory : {std::uint64_t{1}, 64 * kMiB}) {
    const std::unique_ptr<Backend> backend = make(memory);
    EXPECT_EQ(unique(*backend, board_of(test::kStartFen), 4), (Counts{20, 400, 5362, 72078}));
    EXPECT_EQ(unique(*backend, board_of(test::kKiwipeteFen), 3), (Counts{48, 2038, 57548}));
    EXPECT_EQ(unique(*backend, board_of("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"), 4),
              (Counts{14, 191, 1864, 16978}));
  }
}

// In the least memory no ply of many positions is kept: several that were not are made again, pass
// by pass, inside of one another.
TEST_P(PerftUniqueTest, PassesInsideOfPasses) {
  const Position root = board_of(test::kKiwipeteFen);
  if (is_cuda()) {
    EXPECT_EQ(unique(*make(1), board_of(test::kStartFen), 4).back(), 72078u);
    return;
  }
  EXPECT_EQ(unique(*make(1, 3), root, 4), (Counts{48, 2038, 57548, 1374152}));
}

TEST_P(PerftUniqueTest, AgreesWithPlainSets) {
  const std::unique_ptr<Backend> backend = make(kMiB);
  for (const Position& root : test::random_positions(is_cuda() ? 10 : 40, 3)) {
    EXPECT_EQ(unique(*backend, root, 3), plain_unique(root, 3));
  }
}

TEST_P(PerftUniqueTest, GamesThatEnd) {
  const std::unique_ptr<Backend> backend = make(kMiB);
  EXPECT_EQ(unique(*backend, board_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 3), (Counts{0, 0, 0}));
  // After 1.Qg7 or another mate nothing follows; the other moves go on.
  const Position root = board_of("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1");
  EXPECT_EQ(unique(*backend, root, 4), plain_unique(root, 4));
  EXPECT_EQ(unique(*backend, root, 0), Counts{});
}

// Two kings have a few thousand positions however deep it goes.
TEST_P(PerftUniqueTest, DeepOnes) {
  const std::unique_ptr<Backend> backend = make(kMiB);
  const Position root = board_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  EXPECT_EQ(unique(*backend, root, 24), plain_unique(root, 24));
}

TEST_P(PerftUniqueTest, ReportsOnTheCallingThread) {
  const std::unique_ptr<Backend> backend = make(kMiB);
  const std::thread::id self = std::this_thread::get_id();
  double last = 0;
  PerftOptions options;
  options.progress = [&](double moves) {
    EXPECT_EQ(std::this_thread::get_id(), self);
    EXPECT_GE(moves, last);
    last = moves;
  };
  unsigned plies = 0;
  backend->perft_unique(board_of(test::kStartFen), 3, options, [&](unsigned, std::uint64_t) {
    EXPECT_EQ(std::this_thread::get_id(), self);
    ++plies;
  });
  EXPECT_EQ(plies, 3u);
}

// Two devices, three ... as many as there are, in much and in the least memory.
TEST(PerftUnique, AnyDevicesGiveTheSame_cuda) {
  if (!test::cuda_missing().empty()) GTEST_SKIP() << test::cuda_missing();
  CudaOptions options;
  options.devices = {0};
  const auto present = static_cast<int>(cuda_info().size());
  if (present < 2) GTEST_SKIP() << "one CUDA device only";
  while (static_cast<int>(options.devices.size()) < std::min(present, 4)) {
    options.devices.push_back(static_cast<int>(options.devices.size()));
    for (const std::uint64_t memory : {std::uint64_t{1}, 3 * kMiB, 64 * kMiB}) {
      options.memory_bytes = memory;
      const std::unique_ptr<Backend> backend = make_cuda_backend(options);
      const std::thread::id self = std::this_thread::get_id();
      double last = 0;
      PerftOptions perft;
      perft.progress = [&](double moves) {
        EXPECT_EQ(std::this_thread::get_id(), self);
        EXPECT_GE(moves, last);
        last = moves;
      };
      Counts counts;
      backend->perft_unique(board_of(test::kKiwipeteFen), 3, perft,
                            [&](unsigned ply, std::uint64_t positions) {
                              EXPECT_EQ(std::this_thread::get_id(), self);
                              EXPECT_EQ(ply, counts.size() + 1);
                              counts.push_back(positions);
                            });
      EXPECT_EQ(counts, (Counts{48, 2038, 57548})) << options.devices.size() << ' ' << memory;
      counts.clear();
      backend->perft_unique(
          board_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 2, {},
          [&](unsigned, std::uint64_t positions) { counts.push_back(positions); });
      EXPECT_EQ(counts, (Counts{0, 0}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, PerftUniqueTest, test::each_backend(),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace cuarbiter
