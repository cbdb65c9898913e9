// The statistics of the legal moves of row i, a column apart for each kind of move.
#pragma once

#include <cstdint>

#include "host/rules/leaf_stats.hpp"

CUARBITER_RULES_BEGIN

// One call a position. Column c of position i is counts[c * stride + i].
struct LeafStatsOp {
  const Position* positions;
  std::uint16_t* counts;
  std::uint64_t stride;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const LeafStats stats = leaf_stats(positions[i]);
    for (unsigned c = 0; c < kLeafColumns; ++c) counts[c * stride + i] = stats.count[c];
  }
};

CUARBITER_RULES_END
