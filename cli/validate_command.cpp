// The validate command: what run_games makes of each slab, written down and added up.
#include "cli/validate_command.hpp"

#include "cli/backend_choice.hpp"
#include "cli/game_run.hpp"
#include "cli/output.hpp"
#include "cli/validate_pgn.hpp"
#include "cli/validate_writer.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

struct ValidateJob : GameJob {
  ValidateTotals totals;
};

// One run: what its workers make of a slab, and the order of things.
class ValidateRun {
 public:
  ValidateRun(const ValidateArguments& arguments, const GameRun& run, Backend& backend)
      : arguments_(arguments),
        is_pgn_(arguments.common.format == Format::pgn),
        writer_(arguments),
        games_(arguments, run, backend),
        most_(arguments.max_errors ? arguments.max_errors : kNoLimit) {}

  // On the worker threads: everything about a judged slab.
  void work(ValidateJob& job) const {
    if (is_pgn_) ValidatePgn::find_left_out(job);
    arguments_.codes.apply(job.findings);
    write(job, kNoLimit);
  }

  // In order. False when the errors that were asked for are all told.
  bool count(ValidateJob& job) {
    const std::uint64_t left = most_ - writer_.counted_errors(totals_);
    const bool last = writer_.counted_errors(job.totals) >= left;
    if (last) write(job, left);
    totals_.add(job.totals);
    return !last;
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
    writer_.write_slab(is_pgn_ ? job.messages : job.data, job.slab, job.file, job.batch,
                       job.findings, job.first_game, errors_left, job.totals);
    if (is_pgn_) job.totals.written = games_.write(job, job.totals.games);
  }

  const ValidateArguments& arguments_;
  bool is_pgn_;
  ValidateWriter writer_;
  ValidatePgn games_;
  std::uint64_t most_;
  ValidateTotals totals_;
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
}

}  // namespace cuarbiter
