// The main lines of replayed games ply by ply, with what counts for the draws: clocks, checks, and
// the positions among which repetitions are looked for (Backend::repetitions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "host/pgn/game_batch.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

// After one ply.
struct GamePly {
  std::string san;                   // the move that led here, export format
  std::uint32_t ply = 0;             // from 1
  std::uint32_t halfmove_clock = 0;  // plies since the last capture or pawn move
  std::uint32_t check_run = 0;       // checks in a row by the side that has just moved
  std::uint32_t check_sum = 0;       // the most checks that either king has been given
  bool black = false;                // Black is to move
  std::size_t place = 0;             // of the position in GamePlies::positions
};

// Those of several games, one game after the other.
struct GamePlies {
  std::vector<GamePly> plies;
  std::vector<Position> positions;   // of each game with plies, the start position first
  std::vector<std::uint32_t> reach;  // one a position: how many before it may equal it

  void clear();
};

// Appends the plies of a game's main line, as far as it could be judged. Thread-safe for different
// `out`.
void append_plies(GamePlies& out, const GameBatch& batch, const GameRecord& game);

}  // namespace cuarbiter
