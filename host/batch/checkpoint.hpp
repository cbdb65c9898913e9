// The state of a run on disk: written so that a kill at any moment leaves either the old state or
// the new one, and read back only by the run it belongs to.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/batch/run_file.hpp"

namespace cuarbiter {

// The checkpoint is of another run: the message says in what they differ.
class CheckpointMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Writes the records (JSON objects without line ends) under `path`: to a temporary file beside it,
// flushed to the disk, then renamed. Throws IoError.
void save_checkpoint(const std::string& path, const RunIdentity& identity,
                     const std::vector<std::string>& records);

// The records of the checkpoint of this run; nothing when there is no such file. Throws IoError
// when it cannot be read or is damaged, CheckpointMismatch when it is of another run or shard.
std::optional<std::vector<std::string>> load_checkpoint(const std::string& path,
                                                        const RunIdentity& identity);

}  // namespace cuarbiter
