// Repetitions (FIDE 9.2) in the games that positions were played in: first how often each has stood
// on the board, then, where one before it has come again, whether one can come for the third time.
#pragma once

#include <cstdint>

#include "host/rules/repetition.hpp"

CUARBITER_RULES_BEGIN

// Positions in the order of play, one game after the other.
struct RepetitionView {
  const Position* positions;
  const std::uint32_t* reach;  // as Backend::repetitions has it
  RepetitionFacts* facts;      // one a position

  CUARBITER_HD_INLINE std::uint32_t reach_of(std::uint64_t i) const {
    return reach[i] < kRepetitionReach ? reach[i] : kRepetitionReach;
  }
};

// One call a position.
struct RepetitionsOp {
  RepetitionView view;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const std::uint32_t before = times_before(view.positions + i, view.reach_of(i));
    view.facts[i].times = static_cast<std::uint16_t>(before + 1);
  }
};

// The same, once the positions before have been counted.
struct ThirdTimeOp {
  RepetitionView view;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const RepetitionFacts* const here = view.facts + i;
    const bool ahead =
        third_time_ahead(view.positions + i, view.reach_of(i),
                         [here](std::uint32_t back) { return (here - back)->times >= 2; });
    view.facts[i].third_time_ahead = ahead ? 1 : 0;
  }
};

CUARBITER_RULES_END
