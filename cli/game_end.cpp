// Verdicts in words.
#include "cli/game_end.hpp"

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

}  // namespace

GameEnd end_of_game(const GameVerdict& v, const RulesProfile& rules) {
  GameEnd end;
  GameState state = static_cast<GameState>(v.state);
  if (state == GameState::fivefold_repetition && !rules.automatic_fivefold) {
    state = rules.automatic_clock && v.halfmove_clock >= rules.automatic_clock
                ? GameState::seventyfive_moves
                : GameState::ongoing;
  }
  switch (state) {
    case GameState::checkmate:
      end.state = "checkmate";
      return end;
    case GameState::stalemate:
      end.state = "stalemate";
      return end;
    case GameState::dead_position:
      end.state = "dead_position";
      return end;
    case GameState::fivefold_repetition:
      end.state = "fivefold_repetition";
      return end;
    case GameState::seventyfive_moves:
      end.state = rules.automatic_name;
      return end;
    case GameState::ongoing:
      break;
  }
  end.state = "ongoing";
  if (rules.claim_clock != 0 && v.halfmove_clock >= rules.claim_clock) {
    end.clock_claim = rules.claim_name;
  }
  end.threefold = rules.claim_threefold && v.repetitions >= 3;
  return end;
}

std::string claim_names(const GameEnd& end, std::string_view separator) {
  std::string names(end.clock_claim);
  if (end.threefold) {
    if (!names.empty()) names += separator;
    names += "threefold_repetition";
  }
  return names;
}

void append_claims(JsonObject& object, const GameEnd& end) {
  object.open_array("draw");
  if (!end.clock_claim.empty()) object.string_item(end.clock_claim);
  if (end.threefold) object.string_item("threefold_repetition");
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

void append_history(JsonObject& object, const GameVerdict* verdict) {
  if (verdict == nullptr) {
    for (const char* name : {"threefold_ply", "fivefold_ply", "fifty_ply", "seventyfive_ply",
                             "max_repetitions", "perpetual_check"}) {
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
}

}  // namespace cuarbiter
