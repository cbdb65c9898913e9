#include "cli/validate_writer.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "cli/game_end.hpp"
#include "cli/validate_part.hpp"
#include "cli/validate_records.hpp"
#include "cli/validate_report.hpp"
#include "host/report/json.hpp"

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
  return std::string(arguments_.common.format == Format::csv ? validate_csv_head() : "");
}

void ValidateWriter::write_finding(std::string& out, const Context& context, const Finding& f,
                                   const Location& where) const {
  if (quiet() && f.severity != Severity::error) return;
  const Format format = arguments_.common.format;
  ProblemRecord problem;
  problem.file = context.slab.file;
  problem.file_name = context.file_name;
  problem.game = context.number(f.game);
  problem.line = where.line;
  problem.column = where.column;
  problem.offset = where.offset;
  problem.ply = f.ply;
  problem.move = context.slab.view(f.move.begin, f.move.end);
  problem.fen = f.fen;
  problem.error = f.severity == Severity::error;
  problem.code = code_name(f.code);
  problem.message = f.message;
  problem.first = f.first;
  append_problem(out, format, problem, format == Format::pgn && arguments_.common.habits.color);
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
  const std::string key = context.key(index);
  if (arguments_.common.format != Format::jsonl) {
    GameEntry entry;
    entry.file = context.slab.file;
    entry.file_name = context.file_name;
    entry.game = context.number(index);
    entry.line = where.line;
    entry.column = where.column;
    entry.offset = where.offset;
    entry.plies = v ? v->plies : 0;
    entry.result = result;
    entry.state = end.state;
    entry.claims = claims_of(end);
    entry.move_claims = move_claims_of(end, arguments_.rules);
    entry.drawn_by = end.drawn_by;
    entry.fen = fen;
    entry.problems = problems;
    entry.key = key;
    return arguments_.common.format == Format::csv ? append_game_csv(out, entry)
                                                   : append_game_text(out, entry);
  }
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
  if (key.empty()) {
    object.null("key");
  } else {
    object.string("key", key);
  }
  if (v) append_history(object, v, end, arguments_.rules);
  if (arguments_.long_run.shard) object.integer(kPartColumn, where.column);
  object.end_line();
}

void ValidateWriter::write_players(std::string& out, const Context& context,
                                   std::uint32_t game) const {
  const ReportPlayers players = players_of(context.slab, context.batch.games[game]);
  JsonObject(out)
      .string("type", "players")
      .string("white", players.white)
      .string("black", players.black)
      .end_line();
}

void ValidateWriter::write_key(std::string& out, const Context& context, std::uint32_t game,
                               const Location& where) const {
  JsonObject(out)
      .string("type", "key")
      .integer("file", context.slab.file)
      .integer("game", context.number(game))
      .integer("line", where.line)
      .integer("column", where.column)
      .integer("offset", where.offset)
      .string("key", context.key(game))
      .end_line();
}

void ValidateWriter::write_job(std::string& out, const ValidateJob& job, std::uint64_t errors_left,
                               ValidateTotals& totals, const FramesDone& frames_done) const {
  const Slab& slab = job.slab;
  const GameBatch& batch = job.batch;
  const std::vector<Finding>& findings = job.findings;
  const Context context{slab, job.file, batch, job.first_game, job.keys};
  Locator locator(slab);
  const std::uint64_t mark = slab.starts_file && slab.byte_order_mark ? 3 : 0;
  std::size_t next = 0;
  const bool part_keys = arguments_.long_run.shard && arguments_.wants_duplicates();
  const bool players = arguments_.long_run.shard && !arguments_.report.empty();
  const auto come_to = [&](std::uint32_t position) {
    if (frames_done) frames_done(slab.frame_begin_at(position));
  };
  for (std::uint32_t g = 0; g <= batch.games.size(); ++g) {
    // Text of an earlier frame is told with the number of the game to come but is not that game's.
    const bool told = next < findings.size() && findings[next].game == g;
    const std::uint32_t frame =
        told && g < batch.games.size() ? slab.frame_begin_at(batch.games[g].text.begin) : 0;
    std::uint64_t problems = 0;
    bool error = false;
    // In the place of the problem that merge may make of it.
    bool key = part_keys && g < batch.games.size() && job.keys[g].known && job.keys[g].moves;
    const auto tell_key = [&] {
      const std::uint32_t begin = batch.games[g].text.begin;
      come_to(begin);
      write_key(out, context, g, locator.locate(begin));
      key = false;
    };
    for (; next < findings.size() && findings[next].game == g; ++next) {
      const Finding& f = findings[next];
      if (key && f.at > batch.games[g].text.begin) tell_key();
      come_to(f.at);
      const Location where = locator.locate(f.at);
      write_finding(out, context, f, where);
      if (players && g < batch.games.size() && is_for_report(f, arguments_.strict)) {
        write_players(out, context, g);
      }
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
    if (key) tell_key();
    if (error) ++totals.games_with_errors;
    ++totals.games;
    const GameRecord& game = batch.games[g];
    if (game.replay != kNotReplayed) {
      totals.plies += batch.replay.game_verdicts[game.replay].plies;
    }
    if (totals.stopped) return;
    if (arguments_.games && !quiet()) {
      come_to(game.text.begin);
      write_game(out, context, g, locator.locate(game.text.begin), problems);
    }
  }
  if (totals.stopped) return;
  if (frames_done) frames_done(UINT32_MAX);
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
