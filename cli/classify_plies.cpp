// Games replayed, the positions of their main lines classified, one record each.
#include "cli/classify_plies.hpp"

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "cli/classify_fields.hpp"
#include "cli/game_run.hpp"
#include "cli/position_text.hpp"
#include "host/notation/fen.hpp"
#include "host/pgn/claims.hpp"
#include "host/pgn/game_plies.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

// A ply becomes some hundred bytes of output: smaller slabs than usual keep memory in bounds.
constexpr std::size_t kSlabBytes = std::size_t{64} << 10;

struct PliesJob : GameJob {
  GamePlies line;                            // of all games
  std::vector<RepetitionFacts> repetitions;  // one a position of `line`
  std::vector<Position> positions;           // one a ply, as are those below
  std::vector<PositionFacts> facts;
  std::vector<PositionState> states;
  bool any_findings = false;
};

// The state after a ply under the rules, and what the side to move could claim.
DescribedPosition describe(const GamePly& ply, const Position& position, const PositionFacts& facts,
                           const PositionState& state, unsigned repetitions,
                           const RulesProfile& rules) {
  DescribedPosition out;
  out.position = position;
  out.black = ply.black;
  out.facts = facts;
  out.state = state;
  const bool open = out.state.name == "ongoing" || out.state.name == rules.automatic_name;
  if (!open) return out;
  std::string_view end;
  if (rules.automatic_fivefold && repetitions >= 5) end = "fivefold_repetition";
  if (rules.checks_in_all != 0 && ply.check_sum >= rules.checks_in_all) end = "checks_in_all";
  if (rules.checks_in_a_row != 0 && ply.check_run >= rules.checks_in_a_row) {
    end = "checks_in_a_row";
  }
  if (!end.empty()) {
    out.state.name = end;
    out.state.claim = {};
  }
  out.threefold = out.state.name == "ongoing" && rules.claim_threefold && repetitions >= 3;
  return out;
}

// The claims that take the move about to be made.
std::vector<std::string_view> claims_ahead(const GamePly& ply, const DescribedPosition& position,
                                           bool third_time, const RulesProfile& rules) {
  std::vector<std::string_view> claims;
  if (position.state.name != "ongoing") return claims;
  if (rules.claim_clock != 0 && ply.halfmove_clock + 1 >= rules.claim_clock &&
      has_quiet_move(position.position)) {
    claims.push_back(rules.claim_name);
  }
  if (rules.claim_threefold && third_time) claims.push_back("threefold_repetition");
  return claims;
}

class PlyWriter {
 public:
  PlyWriter(const ClassifyArguments& arguments, PliesJob& job)
      : arguments_(arguments), job_(job), locator_(job.slab) {}

  void write() {
    const std::size_t games = job_.batch.games.size();
    std::size_t next = 0, ply = 0;
    for (std::uint32_t g = 0; g <= games; ++g) {
      for (; next < job_.findings.size() && job_.findings[next].game == g; ++next) {
        report(job_.findings[next]);
      }
      if (g == games || job_.batch.games[g].replay == kNotReplayed) continue;
      const GameRecord& game = job_.batch.games[g];
      const Location where = locator_.locate(game.text.begin);
      const std::uint32_t plies = job_.batch.replay.game_verdicts[game.replay].plies;
      for (std::uint32_t i = 0; i < plies; ++i, ++ply) {
        write_ply(game, job_.first_game + g, where, ply);
      }
    }
  }

 private:
  void report(const Finding& finding) {
    const bool error = finding.severity == Severity::error;
    if (error || arguments_.strict) job_.any_findings = true;
    if (!error && !arguments_.strict && !arguments_.common.habits.verbose) return;
    const Location where = locator_.locate(finding.at);
    std::string message = fmt::format("game {}", job_.first_game + finding.game);
    if (finding.ply != 0) message += fmt::format(" ply {}", finding.ply);
    append_located(job_.messages, job_.file, where.line, where.column, error,
                   message + ": " + finding.message, code_name(finding.code),
                   arguments_.common.habits.color);
  }

  void write_ply(const GameRecord& game, std::uint64_t number, const Location& where,
                 std::size_t index) {
    const GamePly& ply = job_.line.plies[index];
    const RepetitionFacts& repetition = job_.repetitions[ply.place];
    DescribedPosition described = describe(ply, job_.positions[index], job_.facts[index],
                                           job_.states[index], repetition.times, arguments_.rules);
    const std::uint32_t half_moves = ply.ply + (game.black_first ? 1 : 0);
    fen_.clear();
    append_fen(fen_, described.position, ply.black ? Color::black : Color::white,
               ply.halfmove_clock, game.fullmove_number + half_moves / 2);
    described.fen = fen_;
    const std::vector<std::string_view> ahead =
        claims_ahead(ply, described, repetition.third_time_ahead != 0, arguments_.rules);
    if (arguments_.common.format == Format::jsonl) {
      JsonObject object(job_.data);
      object.string("type", "ply")
          .integer("file", job_.slab.file)
          .integer("game", number)
          .integer("line", where.line)
          .integer("ply", ply.ply)
          .string("move", ply.san);
      append_position(object, &described);
      object.integer("repetitions", repetition.times).open_array("draw_with_move");
      for (const std::string_view name : ahead) object.string_item(name);
      object.close_array().end_line();
      return;
    }
    std::string names;
    for (const std::string_view name : ahead) {
      if (!names.empty()) names += ' ';
      names += name;
    }
    if (arguments_.common.format == Format::csv) {
      CsvRow row(job_.data);
      row.field(job_.slab.file).field(number).field(where.line).field(ply.ply).field(ply.san);
      append_position(row, &described);
      row.field(repetition.times).field(names).end();
      return;
    }
    std::string& out = job_.data;
    append_visible(out, job_.file);
    fmt::format_to(std::back_inserter(out), ":{}: game {} ply {}: {}: ", where.line, number,
                   ply.ply, ply.san);
    append_position(out, described);
    if (!names.empty()) fmt::format_to(std::back_inserter(out), " (with the next move: {})", names);
    out += '\n';
  }

  const ClassifyArguments& arguments_;
  PliesJob& job_;
  Locator locator_;
  std::string fen_;
};

// The states of all plies.
void find_states(const ClassifyArguments& arguments, Backend& backend, PliesJob& job) {
  const std::vector<GamePly>& plies = job.line.plies;
  job.states.clear();
  for (std::size_t i = 0; i < plies.size(); ++i) {
    job.states.push_back(
        position_state(job.facts[i], plies[i].halfmove_clock, plies[i].black, arguments.rules));
  }
  std::vector<bool> black, leads;
  for (std::size_t i = 0; i < plies.size(); ++i) {
    black.push_back(plies[i].black);
    leads.push_back(i + 1 < plies.size() && plies[i + 1].ply != 1);
  }
  prove_states(backend, job.states, job.facts, job.positions, black, leads, arguments.proof);
}

void classify_slab(const ClassifyArguments& arguments, Backend& backend, PliesJob& job) {
  job.any_findings = false;
  job.line.clear();
  for (const GameRecord& game : job.batch.games) {
    if (game.replay != kNotReplayed) append_plies(job.line, job.batch, game);
  }
  job.repetitions.resize(job.line.positions.size());
  backend.repetitions(job.line.positions, job.line.reach, job.repetitions);
  job.positions.clear();
  for (const GamePly& ply : job.line.plies) {
    job.positions.push_back(job.line.positions[ply.place]);
  }
  job.facts.resize(job.positions.size());
  backend.classify(job.positions, job.facts);
  find_states(arguments, backend, job);
  PlyWriter(arguments, job).write();
}

}  // namespace

std::string_view classify_plies_header() {
  static const std::string header =
      fmt::format("file,game,line,ply,move,{},repetitions,draw_with_move\n", kPositionColumns);
  return header;
}

void classify_plies(const ClassifyArguments& arguments, InputFiles& files, Backend& backend,
                    unsigned threads, Output& output, RunStatus& status) {
  PgnSlabs slabs(files, arguments.batch_size != 0 ? arguments.batch_size : kSlabBytes);
  const GameRun run{arguments.rules, arguments.fen.chess960, threads, arguments.common.habits};
  std::uint64_t games = 0;
  run_games<PliesJob>(
      run, slabs, backend, output, status,
      [&](PliesJob& job) { classify_slab(arguments, backend, job); },
      [&](const PliesJob& job) {
        if (job.any_findings) status.raise(ExitStatus::findings);
        return games += job.batch.games.size();
      });
}

}  // namespace cuarbiter
