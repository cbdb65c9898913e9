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

void write_slab(const ValidateWriter& writer, ValidateJob& job) {
  job.totals = ValidateTotals{};
  writer.write_slab(job.data, job.slab, job.file, job.batch, job.findings, job.first_game,
                    job.totals);
  job.totals.bytes = job.slab.size;
  for (const Elision& e : job.slab.elisions) job.totals.bytes += e.bytes;
  if (job.slab.starts_file) {
    job.totals.files = 1;
    if (job.slab.byte_order_mark) job.totals.bytes += 3;
  }
}

}  // namespace

void run_validate(const ValidateArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  const ValidateWriter writer(arguments);
  output.write(writer.header());
  InputFiles files(arguments.files, InputKind::games);
  PgnSlabs slabs(files, arguments.batch_bytes);
  const GameRun run{arguments.rules, arguments.chess960, chosen.threads, arguments.common.habits};
  ValidateTotals totals;
  run_games<ValidateJob>(
      run, slabs, *chosen.backend, output, status,
      [&](ValidateJob& job) { write_slab(writer, job); },
      [&](const ValidateJob& job) {
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
