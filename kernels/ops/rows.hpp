// Rows of a perft level as a struct of arrays: a position, the root it comes from, and the number
// of paths from that root that end in it.
#pragma once

#include <cstdint>

#include "host/batch/uint128.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

struct RowView {
  Position* positions = nullptr;
  std::uint32_t* roots = nullptr;
  Uint128* multiplicities = nullptr;

  // The rows from `first` on.
  constexpr RowView from(std::uint64_t first) const {
    return RowView{positions + first, roots + first, multiplicities + first};
  }
};

// What a count becomes that passes 2^128 - 1. Sums and products of counts saturate, so that their
// order does not matter and an overflow is seen at the end. (A function: device code cannot refer
// to a constant of class type.)
constexpr Uint128 saturated_count() {
  return Uint128{~std::uint64_t{0}, ~std::uint64_t{0}};
}

constexpr Uint128 saturated_sum(Uint128 a, const Uint128& b) {
  return add(a, b) ? saturated_count() : a;
}
constexpr Uint128 saturated_product(const Uint128& a, std::uint64_t b) {
  Uint128 value{0, 0};
  return add_product(value, a, b) ? saturated_count() : value;
}

}  // namespace cuarbiter
