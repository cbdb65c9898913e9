// Which sides can never mate, as far as forced lines of play show it (FIDE 5.2.2, 6.9): the other
// half of what MatesOp asks.
#pragma once

#include <cstdint>

#include "host/rules/forced_lines.hpp"

CUARBITER_RULES_BEGIN

// One call a position; sides[i] are SideBits, asked before and ruled out after.
struct RuleOutOp {
  const Position* positions;
  std::uint8_t* sides;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    sides[i] = forced_lines_exclude(positions[i], sides[i]);
  }
};

CUARBITER_RULES_END
