// The statistics of a perft: how many of its leaf moves are of which kind.
#pragma once

#include "host/batch/uint128.hpp"
#include "host/rules/leaf_stats.hpp"

namespace cuarbiter {

// Sums by LeafColumn. An aggregate like Uint128: `PerftStats{}` is zero.
struct PerftStats {
  Uint128 count[kLeafColumns];

  const Uint128& operator[](LeafColumn column) const { return count[column]; }
  Uint128& operator[](LeafColumn column) { return count[column]; }

  PerftStats& operator+=(const PerftStats& other) {
    for (unsigned c = 0; c < kLeafColumns; ++c) count[c] += other.count[c];
    return *this;
  }
  friend bool operator==(const PerftStats& a, const PerftStats& b) {
    for (unsigned c = 0; c < kLeafColumns; ++c) {
      if (!(a.count[c] == b.count[c])) return false;
    }
    return true;
  }
};

}  // namespace cuarbiter
