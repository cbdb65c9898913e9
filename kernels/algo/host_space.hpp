// The execution space of the host: one thread, Thrust's host system. It serves to run the
// algorithms of this folder where there is no CUDA.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "kernels/algo/arena.hpp"

namespace cuarbiter {

class HostSpace {
 public:
  template <class Op>
  void for_each(std::uint64_t n, const Op& op) {
    thrust::for_each_n(thrust::host, thrust::counting_iterator<std::uint64_t>(0), n, op);
  }

  auto policy(ArenaAllocator<HostSpace>& temporary) { return thrust::host(temporary); }

  void sort_values(ArenaAllocator<HostSpace>& temporary, std::uint64_t* keys, std::uint32_t* values,
                   std::uint64_t n, int) {
    thrust::stable_sort_by_key(policy(temporary), keys, keys + n, values);
  }

  void copy_in(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes); }
  void copy_out(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, from, bytes);
  }

  void* allocate(std::size_t bytes) { return ::operator new(bytes); }
  void deallocate(void* piece) noexcept { ::operator delete(piece); }
};

}  // namespace cuarbiter
