// The validate command: what run_games makes of each slab, written down and added up.
#include "cli/validate_command.hpp"

#include "cli/backend_choice.hpp"
#include "cli/game_run.hpp"
#include "cli/output.hpp"
#include "cli/validate_writer.hpp"

namespace cuarbiter {
namespace {

struct ValidateJob : GameJob {
  ValidateTotals totals;
};

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

void write_slab(const ValidateWriter& writer, ValidateJob& job, std::uint64_t errors_left) {
  job.totals = ValidateTotals{};
  job.totals.files = job.slab.starts_file ? 1 : 0;
  writer.write_slab(job.data, job.slab, job.file, job.batch, job.findings, job.first_game,
                    errors_left, job.totals);
}

}  // namespace

void run_validate(const ValidateArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  const ValidateWriter writer(arguments);
  output.write(writer.header());
  InputFiles files(arguments.files, InputKind::games, chosen.threads);
  PgnSlabs slabs(files, arguments.batch_bytes);
  const GameRun run{arguments.rules, arguments.chess960, chosen.threads, arguments.common.habits};
  const std::uint64_t most = arguments.max_errors ? arguments.max_errors : kNoLimit;
  ValidateTotals totals;
  run_games<ValidateJob>(
      run, slabs, *chosen.backend, output, status,
      [&](ValidateJob& job) {
        arguments.codes.apply(job.findings);
        write_slab(writer, job, kNoLimit);
      },
      [&](ValidateJob& job) {
        const std::uint64_t left = most - writer.counted_errors(totals);
        if (writer.counted_errors(job.totals) >= left) {
          job.data.clear();
          write_slab(writer, job, left);
          slabs.stop();
        }
        totals.add(job.totals);
        return totals.games;
      });
  std::string summary;
  writer.write_summary(summary, totals);
  output.write(summary);
  if (totals.errors || (arguments.strict && totals.warnings)) status.raise(ExitStatus::findings);
  output.commit();
}

}  // namespace cuarbiter
