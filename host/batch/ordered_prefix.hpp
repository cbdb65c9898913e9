// Running totals across batches that are worked on at the same time: batch n learns the sum of what
// batches 0 .. n - 1 contributed, as soon as those are known.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace cuarbiter {

// Thread-safe. Batches are numbered 0, 1, 2 ... and each of them must call take or restart exactly
// once; take waits for all batches before. Batches are started in order, so the first of those at
// work never waits.
class OrderedPrefix {
 public:
  // Adds `amount` for batch `sequence` and returns the sum before it.
  std::uint64_t take(std::uint64_t sequence, std::uint64_t amount) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return next_ == sequence; });
    const std::uint64_t before = total_;
    total_ += amount;
    ++next_;
    turn_.notify_all();
    return before;
  }
  // The sum starts again at `before` with batch `sequence`, which adds `amount`.
  std::uint64_t restart(std::uint64_t sequence, std::uint64_t amount, std::uint64_t before = 0) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return next_ == sequence; });
    total_ = before + amount;
    ++next_;
    turn_.notify_all();
    return before;
  }

 private:
  std::mutex mutex_;
  std::condition_variable turn_;
  std::uint64_t next_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace cuarbiter
