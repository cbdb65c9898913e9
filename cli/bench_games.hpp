// Games and positions for the bench command, made from a fixed seed: the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "host/batch/replay_batch.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

struct BenchGames {
  ReplayBatch batch;                // one segment a game, all from the start position
  std::vector<Position> positions;  // every position before a move, in order
};

// Plays `games` games of random legal moves, of at most 160 plies each.
BenchGames make_bench_games(unsigned games);

}  // namespace cuarbiter
