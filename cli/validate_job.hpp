// A slab on its way through validate, and what its parts make of it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cli/game_run.hpp"
#include "host/pgn/game_key.hpp"
#include "host/report/html_report.hpp"

namespace cuarbiter {

// What a run or a part of it adds up to.
struct ValidateTotals {
  std::uint64_t files = 0, games = 0, plies = 0, bytes = 0;
  std::uint64_t games_with_errors = 0, errors = 0, warnings = 0;
  std::uint64_t written = 0;  // games, with --format pgn
  bool stopped = false;       // before the end, after the most errors that were asked for
  std::array<std::uint64_t, kCodeCount> codes{};

  void add(const ValidateTotals& other);
};

// What games are, for --report.
struct GameKinds {
  NameCounts results, ends, draws;

  void clear();
  void add(const GameKinds& other);
};

struct ValidateJob : GameJob {
  ValidateTotals totals;
  std::vector<GameKey> keys;         // of the games; empty where nobody asks for them
  std::vector<std::uint64_t> lines;  // where the games begin, for --duplicates
  GameKinds kinds;                   // for --report
};

}  // namespace cuarbiter
