// perft on one device.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "kernels/algo/perft_rows.hpp"
#include "kernels/algo/unique_share.hpp"

namespace cuarbiter {

struct CudaPerft {
  int device = 0;
  std::size_t memory_bytes =
      0;  // at most this much device memory, or the least that the depth needs
  bool merge = true;
  bool stats = false;                    // the statistics of the leaf moves, too
  std::function<void(double)> progress;  // may be empty; called on the calling thread
};

// Adds the paths of `depth` plies below each row to the total of its root, saturating at
// saturated_count(). With statistics each root has kLeafColumns totals, one after the other. Takes
// less memory where the device refuses what it was told to take. Throws BackendError.
void cuda_perft(const CudaPerft& settings, const PerftRows& rows, unsigned depth,
                std::span<Uint128> totals);

// Calls found(ply, positions) with the distinct positions of the share at each ply from 1 to
// `depth`, in order. Memory, progress and errors as above.
void cuda_unique(const CudaPerft& settings, const Position& root, unsigned depth, UniqueShare share,
                 const std::function<void(unsigned, std::uint64_t)>& found);

}  // namespace cuarbiter
