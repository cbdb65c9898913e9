#include "kernels/cuda/cuda_perft.hpp"

#include <thrust/system_error.h>

#include <algorithm>
#include <vector>

#include "kernels/algo/perft_levels.hpp"
#include "kernels/cuda/cuda_space.hpp"

namespace cuarbiter {
namespace {

// What the levels take when nothing is merged and no position has more than 40 moves. Less is
// enough to be right, more would be left unused.
std::size_t useful_bytes(std::size_t rows, unsigned depth) {
  double bytes = 128.0 * static_cast<double>(rows);
  for (unsigned ply = 1; ply < depth && bytes < 1e15; ++ply) bytes *= 40;
  return static_cast<std::size_t>(std::min(bytes, 1e15)) + (std::size_t{16} << 20);
}

template <class Leaves>
void run_levels(CudaSpace& space, const CudaPerft& settings, const DeviceBlock& block,
                std::size_t bytes, const PerftRows& rows, unsigned depth,
                std::span<Uint128> totals) {
  PerftLevels<CudaSpace, Leaves> levels(space, block.get(), bytes, settings.merge,
                                        settings.progress);
  levels.run(rows, depth, totals);
}

void attempt(const CudaPerft& settings, std::size_t bytes, const PerftRows& rows, unsigned depth,
             std::span<Uint128> totals) {
  DeviceBlock block;
  block.reserve(bytes);
  CudaSpace space;
  try {
    const auto run = settings.stats ? run_levels<StatsLeaves> : run_levels<NodeLeaves>;
    run(space, settings, block, bytes, rows, depth, totals);
  } catch (const thrust::system_error& error) {
    const auto code = static_cast<cudaError_t>(error.code().value());
    throw_cuda_error(code, "Thrust");
  }
}

}  // namespace

void cuda_perft(const CudaPerft& settings, const PerftRows& rows, unsigned depth,
                std::span<Uint128> totals) {
  DeviceScope scope(settings.device);
  const std::size_t least = perft_minimum_bytes(depth);
  std::size_t bytes =
      std::max(least, std::min(settings.memory_bytes, useful_bytes(rows.positions.size(), depth)));
  std::vector<Uint128> sums;
  // Half the memory after each refusal; the least there is twice.
  for (bool last_try = false;; last_try = bytes == least, bytes = std::max(least, bytes / 2)) {
    sums.assign(totals.size(), Uint128{0, 0});
    try {
      attempt(settings, bytes, rows, depth, sums);
      break;
    } catch (const DeviceMemoryError&) {
      if (last_try) throw;
    } catch (const std::bad_alloc&) {
      if (last_try) {
        throw DeviceMemoryError(cuda_device_name(settings.device) +
                                ": memory does not suffice for perft");
      }
    }
  }
  for (std::size_t i = 0; i < totals.size(); ++i) totals[i] = saturated_sum(totals[i], sums[i]);
}

}  // namespace cuarbiter
