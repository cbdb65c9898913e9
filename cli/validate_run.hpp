// One run of validate: what its workers make of a slab, and what becomes of the slabs in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/validate_command.hpp"
#include "cli/validate_duplicates.hpp"
#include "cli/validate_job.hpp"
#include "cli/validate_pgn.hpp"
#include "cli/validate_report.hpp"
#include "cli/validate_writer.hpp"

namespace cuarbiter {

// Keeps references.
class ValidateRun {
 public:
  ValidateRun(const ValidateArguments& arguments, const GameRun& run, Backend& backend);

  // On the worker threads: everything about a judged slab.
  void work(ValidateJob& job) const;
  // In order. False when the errors that were asked for are all told.
  bool count(ValidateJob& job);
  // Everything is counted and written.
  void finish(const RunStatus& status);

  const ValidateTotals& totals() const { return totals_; }
  // Of an earlier process of the same run.
  void restore(const ValidateTotals& totals) { totals_ = totals; }
  std::string header() const { return writer_.header(); }
  std::string summary() const;
  // True when the totals are findings.
  bool has_findings() const {
    return totals_.errors != 0 || (arguments_.strict && totals_.warnings != 0);
  }

 private:
  void write(ValidateJob& job, std::uint64_t errors_left) const;
  void write_part(ValidateJob& job) const;

  const ValidateArguments& arguments_;
  ValidateWriter writer_;
  ValidatePgn games_;
  std::uint64_t most_;
  ValidateTotals totals_;
  std::optional<Duplicates> duplicates_;
  std::optional<ValidateReport> report_;
};

}  // namespace cuarbiter
