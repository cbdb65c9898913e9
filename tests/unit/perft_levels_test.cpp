// The breadth-first perft of kernels/algo on the host, in blocks of many sizes.
#include "kernels/algo/perft_levels.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "kernels/algo/host_space.hpp"
#include "kernels/algo/perft_split.hpp"
#include "tests/support/board_text.hpp"
#include "tests/support/known_perft.hpp"

namespace cuarbiter {
namespace {

using test::board_of;

struct Block {
  explicit Block(std::size_t size)
      : bytes(size / Arena::kAlignment * Arena::kAlignment),
        memory(std::aligned_alloc(Arena::kAlignment, bytes), &std::free) {}
  std::size_t bytes;
  std::unique_ptr<void, void (*)(void*)> memory;
};

// Counts on the host space in a block of the given size.
std::vector<Uint128> count(const std::vector<Position>& roots, unsigned depth, bool merge,
                           std::size_t bytes, std::function<void(double)> progress = {}) {
  const PerftSplit split = split_perft({roots}, depth, merge, 1);
  std::vector<Uint128> totals(roots.size(), Uint128{0, 0});
  HostSpace space;
  const Block block(bytes);
  PerftLevels<HostSpace> levels(space, block.memory.get(), block.bytes, merge, std::move(progress));
  levels.run(split.shares[0].rows(), depth, totals);
  return totals;
}

constexpr std::size_t kLarge = std::size_t{64} << 20;

TEST(PerftLevels, KnownCounts) {
  for (const test::KnownPerft& known : test::kKnownPerft) {
    for (const bool merge : {false, true}) {
      for (const std::size_t bytes : {perft_minimum_bytes(known.depth), kLarge}) {
        const std::vector<Uint128> nodes = count({board_of(known.fen)}, known.depth, merge, bytes);
        EXPECT_EQ(nodes[0], (Uint128{known.nodes, 0}))
            << known.fen << " depth " << known.depth << " merge " << merge << " bytes " << bytes;
      }
    }
  }
}

TEST(PerftLevels, ManyRootsAndDuplicates) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{31}, std::size_t{32},
                                 std::size_t{33}, std::size_t{1000}}) {
    std::vector<Position> roots = test::random_positions(size);
    for (std::size_t i = 3; i < roots.size(); i += 3) roots[i] = roots[i - 1];
    for (unsigned depth = 0; depth <= 3; ++depth) {
      if (depth == 3 && size > 100) continue;
      for (const bool merge : {false, true}) {
        const std::vector<Uint128> nodes = count(roots, depth, merge, perft_minimum_bytes(depth));
        for (std::size_t i = 0; i < roots.size(); ++i) {
          ASSERT_EQ(nodes[i], (Uint128{test::plain_perft(roots[i], depth), 0}))
              << "root " << i << " of " << size << " depth " << depth;
        }
      }
    }
  }
}

TEST(PerftLevels, RootsWithoutMoves) {
  const Position mate = board_of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
  const Position stalemate = board_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
  const Position start = board_of(test::kStartFen);
  const std::vector<Position> roots = {mate, start, stalemate, mate, start, stalemate};
  for (unsigned depth = 1; depth <= 4; ++depth) {
    const std::vector<Uint128> nodes = count(roots, depth, true, kLarge);
    for (std::size_t i = 0; i < roots.size(); ++i) {
      EXPECT_EQ(nodes[i].lo, test::plain_perft(roots[i], depth)) << i << " depth " << depth;
    }
  }
}

TEST(PerftLevels, CountsBeyond64Bits) {
  constexpr unsigned kDepth = 28;
  // Two kings have few positions, so that a great depth is quickly counted.
  const Position root = board_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  const std::vector<Uint128> expected = test::path_counts(root, kDepth);
  ASSERT_GT(expected[kDepth].hi, 0u);
  for (const unsigned depth : {10u, 20u, kDepth}) {
    EXPECT_EQ(count({root, root}, depth, true, kLarge)[1], expected[depth]) << depth;
  }
}

TEST(PerftLevels, SaturatesBeyond128Bits) {
  const Position root = board_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  EXPECT_EQ(count({root}, 60, true, kLarge)[0], saturated_count());
}

// A block with room for a few hundred rows a level: every level is worked off in many chunks.
TEST(PerftLevels, ManyChunks) {
  for (const bool merge : {false, true}) {
    double last = 0;
    unsigned calls = 0;
    const std::vector<Uint128> nodes =
        count({board_of(test::kStartFen)}, 5, merge, std::size_t{96} << 10, [&](double so_far) {
          EXPECT_GE(so_far, last);
          last = so_far;
          ++calls;
        });
    EXPECT_EQ(nodes[0], (Uint128{4865609, 0})) << "merge " << merge;
    EXPECT_EQ(last, 4865609.0);
    EXPECT_GT(calls, 100u);
  }
}

// Positions that leave most of their moves open, more than a chunk has room for at once.
TEST(PerftLevels, ManyOpenMoves) {
  const Position root = board_of("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1");
  std::uint16_t moves[MoveList::kMost];
  MoveList list(moves, 1);
  sum_replies(view(root), list);
  ASSERT_GT(list.size(), 18u);
  const std::vector<Position> roots(2000, root);
  for (const std::size_t bytes : {std::size_t{512} << 10, std::size_t{1} << 20}) {
    const std::vector<Uint128> nodes = count(roots, 2, false, bytes);
    for (const Uint128& n : nodes) ASSERT_EQ(n, (Uint128{496, 0}));
  }
  EXPECT_EQ(count({root}, 4, true, perft_minimum_bytes(4))[0], (Uint128{182838, 0}));
}

TEST(PerftLevels, TooSmallABlockIsRefused) {
  EXPECT_THROW(count({board_of(test::kStartFen)}, 4, true, 4096), std::bad_alloc);
}

TEST(PerftSplit, SharesAddUp) {
  std::vector<Position> roots = test::random_positions(5, 7);
  for (const unsigned workers : {1u, 2u, 3u, 8u}) {
    for (const bool merge : {false, true}) {
      const PerftSplit split = split_perft({roots}, 4, merge, workers);
      ASSERT_EQ(split.shares.size(), workers);
      std::vector<Uint128> totals(roots.size(), Uint128{0, 0});
      HostSpace space;
      const Block block(kLarge);
      for (const PerftRowList& share : split.shares) {
        EXPECT_FALSE(share.positions.empty());
        PerftLevels<HostSpace> levels(space, block.memory.get(), block.bytes, merge);
        levels.run(share.rows(), split.depth, totals);
      }
      for (std::size_t i = 0; i < roots.size(); ++i) {
        EXPECT_EQ(totals[i].lo, test::plain_perft(roots[i], 4)) << workers << " workers";
      }
    }
  }
}

}  // namespace
}  // namespace cuarbiter
