// Signals that ask for a stop.
#include "cli/stop_signal.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "cli/output.hpp"

namespace cuarbiter {
namespace {

volatile sig_atomic_t stop_asked = 0;
volatile sig_atomic_t stop_quietly = 0;

// Only async-signal-safe calls: sigaction, write.
extern "C" void ask_to_stop(int) {
  constexpr std::string_view kText =
      "\ncuarbiter: stopping at the next checkpoint; once more ends at once\n";
  const int error = errno;
  stop_asked = 1;
  install_signal_handlers();
  if (!stop_quietly) static_cast<void>(!::write(STDERR_FILENO, kText.data(), kText.size()));
  errno = error;
}

}  // namespace

StopSignal::StopSignal(bool quiet) {
  stop_quietly = quiet ? 1 : 0;
  stop_asked = 0;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = ask_to_stop;
    action.sa_flags = SA_RESTART;
    static_cast<void>(::sigaction(number, &action, nullptr));
  }
}

StopSignal::~StopSignal() {
  install_signal_handlers();
}

bool StopSignal::asked() const {
  return stop_asked != 0;
}

}  // namespace cuarbiter
