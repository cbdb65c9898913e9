// Flags of long runs.
#include "cli/long_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "cli/arguments.hpp"
#include "host/batch/checkpoint.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {

void add_long_run_options(CLI::App& command, LongRunTyped& typed) {
  const std::string group = "Long runs";
  command
      .add_option("--shard", typed.shard,
                  "do part I of N (from 1) and write a part for \"cuarbiter merge\"; slurm: what "
                  "this task of a job is")
      ->type_name("I/N|slurm")
      ->group(group);
  command
      .add_option("--checkpoint", typed.checkpoint,
                  "save the state of the run here; SIGINT and SIGTERM then stop it with status 75")
      ->type_name("FILE")
      ->group(group);
  command.add_flag("--resume", typed.resume, "go on from the checkpoint, if there is one")
      ->group(group);
}

LongRunArguments meant(const LongRunTyped& typed) {
  LongRunArguments arguments;
  if (typed.shard == "slurm") {
    try {
      arguments.shard = slurm_shard([](const char* name) { return std::getenv(name); });
    } catch (const ShardError& error) {
      throw UsageError(fmt::format("--shard slurm: {}", error.what()));
    }
  } else if (!typed.shard.empty()) {
    arguments.shard = parse_shard(typed.shard);
    if (!arguments.shard) {
      throw UsageError(fmt::format("--shard: \"{}\" is no part I/N with I from 1 to N, nor slurm",
                                   visible(typed.shard)));
    }
  }
  if (typed.resume && typed.checkpoint.empty()) {
    throw UsageError("--resume goes with --checkpoint FILE");
  }
  arguments.checkpoint = typed.checkpoint;
  arguments.resume = typed.resume;
  return arguments;
}

std::optional<std::vector<std::string>> resumed_records(const LongRunArguments& arguments,
                                                        const RunIdentity& identity) {
  if (arguments.checkpoint.empty()) return std::nullopt;
  if (!arguments.resume) {
    if (::access(arguments.checkpoint.c_str(), F_OK) == 0) {
      throw UsageError(fmt::format("{}: the file exists; --resume goes on from it",
                                   visible(arguments.checkpoint)));
    }
    return std::nullopt;
  }
  try {
    return load_checkpoint(arguments.checkpoint, identity);
  } catch (const CheckpointMismatch& error) {
    throw UsageError(error.what());
  }
}

}  // namespace cuarbiter
