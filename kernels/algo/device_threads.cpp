#include "kernels/algo/device_threads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace cuarbiter {
namespace {

// Ends the work of a device because that of another has failed.
struct Stopped {};

constexpr std::chrono::milliseconds kReportEvery(100);

}  // namespace

void on_device_threads(
    std::size_t devices,
    const std::function<void(std::size_t, const std::function<void(double)>&)>& work,
    const std::function<void(double)>& report) {
  std::vector<std::atomic<double>> done(devices);
  std::atomic<bool> failed = false;
  std::mutex mutex;  // guards the next three
  std::condition_variable ended;
  std::exception_ptr error;
  std::size_t running = devices;
  const auto run = [&](std::size_t i) {
    std::exception_ptr thrown;
    try {
      work(i, [&done, &failed, i](double so_far) {
        if (failed) throw Stopped();
        done[i] = std::max(done[i].load(), so_far);  // work that is done again counts once
      });
    } catch (const Stopped&) {
    } catch (...) {
      thrown = std::current_exception();
    }
    std::lock_guard lock(mutex);
    if (thrown && !error) {
      error = thrown;
      failed = true;
    }
    --running;
    ended.notify_one();
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < devices; ++i) threads.emplace_back(run, i);
  std::unique_lock lock(mutex);
  while (!ended.wait_for(lock, kReportEvery, [&] { return running == 0; })) {
    double sum = 0;
    for (const std::atomic<double>& part : done) sum += part;
    lock.unlock();
    report(sum);
    lock.lock();
  }
  lock.unlock();
  threads.clear();
  if (error) std::rethrow_exception(error);
}

}  // namespace cuarbiter
