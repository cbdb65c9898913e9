#include "cli/validate_records.hpp"

#include <fmt/format.h>

#include <iterator>

#include "cli/messages.hpp"
#include "host/report/csv.hpp"
#include "host/report/json.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

std::string_view severity_of(const ProblemRecord& problem) {
  return severity_name(problem.error ? Severity::error : Severity::warning);
}

void append_problem_json(std::string& out, const ProblemRecord& p) {
  JsonObject object(out);
  object.string("type", "problem")
      .integer("file", p.file)
      .integer("game", p.game)
      .integer("line", p.line)
      .integer("column", p.column)
      .integer("offset", p.offset)
      .integer("ply", p.ply);
  if (p.move.empty()) {
    object.null("move");
  } else {
    object.string("move", p.move);
  }
  if (p.fen.empty()) {
    object.null("fen");
  } else {
    object.string("fen", p.fen);
  }
  object.string("severity", severity_of(p)).string("code", p.code).string("message", p.message);
  if (p.first.file) {
    object.open_object("first")
        .integer("file", p.first.file)
        .integer("game", p.first.game)
        .integer("line", p.first.line)
        .close_object();
  }
  object.end_line();
}

void append_problem_csv(std::string& out, const ProblemRecord& p) {
  CsvRow row(out);
  row.field("problem")
      .field(p.file)
      .field(p.game)
      .field(p.line)
      .field(p.column)
      .field(p.offset)
      .field(p.ply)
      .field(p.move)
      .field(p.fen)
      .field(severity_of(p))
      .field(p.code)
      .field(p.message);
  for (unsigned i = 0; i < 8; ++i) row.empty();
  row.end();
}

std::string joined(const std::vector<std::string_view>& names, std::string_view separator) {
  return fmt::format("{}", fmt::join(names, separator));
}

}  // namespace

std::string_view validate_csv_head() {
  return "type,file,game,line,column,offset,ply,move,fen,severity,code,message,plies,result,state,"
         "draw,problems,draw_with_move,drawn_by,key\n";
}

void append_problem(std::string& out, Format format, const ProblemRecord& problem, bool color) {
  if (format == Format::jsonl) return append_problem_json(out, problem);
  if (format == Format::csv) return append_problem_csv(out, problem);
  std::string message = fmt::format("game {}", problem.game);
  if (problem.ply) message += fmt::format(" ply {}", problem.ply);
  message += ": ";
  message += problem.message;
  append_located(out, problem.file_name, problem.line, problem.column, problem.error, message,
                 problem.code, color);
}

void append_game_text(std::string& out, const GameEntry& game) {
  append_visible(out, game.file_name);
  fmt::format_to(std::back_inserter(out), ":{}: game {}: {}, {} plies, {}", game.line, game.game,
                 game.result.empty() ? "no result" : game.result, game.plies, game.state);
  for (const std::string_view claim : game.claims) {
    fmt::format_to(std::back_inserter(out), ", can claim {}", claim);
  }
  if (!game.drawn_by.empty()) out += ", drawn by " + joined(game.drawn_by, " or ");
  if (game.problems) {
    fmt::format_to(std::back_inserter(out), ", {} problem{}", game.problems,
                   game.problems == 1 ? "" : "s");
  }
  if (!game.fen.empty()) {
    out += ": ";
    out += game.fen;
  }
  out += '\n';
}

void append_game_csv(std::string& out, const GameEntry& game) {
  CsvRow(out)
      .field("game")
      .field(game.file)
      .field(game.game)
      .field(game.line)
      .field(game.column)
      .field(game.offset)
      .empty()
      .empty()
      .field(game.fen)
      .empty()
      .empty()
      .empty()
      .field(game.plies)
      .field(game.result)
      .field(game.state)
      .field(joined(game.claims, " "))
      .field(game.problems)
      .field(joined(game.move_claims, " "))
      .field(joined(game.drawn_by, " "))
      .field(game.key)
      .end();
}

}  // namespace cuarbiter
