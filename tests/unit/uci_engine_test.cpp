// What counts as a count among the lines of an engine's output.
#include "cli/uci_engine.hpp"

#include <gtest/gtest.h>

namespace cuarbiter {
namespace {

TEST(DivideLine, MovesInManyForms) {
  for (const char* line :
       {"e2e4: 20", "e2e4 20", "e2e4 - 20", "  E2E4 : 20  ", "info string e2e4: 20", "1. e2e4: 20",
        "move e2e4 nodes 20", "e2e4 -> 20", "e2e4=20", "e2e4: 20 nodes, 3 ms"}) {
    EngineDivide divide;
    EXPECT_TRUE(take_divide_line(line, divide)) << line;
    ASSERT_EQ(divide.moves.size(), 1u) << line;
    EXPECT_EQ(divide.moves[0].first, "e2e4") << line;
    EXPECT_EQ(divide.moves[0].second, (Uint128{20, 0})) << line;
  }
  EngineDivide divide;
  EXPECT_TRUE(take_divide_line("a7a8Q: 340282366920938463463374607431768211455", divide));
  EXPECT_EQ(divide.moves[0].first, "a7a8q");
  EXPECT_EQ(divide.moves[0].second, (Uint128{~std::uint64_t{0}, ~std::uint64_t{0}}));
}

TEST(DivideLine, Sums) {
  for (const char* line : {"Nodes searched: 400", "nodes: 400", "Total: 400",
                           "info string Nodes 400", "Total nodes: 400", "===== total = 400"}) {
    EngineDivide divide;
    EXPECT_TRUE(take_divide_line(line, divide)) << line;
    EXPECT_TRUE(divide.moves.empty()) << line;
    ASSERT_TRUE(divide.total) << line;
    EXPECT_EQ(*divide.total, (Uint128{400, 0})) << line;
  }
}

TEST(DivideLine, OtherLines) {
  for (const char* line :
       {"", "readyok", "bestmove e2e4 ponder e7e5", "info depth 1 score cp 3 nodes 20 pv e2e4",
        "info currmove e2e4 currmovenumber 1", "Total time (ms) : 5", "Nodes/second : 123456",
        "e2e4:", "e2e4: x", "e2e9: 20", "e2e4e5: 20", "e2e4k: 20", "time e2e4 took 20"}) {
    EngineDivide divide;
    EXPECT_FALSE(take_divide_line(line, divide)) << line;
    EXPECT_TRUE(divide.moves.empty() && !divide.total) << line;
  }
}

}  // namespace
}  // namespace cuarbiter
