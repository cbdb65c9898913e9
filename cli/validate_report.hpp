// validate --report: what a run is for one HTML page, collected as it goes.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "cli/exit_status.hpp"
#include "cli/validate_command.hpp"
#include "cli/validate_job.hpp"
#include "host/report/html_report.hpp"

namespace cuarbiter {

// Counts the results, ends and kinds of draws of the first `games` games of a judged job.
// Thread-safe.
void count_kinds(ValidateJob& job, std::uint64_t games, const RulesProfile& rules);

// Not thread-safe.
class ValidateReport {
 public:
  // Throws IoError when no file can be made there. Nothing is left behind until write().
  explicit ValidateReport(const ValidateArguments& arguments);

  // Takes the job that comes next in the order of the text: its totals, findings and kinds.
  void add(const ValidateJob& job);
  // Writes the page; it appears under its name only when complete. Throws IoError.
  void write(const ValidateTotals& totals, const RunStatus& status);

 private:
  void add_positions(const ValidateJob& job);

  const ValidateArguments& arguments_;
  std::chrono::steady_clock::time_point start_;
  ArchiveReport report_;
  std::string row_name_;  // of the file that the last job was about
};

}  // namespace cuarbiter
