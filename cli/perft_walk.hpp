// Two perfts compared: from a position whose counts differ down to the first move list that does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/perft_roots.hpp"
#include "cli/uci_engine.hpp"

namespace cuarbiter {

// What the comparison of one root has shown.
struct PerftComparison {
  bool equal = true;
  Uint128 nodes{};         // at the root, ours
  Uint128 engine_nodes{};  // the sum of the counts that the engine lists there
  // Where they part, when they are not equal:
  std::vector<std::string> path;     // UCI moves from the root
  std::string position;              // the FEN reached
  std::vector<std::string> missing;  // legal moves that the engine does not list, sorted
  std::vector<std::string> extra;    // listed but not legal, or listed once more, sorted
  // The move lists agree everywhere, or the difference cannot be seen from this FEN alone: why.
  std::string remark;
};

// Compares the counts of `depth` plies (at least 1) below `root`, move by move. Where they differ
// the search goes into the first move, in the order of their UCI text, whose counts differ, until
// the move lists do. The engine is told the root and the moves, so that what it keeps from move to
// move is tested as well. Throws EngineError, BackendError.
PerftComparison compare_perft(PerftCounter& counter, UciEngine& engine, const PerftRoot& root,
                              unsigned depth);

}  // namespace cuarbiter
