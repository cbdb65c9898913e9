#include "cli/validate_writer.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "cli/game_end.hpp"
#include "cli/messages.hpp"
#include "host/report/csv.hpp"
#include "host/report/json.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {

void ValidateTotals::add(const ValidateTotals& other) {
  files += other.files;
  games += other.games;
  plies += other.plies;
  bytes += other.bytes;
  games_with_errors += other.games_with_errors;
  errors += other.errors;
  warnings += other.warnings;
  written += other.written;
  stopped = stopped || other.stopped;
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] += other.codes[i];
}

struct ValidateWriter::Context {
  const Slab& slab;
  const std::string& file_name;
  const GameBatch& batch;
  std::uint64_t first_game;
  const std::vector<GameKey>& keys;  // empty, or one a game

  std::uint64_t number(std::uint32_t game) const { return first_game + game; }
  // In hexadecimal; empty where there is none.
  std::string key(std::uint32_t game) const {
    std::string out;
    if (game < keys.size() && keys[game].known) append_key_text(out, keys[game].value);
    return out;
  }
};

std::string ValidateWriter::header() const {
  if (arguments_.common.format != Format::csv) return {};
  return "type,file,game,line,column,offset,ply,move,fen,severity,code,message,plies,result,state,"
         "draw,problems,draw_with_move,drawn_by,key\n";
}

void ValidateWriter::write_finding(std::string& out, const Context& context, const Finding& f,
                                   const Location& where) const {
  const std::string_view move = context.slab.view(f.move.begin, f.move.end);
  switch (arguments_.common.format) {
    case Format::jsonl: {
      JsonObject object(out);
      object.string("type", "problem")
          .integer("file", context.slab.file)
          .integer("game", context.number(f.game))
          .integer("line", where.line)
          .integer("column", where.column)
          .integer("offset", where.offset)
          .integer("ply", f.ply);
      if (f.move.empty()) {
        object.null("move");
      } else {
        object.string("move", move);
      }
      if (f.fen.empty()) {
        object.null("fen");
      } else {
        object.string("fen", f.fen);
      }
      object.string("severity", severity_name(f.severity))
          .string("code", code_name(f.code))
          .string("message", f.message);
      if (f.first.file) {
        object.open_object("first")
            .integer("file", f.first.file)
            .integer("game", f.first.game)
            .integer("line", f.first.line)
            .close_object();
      }
      object.end_line();
      return;
    }
    case Format::csv:
      CsvRow(out)
          .field("problem")
          .field(context.slab.file)
          .field(context.number(f.game))
          .field(where.line)
          .field(where.column)
          .field(where.offset)
          .field(f.ply)
          .field(move)
          .field(f.fen)
          .field(severity_name(f.severity))
          .field(code_name(f.code))
          .field(f.message)
          .empty()
          .empty()
          .empty()
          .empty()
          .empty()
          .empty()
          .empty()
          .empty()
          .end();
      return;
    default: {
      if (quiet() && f.severity != Severity::error) return;
      const bool color = arguments_.common.format == Format::pgn && arguments_.common.habits.color;
      std::string message = fmt::format("game {}", context.number(f.game));
      if (f.ply) message += fmt::format(" ply {}", f.ply);
      message += ": ";
      message += f.message;
      append_located(out, context.file_name, where.line, where.column,
                     f.severity == Severity::error, message, code_name(f.code), color);
      return;
    }
  }
}

void ValidateWriter::write_game(std::string& out, const Context& context, std::uint32_t index,
                                const Location& where, std::uint64_t problems) const {
  const GameRecord& game = context.batch.games[index];
  const bool judged = game.replay != kNotReplayed;
  const GameVerdict* v = judged ? &context.batch.replay.game_verdicts[game.replay] : nullptr;
  const GameEnd end =
      v ? end_of_game(context.slab, context.batch, game, arguments_.rules) : GameEnd{};
  std::string fen;
  if (v) append_final_fen(fen, context.batch, game);
  const std::string_view result = result_of(game);
  switch (arguments_.common.format) {
    case Format::jsonl: {
      JsonObject object(out);
      object.string("type", "game")
          .integer("file", context.slab.file)
          .integer("game", context.number(index))
          .integer("line", where.line)
          .integer("offset", where.offset)
          .integer("plies", v ? v->plies : 0);
      if (result.empty()) {
        object.null("result");
      } else {
        object.string("result", result);
      }
      object.string("state", end.state);
      append_claims(object, end);
      if (v) {
        object.string("fen", fen);
      } else {
        object.null("fen");
      }
      object.integer("problems", problems);
      if (const std::string key = context.key(index); key.empty()) {
        object.null("key");
      } else {
        object.string("key", key);
      }
      if (v) append_history(object, v, end, arguments_.rules);
      object.end_line();
      return;
    }
    case Format::csv:
      CsvRow(out)
          .field("game")
          .field(context.slab.file)
          .field(context.number(index))
          .field(where.line)
          .field(where.column)
          .field(where.offset)
          .empty()
          .empty()
          .field(fen)
          .empty()
          .empty()
          .empty()
          .field(v ? v->plies : 0)
          .field(result)
          .field(end.state)
          .field(claim_names(end, " "))
          .field(problems)
          .field(move_claim_names(end, arguments_.rules, " "))
          .field(drawn_by_names(end, " "))
          .field(context.key(index))
          .end();
      return;
    default:
      append_visible(out, context.file_name);
      fmt::format_to(std::back_inserter(out), ":{}: game {}: {}, {} plies, {}", where.line,
                     context.number(index), result.empty() ? "no result" : result, v ? v->plies : 0,
                     end.state);
      if (!end.clock_claim.empty())
        fmt::format_to(std::back_inserter(out), ", can claim {}", end.clock_claim);
      if (end.threefold) out += ", can claim threefold_repetition";
      if (!end.drawn_by.empty()) out += ", drawn by " + drawn_by_names(end, " or ");
      if (problems)
        fmt::format_to(std::back_inserter(out), ", {} problem{}", problems,
                       problems == 1 ? "" : "s");
      if (v) {
        out += ": ";
        out += fen;
      }
      out += '\n';
      return;
  }
}

void ValidateWriter::write_job(std::string& out, const ValidateJob& job, std::uint64_t errors_left,
                               ValidateTotals& totals) const {
  const Slab& slab = job.slab;
  const GameBatch& batch = job.batch;
  const std::vector<Finding>& findings = job.findings;
  const Context context{slab, job.file, batch, job.first_game, job.keys};
  Locator locator(slab);
  const std::uint64_t mark = slab.starts_file && slab.byte_order_mark ? 3 : 0;
  std::size_t next = 0;
  for (std::uint32_t g = 0; g <= batch.games.size(); ++g) {
    // Text of an earlier frame is told with the number of the game to come but is not that game's.
    const std::uint32_t frame =
        g < batch.games.size() ? slab.frame_begin_at(batch.games[g].text.begin) : 0;
    std::uint64_t problems = 0;
    bool error = false;
    for (; next < findings.size() && findings[next].game == g; ++next) {
      const Finding& f = findings[next];
      const Location where = locator.locate(f.at);
      write_finding(out, context, f, where);
      ++totals.codes[static_cast<std::size_t>(f.code)];
      ++(f.severity == Severity::error ? totals.errors : totals.warnings);
      totals.stopped = counted_errors(totals) == errors_left;
      if (totals.stopped) totals.bytes += where.offset - slab.offset + mark;
      if (f.at >= frame) {
        ++problems;
        error = error || f.severity == Severity::error;
      }
      if (totals.stopped) break;
    }
    if (g == batch.games.size()) break;
    if (error) ++totals.games_with_errors;
    ++totals.games;
    const GameRecord& game = batch.games[g];
    if (game.replay != kNotReplayed) {
      totals.plies += batch.replay.game_verdicts[game.replay].plies;
    }
    if (totals.stopped) return;
    if (arguments_.games && !quiet()) {
      write_game(out, context, g, locator.locate(game.text.begin), problems);
    }
  }
  if (totals.stopped) return;
  totals.bytes += slab.size + mark;
  for (const Elision& e : slab.elisions) totals.bytes += e.bytes;
}

void ValidateWriter::write_summary(std::string& out, const ValidateTotals& t) const {
  if (arguments_.common.format == Format::csv || quiet()) return;
  if (arguments_.common.format == Format::jsonl) {
    JsonObject object(out);
    object.string("type", "summary")
        .integer("files", t.files)
        .integer("games", t.games)
        .integer("plies", t.plies)
        .integer("bytes", t.bytes)
        .integer("games_with_errors", t.games_with_errors)
        .integer("errors", t.errors)
        .integer("warnings", t.warnings)
        .open_object("codes");
    for (std::size_t i = 0; i < t.codes.size(); ++i) {
      if (t.codes[i]) object.integer(code_name(static_cast<Code>(i)), t.codes[i]);
    }
    object.close_object();
    if (t.stopped) object.boolean("stopped", true);
    object.end_line();
    return;
  }
  const auto s = [](std::uint64_t n) { return n == 1 ? "" : "s"; };
  fmt::format_to(std::back_inserter(out),
                 "{} file{}, {} game{}, {} plies, {} bytes: {} game{} with errors, {} error{}, "
                 "{} warning{}\n",
                 t.files, s(t.files), t.games, s(t.games), t.plies, t.bytes, t.games_with_errors,
                 s(t.games_with_errors), t.errors, s(t.errors), t.warnings, s(t.warnings));
  for (std::size_t i = 0; i < t.codes.size(); ++i) {
    if (!t.codes[i]) continue;
    const Code code = static_cast<Code>(i);
    fmt::format_to(std::back_inserter(out), "{:>10}  {:<28}{}\n", t.codes[i], code_name(code),
                   code_meaning(code));
  }
  if (arguments_.common.format == Format::pgn) {
    fmt::format_to(std::back_inserter(out), "{} game{} written\n", t.written, s(t.written));
  }
  if (t.stopped) out += "stopped at the most errors asked for: what follows was not looked at\n";
}

}  // namespace cuarbiter
