// Facts of position i: legal moves, checkers, draws by material (FIDE 5.1.1, 5.2.1, 5.2.2).
#pragma once

#include <cstdint>

#include "host/rules/game_state.hpp"

CUARBITER_RULES_BEGIN

// One call a position.
struct ClassifyOp {
  const Position* positions;
  PositionFacts* facts;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    facts[i] = position_facts(positions[i]);
  }
};

CUARBITER_RULES_END
