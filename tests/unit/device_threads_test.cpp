// A thread for each device: sums reported on the calling thread, and what happens when one fails.
#include "kernels/algo/device_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

namespace cuarbiter {
namespace {

using Told = std::function<void(double)>;

TEST(DeviceThreads, EachHasAThreadOfItsOwnAndTheSumIsTold) {
  const std::thread::id self = std::this_thread::get_id();
  std::mutex mutex;
  std::set<std::thread::id> threads = {self};
  std::set<std::size_t> numbers;
  std::atomic<bool> told = false;
  on_device_threads(
      3,
      [&](std::size_t i, const Told& progress) {
        {
          std::lock_guard lock(mutex);
          threads.insert(std::this_thread::get_id());
          numbers.insert(i);
        }
        progress(10.0 + static_cast<double>(i));
        progress(1);  // done again: not less than before
        while (!told) std::this_thread::yield();
      },
      [&](double sum) {
        EXPECT_EQ(std::this_thread::get_id(), self);
        EXPECT_LE(sum, 33);
        if (sum == 33) told = true;
      });
  EXPECT_EQ(threads.size(), 4u);
  EXPECT_EQ(numbers, (std::set<std::size_t>{0, 1, 2}));
}

// The others would go on for ever.
TEST(DeviceThreads, AFailureEndsTheOthers) {
  std::atomic<int> under_way = 0;
  const auto work = [&](std::size_t i, const Told& progress) {
    ++under_way;
    while (under_way != 3) std::this_thread::yield();
    if (i == 1) throw std::runtime_error("the second");
    for (double moves = 0;; ++moves) progress(moves);
  };
  try {
    on_device_threads(3, work, [](double) {});
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the second");
  }
}

TEST(DeviceThreads, TheFirstOfTwoFailuresIsThrown) {
  std::atomic<bool> failed = false;
  const auto work = [&](std::size_t i, const Told& progress) {
    if (i == 0) {
      failed = true;
      throw std::runtime_error("first");
    }
    while (!failed) std::this_thread::yield();
    try {
      for (;;) progress(0);
    } catch (...) {
      throw std::logic_error("second");
    }
  };
  EXPECT_THROW(on_device_threads(2, work, [](double) {}), std::runtime_error);
}

}  // namespace
}  // namespace cuarbiter
