// The main line of a replayed game ply by ply, with what counts for the draws: clocks, repetitions
// (FIDE 9.2), checks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/batch/rules_profile.hpp"
#include "host/pgn/game_batch.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

// After one ply.
struct GamePly {
  Position position;                 // seen by the side to move
  std::string san;                   // the move that led here, export format
  std::uint32_t ply = 0;             // from 1
  std::uint32_t halfmove_clock = 0;  // plies since the last capture or pawn move
  std::uint32_t repetitions = 1;     // how often the position has stood on the board
  std::uint32_t check_run = 0;       // checks in a row by the side that has just moved
  std::uint32_t check_sum = 0;       // the most checks that either king has been given
  bool black = false;                // Black is to move
  bool third_time_ahead = false;     // some move makes a position stand for the third time
};

// Appends the plies of a game's main line, as far as it could be judged. Repetitions are counted
// over 1,024 plies, as the replay does. `claims`: look for third_time_ahead, too. Thread-safe.
void append_plies(std::vector<GamePly>& plies, const GameBatch& batch, const GameRecord& game,
                  bool claims);

}  // namespace cuarbiter
