// A fixed team of threads that runs one function at a time, the caller being its first member.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cuarbiter {

class ThreadTeam {
 public:
  // `size` >= 1 members, the calling thread included.
  explicit ThreadTeam(unsigned size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }

  // Runs work(member) on every member, member 0 on the calling thread; returns when all are done.
  // An exception of any member is thrown here, the first one if several. Not to be nested.
  void run(const std::function<void(unsigned)>& work);

 private:
  void loop(unsigned member);
  void execute(unsigned member);

  std::mutex mutex_;
  std::condition_variable start_, finish_;
  const std::function<void(unsigned)>* work_ = nullptr;
  std::uint64_t generation_ = 0;
  unsigned running_ = 0;
  bool stop_ = false;
  std::exception_ptr fault_;
  std::vector<std::thread> threads_;
};

}  // namespace cuarbiter
