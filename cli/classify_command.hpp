// The arguments of classify as meant.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/input_kind.hpp"
#include "cli/position_proof.hpp"
#include "host/batch/rules_profile.hpp"
#include "host/notation/fen.hpp"

namespace cuarbiter {

struct ClassifyArguments {
  CommonArguments common;          // format: text, jsonl or csv
  RulesProfile rules;              // --move-limit applied
  std::vector<std::string> files;  // at least one; "-" is standard input
  std::optional<InputKind> input;  // nothing: each file's content decides
  std::size_t batch_size = 0;      // lines, or bytes of games, a batch; 0: the default
  FenOptions fen;
  ProofArguments proof;
  bool strict = false;     // warnings count as findings
  bool every_ply = false;  // of games, not only their ends
};

}  // namespace cuarbiter
