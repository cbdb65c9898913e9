// The validate command: what run_games makes of each slab, written down and added up.
#include "cli/validate_command.hpp"

#include "cli/backend_choice.hpp"
#include "cli/game_run.hpp"
#include "cli/output.hpp"
#include "cli/validate_run.hpp"

namespace cuarbiter {

void run_validate(const ValidateArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  const GameRun run{arguments.rules, arguments.chess960, chosen.threads, arguments.common.habits};
  ValidateRun validate(arguments, run, *chosen.backend);
  output.write(validate.header());
  InputFiles files(arguments.files, InputKind::games, chosen.threads);
  if (run.habits.progress || run.habits.progress_json) files.sum_sizes();
  PgnSlabs slabs(files, arguments.batch_bytes, arguments.pgn);
  run_games<ValidateJob>(
      run, slabs, *chosen.backend, output, status, [&](ValidateJob& job) { validate.work(job); },
      [&](ValidateJob& job) {
        if (!validate.count(job)) slabs.stop();
        return validate.totals().games;
      });
  if (arguments.pgn) {
    output.flush();
    say(validate.summary());
  } else {
    output.write(validate.summary());
  }
  if (validate.has_findings()) status.raise(ExitStatus::findings);
  output.commit();
  validate.finish(status);
}

}  // namespace cuarbiter
