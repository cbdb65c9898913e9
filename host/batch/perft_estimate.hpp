// How large a perft will be, roughly and soon: for progress only, never for an answer.
#pragma once

#include <span>

#include "host/rules/position.hpp"

namespace cuarbiter {

// An estimate of the number of move paths of `depth` plies from all roots together, by `walks`
// random games in all (at least one a root), whose numbers of moves are multiplied (Knuth, 1975).
// The same for every call. Its error falls with the root of the walks: some per cent for 4,096 of
// them at depth 8.
double estimate_perft(std::span<const Position> roots, unsigned depth, unsigned walks);

}  // namespace cuarbiter
