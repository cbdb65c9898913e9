// The small operations of perft between counting and expanding: choosing a chunk, adding up the
// leaf nodes of a parent, adding to the totals of the roots.
#pragma once

#include <cstdint>

#include "host/rules/target.hpp"
#include "kernels/ops/rows.hpp"

namespace cuarbiter {

// A run of parents and what their children take.
struct PerftChunk {
  std::uint64_t end = 0;       // the parent after the last of the run
  std::uint64_t children = 0;  // of the run
  std::uint64_t next = 0;      // children of the parent at `end`, 0 when there is none
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

// Finds the longest run of at most `max_parents` parents from `first` on with at most
// `max_children` children in all. To be called once, with index 0. `ends` is the inclusive scan of
// the children, `base` those before `first`.
struct FindChunkOp {
  const std::uint64_t* ends;
  std::uint64_t first, size, base;
  std::uint64_t max_parents, max_children;
  PerftChunk* out;

  CUARBITER_HD_INLINE void operator()(std::uint64_t) const {
    std::uint64_t low = first;
    std::uint64_t high = size - first < max_parents ? size : first + max_parents;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (ends[middle] - base <= max_children) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const std::uint64_t end = low == first ? base : ends[low - 1];
    out->end = low;
    out->children = end - base;
    out->next = low == size ? 0 : ends[low] - end;
  }
};

// The leaf nodes below parent i: the sum of its children's counts, times its multiplicity.
// Pointers as in ExpandOp.
struct LeafSumOp {
  const std::uint64_t* ends;
  std::uint64_t base;
  const std::uint16_t* counts;
  const Uint128* multiplicities;
  Uint128* sums;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const std::uint64_t end = ends[i] - base;
    std::uint64_t sum = 0;
    for (std::uint64_t k = i == 0 ? 0 : ends[i - 1] - base; k < end; ++k) sum += counts[k];
    sums[i] = saturated_product(multiplicities[i], sum);
  }
};

// The same for parents that are the roots themselves: row i has counts[i] leaf nodes.
struct RootSumOp {
  const std::uint16_t* counts;
  const Uint128* multiplicities;
  Uint128* sums;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    sums[i] = saturated_product(multiplicities[i], counts[i]);
  }
};

// Adds sum i to the total of its root. The roots are all different.
struct AddTotalsOp {
  const std::uint32_t* roots;
  const Uint128* sums;
  Uint128* totals;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    Uint128& total = totals[roots[i]];
    total = saturated_sum(total, sums[i]);
  }
};

CUARBITER_RULES_END
