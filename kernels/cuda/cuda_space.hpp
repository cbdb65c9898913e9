// The execution space of a CUDA device for the algorithms of kernels/algo: one stream of the
// calling thread's current device.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/version.h>

#include <cstddef>
#include <cstdint>

#include "kernels/algo/arena.hpp"
#include "kernels/cuda/bulk_kernel.hpp"
#include "kernels/cuda/device_memory.hpp"

// A system's own copy of Thrust must not stand in front of the toolkit's.
static_assert(THRUST_VERSION >= 300000, "the CUDA toolkit's Thrust is needed");

CUARBITER_RULES_BEGIN

class CudaSpace {
 public:
  template <class Op>
  void for_each(std::uint64_t n, const Op& op) {
    launch_bulk(n, op, stream_.get());
  }

  auto policy(ArenaAllocator<CudaSpace>& temporary) {
    return thrust::cuda::par_nosync(temporary).on(stream_.get());
  }

  void copy_in(void* to, const void* from, std::size_t bytes) {
    copy_to_device(static_cast<char*>(to), static_cast<const char*>(from), bytes, stream_.get());
    stream_.synchronize();
  }
  void copy_out(void* to, const void* from, std::size_t bytes) {
    copy_to_host(static_cast<char*>(to), static_cast<const char*>(from), bytes, stream_.get());
    stream_.synchronize();
  }
  void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    CUARBITER_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_.get()));
  }

  void* allocate(std::size_t bytes) {
    void* piece = nullptr;
    CUARBITER_CUDA_CHECK(cudaMalloc(&piece, bytes));
    return piece;
  }
  void deallocate(void* piece) noexcept {
    cudaStreamSynchronize(stream_.get());
    cudaFree(piece);
  }

 private:
  Stream stream_;
};

CUARBITER_RULES_END
