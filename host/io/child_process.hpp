// A program run beside this one, spoken to line by line through pipes (POSIX fork, exec and pipe).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>

namespace cuarbiter {

// Not thread-safe. SIGPIPE must be ignored, so that writing to a program that has gone is an error
// and not the end. The program shares this one's process group and standard error: an interrupt
// typed at the terminal reaches both.
class ChildProcess {
 public:
  // Starts `command` as the shell's `exec COMMAND`, so that quoting and variables work as usual.
  // Throws IoError when no process can be made; a command that does not exist shows as one that
  // ends with status 127.
  explicit ChildProcess(const std::string& command);
  // Closes the pipes, gives the program a moment to end by itself, then kills it.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Sends the line and a line end. False when the program no longer reads.
  bool write_line(std::string_view line);

  enum class Read { line, end, timeout };
  // Waits for the next line of the program's output, without its line end (LF or CR LF). Lines are
  // cut off at kMaxLine bytes. `end`: it has closed its output.
  Read read_line(std::string& line, std::chrono::milliseconds timeout);
  static constexpr std::size_t kMaxLine = 64 * 1024;

  // How the program ended, waiting up to `patience` for it: "has ended with status 3", "was ended
  // by signal 11", or "has closed its output" when it runs on.
  std::string ending(std::chrono::milliseconds patience);

 private:
  bool reap(std::chrono::milliseconds patience);

  pid_t process_ = -1;
  int input_ = -1;   // its standard input
  int output_ = -1;  // its standard output
  bool reaped_ = false;
  int state_ = 0;  // as waitpid tells
  std::string buffer_;
  std::size_t taken_ = 0;  // bytes of the buffer handed out
  bool ended_ = false;
  bool skipping_ = false;  // the rest of a line that was cut off
};

}  // namespace cuarbiter
