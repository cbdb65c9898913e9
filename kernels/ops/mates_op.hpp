// Whether a side can mate, as far as guided play finds it out (host/play): one half of what a dead
// position (FIDE 5.2.2) and a fallen flag (6.9) ask.
#pragma once

#include <cstdint>

#include "host/play/guided_play.hpp"

CUARBITER_RULES_BEGIN

// One call a question: those of position i are 2 i, the side to move, and 2 i + 1, the other one.
struct MatesOp {
  const Position* positions;
  const std::uint8_t* sides;  // SideBits: what is asked of each position
  std::uint8_t* found;        // one a question: 1 where a line was found

  CUARBITER_HD_INLINE void operator()(std::uint64_t question) const {
    const std::uint64_t i = question / 2;
    const bool us = question % 2 == 0;
    GuidedPlay play;
    found[question] =
        (sides[i] & (us ? kSideUs : kSideThem)) && play.find(positions[i], us, kGuidedRounds) ? 1
                                                                                              : 0;
  }
};

CUARBITER_RULES_END
