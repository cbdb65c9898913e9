// Game termination markers (PGN standard 8.2.6) and the spellings that occur besides.
#pragma once

#include <cstddef>
#include <string_view>

#include "host/pgn/game_batch.hpp"

namespace cuarbiter {

struct Marker {
  GameResult result = GameResult::none;  // none: there is no marker here
  std::size_t length = 0;                // bytes
  bool standard = false;                 // spelled as the standard has it
};

// The marker that `text` begins with. "0-0" is not taken for one: it may be castling.
Marker read_marker(std::string_view text);

// The value of a Result tag: one of the four, a known misspelling, or GameResult::other.
Marker read_result_value(std::string_view value);

}  // namespace cuarbiter
