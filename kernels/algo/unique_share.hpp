// How several workers share the distinct positions of a ply: by the keys of the positions.
#pragma once

namespace cuarbiter {

// Part `index` of `count` parts of the range of keys. The parts are disjoint, complete and about
// equally large; which of them a position belongs to depends on nothing but the position.
struct UniqueShare {
  unsigned index = 0;
  unsigned count = 1;  // at least 1
};

}  // namespace cuarbiter
