// validate --report: what a run is for one HTML page, collected as it goes.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "cli/exit_status.hpp"
#include "cli/validate_command.hpp"
#include "cli/validate_job.hpp"
#include "host/report/html_report.hpp"

namespace cuarbiter {

// Counts the results, ends and kinds of draws of the first `games` games of a judged job.
// Thread-safe.
void count_kinds(ValidateJob& job, std::uint64_t games, const RulesProfile& rules);

// How many positions the page shows.
inline constexpr std::size_t kMostPositions = 24;

// True for a problem of a game whose position the page may show.
inline bool is_for_report(const Finding& finding, bool strict) {
  return !finding.fen.empty() && (finding.severity == Severity::error || strict);
}

// The players' names as the page shows them: the head of a long one, "?" for none.
struct ReportPlayers {
  std::string white, black;
};
ReportPlayers players_of(const Slab& slab, const GameRecord& game);

// Not thread-safe.
class ValidateReport {
 public:
  // Throws IoError when no file can be made there. Nothing is left behind until write(). `timed`:
  // the page tells how long this has been there.
  ValidateReport(const ValidateArguments& arguments, bool timed);

  // Takes the job that comes next in the order of the text: its totals, findings and kinds.
  void add(const ValidateJob& job);

  // The same in pieces: a file begins, and more of it.
  void begin_file(const std::string& name);
  void add(const ValidateTotals& totals);
  void add(const GameKinds& kinds);
  void add_fault(const std::string& message);
  bool wants_positions() const { return report_.positions.size() < kMostPositions; }
  void add(ReportPosition position) { report_.positions.push_back(std::move(position)); }

  // Writes the page; it appears under its name only when complete. Throws IoError.
  void write(const ValidateTotals& totals, const RunStatus& status);

 private:
  void add_positions(const ValidateJob& job);

  // The row of the last file, as long as files have rows.
  ReportRow* row() { return report_.files <= report_.rows.size() ? &report_.rows.back() : nullptr; }

  const ValidateArguments& arguments_;
  bool timed_;
  std::chrono::steady_clock::time_point start_;
  ArchiveReport report_;
  std::size_t piece_ = 0;  // of the input, that the last job was about
};

}  // namespace cuarbiter
