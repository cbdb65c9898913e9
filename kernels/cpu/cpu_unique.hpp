// Distinct positions ply by ply on the CPU, exact, within a budget of memory.
//
// The positions of a ply are kept while they fit. From there on a ply is gone through in passes,
// each over a range of keys: all parents are expanded and the children of the range put into a set,
// which then holds all distinct positions of the range. A ply that was not kept is made again, pass
// by pass, whenever the next one needs its positions. Less memory means more passes, never another
// answer.
#pragma once

#include <cstdint>
#include <functional>

#include "host/backend.hpp"
#include "kernels/cpu/engine.hpp"
#include "kernels/cpu/thread_team.hpp"

namespace cuarbiter {

// As Backend::perft_unique, within `memory_bytes` (at least some MiB).
void cpu_perft_unique(const CpuEngine& engine, ThreadTeam& team, std::uint64_t memory_bytes,
                      const Position& root, unsigned depth, const PerftOptions& options,
                      const std::function<void(unsigned, std::uint64_t)>& found);

}  // namespace cuarbiter
