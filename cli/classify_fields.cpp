// The position part of classify's records.
#include "cli/classify_fields.hpp"

#include <fmt/format.h>

#include <iterator>

#include "cli/position_text.hpp"
#include "host/notation/material_text.hpp"

namespace cuarbiter {
namespace {

constexpr std::string_view kThreefold = "threefold_repetition";

std::string material_of(const DescribedPosition& position) {
  std::string text;
  append_material(text, position.position, position.black ? Color::black : Color::white);
  return text;
}

}  // namespace

void append_position(JsonObject& object, const DescribedPosition* position,
                     std::string_view state_without) {
  if (position == nullptr) {
    for (const std::string_view name :
         {"fen", "side_to_move", "legal_moves", "in_check", "checkers"}) {
      object.null(name);
    }
    if (state_without.empty()) {
      object.null("state");
    } else {
      object.string("state", state_without);
    }
    for (const std::string_view name :
         {"draw", "insufficient_material", "dead_position", "can_win", "material", "endgame"}) {
      object.null(name);
    }
    return;
  }
  const auto& [fen, board, black, facts, state, threefold] = *position;
  object.string("fen", fen)
      .string("side_to_move", color_name(black))
      .integer("legal_moves", facts.legal_moves)
      .boolean("in_check", facts.checkers != 0)
      .integer("checkers", facts.checkers)
      .string("state", state.name)
      .open_array("draw");
  if (!state.claim.empty()) object.string_item(state.claim);
  if (threefold) object.string_item(kThreefold);
  object.close_array()
      .boolean("insufficient_material", (facts.flags & kFlagInsufficientMaterial) != 0)
      .string("dead_position", answer_name(state.dead))
      .open_object("can_win")
      .string("white", answer_name(state.white_can_win))
      .string("black", answer_name(state.black_can_win))
      .close_object()
      .string("material", material_of(*position))
      .string("endgame", endgame_class_name(endgame_class(view(board))));
}

void append_position(CsvRow& row, const DescribedPosition* position,
                     std::string_view state_without) {
  if (position == nullptr) {
    for (int i = 0; i < 5; ++i) row.empty();
    row.field(state_without);
    for (int i = 0; i < 7; ++i) row.empty();
    return;
  }
  const auto& [fen, board, black, facts, state, threefold] = *position;
  std::string claims(state.claim);
  if (threefold) {
    if (!claims.empty()) claims += ' ';
    claims += kThreefold;
  }
  row.field(fen)
      .field(color_name(black))
      .field(facts.legal_moves)
      .field(facts.checkers != 0)
      .field(facts.checkers)
      .field(state.name)
      .field(claims)
      .field((facts.flags & kFlagInsufficientMaterial) != 0)
      .field(answer_name(state.dead))
      .field(answer_name(state.white_can_win))
      .field(answer_name(state.black_can_win))
      .field(material_of(*position))
      .field(endgame_class_name(endgame_class(view(board))));
}

void append_position(std::string& text, const DescribedPosition& position) {
  const auto& [fen, board, black, facts, state, threefold] = position;
  fmt::format_to(std::back_inserter(text), "{}, {} to move, {} legal move{}", state.name,
                 color_name(black), facts.legal_moves, facts.legal_moves == 1 ? "" : "s");
  if (facts.checkers > 1) {
    fmt::format_to(std::back_inserter(text), ", in check by {}", facts.checkers);
  } else if (facts.checkers == 1) {
    text += ", in check";
  }
  if (!state.claim.empty()) {
    fmt::format_to(std::back_inserter(text), ", can claim {}", state.claim);
  }
  if (threefold) fmt::format_to(std::back_inserter(text), ", can claim {}", kThreefold);
  if (facts.flags & kFlagInsufficientMaterial) text += ", insufficient material";
  if (state.name == "ongoing") {
    if (state.white_can_win == Answer::no) text += ", white cannot win";
    if (state.black_can_win == Answer::no) text += ", black cannot win";
  }
  const EndgameClass endgame = endgame_class(view(board));
  if (endgame != EndgameClass::none) {
    fmt::format_to(std::back_inserter(text), ", {} ({})", material_of(position),
                   endgame_class_name(endgame));
  }
  text += ": ";
  text += fen;
}

void append_proof(JsonObject& object, const ProofArguments& arguments, const ProofLines& lines) {
  if (!arguments.lines) return;
  object.open_object("proof");
  for (const bool white : {true, false}) {
    const std::optional<std::string>& line = white ? lines.white : lines.black;
    if (line) {
      object.string(white ? "white" : "black", *line);
    } else {
      object.null(white ? "white" : "black");
    }
  }
  object.close_object();
}

void append_proof(CsvRow& row, const ProofArguments& arguments, const ProofLines& lines) {
  if (!arguments.lines) return;
  row.field(lines.white.value_or("")).field(lines.black.value_or(""));
}

void append_proof(std::string& text, const ProofArguments& arguments, const ProofLines& lines) {
  if (!arguments.lines) return;
  for (const bool white : {true, false}) {
    const std::optional<std::string>& line = white ? lines.white : lines.black;
    if (!line) continue;
    text += white ? "; white mates: " : "; black mates: ";
    text += line->empty() ? "on the board" : *line;
  }
}

}  // namespace cuarbiter
