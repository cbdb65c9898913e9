// Work in batches that become smaller when device memory does not suffice.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/cuda_check.hpp"

namespace cuarbiter {

// Calls work(first, count) for consecutive batches that cover [0, size), of `batch` items at most
// (at least 1). A batch that throws DeviceMemoryError is tried again at half the size; that of one
// item is tried twice, then throws on.
template <class Work>
void in_shrinking_batches(std::uint64_t size, std::uint64_t batch, Work work) {
  std::uint64_t first = 0;
  bool last_try = false;
  while (first < size) {
    const std::uint64_t count = std::min(batch, size - first);
    try {
      work(first, count);
      first += count;
      last_try = false;
    } catch (const DeviceMemoryError&) {
      if (last_try) throw;
      last_try = count == 1;
      batch = std::max<std::uint64_t>(count / 2, 1);
    }
  }
}

}  // namespace cuarbiter
