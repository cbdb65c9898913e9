#include "kernels/algo/perft_split.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "host/rules/movegen.hpp"
#include "kernels/ops/rows.hpp"

namespace cuarbiter {
namespace {

void append(PerftRowList& rows, const Position& position, std::uint32_t root,
            const Uint128& multiplicity) {
  rows.positions.push_back(position);
  rows.roots.push_back(root);
  rows.multiplicities.push_back(multiplicity);
}

PerftRowList expanded(const PerftRowList& rows) {
  PerftRowList children;
  for (std::size_t i = 0; i < rows.positions.size(); ++i) {
    for_each_child(rows.positions[i], [&](const Position& child) {
      append(children, child, rows.roots[i], rows.multiplicities[i]);
    });
  }
  return children;
}

// The same rows with equal ones added up, ordered by root and planes.
PerftRowList merged(const PerftRowList& rows) {
  const auto key = [&](std::size_t i) {
    const Position& p = rows.positions[i];
    return std::make_tuple(rows.roots[i], p.a, p.b, p.c, p.d);
  };
  std::vector<std::size_t> order(rows.positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t x, std::size_t y) { return key(x) < key(y); });
  PerftRowList out;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    if (k != 0 && key(i) == key(order[k - 1])) {
      Uint128& sum = out.multiplicities.back();
      sum = saturated_sum(sum, rows.multiplicities[i]);
    } else {
      append(out, rows.positions[i], rows.roots[i], rows.multiplicities[i]);
    }
  }
  return out;
}

}  // namespace

PerftSplit split_perft(const PerftRows& start, unsigned depth, bool merge, unsigned workers) {
  constexpr std::size_t kRowsPerWorker = 256;
  PerftRowList rows;
  rows.positions.assign(start.positions.begin(), start.positions.end());
  rows.roots.resize(start.size());
  rows.multiplicities.resize(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    rows.roots[i] = start.root(i);
    rows.multiplicities[i] = start.multiplicity(i);
  }
  // The last three plies are too small to be worth a split.
  while (workers > 1 && depth > 3 && !rows.positions.empty() &&
         rows.positions.size() < kRowsPerWorker * workers) {
    rows = expanded(rows);
    if (merge) rows = merged(rows);
    --depth;
  }
  PerftSplit split;
  split.depth = depth;
  split.shares.resize(workers);
  if (workers == 1) {
    split.shares.front() = std::move(rows);
    return split;
  }
  for (std::size_t i = 0; i < rows.positions.size(); ++i) {
    append(split.shares[i % workers], rows.positions[i], rows.roots[i], rows.multiplicities[i]);
  }
  return split;
}

}  // namespace cuarbiter
