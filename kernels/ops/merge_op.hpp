// Exact merging of equal rows: the row operations around a sort by a key.
//
// Equal rows (same root, same planes) have equal keys, so a sort brings them together; neighbours
// are compared in full. Two different rows with one key can at worst keep equal ones apart, which
// costs time and changes no count. The first row of a run in the level's own order receives the
// sum of the run; the others are dropped, the order stays.
#pragma once

#include <cstdint>

#include "host/rules/position.hpp"
#include "kernels/ops/rows.hpp"

CUARBITER_RULES_BEGIN

// 1: the key of each row, the upper bits of a mix of 64, and the identity permutation.
struct MergeKeyOp {
  RowView rows;
  int dropped;  // bits, 0..63
  std::uint64_t* keys;
  std::uint32_t* order;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    keys[i] = (position_mix(rows.positions[i]) + rows.roots[i] * 0x9FB21C651E98DF25u) >> dropped;
    order[i] = static_cast<std::uint32_t>(i);
  }
};

// 2: after the (stable) sort of `order`: 1 where a run of equal rows begins.
struct MergeHeadOp {
  RowView rows;
  const std::uint32_t* order;
  std::uint64_t* heads;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    if (i == 0) {
      heads[0] = 1;
      return;
    }
    const std::uint32_t x = order[i];
    const std::uint32_t y = order[i - 1];
    const bool equal =
        rows.roots[x] == rows.roots[y] && same_position(rows.positions[x], rows.positions[y]);
    heads[i] = equal ? 0 : 1;
  }
};

// 3: adds each run up in its first row; keep[r] is 1 for the rows that stay.
struct MergeSumOp {
  RowView rows;
  const std::uint32_t* order;
  const std::uint64_t* heads;
  std::uint64_t size;
  std::uint64_t* keep;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const std::uint32_t row = order[i];
    keep[row] = heads[i];
    if (!heads[i] || i + 1 == size || heads[i + 1]) return;
    Uint128 sum = rows.multiplicities[row];
    for (std::uint64_t k = i + 1; k < size && !heads[k]; ++k) {
      sum = saturated_sum(sum, rows.multiplicities[order[k]]);
    }
    rows.multiplicities[row] = sum;
  }
};

// 4: after an inclusive scan of `keep`: moves the rows that stay together.
struct MergeCompactOp {
  RowView rows;
  const std::uint64_t* kept;
  RowView out;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const std::uint64_t before = i == 0 ? 0 : kept[i - 1];
    if (kept[i] == before) return;
    out.positions[before] = rows.positions[i];
    out.roots[before] = rows.roots[i];
    out.multiplicities[before] = rows.multiplicities[i];
  }
};

CUARBITER_RULES_END
