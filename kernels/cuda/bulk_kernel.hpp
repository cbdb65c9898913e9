// The one shape of launch: an operation of kernels/ops for every index, one thread an index.
#pragma once

#include <cstdint>

#include "host/rules/target.hpp"
#include "kernels/cuda/cuda_check.hpp"

CUARBITER_RULES_BEGIN

inline constexpr unsigned kBlockThreads = 128;

// 128 threads a block leave up to 128 registers a thread with four blocks on a multiprocessor. No
// shared memory.
template <class Op>
__global__ void __launch_bounds__(kBlockThreads) bulk_kernel(const Op op, std::uint64_t size) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * kBlockThreads + threadIdx.x;
  if (i < size) op(i);
}

// Calls op(i) on the current device for every i below `size` (less than 2^38), in the order of the
// stream.
template <class Op>
void launch_bulk(std::uint64_t size, const Op& op, cudaStream_t stream) {
  if (size == 0) return;
  const auto blocks = static_cast<unsigned>((size + kBlockThreads - 1) / kBlockThreads);
  bulk_kernel<Op><<<blocks, kBlockThreads, 0, stream>>>(op, size);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) throw_launch_error(error, __PRETTY_FUNCTION__);
}

CUARBITER_RULES_END
