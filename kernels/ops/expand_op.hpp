// Writes the children of row i, one after the other, from a given offset on.
#pragma once

#include <cstdint>

#include "host/rules/movegen.hpp"
#include "kernels/ops/rows.hpp"

CUARBITER_RULES_BEGIN

// Writes the children of `p` from `out` on and returns the end. There are as many as p has legal
// moves.
CUARBITER_HD_INLINE Position* write_children(const Position& p, Position* out) {
  for_each_child(p, [&out](const Position& child) { *out++ = child; });
  return out;
}

// One call a parent: children with their root and multiplicity. The children of parent i are the
// rows ends[i - 1] .. ends[i] less `base`, those of parent 0 begin at row 0. `ends` is (a part of)
// an inclusive scan of the counts, and `base` what precedes that part: the pointers may be those of
// a chunk.
struct ExpandOp {
  RowView parents;
  const std::uint64_t* ends;
  std::uint64_t base;
  RowView children;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1] - base;
    const std::uint64_t end = ends[i] - base;
    const Position parent = parents.positions[i];
    write_children(parent, children.positions + begin);
    const std::uint32_t root = parents.roots[i];
    const Uint128 multiplicity = parents.multiplicities[i];
    for (std::uint64_t k = begin; k < end; ++k) {
      children.roots[k] = root;
      children.multiplicities[k] = multiplicity;
    }
  }
};

// The same for the last level, whose rows need nothing but the position.
struct ExpandPositionsOp {
  const Position* parents;
  const std::uint64_t* ends;
  std::uint64_t base;
  Position* children;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1] - base;
    const Position parent = parents[i];
    write_children(parent, children + begin);
  }
};

CUARBITER_RULES_END
