// What has one right answer although the game's text says something else, or says it badly:
// results, dates, the encoding. Moves are never among it.
#pragma once

#include <string>
#include <string_view>

#include "host/batch/replay_batch.hpp"
#include "host/pgn/game_batch.hpp"

namespace cuarbiter {

// What a game is to end with, and what its Result tag is to say: one of the four of the standard
// (8.1.1.7); `tag` is GameResult::other where the tag stays as it is.
struct StatedResult {
  GameResult marker = GameResult::unknown;
  GameResult tag = GameResult::other;
};

// As the game has it: what is missing is taken from the other of the two, "*" where both are.
StatedResult result_as_stated(const GameRecord& game);

// As it must be: a mate on the board gives the win to its giver and stalemate is a draw; otherwise
// the termination marker decides, and the Result tag where the marker says nothing ("*"). `verdict`
// is null for a game that was not replayed.
StatedResult right_result(const GameRecord& game, const GameVerdict* verdict);

// A date in the order year, month, day to YYYY.MM.DD with question marks for what is missing
// (8.1.1.3); day and month change places where the other order is impossible. False, and nothing is
// changed, when it is anything else.
bool repair_date(std::string& date);

// ISO 8859-1, the standard's own character set (4), to UTF-8, where that is certain: the text is
// not UTF-8, holds none of its sequences, and no byte that ISO 8859-1 gives to a control character.
// False when nothing was changed.
bool repair_encoding(std::string& text);

}  // namespace cuarbiter
