// Verdicts in words.
#include "cli/game_end.hpp"

#include <algorithm>
#include <initializer_list>

#include "host/pgn/termination.hpp"
#include "host/rules/game_state.hpp"

namespace cuarbiter {
namespace {

void ply_or_null(JsonObject& object, std::string_view name, std::uint32_t ply) {
  if (ply == kNoPly) {
    object.null(name);
  } else {
    object.integer(name, ply);
  }
}

constexpr std::string_view kOngoing = "ongoing";
constexpr std::string_view kThreefold = "threefold_repetition";

// The state of the final position as it stands.
std::string_view state_name(const GameVerdict& v, const RulesProfile& rules) {
  GameState state = static_cast<GameState>(v.state);
  if (state == GameState::fivefold_repetition && !rules.automatic_fivefold) {
    state = rules.automatic_clock && v.halfmove_clock >= rules.automatic_clock
                ? GameState::seventyfive_moves
                : GameState::ongoing;
  }
  switch (state) {
    case GameState::checkmate:
      return "checkmate";
    case GameState::stalemate:
      return "stalemate";
    case GameState::dead_position:
      return "dead_position";
    case GameState::fivefold_repetition:
      return "fivefold_repetition";
    case GameState::seventyfive_moves:
      return rules.automatic_name;
    case GameState::checks_in_a_row:
      return "checks_in_a_row";
    case GameState::checks_in_all:
      return "checks_in_all";
    case GameState::ongoing:
      break;
  }
  return kOngoing;
}

// Of a game whose result is a draw: its end on the board; else what could be claimed, with the next
// move or without; else a flag or another end beside the board; else the players agreed.
void explain_draw(GameEnd& end, Termination termination, const RulesProfile& rules) {
  if (end.state == "void" || end.state == "checkmate") return;
  if (end.state != kOngoing) {
    end.drawn_by.push_back(end.state);
    return;
  }
  if (termination == Termination::time_forfeit) {
    end.drawn_by.push_back("time_forfeit");
    return;
  }
  if (termination == Termination::elsewhere) {
    end.drawn_by.push_back("other");
    return;
  }
  if (!end.clock_claim.empty() || end.with_move.move_count) {
    end.drawn_by.push_back(rules.claim_name);
  }
  if (end.threefold || end.with_move.threefold) end.drawn_by.push_back(kThreefold);
  if (end.drawn_by.empty()) end.drawn_by.push_back("agreement");
}

// Without the empty ones.
std::vector<std::string_view> names_of(std::initializer_list<std::string_view> names) {
  std::vector<std::string_view> out;
  for (const std::string_view name : names) {
    if (!name.empty()) out.push_back(name);
  }
  return out;
}

std::string joined(const std::vector<std::string_view>& names, std::string_view separator) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out += separator;
    out += name;
  }
  return out;
}

}  // namespace

GameEnd end_of_game(const Slab& slab, const GameBatch& batch, const GameRecord& game,
                    const RulesProfile& rules, MoveClaimsOf wanted) {
  const GameVerdict& v = batch.replay.game_verdicts[game.replay];
  const bool drawn = !v.broken && result_of(game) == game_result_text(GameResult::draw);
  GameEnd end;
  end.state = state_name(v, rules);
  const Termination termination = termination_of(slab, game);
  if (end.state == kOngoing && !v.broken && termination == Termination::time_forfeit &&
      move_at_end(game, v.plies) <= rules.last_void_move) {
    end.state = "void";
  }
  if (end.state == kOngoing) {
    if (rules.claim_clock != 0 && v.halfmove_clock >= rules.claim_clock) {
      end.clock_claim = rules.claim_name;
    }
    end.threefold = rules.claim_threefold && v.repetitions >= 3;
    if (drawn || wanted == MoveClaimsOf::all) {
      end.with_move = claims_with_move(batch, game, rules);
    }
  }
  if (drawn) explain_draw(end, termination, rules);
  return end;
}

std::vector<std::string_view> claims_of(const GameEnd& end) {
  return names_of({end.clock_claim, end.threefold ? kThreefold : ""});
}

std::vector<std::string_view> move_claims_of(const GameEnd& end, const RulesProfile& rules) {
  return names_of({end.with_move.move_count ? rules.claim_name : "",
                   end.with_move.threefold ? kThreefold : ""});
}

std::string move_claim_names(const GameEnd& end, const RulesProfile& rules,
                             std::string_view separator) {
  return joined(move_claims_of(end, rules), separator);
}

std::string drawn_by_names(const GameEnd& end, std::string_view separator) {
  return joined(end.drawn_by, separator);
}

void append_claims(JsonObject& object, const GameEnd& end) {
  object.open_array("draw");
  if (!end.clock_claim.empty()) object.string_item(end.clock_claim);
  if (end.threefold) object.string_item(kThreefold);
  object.close_array();
}

std::string_view result_of(const GameRecord& game) {
  const GameResult result = game.marker != GameResult::none && game.marker != GameResult::other
                                ? game.marker
                                : game.result_tag;
  return game_result_text(result);
}

std::string_view perpetual_name(const GameVerdict& verdict) {
  switch (verdict.perpetual_by) {
    case 0:
      return "";
    case 1:
      return "white";
    case 2:
      return "black";
    default:
      return "both";
  }
}

std::uint32_t checks_ply(const GameVerdict& verdict) {
  return std::min(verdict.first_check_run, verdict.first_check_sum);
}

void append_history(JsonObject& object, const GameVerdict* verdict, const GameEnd& end,
                    const RulesProfile& rules) {
  if (verdict == nullptr) {
    for (const char* name :
         {"threefold_ply", "fivefold_ply", "fifty_ply", "seventyfive_ply", "max_repetitions",
          "perpetual_check", "checks_ply", "draw_with_move", "drawn_by"}) {
      object.null(name);
    }
    return;
  }
  ply_or_null(object, "threefold_ply", verdict->first_threefold);
  ply_or_null(object, "fivefold_ply", verdict->first_fivefold);
  ply_or_null(object, "fifty_ply", verdict->first_fifty);
  ply_or_null(object, "seventyfive_ply", verdict->first_seventyfive);
  object.integer("max_repetitions", verdict->max_repetitions);
  if (verdict->perpetual_by != 0) {
    object.string("perpetual_check", perpetual_name(*verdict));
  } else {
    object.null("perpetual_check");
  }
  ply_or_null(object, "checks_ply", checks_ply(*verdict));
  object.open_array("draw_with_move");
  if (end.with_move.move_count) object.string_item(rules.claim_name);
  if (end.with_move.threefold) object.string_item(kThreefold);
  object.close_array();
  if (end.drawn_by.empty()) {
    object.null("drawn_by");
    return;
  }
  object.open_array("drawn_by");
  for (const std::string_view name : end.drawn_by) object.string_item(name);
  object.close_array();
}

}  // namespace cuarbiter
