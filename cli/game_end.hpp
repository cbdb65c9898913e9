// What a replayed game's verdict means under a rules profile: the end of its main line, the claims
// that are open there, why a drawn game is a draw, and the plies at which something happened.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/batch/replay_batch.hpp"
#include "host/batch/rules_profile.hpp"
#include "host/pgn/claims.hpp"
#include "host/pgn/game_batch.hpp"
#include "host/pgn/slab.hpp"
#include "host/report/json.hpp"

namespace cuarbiter {

// How the main line ends, and what the side to move could claim there.
struct GameEnd {
  std::string_view state = "not_judged";
  std::string_view clock_claim;  // by the move count; empty for none
  bool threefold = false;        // by repetition
  MoveClaims with_move;          // by the move about to be made
  // Why a game with a drawn result is a draw; empty for other results.
  std::vector<std::string_view> drawn_by;
};

// For which games claims with the move about to be made are looked for: drawn ones need them to say
// why.
enum class MoveClaimsOf : std::uint8_t { all, drawn };

// The end of a replayed game of the batch.
GameEnd end_of_game(const Slab& slab, const GameBatch& batch, const GameRecord& game,
                    const RulesProfile& rules, MoveClaimsOf wanted = MoveClaimsOf::all);

// The names of the claims on the board, and of those that take a move about to be made.
std::vector<std::string_view> claims_of(const GameEnd& end);
std::vector<std::string_view> move_claims_of(const GameEnd& end, const RulesProfile& rules);
// The latter, and why the game is a draw, with `separator` between the names.
std::string move_claim_names(const GameEnd& end, const RulesProfile& rules,
                             std::string_view separator);
std::string drawn_by_names(const GameEnd& end, std::string_view separator);
// The field "draw".
void append_claims(JsonObject& object, const GameEnd& end);

// The result that the game states: its termination marker, else its Result tag; "" for none.
std::string_view result_of(const GameRecord& game);

// Who gave perpetual check: "white", "black", "both"; "" for nobody.
std::string_view perpetual_name(const GameVerdict& verdict);

// The ply at which the rules' limit of checks was reached; kNoPly for never.
std::uint32_t checks_ply(const GameVerdict& verdict);

// The fields threefold_ply to drawn_by; all of them null without a verdict.
void append_history(JsonObject& object, const GameVerdict* verdict, const GameEnd& end,
                    const RulesProfile& rules);

}  // namespace cuarbiter
