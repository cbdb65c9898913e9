// The validate command: PGN archives checked game by game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/code_filter.hpp"
#include "cli/exit_status.hpp"
#include "cli/long_run.hpp"
#include "host/batch/rules_profile.hpp"

namespace cuarbiter {

// Which games --format pgn writes. Faulty are those with an error, with --strict those with a
// problem; with --fix, those that still have one when they are repaired.
enum class Keep { all, good, faulty };

// The arguments of validate as meant.
struct ValidateArguments {
  CommonArguments common;          // format: text, jsonl, csv or pgn; jsonl for a part
  std::vector<std::string> files;  // at least one; "-" is standard input
  bool games = false;              // one record a game too
  bool strict = false;             // warnings count as findings
  CodeFilter codes;                // what is reported and counted
  std::uint64_t max_errors = 0;    // stop after so many errors (with strict, problems); 0: never
  bool pgn = false;                // write games in export format
  Keep keep = Keep::all;
  bool duplicates = false;      // look for games seen before
  std::string report;           // file for the HTML page, which merge makes of parts; empty: none
  bool fix = false;             // repair what has one right answer
  bool chess960 = false;        // read castling in ambiguous FENs as Chess960
  RulesProfile rules;           // --move-limit applied
  std::size_t batch_bytes = 0;  // text a batch, in bytes; 0: the default
  LongRunArguments long_run;

  bool wants_duplicates() const { return duplicates && codes.wants(Code::game_duplicate); }
};

// Throws UsageError where --report names no file, or that of -o.
void check_report(const std::string& report, const CommonArguments& common);

// Runs it: data to the output, diagnostics to standard error, findings and files that cannot be
// read to `status`. Throws IoError when the output cannot be written, BackendError.
void run_validate(const ValidateArguments& arguments, RunStatus& status);
// The same with checkpoints or for one shard.
void run_validate_long(const ValidateArguments& arguments, RunStatus& status);

}  // namespace cuarbiter
