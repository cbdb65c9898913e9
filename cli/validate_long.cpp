// validate with --checkpoint and --shard.
//
// What a run with a checkpoint writes goes to a file of its own beside it, CHECKPOINT.data. A
// checkpoint says how many bytes of that are right and where in the input the text behind them
// begins, so that both can be gone on with after a kill at any moment. What was written becomes
// output when the run is complete.
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <optional>
#include <utility>

#include "cli/backend_choice.hpp"
#include "cli/game_run.hpp"
#include "cli/output.hpp"
#include "cli/stop_signal.hpp"
#include "cli/validate_part.hpp"
#include "cli/validate_run.hpp"
#include "host/batch/checkpoint.hpp"
#include "host/io/append_file.hpp"
#include "host/io/error.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

using Clock = std::chrono::steady_clock;

// Between two checkpoints: at least this long, and so many times as long as saving takes.
constexpr double kLeastSeconds = 0.2;
constexpr double kSaveShare = 20;

const char* yes_no(bool value) {
  return value ? "yes" : "no";
}

std::string codes_text(const CodeFilter& filter) {
  std::string out;
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    const auto code = static_cast<Code>(i);
    if (filter.wants(code)) continue;
    out += out.empty() ? "without " : " ";
    out += code_name(code);
  }
  return out.empty() ? "all" : out;
}

std::string keep_text(Keep keep) {
  return keep == Keep::all ? "all" : keep == Keep::good ? "good" : "faulty";
}

RunIdentity identity_of(const ValidateArguments& arguments, const FileSurvey& survey) {
  RunIdentity identity;
  identity.command = "validate";
  const RulesProfile& rules = arguments.rules;
  identity.fields = {{"inputs", survey.digest},
                     {"files", std::to_string(survey.files.size())},
                     {"rules", std::string(rules.name)},
                     {"clocks", fmt::format("{}/{}", rules.claim_clock, rules.automatic_clock)},
                     {"chess960", yes_no(arguments.chess960)},
                     {"games", yes_no(arguments.games)},
                     {"duplicates", yes_no(arguments.duplicates)},
                     {"codes", codes_text(arguments.codes)},
                     {"strict", yes_no(arguments.strict)}};
  if (!arguments.long_run.shard) {
    identity.fields.emplace_back("format", format_name(arguments.common.format));
    identity.fields.emplace_back("max-errors", std::to_string(arguments.max_errors));
  } else {
    if (arguments.pgn) identity.fields.emplace_back(kPartFormat, format_name(Format::pgn));
    if (!arguments.report.empty()) identity.fields.emplace_back(kPartReport, "yes");
  }
  if (!arguments.long_run.shard || arguments.pgn) {
    identity.fields.emplace_back("keep", keep_text(arguments.keep));
    identity.fields.emplace_back("fix", yes_no(arguments.fix));
  }
  identity.shard = arguments.long_run.shard.value_or(Shard{});
  return identity;
}

// Where a run stands between two jobs.
struct Position {
  std::size_t piece = 0;
  std::optional<TextStart> inside;  // nothing: the piece has not been begun
  std::uint64_t consumed = 0;       // bytes on disk of everything before
};

// Lines into a part, whose end needs them all.
class PartLines {
 public:
  explicit PartLines(RunFileWriter& part) : part_(part) {}

  // Pieces of text cut anywhere.
  void add(std::string_view text) {
    const std::size_t end = text.rfind('\n');
    if (end == std::string_view::npos) {
      open_ += text;
      return;
    }
    if (!open_.empty()) {
      const std::size_t first = text.find('\n') + 1;
      open_ += text.substr(0, first);
      part_.add(open_);
      open_.clear();
      part_.add(text.substr(first, end + 1 - first));
    } else {
      part_.add(text.substr(0, end + 1));
    }
    open_ += text.substr(end + 1);
  }

 private:
  RunFileWriter& part_;
  std::string open_;
};

class LongValidate {
 public:
  LongValidate(const ValidateArguments& arguments, RunStatus& status)
      : arguments_(arguments),
        status_(status),
        survey_(survey_files(arguments.files)),
        identity_(identity_of(arguments, survey_)),
        chosen_(choose_backend(arguments.common.backend, arguments.common.habits)),
        validate_(arguments, run_, *chosen_.backend) {
    refuse_files();
    run_.rules = arguments.rules;
    run_.chess960 = arguments.chess960;
    run_.threads = chosen_.threads;
    run_.habits = arguments.common.habits;
    if (arguments.long_run.shard) {
      pieces_ = shard_pieces(survey_, *arguments.long_run.shard);
      part_.emplace(pieces_, !arguments.report.empty());
    } else {
      pieces_ = whole_files(arguments.files);
    }
  }

  void run() {
    if (saves()) {
      const bool resumed = restore();
      // Better now than after hours.
      if (!arguments_.common.output.empty()) check_output();
      data_.emplace(data_path(), data_bytes_);
      if (!resumed) save();
      if (!done_ && !go_on()) return;
      deliver();
    } else {
      write_part();
    }
    if (validate_.has_findings()) status_.raise(ExitStatus::findings);
  }

 private:
  // Straight into a part.
  struct PartOutput {
    Output& output;
    RunFileWriter& part;
    void write(std::string_view lines) {
      part.add(lines);
      output.write(lines);
    }
    void flush() { output.flush(); }
  };

  bool saves() const { return !arguments_.long_run.checkpoint.empty(); }
  std::string data_path() const { return arguments_.long_run.checkpoint + ".data"; }

  // A shard without checkpoints.
  void write_part() {
    Output output(arguments_.common.output, status_, arguments_.common.exit_zero);
    output.write(part_file_.head(RunFileKind::part, identity_));
    PartOutput part{output, part_file_};
    go_through(part);
    part.write(part_->rest());
    output.write(part_file_.end());
    output.commit();
  }

  // What can be read once only can be neither gone on with nor shared out.
  void refuse_files() const {
    for (const FileSurvey::File& file : survey_.files) {
      struct stat found {};
      const bool special = file.path == "-" || (::stat(file.path.c_str(), &found) == 0 &&
                                                !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode));
      if (!special) continue;
      throw UsageError(fmt::format("--shard and --checkpoint read files: {} can be read once only",
                                   file.path == "-" ? "standard input" : visible(file.path)));
    }
  }

  void check_output() const {
    struct stat found {};
    const std::string& path = arguments_.common.output;
    const bool special = path == "-" || (::stat(path.c_str(), &found) == 0 &&
                                         !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode));
    if (!special) open_sink(path)->abandon();
  }

  std::vector<FilePiece> pieces_left() const {
    std::vector<FilePiece> left(pieces_.begin() + static_cast<std::ptrdiff_t>(position_.piece),
                                pieces_.end());
    if (position_.inside) {
      FilePiece& first = left.front();
      first.start = *position_.inside;
      first.range = without_first(first.path, first.range, first.start.offset);
    }
    return left;
  }

  template <class Out>
  void go_through(Out& out) {
    InputFiles files(pieces_left(), InputKind::games, run_.threads);
    if (run_.habits.progress || run_.habits.progress_json) files.sum_sizes();
    PgnSlabs slabs(files, arguments_.batch_bytes, arguments_.pgn);
    run_games<ValidateJob>(
        run_, slabs, *chosen_.backend, out, status_, [&](ValidateJob& job) { validate_.work(job); },
        [&](ValidateJob& job) {
          if (!validate_.count(job)) slabs.stop();
          if (part_) part_->add(job);
          return validate_.totals().games;
        },
        [&](ValidateJob& job) {
          if (saves()) stand_behind(job);
          if (!stop_ || !stop_->asked() || slabs.stopped()) return;
          stopped_ = true;
          slabs.stop();
        });
  }

  void stand_behind(const ValidateJob& job) {
    if (!first_consumed_) first_consumed_ = run_.consumed_before != 0 ? job.consumed : 0;
    if (job.slab.size != 0) {
      position_.consumed = run_.consumed_before + job.consumed - *first_consumed_;
    }
    position_.piece = job.piece + (job.ends_piece ? 1 : 0);
    position_.inside.reset();
    if (!job.ends_piece) {
      position_.inside = TextStart{false, job.next_offset, job.next_line,
                                   job.first_game - 1 + job.batch.games.size()};
    }
    const std::chrono::duration<double> since = Clock::now() - saved_;
    if (since.count() >= std::max(kLeastSeconds, kSaveShare * save_seconds_)) save();
  }

  // False when a signal has stopped it.
  bool go_on() {
    stop_.emplace(arguments_.common.habits.quiet);
    go_through(*data_);
    if (!stopped_) {
      if (part_) data_->write(part_->rest());
      done_ = true;
    }
    save();
    stop_.reset();
    if (!stopped_) return true;
    if (!arguments_.common.habits.quiet) {
      say(fmt::format("cuarbiter: stopped after {} games; --resume goes on from {}\n",
                      validate_.totals().games, visible(arguments_.long_run.checkpoint)));
    }
    status_.raise(ExitStatus::stopped);
    return false;
  }

  // The run is complete: its data become its output.
  void deliver() {
    Output output(arguments_.common.output, status_, arguments_.common.exit_zero);
    if (part_) {
      output.write(part_file_.head(RunFileKind::part, identity_));
      PartLines lines(part_file_);
      data_->read_all([&](std::string_view bytes) {
        lines.add(bytes);
        output.write(bytes);
      });
      output.write(part_file_.end());
    } else {
      output.write(validate_.header());
      data_->read_all([&](std::string_view bytes) { output.write(bytes); });
      if (arguments_.pgn) {
        output.flush();
        say(validate_.summary());
      } else {
        output.write(validate_.summary());
      }
    }
    output.commit();
  }

  void save() {
    const Clock::time_point start = Clock::now();
    data_->sync();
    std::vector<std::string> records(1);
    JsonObject state(records[0]);
    state.string("type", "state")
        .boolean("done", done_)
        .integer("status", static_cast<int>(status_.status()))
        .integer("data_bytes", data_->length())
        .integer("consumed", position_.consumed)
        .integer("piece", position_.piece)
        .boolean("inside", position_.inside.has_value());
    const TextStart inside = position_.inside.value_or(TextStart{});
    state.integer("offset", inside.offset)
        .integer("line", inside.line)
        .integer("games", inside.games);
    append_totals(state, "totals", validate_.totals());
    if (part_) {
      const PartRecords::State& part = part_->state();
      state.integer("part_opened", part.opened)
          .boolean("part_ended", part.ended)
          .integer("part_lines", part.lines)
          .boolean("part_ends_file", part.ends_file);
      append_totals(state, "part_totals", part.totals);
      append_kinds(state, "part_kinds", part.kinds);
      state.integer("part_players", part.players);
    }
    state.end();
    save_checkpoint(arguments_.long_run.checkpoint, identity_, records);
    saved_ = Clock::now();
    save_seconds_ = std::chrono::duration<double>(saved_ - start).count();
  }

  [[noreturn]] void broken() const {
    throw IoError(arguments_.long_run.checkpoint + ": a record of the checkpoint cannot be read");
  }

  // The state from the checkpoint; false when there is none to go on from.
  bool restore() {
    const auto records = resumed_records(arguments_.long_run, identity_);
    if (!records) {
      struct stat found {};
      if (::stat(data_path().c_str(), &found) == 0 && found.st_size != 0) {
        throw UsageError(
            fmt::format("{}: the file exists without its checkpoint", visible(data_path())));
      }
      return false;
    }
    if (records->size() != 1) broken();
    const auto state = JsonValue::parse(records->front());
    if (!state) broken();
    const auto number = [&](std::string_view name) {
      const auto value = state->integer(name);
      if (!value) broken();
      return *value;
    };
    const auto flag = [&](std::string_view name) {
      const JsonValue* const value = state->find(name);
      if (value == nullptr || value->kind() != JsonValue::Kind::boolean) broken();
      return value->boolean();
    };
    const auto totals = read_totals(*state, "totals");
    if (!totals) broken();
    validate_.restore(*totals);
    done_ = flag("done");
    data_bytes_ = number("data_bytes");
    position_.piece = number("piece");
    position_.consumed = number("consumed");
    if (flag("inside")) {
      position_.inside = TextStart{false, number("offset"), number("line"), number("games")};
    }
    if (position_.piece + (position_.inside ? 1 : 0) > pieces_.size()) broken();
    if (part_) {
      const auto part_totals = read_totals(*state, "part_totals");
      auto part_kinds = read_kinds(*state, "part_kinds");
      if (!part_totals || !part_kinds) broken();
      part_->restore({number("part_opened"), flag("part_ended"), number("part_lines"),
                      flag("part_ends_file"), *part_totals, std::move(*part_kinds),
                      number("part_players")});
      if (part_->state().opened > pieces_.size()) broken();
    }
    const std::uint64_t before = number("status");
    if (before == static_cast<std::uint64_t>(ExitStatus::input)) status_.raise(ExitStatus::input);
    run_.games_before = totals->games;
    run_.consumed_before = position_.consumed;
    return true;
  }

  const ValidateArguments& arguments_;
  RunStatus& status_;
  FileSurvey survey_;
  RunIdentity identity_;
  ChosenBackend chosen_;
  GameRun run_;
  ValidateRun validate_;
  std::vector<FilePiece> pieces_;
  std::optional<PartRecords> part_;  // with --shard
  RunFileWriter part_file_;
  std::optional<AppendFile> data_;
  std::uint64_t data_bytes_ = 0;
  Position position_;
  std::optional<std::uint64_t> first_consumed_;
  std::optional<StopSignal> stop_;
  bool stopped_ = false;  // by a signal
  bool done_ = false;     // all is in the data
  Clock::time_point saved_ = Clock::now();
  double save_seconds_ = 0;
};

}  // namespace

void run_validate_long(const ValidateArguments& arguments, RunStatus& status) {
  LongValidate(arguments, status).run();
}

}  // namespace cuarbiter
