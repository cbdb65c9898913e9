// The position part of classify's records.
#include "cli/classify_fields.hpp"

#include <fmt/format.h>

#include <iterator>

#include "cli/position_text.hpp"
#include "host/notation/material_text.hpp"

namespace cuarbiter {
namespace {

constexpr std::string_view kThreefold = "threefold_repetition";

MaterialText material_of(const DescribedPosition& position) {
  return MaterialText(position.men != 0 ? position.men
                                        : count_men(position.position, position.black));
}

// The fields from in_check to can_win.
void append_state(JsonObject& object, const DescribedPosition& position) {
  const PositionState& state = position.state;
  object.boolean("in_check", position.facts.checkers != 0)
      .integer("checkers", position.facts.checkers)
      .string("state", state.name)
      .open_array("draw");
  if (!state.claim.empty()) object.string_item(state.claim);
  if (position.threefold) object.string_item(kThreefold);
  object.close_array()
      .boolean("insufficient_material", (position.facts.flags & kFlagInsufficientMaterial) != 0)
      .string("dead_position", answer_name(state.dead))
      .open_object("can_win")
      .string("white", answer_name(state.white_can_win))
      .string("black", answer_name(state.black_can_win))
      .close_object();
}

// Few different texts of these fields are all that most runs write: each is made once and kept,
// with what it was made of.
struct StateText {
  std::string_view name, claim;  // constants of the program
  std::uint8_t checkers, flags;
  Answer dead, white, black;
  bool threefold;
  std::uint16_t size;  // 0: none kept
  char text[256];

  bool is_of(const DescribedPosition& p) const {
    return size != 0 && name.data() == p.state.name.data() && name.size() == p.state.name.size() &&
           claim.data() == p.state.claim.data() && claim.size() == p.state.claim.size() &&
           checkers == p.facts.checkers && flags == p.facts.flags && dead == p.state.dead &&
           white == p.state.white_can_win && black == p.state.black_can_win &&
           threefold == p.threefold;
  }
};

// Answers take two bits each, checkers one or two; the rest is rare.
std::size_t slot_of(const DescribedPosition& p) {
  return static_cast<std::size_t>(p.state.white_can_win) |
         static_cast<std::size_t>(p.state.black_can_win) << 2 |
         static_cast<std::size_t>(p.facts.checkers & 1u) << 4 |
         static_cast<std::size_t>(p.state.claim.empty() ? 0 : 1) << 5;
}

std::string_view state_text(const DescribedPosition& position) {
  thread_local StateText kept[64];
  StateText& entry = kept[slot_of(position)];
  if (!entry.is_of(position)) {
    thread_local std::string text;
    text.clear();
    JsonObject object(text);
    append_state(object, position);
    object.end();
    const std::string_view fields = std::string_view(text).substr(1, text.size() - 2);
    if (fields.size() > sizeof entry.text) return fields;
    entry.name = position.state.name;
    entry.claim = position.state.claim;
    entry.checkers = position.facts.checkers;
    entry.flags = position.facts.flags;
    entry.dead = position.state.dead;
    entry.white = position.state.white_can_win;
    entry.black = position.state.black_can_win;
    entry.threefold = position.threefold;
    entry.size = static_cast<std::uint16_t>(fields.size());
    fields.copy(entry.text, fields.size());
  }
  return {entry.text, entry.size};
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
  object.plain_line("fen", position->fen)
      .plain("side_to_move", color_name(position->black))
      .integer("legal_moves", position->facts.legal_moves)
      .fields(state_text(*position))
      .plain("material", material_of(*position).text())
      .plain("endgame", endgame_class_name(endgame_class(view(position->position))));
}

void append_position(CsvRow& row, const DescribedPosition* position,
                     std::string_view state_without) {
  if (position == nullptr) {
    for (int i = 0; i < 5; ++i) row.empty();
    row.field(state_without);
    for (int i = 0; i < 7; ++i) row.empty();
    return;
  }
  const auto& [fen, board, black, men, facts, state, threefold] = *position;
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
      .field(material_of(*position).text())
      .field(endgame_class_name(endgame_class(view(board))));
}

void append_position(std::string& text, const DescribedPosition& position) {
  const auto& [fen, board, black, men, facts, state, threefold] = position;
  text += state.name;
  text += black ? ", black to move, " : ", white to move, ";
  text += fmt::format_int(facts.legal_moves).c_str();
  text += facts.legal_moves == 1 ? " legal move" : " legal moves";
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
    text += ", ";
    text += material_of(position).text();
    text += " (";
    text += endgame_class_name(endgame);
    text += ')';
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
