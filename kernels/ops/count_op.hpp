// The number of legal moves of row i.
#pragma once

#include <cstdint>

#include "host/rules/count.hpp"

CUARBITER_RULES_BEGIN

// One call a position; Count is an unsigned type of at least 16 bits.
template <class Count>
struct CountOp {
  const Position* positions;
  Count* counts;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    counts[i] = static_cast<Count>(count_legal_moves(positions[i]));
  }
};

CUARBITER_RULES_END
