// How far a position seems to be from a helpmate: the order in which the search takes positions. No
// answer depends on it, only how soon one is found.
#pragma once

#include "host/proof/mobility.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

// What an estimate is made of, in units of one search's own.
struct EstimateWeights {
  int flights;  // a flight of the king to be mated
  int corner;   // a step of that king to the corner, or of either king to a goal
  int king;     // a step of the winner's king to its square beside the corner
  int check;    // no check can be given at once
  int gain;     // a step on the way to material that can mate
  int near;     // flights count when the kings' steps weigh no more than this
  int far;      // what they count as otherwise
};

struct Estimate {
  int mate = 0;  // the kings, the flights, the check
  int gain = 0;  // steps of a pawn to promotion, where the winner has no queen or rook
};

// `goals` replaces the corners where it is given.
Estimate estimate(const Position& position, bool winner_moves, const EstimateWeights& weights,
                  const MateGoals* goals);

}  // namespace cuarbiter
