// What a perft starts from, as the execution spaces take it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "host/batch/uint128.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

// Rows in host memory, ordered by root. Roots are indices into the totals.
struct PerftRows {
  std::span<const Position> positions;
  std::span<const std::uint32_t> roots;
  std::span<const Uint128> multiplicities;
};

// The least block that a perft of this depth works in, in bytes. Any larger block gives the same
// answers sooner.
constexpr std::size_t perft_minimum_bytes(unsigned depth) {
  return (std::size_t{1} << 18) * (depth + 2);
}

}  // namespace cuarbiter
