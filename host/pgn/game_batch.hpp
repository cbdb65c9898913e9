// What the lexer makes of a slab: games ready for the replay, and the faults that show in the text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/batch/replay_batch.hpp"
#include "host/report/diagnostic.hpp"

namespace cuarbiter {

// A game termination marker, or the value of a Result tag.
enum class GameResult : std::uint8_t {
  none,        // not there
  white_wins,  // 1-0
  black_wins,  // 0-1
  draw,        // 1/2-1/2
  unknown,     // *
  other,       // something else, such as 0-0
};

// "1-0" ...; "" for none and other.
const char* game_result_text(GameResult result);

inline constexpr std::uint32_t kNotReplayed = 0xFFFFFFFFu;

// A fault found in the text, at a slab position.
struct TextProblem {
  Code code;
  Severity severity;
  std::uint32_t game = 0;  // index into GameBatch::games; its size for text before the next game
  std::uint32_t at = 0;
  std::uint32_t length = 0;  // of the text it is about, for the message; 0: none
  std::uint32_t ply = 0;     // of the move it is about, from 1; 0: none
  std::uint32_t detail = 0;  // index into GameBatch::details + 1; 0: none
};

// A piece of the slab.
struct TextSpan {
  std::uint32_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

struct GameRecord {
  TextSpan text;                        // from its first tag or token to its end
  std::uint32_t replay = kNotReplayed;  // index into the replay batch's games
  std::uint32_t marker_at = 0;          // of the termination marker, or the game's end
  std::uint32_t fullmove_number = 1;    // of the first move
  GameResult marker = GameResult::none;
  GameResult result_tag = GameResult::none;
  bool black_first = false;
  bool skipped_variant = false;  // its rules are not known here
  bool bad_start = false;        // its FEN cannot be played from
  bool has_moves = false;        // any move token, in the main line or not
  bool open_comment = false;     // an unterminated comment took the rest of its text
  TextSpan result_text, termination, termination_details, ply_count;  // tag values
  TextSpan white, black;                                              // and names, as written
  std::uint32_t result_at = 0;                                        // of the Result tag
};

struct GameBatch {
  ReplayBatch replay;
  std::vector<std::uint32_t> token_at;  // slab position of every token of replay
  std::vector<GameRecord> games;
  std::vector<TextProblem> problems;  // by game, then by position
  std::vector<std::string> details;

  void clear() {
    replay.clear();
    token_at.clear();
    games.clear();
    problems.clear();
    details.clear();
  }
};

}  // namespace cuarbiter
