// A program that runs while the test goes on, to be sent signals.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace cuarbiter::test {

// Standard output and standard error go to files.
class RunningProgram {
 public:
  RunningProgram(const std::vector<std::string>& words, const std::string& output,
                 const std::string& errors) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("no process");
    if (process_ == 0) {
      // Whatever runs the tests may ignore signals (nohup).
      for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
      ::dup2(::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), 1);
      ::dup2(::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), 2);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
  }
  ~RunningProgram() {
    if (!status_) {
      signal(SIGKILL);
      wait();
    }
  }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  void signal(int number) { ::kill(process_, number); }

  // The exit status, 128 + n for a signal n; nothing when it still runs.
  std::optional<int> poll() {
    int state = 0;
    if (!status_ && ::waitpid(process_, &state, WNOHANG) == process_) take(state);
    return status_;
  }
  int wait() {
    int state = 0;
    while (!status_) {
      if (::waitpid(process_, &state, 0) == process_) take(state);
    }
    return *status_;
  }
  // Waits up to so long for its end.
  std::optional<int> wait_for(std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!poll() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return status_;
  }

 private:
  void take(int state) { status_ = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state); }

  pid_t process_ = -1;
  std::optional<int> status_;
};

}  // namespace cuarbiter::test
