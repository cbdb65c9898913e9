// What a replayed game's verdict means under a rules profile: the end of its main line, and the
// plies at which something happened.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/batch/replay_batch.hpp"
#include "host/batch/rules_profile.hpp"
#include "host/pgn/game_batch.hpp"
#include "host/report/json.hpp"

namespace cuarbiter {

// How the main line ends, and what the side to move could claim there.
struct GameEnd {
  std::string_view state = "not_judged";
  std::string_view clock_claim;  // by the move count; empty for none
  bool threefold = false;        // by repetition
};

GameEnd end_of_game(const GameVerdict& verdict, const RulesProfile& rules);

// The names of the claims, with `separator` between them.
std::string claim_names(const GameEnd& end, std::string_view separator);
// The field "draw".
void append_claims(JsonObject& object, const GameEnd& end);

// The result that the game states: its termination marker, else its Result tag; "" for none.
std::string_view result_of(const GameRecord& game);

// Who gave perpetual check: "white", "black", "both"; "" for nobody.
std::string_view perpetual_name(const GameVerdict& verdict);

// The fields threefold_ply to perpetual_check; all of them null without a verdict.
void append_history(JsonObject& object, const GameVerdict* verdict);

}  // namespace cuarbiter
