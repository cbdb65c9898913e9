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
};

}  // namespace cuarbiter
