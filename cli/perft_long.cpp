// perft in pieces: all roots first, then piece by piece with checkpoints, or one shard's pieces.
//
// A part (--shard) holds the records of a run in JSON Lines, with the counts of this shard alone.
#include <fmt/format.h>

#include "cli/output.hpp"
#include "cli/perft_batch.hpp"
#include "cli/perft_command.hpp"
#include "cli/perft_input.hpp"
#include "cli/perft_pieces.hpp"
#include "host/batch/digest.hpp"

namespace cuarbiter {
namespace {

// What is kept in memory and, for each that has a count, in every checkpoint.
constexpr std::size_t kMostRows = std::size_t{1} << 20;

const char* yes_no(bool value) {
  return value ? "yes" : "no";
}

RunIdentity identity_of(const PerftArguments& arguments, const PerftForm& form,
                        const PerftBatch& batch) {
  Digest inputs;
  for (const PerftRoot& root : batch.roots()) {
    inputs.add(root.line);
    inputs.add(root.fen);
    inputs.add(std::uint64_t{root.chess960});
  }
  RunIdentity identity;
  identity.command = "perft";
  identity.fields = {
      {"inputs", inputs.text()},       {"positions", std::to_string(batch.roots().size())},
      {"lines", yes_no(form.lines)},   {"depth", std::to_string(form.depth)},
      {"divide", yes_no(form.divide)}, {"merge", yes_no(arguments.merge)}};
  identity.shard = arguments.long_run.shard.value_or(Shard{});
  return identity;
}

}  // namespace

void run_perft_long(const PerftArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  const PerftForm form = form_of(arguments);
  PerftBatch batch(form);
  read_perft_roots(arguments, status, [&](PerftRoot root) {
    batch.add(std::move(root));
    if (batch.rows().size() > kMostRows) {
      throw UsageError(fmt::format(
          "--shard and --checkpoint take up to {} positions (with --divide, moves)", kMostRows));
    }
  });
  const RunIdentity identity = identity_of(arguments, form, batch);
  std::vector<PerftTask> tasks(1);
  tasks[0].depth = batch.depth();
  tasks[0].roots = batch.rows();
  if (!count_in_pieces(*chosen.backend, arguments, identity, tasks)) {
    status.raise(ExitStatus::stopped);
    return;
  }
  const std::string records = batch.records(tasks[0].nodes);
  if (arguments.long_run.shard) {
    RunFileWriter part;
    output.write(part.head(RunFileKind::part, identity));
    part.add(records);
    output.write(records);
    output.write(part.end());
  } else {
    output.write(PerftRecords(form).head());
    output.write(records);
  }
  output.commit();
}

}  // namespace cuarbiter
