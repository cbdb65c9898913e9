// Splits a perft among several workers, without an execution space: on the host, a few thousand
// rows at most.
#pragma once

#include <vector>

#include "host/batch/perft_frontier.hpp"

namespace cuarbiter {

// One list of rows a worker, and the plies that remain below them: the sums of all lists together
// are those of the rows at `depth`. Few rows are expanded (and equal rows merged when `merge`)
// until there are enough rows to share. `workers` is at least 1.
struct PerftSplit {
  std::vector<PerftRowList> shares;
  unsigned depth = 0;
};
PerftSplit split_perft(const PerftRows& start, unsigned depth, bool merge, unsigned workers);

}  // namespace cuarbiter
