// validate --duplicates: games that have been seen before in the run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/validate_job.hpp"
#include "host/io/key_store.hpp"

namespace cuarbiter {

// The memory for keys without --memory.
inline constexpr std::uint64_t kDuplicatesBytes = std::uint64_t{128} << 20;

// What is said of a game that was first seen in a file of that name.
std::string duplicate_message(const std::string& file_name, const SeenAt& first);

// Not thread-safe. Exact whatever the budget, and told at once: what is found does not depend on
// it.
class Duplicates {
 public:
  explicit Duplicates(std::uint64_t budget_bytes) : store_(budget_bytes) {}

  // Takes the games of the job that comes next in the order of the text, with their keys and lines.
  // Adds a finding at the beginning of each that has been seen before; true when there is one.
  // Games without moves are passed over: there is nothing by which to tell them apart. Throws
  // IoError.
  bool find(ValidateJob& job);

 private:
  KeyStore store_;
  std::vector<std::string> names_;  // of the files, by number
};

}  // namespace cuarbiter
