#include <thrust/system_error.h>

#include <algorithm>

#include "kernels/algo/unique_levels.hpp"
#include "kernels/cuda/cuda_perft.hpp"
#include "kernels/cuda/cuda_space.hpp"

namespace cuarbiter {
namespace {

// What is of use when no position has more than 40 moves, and enough for the least depth.
std::size_t useful_bytes(unsigned depth) {
  double bytes = 256;
  for (unsigned ply = 0; ply < depth && bytes < 1e15; ++ply) bytes *= 40;
  return static_cast<std::size_t>(std::min(bytes, 1e15)) + (std::size_t{16} << 20);
}

}  // namespace

void cuda_unique(const CudaPerft& settings, const Position& root, unsigned depth, UniqueShare share,
                 const std::function<void(unsigned, std::uint64_t)>& found) {
  DeviceScope scope(settings.device);
  const std::size_t least = unique_minimum_bytes(depth);
  std::size_t bytes = std::max(least, std::min(settings.memory_bytes, useful_bytes(depth)));
  unsigned told = 0;
  // A ply is told once, whatever has to be done again.
  const auto tell = [&](unsigned ply, std::uint64_t positions) {
    if (ply <= told) return;
    told = ply;
    found(ply, positions);
  };
  // Half the memory after each refusal; the least there is twice.
  for (bool last_try = false;; last_try = bytes == least, bytes = std::max(least, bytes / 2)) {
    try {
      DeviceBlock block;
      block.reserve(bytes);
      CudaSpace space;
      UniqueLevels<CudaSpace> levels(space, block.get(), bytes, settings.progress);
      levels.run(root, depth, share, tell);
      return;
    } catch (const DeviceMemoryError&) {
      if (last_try) throw;
    } catch (const std::bad_alloc&) {
      if (last_try) {
        throw DeviceMemoryError(cuda_device_name(settings.device) +
                                ": memory does not suffice for perft --unique");
      }
    } catch (const thrust::system_error& error) {
      throw_cuda_error(static_cast<cudaError_t>(error.code().value()), "Thrust");
    }
  }
}

}  // namespace cuarbiter
