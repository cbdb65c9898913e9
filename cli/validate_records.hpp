// Records of validate in text form and as CSV, and problems as JSON Lines too: from a run, and from
// the parts that merge puts together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "host/pgn/judge.hpp"
#include "host/report/diagnostic.hpp"

namespace cuarbiter {

// The columns of CSV, with a line end.
std::string_view validate_csv_head();

// A problem, with numbers as the user sees them. Empty text: there is none.
struct ProblemRecord {
  std::uint64_t file = 0;
  std::string_view file_name;
  std::uint64_t game = 0, line = 0, column = 0, offset = 0, ply = 0;
  std::string_view move, fen;
  bool error = true;
  std::string_view code, message;
  FirstSeen first;  // for game.duplicate; a file of 0 is none
};

// Appends it in a format of text, jsonl and csv.
void append_problem(std::string& out, Format format, const ProblemRecord& problem, bool color);

// A game, with numbers as the user sees them.
struct GameEntry {
  std::uint64_t file = 0;
  std::string_view file_name;
  std::uint64_t game = 0, line = 0, column = 0, offset = 0;
  std::uint64_t plies = 0;
  std::string_view result, state;  // the result is empty for none
  std::vector<std::string_view> claims, move_claims, drawn_by;
  std::string_view fen;  // empty where the game is not judged
  std::uint64_t problems = 0;
  std::string_view key;  // empty for none
};

void append_game_text(std::string& out, const GameEntry& game);
void append_game_csv(std::string& out, const GameEntry& game);

}  // namespace cuarbiter
