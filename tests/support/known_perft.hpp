// Positions with known numbers of leaf nodes. Source: chessprogramming.org, "Perft Results" and
// "Chess960 Perft Results" (facts, each found again by several programs).
#pragma once

#include <cstdint>
#include <string_view>

#include "tests/support/board_text.hpp"

namespace cuarbiter::test {

struct KnownPerft {
  std::string_view fen;
  unsigned depth;  // plies
  std::uint64_t nodes;
};

inline constexpr KnownPerft kKnownPerft[] = {
    {kStartFen, 0, 1},
    {kStartFen, 1, 20},
    {kStartFen, 2, 400},
    {kStartFen, 3, 8902},
    {kStartFen, 4, 197281},
    {kKiwipeteFen, 1, 48},
    {kKiwipeteFen, 2, 2039},
    {kKiwipeteFen, 3, 97862},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9467},
    {"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 3, 9467},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62379},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89890},
};

}  // namespace cuarbiter::test
