// Which side of position i can mate, as far as guided play finds it out (host/play): one half of
// what a dead position (FIDE 5.2.2) and a fallen flag (6.9) ask.
#pragma once

#include <cstdint>

#include "host/play/guided_play.hpp"

CUARBITER_RULES_BEGIN

// One call a position. `sides` holds the SideBits asked for and keeps those answered by a line.
struct MatesOp {
  const Position* positions;
  std::uint8_t* sides;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    unsigned found = 0;
    GuidedPlay play;
    for (unsigned side = kSideUs; side <= kSideThem; side *= 2) {
      if ((sides[i] & side) && play.find(positions[i], side == kSideUs, kGuidedRounds)) {
        found |= side;
      }
    }
    sides[i] = static_cast<std::uint8_t>(found);
  }
};

CUARBITER_RULES_END
