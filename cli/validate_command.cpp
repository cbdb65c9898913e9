// The validate command: what run_games makes of each slab, written down and added up.
#include "cli/validate_command.hpp"

#include <optional>

#include "cli/backend_choice.hpp"
#include "cli/game_run.hpp"
#include "cli/output.hpp"
#include "cli/validate_duplicates.hpp"
#include "cli/validate_job.hpp"
#include "cli/validate_pgn.hpp"
#include "cli/validate_report.hpp"
#include "cli/validate_writer.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

// Which parts of a job somebody asks for.
bool wants_duplicates(const ValidateArguments& arguments) {
  return arguments.duplicates && arguments.codes.wants(Code::game_duplicate);
}
bool wants_keys(const ValidateArguments& arguments) {
  const Format format = arguments.common.format;
  return wants_duplicates(arguments) ||
         (arguments.games && (format == Format::jsonl || format == Format::csv));
}

void find_keys(ValidateJob& job, bool lines) {
  job.keys.clear();
  job.lines.clear();
  GameKeys keys(job.slab, job.batch);
  Locator locator(job.slab);
  for (const GameRecord& game : job.batch.games) {
    job.keys.push_back(keys.of(game));
    if (lines) job.lines.push_back(locator.locate(game.text.begin).line);
  }
}

// One run: what its workers make of a slab, and the order of things.
class ValidateRun {
 public:
  ValidateRun(const ValidateArguments& arguments, const GameRun& run, Backend& backend)
      : arguments_(arguments),
        is_pgn_(arguments.common.format == Format::pgn),
        writer_(arguments),
        games_(arguments, run, backend),
        most_(arguments.max_errors ? arguments.max_errors : kNoLimit) {
    if (wants_duplicates(arguments)) {
      const std::uint64_t budget = arguments.common.backend.memory_bytes;
      duplicates_.emplace(budget ? budget : kDuplicatesBytes);
    }
    if (!arguments.report.empty()) report_.emplace(arguments);
  }

  // On the worker threads: everything about a judged slab.
  void work(ValidateJob& job) const {
    if (is_pgn_) ValidatePgn::find_left_out(job);
    arguments_.codes.apply(job.findings);
    if (wants_keys(arguments_)) find_keys(job, wants_duplicates(arguments_));
    if (report_) count_kinds(job, job.batch.games.size(), arguments_.rules);
    write(job, kNoLimit);
  }

  // In order. False when the errors that were asked for are all told.
  bool count(ValidateJob& job) {
    if (duplicates_ && duplicates_->find(job)) write(job, kNoLimit);
    const std::uint64_t left = most_ - writer_.counted_errors(totals_);
    const bool last = writer_.counted_errors(job.totals) >= left;
    if (last) write(job, left);
    totals_.add(job.totals);
    if (report_) {
      if (last) count_kinds(job, job.totals.games, arguments_.rules);
      report_->add(job);
    }
    return !last;
  }

  // Everything is counted and written.
  void finish(const RunStatus& status) {
    if (report_) report_->write(totals_, status);
  }

  const ValidateTotals& totals() const { return totals_; }
  std::string header() const { return writer_.header(); }
  std::string summary() const {
    std::string out;
    writer_.write_summary(out, totals_);
    return out;
  }

 private:
  void write(ValidateJob& job, std::uint64_t errors_left) const {
    job.data.clear();
    job.messages.clear();
    job.totals = ValidateTotals{};
    job.totals.files = job.slab.starts_file ? 1 : 0;
    writer_.write_job(is_pgn_ ? job.messages : job.data, job, errors_left, job.totals);
    if (is_pgn_) job.totals.written = games_.write(job, job.totals.games);
  }

  const ValidateArguments& arguments_;
  bool is_pgn_;
  ValidateWriter writer_;
  ValidatePgn games_;
  std::uint64_t most_;
  ValidateTotals totals_;
  std::optional<Duplicates> duplicates_;
  std::optional<ValidateReport> report_;
};

}  // namespace

void run_validate(const ValidateArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  const GameRun run{arguments.rules, arguments.chess960, chosen.threads, arguments.common.habits};
  ValidateRun validate(arguments, run, *chosen.backend);
  output.write(validate.header());
  InputFiles files(arguments.files, InputKind::games, chosen.threads);
  PgnSlabs slabs(files, arguments.batch_bytes, arguments.common.format == Format::pgn);
  run_games<ValidateJob>(
      run, slabs, *chosen.backend, output, status, [&](ValidateJob& job) { validate.work(job); },
      [&](ValidateJob& job) {
        if (!validate.count(job)) slabs.stop();
        return validate.totals().games;
      });
  if (arguments.common.format == Format::pgn) {
    output.flush();
    say(validate.summary());
  } else {
    output.write(validate.summary());
  }
  const ValidateTotals& totals = validate.totals();
  if (totals.errors || (arguments.strict && totals.warnings)) status.raise(ExitStatus::findings);
  output.commit();
  validate.finish(status);
}

}  // namespace cuarbiter
