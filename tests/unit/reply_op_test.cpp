// Moves written down in 16 bits and made later, and the operations of a perft of two plies.
#include "kernels/ops/reply_op.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using Planes = std::array<Bitboard, 4>;

Planes planes_of(const BoardView<Bitboard>& v) {
  return {v.a, v.b, v.c, v.d};
}

// Random games of chess and of Chess960 have all kinds of moves.
TEST(MoveList, MakesTheMovesThatWereWrittenDown) {
  constexpr std::uint64_t kStride = 3;
  std::vector<std::uint16_t> moves(kStride * MoveList::kMost);
  std::uint64_t written = 0, wrong = 0;
  test_support::play_random_games(
      5, 1000, 120, [&](const test_support::PlayedPosition& played, bool) {
        std::vector<Planes> expected, found;
        for_each_child(played.position,
                       [&](const Position& child) { expected.push_back(planes_of(view(child))); });
        MoveList list(moves.data(), kStride);
        EveryLaneMove<Bitboard> every;
        const BoardView<Bitboard> v = view(played.position);
        visit_lane_moves(v, constraints(v), every, list);
        for (std::uint32_t k = 0; k < list.size(); ++k) {
          found.push_back(planes_of(MoveList::make(played.position, moves[k * kStride])));
        }
        std::sort(expected.begin(), expected.end());
        std::sort(found.begin(), found.end());
        written += list.size();
        if (found != expected && ++wrong <= 20) ADD_FAILURE() << played.fen();
      });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(written, 100000u);
}

// All parents at once, and the open moves of the first half before those of the second.
TEST(ReplyOps, CountTwoPlies) {
  std::vector<Position> parents;
  test_support::play_random_games(11, 20, 80,
                                  [&](const test_support::PlayedPosition& played, bool) {
                                    parents.push_back(played.position);
                                  });
  const std::uint64_t size = parents.size();
  ASSERT_GT(size, 500u);
  std::vector<std::uint32_t> sums(size);
  std::vector<std::uint64_t> ends(size);
  std::vector<std::uint16_t> moves(size * MoveList::kMost);
  const ReplySumOp sum{parents.data(), sums.data(), ends.data(), moves.data(), size};
  for (std::uint64_t i = 0; i < size; ++i) sum(i);
  for (std::uint64_t i = 1; i < size; ++i) ends[i] += ends[i - 1];

  const std::uint64_t middle = size / 2;
  for (const std::uint64_t first : {std::uint64_t{0}, middle}) {
    const std::uint64_t end = first == 0 ? middle : size;
    const std::uint64_t base = first == 0 ? 0 : ends[first - 1];
    std::vector<OpenMove> list(ends[end - 1] - base);
    std::vector<std::uint16_t> counts(list.size());
    ASSERT_FALSE(list.empty());
    const OpenListOp write{
        &ends[first], base, moves.data(), size, static_cast<std::uint32_t>(first), list.data()};
    for (std::uint64_t i = 0; i < end - first; ++i) write(i);
    const OpenCountOp count{parents.data(), list.data(), counts.data()};
    for (std::uint64_t k = 0; k < list.size(); ++k) count(k);
    const OpenSumOp add{&ends[first], base, counts.data(), &sums[first]};
    for (std::uint64_t i = 0; i < end - first; ++i) add(i);
  }
  for (std::uint64_t i = 0; i < size; ++i) {
    std::uint32_t expected = 0;
    for_each_child(parents[i], [&](const Position& child) {
      expected += static_cast<std::uint32_t>(count_legal_moves(child));
    });
    ASSERT_EQ(sums[i], expected) << "parent " << i;
  }
}

}  // namespace
}  // namespace cuarbiter
