// Being asked to stop by a signal, by a run that can save where it is.
#pragma once

namespace cuarbiter {

// While one of these is alive, the first SIGINT, SIGTERM or SIGHUP only sets a flag and, unless
// `quiet`, says on standard error that the run will stop; a second one ends the process as usual.
// Signals that are ignored stay so. One at a time.
class StopSignal {
 public:
  explicit StopSignal(bool quiet);
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // True from the first signal on.
  bool asked() const;
};

}  // namespace cuarbiter
