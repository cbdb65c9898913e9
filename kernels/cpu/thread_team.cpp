#include "kernels/cpu/thread_team.hpp"

#include <utility>

namespace cuarbiter {

ThreadTeam::ThreadTeam(unsigned size) {
  threads_.reserve(size > 1 ? size - 1 : 0);
  for (unsigned member = 1; member < size; ++member) {
    threads_.emplace_back([this, member] { loop(member); });
  }
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::execute(unsigned member) {
  try {
    (*work_)(member);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!fault_) fault_ = std::current_exception();
  }
}

void ThreadTeam::loop(unsigned member) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || generation_ != seen; });
      if (stop_) return;
      seen = generation_;
    }
    execute(member);
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) finish_.notify_one();
  }
}

void ThreadTeam::run(const std::function<void(unsigned)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    running_ = static_cast<unsigned>(threads_.size());
    ++generation_;
  }
  start_.notify_all();
  execute(0);
  std::exception_ptr fault;
  {
    std::unique_lock lock(mutex_);
    finish_.wait(lock, [&] { return running_ == 0; });
    work_ = nullptr;
    fault = std::exchange(fault_, nullptr);
  }
  if (fault) std::rethrow_exception(fault);
}

}  // namespace cuarbiter
