// The distinct positions of kernels/algo on the host, in blocks of many sizes.
#include "kernels/algo/unique_levels.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "kernels/algo/host_space.hpp"
#include "tests/support/board_text.hpp"

namespace cuarbiter {
namespace {

using test::board_of;
using Counts = std::vector<std::uint64_t>;

Counts unique(const Position& root, unsigned depth, std::size_t bytes) {
  bytes = bytes / Arena::kAlignment * Arena::kAlignment;
  const std::unique_ptr<void, void (*)(void*)> memory(std::aligned_alloc(Arena::kAlignment, bytes),
                                                      &std::free);
  HostSpace space;
  Counts counts;
  UniqueLevels<HostSpace>(space, memory.get(), bytes)
      .run(root, depth, [&](unsigned ply, std::uint64_t positions) {
        EXPECT_EQ(ply, counts.size() + 1);
        counts.push_back(positions);
      });
  return counts;
}

TEST(UniqueLevels, AnyBlockGivesTheSame) {
  const Position start = board_of(test::kStartFen);
  for (const std::size_t bytes :
       {unique_minimum_bytes(4), std::size_t{8} << 20, std::size_t{64} << 20}) {
    EXPECT_EQ(unique(start, 4, bytes), (Counts{20, 400, 5362, 72078})) << bytes;
  }
}

// The third ply of the one and the fourth of the other are not kept in so small a block; for the
// fifth the fourth is made again, pass by pass.
TEST(UniqueLevels, PassesInsideOfPasses) {
  const Position kiwipete = board_of(test::kKiwipeteFen);
  EXPECT_EQ(unique(kiwipete, 3, unique_minimum_bytes(0)), (Counts{48, 2038, 57548}));
  const Position endgame = board_of("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
  const Counts counts = unique(endgame, 5, unique_minimum_bytes(0));
  EXPECT_EQ(Counts(counts.begin(), counts.begin() + 4), (Counts{14, 191, 1864, 16978}));
  EXPECT_EQ(counts, unique(endgame, 5, std::size_t{64} << 20));
}

TEST(UniqueLevels, WithoutMoves) {
  EXPECT_EQ(unique(board_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 2, std::size_t{8} << 20),
            (Counts{0, 0}));
}

TEST(UniqueLevels, TooSmallABlockIsRefused) {
  EXPECT_THROW(unique(board_of(test::kStartFen), 2, 65536), std::bad_alloc);
}

// Equal positions that different ones with the same mix stand between.
TEST(UniqueOp, HeadsLookPastACollision) {
  const Position x = board_of(test::kStartFen), y = board_of(test::kKiwipeteFen);
  const Position positions[] = {x, y, x, y, y, x};
  const std::uint64_t mixes[] = {5, 5, 5, 5, 6, 6};
  const std::uint32_t order[] = {0, 1, 2, 3, 4, 5};
  std::uint64_t heads[6];
  for (std::uint64_t i = 0; i < 6; ++i) UniqueHeadOp{positions, mixes, order, heads}(i);
  EXPECT_EQ((std::vector<std::uint64_t>(heads, heads + 6)), (Counts{1, 1, 0, 0, 1, 1}));
}

}  // namespace
}  // namespace cuarbiter
