// The key of a game: 128 bits that two games share when they have the same moves from the same
// start position between the same players.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/batch/uint128.hpp"
#include "host/pgn/game_batch.hpp"
#include "host/pgn/slab.hpp"

namespace cuarbiter {

struct GameKey {
  Uint128 value{};
  bool known = false;  // false for a game that was not replayed: it has no key
  bool moves = false;  // the main line has a move
};

// Makes the keys of a batch's games (replayed). XXH3 in its 128-bit form over: the start position
// and the side to move (FIDE 9.2.3: placement, castling rights, an en passant capture that is
// legal), both players' folded names, and each move of the main line as piece, target, origin as
// far as SAN needs it, and promotion, however it was spelled. From a move on that could not be
// made, moves count as they are written. Variations, comments, results and all other tags do not
// matter. Not thread-safe; keeps references.
class GameKeys {
 public:
  GameKeys(const Slab& slab, const GameBatch& batch) : slab_(slab), batch_(batch) {}

  GameKey of(const GameRecord& game);

 private:
  void add_word(std::uint32_t word);
  void add_moves(const GameRecord& game);
  void add_written(std::uint32_t at, std::uint32_t limit);

  const Slab& slab_;
  const GameBatch& batch_;
  std::string bytes_;  // what is hashed, used again from game to game
};

// Appends a key as 32 hexadecimal digits.
void append_key_text(std::string& out, const Uint128& key);
// Such a text read back; nothing when it is none.
std::optional<Uint128> parse_key_text(std::string_view text);

}  // namespace cuarbiter
