// What the tags say of how a game came to its end, beyond the result: the Termination tag (PGN
// standard 9.8.1) and what servers write in it.
#pragma once

#include <cstdint>

#include "host/pgn/game_batch.hpp"
#include "host/pgn/slab.hpp"

namespace cuarbiter {

enum class Termination : std::uint8_t {
  on_the_board,  // "normal", no tag, or words that say nothing else
  time_forfeit,  // a flag fell: "time forfeit", "Time forfeit", "NN won on time"
  elsewhere,     // abandoned, adjudication, death, emergency, rules infraction, unterminated
};

// Reads Termination, and TerminationDetails where that says nothing.
Termination termination_of(const Slab& slab, const GameRecord& game);

// The number of the move that was to be made when the game ended, counting from its own start: 1
// until Black has moved.
std::uint32_t move_at_end(const GameRecord& game, std::uint32_t plies);

}  // namespace cuarbiter
