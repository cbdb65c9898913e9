// Pipes to a child process.
#include "host/io/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kReadBytes = 16 * 1024;

// A pipe whose ends no other program gets.
struct Pipe {
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) throw io_error_from_errno("pipe", "create", errno);
  }
  ~Pipe() {
    for (const int end : ends) {
      if (end >= 0) ::close(end);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int take(int which) {
    const int end = ends[which];
    ends[which] = -1;
    return end;
  }
  int ends[2] = {-1, -1};
};

}  // namespace

ChildProcess::ChildProcess(const std::string& command) {
  const std::string script = "exec " + command;
  const char* const arguments[] = {"sh", "-c", script.c_str(), nullptr};
  Pipe to, from;
  process_ = ::fork();
  if (process_ < 0) throw io_error_from_errno(command, "start", errno);
  if (process_ == 0) {
    // Only calls that are safe after fork in a program with threads. What is ignored here would
    // stay ignored there.
    ::signal(SIGPIPE, SIG_DFL);
    ::dup2(to.ends[0], STDIN_FILENO);
    ::dup2(from.ends[1], STDOUT_FILENO);
    ::execv("/bin/sh", const_cast<char* const*>(arguments));
    ::_exit(127);
  }
  input_ = to.take(1);
  output_ = from.take(0);
}

ChildProcess::~ChildProcess() {
  if (input_ >= 0) ::close(input_);
  if (!reap(milliseconds(500))) {
    ::kill(process_, SIGKILL);
    reap(milliseconds(10000));
  }
  if (output_ >= 0) ::close(output_);
}

bool ChildProcess::write_line(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::size_t at = 0;
  while (at < text.size()) {
    const ssize_t put = ::write(input_, text.data() + at, text.size() - at);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += static_cast<std::size_t>(put);
  }
  return true;
}

ChildProcess::Read ChildProcess::read_line(std::string& line, milliseconds timeout) {
  const Clock::time_point end = Clock::now() + timeout;
  line.clear();
  for (;;) {
    const std::size_t found = buffer_.find('\n', taken_);
    const std::size_t stop = found == std::string::npos ? buffer_.size() : found;
    const bool skipped = skipping_;
    if (!skipping_) {
      line.append(buffer_, taken_, std::min(stop - taken_, kMaxLine - line.size()));
    }
    taken_ = found == std::string::npos ? stop : stop + 1;
    if (found != std::string::npos) {
      skipping_ = false;
      if (skipped) {
        line.clear();
        continue;
      }
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return Read::line;
    }
    buffer_.clear();
    taken_ = 0;
    if (line.size() == kMaxLine) {
      skipping_ = true;
      return Read::line;
    }
    if (ended_) return line.empty() ? Read::end : Read::line;
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
    pollfd waiting{output_, POLLIN, 0};
    const int ready =
        ::poll(&waiting, 1, static_cast<int>(std::clamp<long long>(left.count(), 0, 1 << 30)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      buffer_ = line;  // half a line waits for its end
      return Read::timeout;
    }
    char bytes[kReadBytes];
    const ssize_t got = ::read(output_, bytes, sizeof bytes);
    if (got > 0) {
      buffer_.assign(bytes, static_cast<std::size_t>(got));
    } else if (got == 0 || errno != EINTR) {
      ended_ = true;
    }
  }
}

std::string ChildProcess::ending(milliseconds patience) {
  if (!reap(patience)) return "has closed its output";
  if (WIFSIGNALED(state_)) return "was ended by signal " + std::to_string(WTERMSIG(state_));
  return "has ended with status " + std::to_string(WEXITSTATUS(state_));
}

bool ChildProcess::reap(milliseconds patience) {
  const Clock::time_point end = Clock::now() + patience;
  while (!reaped_) {
    const pid_t done = ::waitpid(process_, &state_, WNOHANG);
    if (done == process_ || (done < 0 && errno != EINTR)) reaped_ = true;
    if (reaped_ || Clock::now() >= end) break;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return reaped_;
}

}  // namespace cuarbiter
