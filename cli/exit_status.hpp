// Exit statuses, and how those of many findings add up to one: the highest that applies wins.
#pragma once

#include <atomic>

namespace cuarbiter {

enum class ExitStatus : int {
  clean = 0,
  findings = 1,  // a faulty game or position, a perft mismatch
  usage = 2,     // the command line makes no sense
  input = 3,     // input that cannot be read or decoded, output that cannot be written
  backend = 4,   // a backend or device that cannot run or failed
  internal = 5,  // out of memory, a fault of the program
  stopped = 75,  // stopped at a checkpoint (EX_TEMPFAIL of sysexits.h)
};

// What a run has come to so far. Safe to use from several threads.
class RunStatus {
 public:
  // Keeps the higher of the two.
  void raise(ExitStatus status) {
    int now = value_.load(std::memory_order_relaxed);
    const int wanted = static_cast<int>(status);
    while (wanted > now && !value_.compare_exchange_weak(now, wanted, std::memory_order_relaxed)) {
    }
  }
  ExitStatus status() const { return static_cast<ExitStatus>(value_.load()); }

 private:
  std::atomic<int> value_{0};
};

// The status as --exit-zero wants it: findings count as clean, anything worse stays.
constexpr ExitStatus with_exit_zero(ExitStatus status, bool exit_zero) {
  return exit_zero && status == ExitStatus::findings ? ExitStatus::clean : status;
}

}  // namespace cuarbiter
