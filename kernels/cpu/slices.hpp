// Work of a team of threads cut into slices.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "kernels/cpu/thread_team.hpp"

namespace cuarbiter {

// Calls work(member, begin, end) for slices of 0 .. n, at most `slice` (>= 1) long, on all threads.
// A member has one slice at a time; slices are taken in order.
template <class F>
void for_slices(ThreadTeam& team, std::size_t n, std::size_t slice, F&& work) {
  std::atomic<std::size_t> next{0};
  team.run([&](unsigned member) {
    for (;;) {
      const std::size_t begin = next.fetch_add(slice, std::memory_order_relaxed);
      if (begin >= n) return;
      work(member, begin, std::min(begin + slice, n));
    }
  });
}

// The length of slices that keeps `threads` threads busy to the end, from `least` to `most`.
inline std::size_t slice_size(std::size_t n, unsigned threads, std::size_t least,
                              std::size_t most) {
  return std::clamp<std::size_t>(n / (std::size_t{32} * threads) + 1, least, most);
}

}  // namespace cuarbiter
