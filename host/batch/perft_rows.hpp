// What a perft starts from: positions, each with its root and the number of paths that lead to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "host/batch/uint128.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

// Rows in host memory, owned by the caller. The roots ascend and are indices into the totals; a
// row adds multiplicity times the paths below it to the total of its root. Without roots row i is
// root i, without multiplicities each row counts once; otherwise all three have the same length.
struct PerftRows {
  std::span<const Position> positions;
  std::span<const std::uint32_t> roots = {};
  std::span<const Uint128> multiplicities = {};

  std::size_t size() const { return positions.size(); }
  std::uint32_t root(std::size_t row) const {
    return roots.empty() ? static_cast<std::uint32_t>(row) : roots[row];
  }
  Uint128 multiplicity(std::size_t row) const {
    return multiplicities.empty() ? Uint128{1, 0} : multiplicities[row];
  }
};

}  // namespace cuarbiter
