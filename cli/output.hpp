// Where a command's data goes: the sink of -o or standard output, with the habits of a command:
// a closed pipe ends the program at once, a signal leaves no temporary file behind.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/exit_status.hpp"
#include "host/io/sink.hpp"

namespace cuarbiter {

// Not thread-safe. Failures to write throw IoError. When the reader of a pipe has gone the process
// ends quietly, with what `status` says so far: other threads may be waiting for input that never
// comes, so nobody is asked.
class Output {
 public:
  // "" or "-" is standard output. `status` must outlive this.
  Output(const std::string& path, const RunStatus& status, bool exit_zero);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view bytes);
  // Hands everything written so far to the system.
  void flush();
  // Everything is written: the file gets its name. Without it the file is dropped.
  void commit();

 private:
  template <class F>
  void guarded(F&& f);

  std::unique_ptr<Sink> sink_;
  const RunStatus& status_;
  bool exit_zero_;
};

// Ignores SIGPIPE and SIGXFSZ, so that the write itself fails, and makes SIGINT, SIGTERM and SIGHUP
// remove the temporary file of the Output alive before they end the process as they would have.
void install_signal_handlers();

}  // namespace cuarbiter
