// The frontier of long runs: every path is in it once, in a fixed order; and the estimate that
// progress goes by.
#include "host/batch/perft_frontier.hpp"

#include <gtest/gtest.h>

#include "host/batch/perft_estimate.hpp"
#include "tests/support/board_text.hpp"
#include "tests/support/known_perft.hpp"

namespace cuarbiter {
namespace {

using test::board_of;

TEST(PerftFrontier, HoldsEveryPathOnce) {
  const std::vector<Position> roots = {board_of(test::kStartFen), board_of(test::kKiwipeteFen),
                                       board_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")};
  for (const bool merge : {false, true}) {
    PerftRowList rows = row_list(PerftRows{roots, {}, {}});
    for (unsigned ply = 1; ply <= 3; ++ply) {
      const std::uint64_t children = count_children(rows);
      rows = expanded_rows(rows, merge);
      EXPECT_LE(rows.size(), children);
      EXPECT_TRUE(merge || rows.size() == children);
      std::vector<Uint128> paths(roots.size(), Uint128{});
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_TRUE(i == 0 || rows.roots[i - 1] <= rows.roots[i]);
        add(paths[rows.roots[i]], rows.multiplicities[i]);
      }
      for (std::size_t r = 0; r < roots.size(); ++r) {
        EXPECT_EQ(paths[r], (Uint128{test::plain_perft(roots[r], ply), 0})) << r << ' ' << ply;
      }
    }
    if (!merge) continue;
    // Unique positions of the start position after three plies; no two rows of a root are equal.
    std::size_t of_start = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      of_start += rows.roots[i] == 0;
      if (i == 0 || rows.roots[i] != rows.roots[i - 1]) continue;
      ASSERT_FALSE(same_position(rows.positions[i], rows.positions[i - 1])) << i;
    }
    EXPECT_EQ(of_start, 5362u);
  }
}

// Whatever order the rows come in, the children's is the same.
TEST(PerftFrontier, OrderDoesNotDependOnTheWay) {
  const std::vector<Position> root = {board_of(test::kKiwipeteFen)};
  const PerftRowList rows = expanded_rows(row_list(PerftRows{root, {}, {}}), true);
  PerftRowList reversed;
  for (std::size_t i = rows.size(); i-- > 0;) {
    reversed.append(rows.positions[i], rows.roots[i], rows.multiplicities[i]);
  }
  const PerftRowList one = expanded_rows(rows, true), two = expanded_rows(reversed, true);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_TRUE(same_position(one.positions[i], two.positions[i])) << i;
    ASSERT_EQ(one.multiplicities[i], two.multiplicities[i]) << i;
  }
}

TEST(PerftFrontier, SaturatesRatherThanWraps) {
  PerftRowList rows;
  const std::uint64_t all = ~std::uint64_t{0};
  rows.append(board_of(test::kStartFen), 0, Uint128{all - 1, all});
  rows.append(board_of(test::kStartFen), 0, Uint128{5, 0});
  for (const Uint128& multiplicity : expanded_rows(rows, true).multiplicities) {
    EXPECT_EQ(multiplicity, (Uint128{all, all}));
  }
}

TEST(PerftEstimate, IsNear) {
  for (const test::KnownPerft& known : test::kKnownPerft) {
    const Position root = board_of(known.fen);
    const double estimate = estimate_perft({&root, 1}, known.depth, 4096);
    const double nodes = static_cast<double>(known.nodes);
    EXPECT_NEAR(estimate / nodes, 1, 0.2) << known.fen;
    EXPECT_EQ(estimate, estimate_perft({&root, 1}, known.depth, 4096));
    const std::vector<Position> twice = {root, root};
    EXPECT_NEAR(estimate_perft(twice, known.depth, 4096) / nodes, 2, 0.4) << known.fen;
  }
  const Position mated = board_of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
  EXPECT_EQ(estimate_perft({&mated, 1}, 5, 4096), 0);
  EXPECT_EQ(estimate_perft({}, 5, 4096), 0);
}

}  // namespace
}  // namespace cuarbiter
