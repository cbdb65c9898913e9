// The static proof that a side can never mate: an over-approximation of everything that can ever
// stand anywhere, which then holds no mate square.
//
// For each man the set of squares it may ever reach is grown to a least fixpoint that ignores the
// order of moves: a man passes over every square but those of men that can neither move nor be
// captured, a pawn captures wherever an enemy may ever stand, a king avoids only squares attacked
// for ever. Whatever a game can bring about is inside. FIDE 5.2.2 (dead position) is the use.
#pragma once

#include "host/rules/position.hpp"

namespace cuarbiter {

// How far two kings are from a pair of squares on which a mate is not excluded: steps of either king
// plus a charge for flights that need more men than the one that checks. For ordering a search
// only. Squares as the winner sees the board: [king to be mated][winner's king].
struct MateGoals {
  static constexpr std::uint8_t kFar = 100;
  std::uint8_t cost[64][64];
};

// True when it is proved that no series of legal moves from `position` ends with the side to move
// (`us`) or the other side (!us) giving checkmate. False proves nothing; then `goals` is filled in,
// if given. The position must have one king a side. Thread-safe; no allocation; some microseconds.
bool mobility_excludes_mate(const Position& position, bool us, MateGoals* goals = nullptr);

}  // namespace cuarbiter
