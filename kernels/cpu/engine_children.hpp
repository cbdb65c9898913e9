// The part of a CPU engine that makes children with their mix; included by engine_body.hpp.
#pragma once

#include "host/rules/movegen.hpp"
#include "kernels/cpu/engine.hpp"
#include "kernels/ops/unique_op.hpp"

CUARBITER_RULES_BEGIN

namespace engine {

inline std::size_t mixed_children(const Position* parents, std::size_t n, Position* children,
                                  std::uint64_t* mixes, std::size_t room, std::size_t* taken) {
  std::size_t filled = 0;
  std::size_t i = 0;
  for (; i < n && filled + kMaxMoves <= room; ++i) {
    for_each_child(
        parents[i], [&](const Position& child) __attribute__((always_inline)) {
          children[filled] = child;
          mixes[filled++] = unique_mix(child);
        });
  }
  *taken = i;
  return filled;
}

}  // namespace engine

CUARBITER_RULES_END
