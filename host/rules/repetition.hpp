// Repetition (FIDE 9.2, 9.6.1): how often a position has stood on the board, and whether one can
// stand there for the third time with the next move (9.2.1). Positions of a game lie in an array in
// the order of play; `reach` is how many of those before a position may equal it: all since the
// last capture or pawn move, or since the game's start.
#pragma once

#include <cstdint>

#include "host/rules/successor.hpp"

namespace cuarbiter {

// Repetitions are looked for over so many plies: without a bound an endless shuffle would take time
// by the square of its length. The seventy-five-move rule ends such play after 150.
inline constexpr std::uint32_t kRepetitionReach = 1024;

struct RepetitionFacts {
  std::uint16_t times = 0;            // the position has stood on the board, this time included
  std::uint8_t third_time_ahead = 0;  // 1: some legal move makes a position stand the third time
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

// How often *p stood among the `reach` positions before it. One move of either side brings no
// position back: it comes again after four plies at the earliest.
CUARBITER_HD_INLINE std::uint32_t times_before(const Position* p, std::uint32_t reach) {
  const Position now = *p;
  std::uint32_t found = 0;
  for (std::uint32_t back = 4; back <= reach; back += 2) {
    found += same_position(*(p - back), now) ? 1 : 0;
  }
  return found;
}

// True when some legal move from *p leads to a position that stood twice among the `reach`
// positions before *p. repeats(back) may be false only where the position so many plies back had
// not stood before. One king a side.
template <class Repeats>
CUARBITER_HD_INLINE bool third_time_ahead(const Position* p, std::uint32_t reach,
                                          Repeats&& repeats) {
  for (std::uint32_t back = 3; back + 4 <= reach; back += 2) {
    const Position* const second = p - back;
    if (repeats(back) && one_move_leads(*p, *second) && times_before(second, reach - back) != 0) {
      return true;
    }
  }
  return false;
}

CUARBITER_RULES_END
