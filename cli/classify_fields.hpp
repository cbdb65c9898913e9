// What classify says of a position, a line's or the last one of a game, in each format.
#pragma once

#include <string>
#include <string_view>

#include "cli/position_proof.hpp"
#include "cli/position_state.hpp"
#include "host/notation/men_counts.hpp"
#include "host/report/csv.hpp"
#include "host/report/json.hpp"
#include "host/rules/game_state.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

struct DescribedPosition {
  std::string_view fen;  // in normal form
  Position position;     // seen by the side to move
  bool black = false;    // Black is to move
  MenCounts men = 0;     // on the board; 0: to be counted
  PositionFacts facts;
  PositionState state;
  bool threefold = false;  // a claim of its own; games only
};

// The fields fen to endgame. Without a position they are null, but for a state that is given.
void append_position(JsonObject& object, const DescribedPosition* position,
                     std::string_view state_without = {});

// The same as columns, as kPositionColumns names them; empty in place of null.
inline constexpr std::string_view kPositionColumns =
    "fen,side_to_move,legal_moves,in_check,checkers,state,draw,insufficient_material,"
    "dead_position,can_win_white,can_win_black,material,endgame";
void append_position(CsvRow& row, const DescribedPosition* position,
                     std::string_view state_without = {});

// The helpmate lines: "proof":{"white":"e2e4 ...","black":null}, two columns, or ", white mates by
// ...". Nothing without lines asked for.
void append_proof(JsonObject& object, const ProofArguments& arguments, const ProofLines& lines);
void append_proof(CsvRow& row, const ProofArguments& arguments, const ProofLines& lines);
void append_proof(std::string& text, const ProofArguments& arguments, const ProofLines& lines);

// "STATE, COLOR to move, N legal moves ...: FEN".
void append_position(std::string& text, const DescribedPosition& position);

}  // namespace cuarbiter
