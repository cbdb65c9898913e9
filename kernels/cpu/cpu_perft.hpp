// Perft on the CPU: a breadth-first frontier with exact merging, then depth-first chunks of
// set-wise counting, all threads busy in both.
//
// The frontier grows ply by ply while its children fit in the memory budget. They are written
// partitioned by the top bits of their mix, so that equal positions meet in one partition that fits
// in a core's cache; there equal rows (all 32 bytes and the root compared) become one, with their
// numbers of paths added. When the children would not fit, the frontier is taken in pieces and each
// piece goes on alone. The last two plies are counted without merging. No answer depends on a mix.
#pragma once

#include <cstdint>
#include <span>

#include "host/backend.hpp"
#include "kernels/cpu/engine.hpp"
#include "kernels/cpu/thread_team.hpp"

namespace cuarbiter {

// As Backend::perft, within `memory_bytes` for the frontier (at least some MiB). Throws
// BackendError when a count passes 128 bits.
void cpu_perft(const CpuEngine& engine, ThreadTeam& team, std::uint64_t memory_bytes,
               const PerftRows& rows, unsigned depth, const PerftOptions& options,
               std::span<Uint128> nodes);

// As Backend::perft_stats, likewise.
void cpu_perft_stats(const CpuEngine& engine, ThreadTeam& team, std::uint64_t memory_bytes,
                     const PerftRows& rows, unsigned depth, const PerftOptions& options,
                     std::span<PerftStats> stats);

}  // namespace cuarbiter
