// Output with a command's habits.
#include "cli/output.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

// The temporary file to remove on a signal. A handler may only touch plain memory and call
// async-signal-safe functions: the path is written first, the flag after it.
constexpr std::size_t kMaxPath = 4096;
char temporary_path[kMaxPath];
std::atomic<bool> temporary_known{false};

void remember_temporary(const std::string& path) {
  temporary_known.store(false);
  if (path.empty() || path.size() >= kMaxPath) return;
  std::memcpy(temporary_path, path.c_str(), path.size() + 1);
  temporary_known.store(true);
}

extern "C" void end_by_signal(int number) {
  if (temporary_known.load()) static_cast<void>(::unlink(temporary_path));
  // SA_RESETHAND has put the default action back: raised again, the signal ends the process.
  static_cast<void>(::raise(number));
}

}  // namespace

Output::Output(const std::string& path, const RunStatus& status, bool exit_zero)
    : sink_(open_sink(path)), status_(status), exit_zero_(exit_zero) {
  remember_temporary(sink_->temporary_path());
}

Output::~Output() {
  sink_.reset();
  remember_temporary({});
}

template <class F>
void Output::guarded(F&& f) {
  try {
    f();
  } catch (const ClosedPipe&) {
    std::_Exit(static_cast<int>(with_exit_zero(status_.status(), exit_zero_)));
  }
}

void Output::write(std::string_view bytes) {
  guarded([&] { sink_->write(bytes); });
}

void Output::flush() {
  guarded([&] { sink_->flush(); });
}

void Output::commit() {
  guarded([&] { sink_->commit(); });
  remember_temporary({});
}

void install_signal_handlers() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  static_cast<void>(::sigaction(SIGPIPE, &ignore, nullptr));
  static_cast<void>(::sigaction(SIGXFSZ, &ignore, nullptr));
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    // A signal that is ignored stays so (nohup).
    if (::sigaction(number, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = end_by_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    static_cast<void>(::sigaction(number, &action, nullptr));
  }
}

}  // namespace cuarbiter
