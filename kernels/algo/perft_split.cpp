#include "kernels/algo/perft_split.hpp"

namespace cuarbiter {

PerftSplit split_perft(const PerftRows& start, unsigned depth, bool merge, unsigned workers) {
  constexpr std::size_t kRowsPerWorker = 256;
  PerftRowList rows = row_list(start);
  // The last three plies are too small to be worth a split.
  while (workers > 1 && depth > 3 && rows.size() != 0 && rows.size() < kRowsPerWorker * workers) {
    rows = expanded_rows(rows, merge);
    --depth;
  }
  PerftSplit split;
  split.depth = depth;
  split.shares.resize(workers);
  if (workers == 1) {
    split.shares.front() = std::move(rows);
    return split;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    split.shares[i % workers].append(rows.positions[i], rows.roots[i], rows.multiplicities[i]);
  }
  return split;
}

}  // namespace cuarbiter
