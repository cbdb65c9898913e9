// A perft in pieces: with a checkpoint between them, or only those of one shard.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/perft_command.hpp"
#include "host/backend.hpp"
#include "host/batch/run_file.hpp"

namespace cuarbiter {

// Roots of one depth, and their counts.
struct PerftTask {
  unsigned depth = 0;
  std::vector<Position> roots;
  std::vector<Uint128> nodes;
};

// Counts all tasks, or the part of them that is identity.shard, filling in their nodes. The roots
// are expanded on the host to a shallow level of merged rows in a fixed order; the backend gets
// ranges of them, long enough to take some seconds each. Between two ranges the state is saved
// where the arguments name a checkpoint. False when a signal has stopped the run at a checkpoint.
// The counts do not depend on where the ranges end. Throws BackendError, IoError, UsageError.
bool count_in_pieces(Backend& backend, const PerftArguments& arguments, const RunIdentity& identity,
                     std::vector<PerftTask>& tasks);

}  // namespace cuarbiter
