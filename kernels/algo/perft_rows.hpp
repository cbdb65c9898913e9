// What a perft needs to start, as the execution spaces take it.
#pragma once

#include <cstddef>

#include "host/batch/perft_rows.hpp"

namespace cuarbiter {

// The least block that a perft of this depth works in, in bytes. Any larger block gives the same
// answers sooner.
constexpr std::size_t perft_minimum_bytes(unsigned depth) {
  return (std::size_t{1} << 18) * (depth + 2);
}

}  // namespace cuarbiter
