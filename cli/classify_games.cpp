// Games replayed, their last positions classified, one record each.
//
// What is wrong with a game stands in its record. What is wrong with text that belongs to no game
// goes to standard error in every format: it has no record.
#include "cli/classify_games.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "cli/classify_fields.hpp"
#include "cli/game_end.hpp"
#include "cli/game_run.hpp"
#include "cli/position_text.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

struct GamesJob : GameJob {
  std::vector<Position> positions;   // the last ones, by replayed game
  std::vector<PositionFacts> facts;  // of them
  std::string fen;                   // scratch
  bool any_findings = false;

  const Position& start_of(const GameRecord& game) const {
    return batch.replay.starts[batch.replay.games[game.replay].start].position;
  }
};

// Turns the games of one slab into text of the chosen format.
class GameWriter {
 public:
  GameWriter(const ClassifyArguments& arguments, GamesJob& job)
      : arguments_(arguments),
        job_(job),
        locator_(job.slab),
        json_(arguments.common.format == Format::jsonl) {}

  void write() {
    std::size_t next = 0;
    const std::size_t games = job_.batch.games.size();
    for (index_ = 0; index_ <= games; ++index_) {
      const std::size_t begin = next;
      while (next < job_.findings.size() && job_.findings[next].game == index_) ++next;
      take_findings(std::span(job_.findings).subspan(begin, next - begin));
      if (index_ < games) write_game(job_.batch.games[index_]);
    }
  }

 private:
  // A finding of the game being written, with its place.
  struct Defect {
    const Finding* finding;
    Location where;
  };

  std::uint64_t number() const { return job_.first_game + index_; }

  // Sorts out what counts: what is in the game's frame goes to defects_, what comes before it to
  // standard error. (A slab's last text may come before a game that another slab has.)
  void take_findings(std::span<const Finding> findings) {
    defects_.clear();
    valid_ = true;
    std::uint32_t from = static_cast<std::uint32_t>(job_.slab.size) + 1;
    if (index_ < job_.batch.games.size()) {
      from = job_.slab.frame_begin_at(job_.batch.games[index_].text.begin);
    }
    for (const Finding& finding : findings) {
      const bool error = finding.severity == Severity::error;
      const bool counts = error || arguments_.strict;
      const bool outside = finding.at < from;
      const bool told = outside || !json_;
      if (!counts && !(told && arguments_.common.habits.verbose)) continue;
      const Location where = locator_.locate(finding.at);
      if (counts) job_.any_findings = true;
      if (told) report(finding, where, outside);
      if (outside || !counts) continue;
      if (error) valid_ = false;
      defects_.push_back({&finding, where});
    }
  }

  void report(const Finding& finding, const Location& where, bool outside) {
    std::string message;
    if (outside) {
      message = fmt::format("before game {}: ", number());
    } else {
      message = fmt::format("game {}", number());
      if (finding.ply != 0) message += fmt::format(" ply {}", finding.ply);
      message += ": ";
    }
    message += finding.message;
    append_located(job_.messages, job_.file, where.line, where.column,
                   finding.severity == Severity::error, message, code_name(finding.code),
                   arguments_.common.habits.color);
  }

  // Codes of the defects, each once.
  std::string codes(bool warnings, std::string_view separator) const {
    std::string out;
    for (auto d = defects_.begin(); d != defects_.end(); ++d) {
      if (!warnings && d->finding->severity != Severity::error) continue;
      const Code code = d->finding->code;
      if (std::any_of(defects_.begin(), d,
                      [&](const Defect& other) { return other.finding->code == code; })) {
        continue;
      }
      if (!out.empty()) out += separator;
      out += code_name(code);
    }
    return out;
  }

  void write_game(const GameRecord& game) {
    const GameVerdict* verdict = nullptr;
    end_ = GameEnd{};
    DescribedPosition described;
    if (game.replay != kNotReplayed) {
      verdict = &job_.batch.replay.game_verdicts[game.replay];
      job_.fen.clear();
      append_final_fen(job_.fen, job_.batch, game);
      end_ = end_of_game(job_.slab, job_.batch, game, arguments_.rules);
      described.fen = job_.fen;
      described.position = verdict->final_position;
      described.black = ((verdict->plies + (game.black_first ? 1 : 0)) & 1) != 0;
      described.facts = job_.facts[game.replay];
      described.state = position_state(described.facts, verdict->halfmove_clock, described.black,
                                       arguments_.rules);
      described.state.name = end_.state;
      described.state.claim = end_.clock_claim;
      described.threefold = end_.threefold;
      prove_state(described.state, described.position, described.black,
                  needs_chess960(job_.start_of(game)), arguments_.proof, lines_);
      if (described.state.name == "dead_position") described.threefold = false;
    } else {
      lines_ = ProofLines{};
    }
    const DescribedPosition* position = verdict == nullptr ? nullptr : &described;
    const Location where = locator_.locate(game.text.begin);
    switch (arguments_.common.format) {
      case Format::jsonl:
        return write_json(game, where, verdict, position);
      case Format::csv:
        return write_csv(game, where, verdict, position);
      default:
        return write_text(game, where, verdict, position);
    }
  }

  void write_json(const GameRecord& game, const Location& where, const GameVerdict* verdict,
                  const DescribedPosition* position) {
    const std::string_view result = result_of(game);
    JsonObject object(job_.data);
    object.string("type", "game")
        .integer("file", job_.slab.file)
        .integer("game", number())
        .integer("line", where.line)
        .integer("offset", where.offset)
        .integer("plies", verdict != nullptr ? verdict->plies : 0);
    if (result.empty()) {
      object.null("result");
    } else {
      object.string("result", result);
    }
    object.boolean("valid", valid_);
    append_position(object, position, GameEnd{}.state);
    append_proof(object, arguments_.proof, lines_);
    append_history(object, verdict, end_, arguments_.rules);
    object.open_array("defects");
    for (const Defect& defect : defects_) {
      object.open_object_item()
          .string("code", code_name(defect.finding->code))
          .string("message", defect.finding->message)
          .string("severity", severity_name(defect.finding->severity))
          .integer("line", defect.where.line)
          .integer("column", defect.where.column)
          .integer("ply", defect.finding->ply)
          .close_object();
    }
    object.close_array();
    object.end_line();
  }

  void write_csv(const GameRecord& game, const Location& where, const GameVerdict* verdict,
                 const DescribedPosition* position) {
    CsvRow row(job_.data);
    row.field(job_.slab.file)
        .field(number())
        .field(where.line)
        .field(where.offset)
        .field(verdict != nullptr ? verdict->plies : 0)
        .field(result_of(game))
        .field(valid_);
    append_position(row, position, GameEnd{}.state);
    if (verdict == nullptr) {
      for (int i = 0; i < 9; ++i) row.empty();
    } else {
      const auto ply_or_nothing = [&row](std::uint32_t ply) {
        if (ply == kNoPly) {
          row.empty();
        } else {
          row.field(ply);
        }
      };
      ply_or_nothing(verdict->first_threefold);
      ply_or_nothing(verdict->first_fivefold);
      ply_or_nothing(verdict->first_fifty);
      ply_or_nothing(verdict->first_seventyfive);
      row.field(verdict->max_repetitions).field(perpetual_name(*verdict));
      ply_or_nothing(checks_ply(*verdict));
      row.field(move_claim_names(end_, arguments_.rules, " ")).field(drawn_by_names(end_, " "));
    }
    row.field(codes(true, " "));
    append_proof(row, arguments_.proof, lines_);
    row.end();
  }

  void write_text(const GameRecord& game, const Location& where, const GameVerdict* verdict,
                  const DescribedPosition* position) {
    const std::string_view result = result_of(game);
    std::string& out = job_.data;
    append_visible(out, job_.file);
    fmt::format_to(std::back_inserter(out), ":{}: game {}: ", where.line, number());
    if (!valid_) fmt::format_to(std::back_inserter(out), "invalid ({}), ", codes(false, ", "));
    const std::uint32_t plies = verdict != nullptr ? verdict->plies : 0;
    fmt::format_to(std::back_inserter(out), "{}, {} pl{}, ", result.empty() ? "no result" : result,
                   plies, plies == 1 ? "y" : "ies");
    if (position == nullptr) {
      out += GameEnd{}.state;
    } else {
      append_position(out, *position);
      append_proof(out, arguments_.proof, lines_);
    }
    if (!end_.drawn_by.empty()) {
      fmt::format_to(std::back_inserter(out), " (drawn by {})", drawn_by_names(end_, " or "));
    }
    out += '\n';
  }

  const ClassifyArguments& arguments_;
  GamesJob& job_;
  Locator locator_;
  bool json_;
  std::uint32_t index_ = 0;  // of the game being written
  std::vector<Defect> defects_;
  ProofLines lines_;  // of the game being written
  GameEnd end_;       // of the game being written, when it was replayed
  bool valid_ = true;
};

void classify_slab(const ClassifyArguments& arguments, Backend& backend, GamesJob& job) {
  job.any_findings = false;
  const std::vector<GameVerdict>& verdicts = job.batch.replay.game_verdicts;
  const std::size_t games = job.batch.replay.games.size();
  job.positions.clear();
  for (std::size_t i = 0; i < games; ++i) job.positions.push_back(verdicts[i].final_position);
  job.facts.resize(games);
  backend.classify(job.positions, job.facts);
  GameWriter(arguments, job).write();
}

}  // namespace

std::string_view classify_games_header() {
  static const std::string header = fmt::format(
      "file,game,line,offset,plies,result,valid,{},threefold_ply,fivefold_ply,fifty_ply,"
      "seventyfive_ply,max_repetitions,perpetual_check,checks_ply,draw_with_move,drawn_by,"
      "defects\n",
      kPositionColumns);
  return header;
}

void classify_games(const ClassifyArguments& arguments, InputFiles& files, Backend& backend,
                    unsigned threads, Output& output, RunStatus& status) {
  PgnSlabs slabs(files, arguments.batch_size);
  const GameRun run{arguments.rules, arguments.fen.chess960, threads, arguments.common.habits};
  std::uint64_t games = 0;
  run_games<GamesJob>(
      run, slabs, backend, output, status,
      [&](GamesJob& job) { classify_slab(arguments, backend, job); },
      [&](const GamesJob& job) {
        if (job.any_findings) status.raise(ExitStatus::findings);
        return games += job.batch.games.size();
      });
}

}  // namespace cuarbiter
