// What validate tells: problems, game records and the summary, as text, JSON Lines or CSV. With
// --format pgn it is text for standard error.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cli/validate_command.hpp"
#include "cli/validate_job.hpp"

namespace cuarbiter {

class ValidateWriter {
 public:
  explicit ValidateWriter(const ValidateArguments& arguments) : arguments_(arguments) {}

  // What comes before the first record; empty but for CSV.
  std::string header() const;

  // Called when everything about the frames that begin before a slab position is written.
  using FramesDone = std::function<void(std::uint32_t)>;

  // Appends everything about the games of one judged job. Its totals get games, plies, bytes and
  // findings. Stops after `errors_left` errors (with --strict, problems), if there are so many:
  // totals are then those of the text up to the last of them.
  void write_job(std::string& out, const ValidateJob& job, std::uint64_t errors_left,
                 ValidateTotals& totals, const FramesDone& frames_done = {}) const;
  // What counts against --max-errors.
  std::uint64_t counted_errors(const ValidateTotals& totals) const {
    return totals.errors + (arguments_.strict ? totals.warnings : 0);
  }

  // Appends the summary of the run; nothing for CSV, and for PGN with --quiet.
  void write_summary(std::string& out, const ValidateTotals& totals) const;

 private:
  struct Context;

  // For standard error and --quiet: nothing but errors.
  bool quiet() const {
    return arguments_.common.format == Format::pgn && arguments_.common.habits.quiet;
  }

  void write_finding(std::string& out, const Context& context, const Finding& finding,
                     const Location& where) const;
  void write_game(std::string& out, const Context& context, std::uint32_t game,
                  const Location& where, std::uint64_t problems) const;
  void write_players(std::string& out, const Context& context, std::uint32_t game) const;
  void write_key(std::string& out, const Context& context, std::uint32_t game,
                 const Location& where) const;

  const ValidateArguments& arguments_;
};

}  // namespace cuarbiter
