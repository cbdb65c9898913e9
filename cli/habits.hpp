// How the program behaves towards the person at the terminal.
#pragma once

#include <optional>

namespace cuarbiter {

struct Habits {
  bool quiet = false;          // nothing on standard error but errors
  bool verbose = false;        // more than usual
  bool progress = false;       // a progress line on standard error
  bool progress_json = false;  // progress as JSON Lines on standard error, in place of that line
  std::optional<double> progress_interval;  // seconds between two reports of progress, at least
  bool color = false;                       // colours on standard error
};

}  // namespace cuarbiter
