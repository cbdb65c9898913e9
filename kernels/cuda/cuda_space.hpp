// The execution space of a CUDA device for the algorithms of kernels/algo: one stream of the
// calling thread's current device.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/version.h>
#include <cub/device/device_radix_sort.cuh>

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

  // Thrust's own sort takes all 64 bits.
  void sort_values(ArenaAllocator<CudaSpace>& temporary, std::uint64_t* keys, std::uint32_t* values,
                   std::uint64_t n, int bits) {
    const Scratch other_keys(temporary, n * sizeof(std::uint64_t));
    const Scratch other_values(temporary, n * sizeof(std::uint32_t));
    cub::DoubleBuffer<std::uint64_t> key_buffer(keys, other_keys.as<std::uint64_t>());
    cub::DoubleBuffer<std::uint32_t> value_buffer(values, other_values.as<std::uint32_t>());
    const auto size = static_cast<std::uint32_t>(n);
    std::size_t bytes = 0;
    CUARBITER_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, key_buffer, value_buffer,
                                                         size, 0, bits, stream_.get()));
    const Scratch storage(temporary, bytes);
    CUARBITER_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(
        storage.as<void>(), bytes, key_buffer, value_buffer, size, 0, bits, stream_.get()));
    if (value_buffer.Current() != values) {
      copy(values, value_buffer.Current(), n * sizeof(std::uint32_t));
    }
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
  // A piece of temporary storage for a scope.
  class Scratch {
   public:
    Scratch(ArenaAllocator<CudaSpace>& allocator, std::size_t bytes)
        : allocator_(allocator),
          bytes_(bytes),
          piece_(allocator.allocate(static_cast<std::ptrdiff_t>(bytes))) {}
    ~Scratch() { allocator_.deallocate(piece_, bytes_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    template <class T>
    T* as() const {
      return static_cast<T*>(static_cast<void*>(piece_));
    }

   private:
    ArenaAllocator<CudaSpace>& allocator_;
    std::size_t bytes_;
    char* piece_;
  };

  Stream stream_;
};

CUARBITER_RULES_END
