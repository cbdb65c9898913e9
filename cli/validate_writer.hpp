// What validate tells: problems, game records and the summary, as text, JSON Lines or CSV. With
// --format pgn it is text for standard error.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/validate_command.hpp"
#include "host/pgn/judge.hpp"
#include "host/pgn/slab.hpp"

namespace cuarbiter {

// What a run or a part of it adds up to.
struct ValidateTotals {
  std::uint64_t files = 0, games = 0, plies = 0, bytes = 0;
  std::uint64_t games_with_errors = 0, errors = 0, warnings = 0;
  std::uint64_t written = 0;  // games, with --format pgn
  bool stopped = false;       // before the end, after the most errors that were asked for
  std::array<std::uint64_t, kCodeCount> codes{};

  void add(const ValidateTotals& other);
};

class ValidateWriter {
 public:
  explicit ValidateWriter(const ValidateArguments& arguments) : arguments_(arguments) {}

  // What comes before the first record; empty but for CSV.
  std::string header() const;

  // Appends everything about the games of one slab. `first_game` is the number of its first game in
  // the file, from 1; `file_name` is for the text form. `totals` gets games, plies, bytes and
  // findings. Stops after `errors_left` errors (with --strict, problems), if there are so many:
  // totals are then those of the text up to the last of them.
  void write_slab(std::string& out, const Slab& slab, const std::string& file_name,
                  const GameBatch& batch, const std::vector<Finding>& findings,
                  std::uint64_t first_game, std::uint64_t errors_left,
                  ValidateTotals& totals) const;
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

  const ValidateArguments& arguments_;
};

}  // namespace cuarbiter
