// Moves by lanes and the sum of replies over those that are not open, against making every move.
#include "host/rules/reply_count.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

std::uint64_t replies_by_making(const Position& p) {
  std::uint64_t n = 0;
  for_each_child(
      p, [&](const Position& child) { n += static_cast<std::uint64_t>(count_legal_moves(child)); });
  return n;
}

struct Split {
  std::uint64_t total = 0;
  std::uint64_t moves = 0;
  std::uint64_t open = 0;
};

struct CountingSink {
  Split& split;
  void child(const BoardView<Bitboard>& child, Bitboard active) {
    if (!active) return;
    split.total += count_legal_moves(child);
    ++split.open;
  }
};

Split replies_by_sum(const Position& p) {
  Split split;
  CountingSink sink{split};
  split.total += sum_replies(view(p), sink);
  split.moves = static_cast<std::uint64_t>(count_legal_moves(p));
  return split;
}

TEST(ReplyCount, EqualsMakingEveryMoveInRandomGames) {
  std::uint64_t positions = 0, moves = 0, open = 0, wrong = 0;
  test_support::play_random_games(
      20261130, 3000, 160, [&](const test_support::PlayedPosition& played, bool) {
        const Split split = replies_by_sum(played.position);
        const std::uint64_t expected = replies_by_making(played.position);
        if (split.total != expected && ++wrong <= 20) {
          ADD_FAILURE() << played.fen() << ": " << split.total << " instead of " << expected;
        }
        ++positions;
        moves += split.moves;
        open += split.open;
      });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(positions, 100000u);
  // Most moves are not open, or the sum is of no use.
  EXPECT_LT(open * 2, moves);
}

using Planes = std::array<Bitboard, 4>;

struct GatheringSink {
  std::vector<Planes>& children;
  void child(const BoardView<Bitboard>& child, Bitboard active) {
    if (active) children.push_back({child.a, child.b, child.c, child.d});
  }
};

TEST(LaneMoves, AreTheLegalMoves) {
  std::uint64_t wrong = 0;
  test_support::play_random_games(77, 300, 160,
                                  [&](const test_support::PlayedPosition& played, bool) {
                                    std::vector<Planes> expected, found;
                                    for_each_child(played.position, [&](const Position& child) {
                                      expected.push_back({child.a, child.b, child.c, child.d});
                                    });
                                    EveryLaneMove<Bitboard> every;
                                    GatheringSink sink{found};
                                    const BoardView<Bitboard> v = view(played.position);
                                    visit_lane_moves(v, constraints(v), every, sink);
                                    std::sort(expected.begin(), expected.end());
                                    std::sort(found.begin(), found.end());
                                    if (found != expected && ++wrong <= 20)
                                      ADD_FAILURE() << played.fen();
                                  });
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace cuarbiter
