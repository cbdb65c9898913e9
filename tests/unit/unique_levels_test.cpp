// The distinct positions of kernels/algo on the host, in blocks of many sizes.
#include "kernels/algo/unique_levels.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/algo/host_space.hpp"
#include "tests/support/board_text.hpp"

namespace cuarbiter {
namespace {

using test::board_of;
using Counts = std::vector<std::uint64_t>;

Counts unique(const Position& root, unsigned depth, std::size_t bytes, UniqueShare share = {}) {
  bytes = bytes / Arena::kAlignment * Arena::kAlignment;
  const std::unique_ptr<void, void (*)(void*)> memory(std::aligned_alloc(Arena::kAlignment, bytes),
                                                      &std::free);
  HostSpace space;
  Counts counts;
  UniqueLevels<HostSpace>(space, memory.get(), bytes)
      .run(root, depth, share, [&](unsigned ply, std::uint64_t positions) {
        EXPECT_EQ(ply, counts.size() + 1);
        counts.push_back(positions);
      });
  return counts;
}

struct ByPlanes {
  bool operator()(const Position& x, const Position& y) const {
    return std::tie(x.a, x.b, x.c, x.d) < std::tie(y.a, y.b, y.c, y.d);
  }
};

// The distinct positions of a ply that belong to a share, one by one.
Counts plain_share(const Position& root, unsigned depth, UniqueShare share) {
  std::set<Position, ByPlanes> ply = {root};
  Counts counts;
  for (unsigned i = 0; i < depth; ++i) {
    std::set<Position, ByPlanes> next;
    for (const Position& p : ply) for_each_child(p, [&](const Position& c) { next.insert(c); });
    ply = std::move(next);
    counts.push_back(0);
    for (const Position& p : ply) {
      const std::uint64_t key = unique_mix(p) >> 32;
      const std::uint64_t end = std::uint64_t{1} << 32;
      if (key >= end * share.index / share.count && key < end * (share.index + 1) / share.count) {
        ++counts.back();
      }
    }
  }
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

// Each share by itself is that of the keys, whatever fits: all plies, only the first, or (in the
// least block, from the third on of Kiwipete) passes inside of passes.
TEST(UniqueLevels, SharesAreDisjointAndComplete) {
  const Position kiwipete = board_of(test::kKiwipeteFen);
  for (const unsigned count : {2u, 3u, 7u}) {
    Counts sums(3, 0);
    for (unsigned index = 0; index < count; ++index) {
      const UniqueShare share{index, count};
      const Counts expected = plain_share(kiwipete, 3, share);
      for (const std::size_t bytes :
           {unique_minimum_bytes(0), std::size_t{3} << 20, std::size_t{64} << 20}) {
        EXPECT_EQ(unique(kiwipete, 3, bytes, share), expected)
            << index << '/' << count << ' ' << bytes;
      }
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += expected[i];
    }
    EXPECT_EQ(sums, (Counts{48, 2038, 57548})) << count;
  }
}

// The fifth ply is made from a fourth that is not kept; more workers than some plies have
// positions.
TEST(UniqueLevels, SharesOfPliesThatAreNotKept) {
  const Position endgame = board_of("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
  for (const unsigned count : {3u, 16u}) {
    Counts sums(5, 0);
    for (unsigned index = 0; index < count; ++index) {
      const Counts counts = unique(endgame, 5, unique_minimum_bytes(0), {index, count});
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += counts[i];
    }
    EXPECT_EQ(sums, unique(endgame, 5, std::size_t{64} << 20)) << count;
  }
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
