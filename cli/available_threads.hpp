// How many CPU threads this process may keep busy.
#pragma once

#include <string>

namespace cuarbiter {

// The CPUs of the affinity mask (sched_getaffinity), further limited by the CPU quota of the
// control groups (version 1 and 2) this process is in. At least 1.
unsigned available_threads();

// The CPUs worth of time that a control group's quota allows, rounded up; 0 when there is none.
// The two texts are the content of its files: "cpu.max" of version 2 is "QUOTA PERIOD" or "max
// PERIOD"; version 1 has the two numbers in files of their own (a quota of -1 is none).
unsigned quota_threads(const std::string& quota_and_period);

}  // namespace cuarbiter
