// The flags of runs that take long: --shard, --checkpoint, --resume.
#pragma once

#include <optional>
#include <string>

#include "host/batch/run_file.hpp"
#include "host/batch/shard.hpp"

namespace CLI {
class App;
}

namespace cuarbiter {

// As typed.
struct LongRunTyped {
  std::string shard;
  std::string checkpoint;
  bool resume = false;
};

// As meant.
struct LongRunArguments {
  std::optional<Shard> shard;  // nothing: the whole, and no part is written
  std::string checkpoint;      // empty: none
  bool resume = false;

  bool any() const { return shard || !checkpoint.empty(); }
};

// Adds --shard, --checkpoint and --resume; `typed` must outlive the parsing.
void add_long_run_options(CLI::App& command, LongRunTyped& typed);

// Makes sense of them; "slurm" is looked up in the environment. Throws UsageError.
LongRunArguments meant(const LongRunTyped& typed);

// What the checkpoint of this run holds; nothing when the run starts anew: without --resume (an old
// checkpoint is then refused), or when there is no checkpoint yet. Throws UsageError for one of
// another run, IoError for one that cannot be read.
std::optional<std::vector<std::string>> resumed_records(const LongRunArguments& arguments,
                                                        const RunIdentity& identity);

}  // namespace cuarbiter
