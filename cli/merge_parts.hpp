// What becomes of the parts of a command's runs: one taker a command.
#pragma once

#include <memory>
#include <string>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "host/batch/run_file.hpp"

namespace cuarbiter {

// Takes the records of all parts of one run, part after part in the order of the shards.
class PartTaker {
 public:
  virtual ~PartTaker() = default;
  // A part begins.
  virtual void begin_part(const std::string& file) = 0;
  // One record, a JSON object. Throws IoError when it cannot be one of this run's.
  virtual void take(const std::string& record) = 0;
  // All parts have been taken: writes what the whole run would have written.
  virtual void finish(Output& output) = 0;
  // The output is complete.
  virtual void write_report() {}
};

// Adds up the counts of perft's parts; text, jsonl or csv.
std::unique_ptr<PartTaker> merge_perft(const RunIdentity& identity, Format format);
// Writes the records of validate's parts as they come: text, jsonl or csv, or the games that parts
// of --format pgn hold, with the rest on standard error. Raises `status` as the whole run would
// have. `report`: the file for the page that --report asks for; empty for none.
std::unique_ptr<PartTaker> merge_validate(const RunIdentity& identity,
                                          const CommonArguments& common, const std::string& report,
                                          Output& output, RunStatus& status);

}  // namespace cuarbiter
