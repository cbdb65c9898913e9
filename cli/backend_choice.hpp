// From the flags to a backend that runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/habits.hpp"
#include "host/backend.hpp"

namespace cuarbiter {

enum class BackendKind { automatic, cpu, cuda };

// The backend flags as meant.
struct BackendRequest {
  BackendKind kind = BackendKind::automatic;
  std::vector<int> devices;  // CUDA devices by number; empty: the first
  bool all_devices = false;
  unsigned threads = 0;            // CPU threads; 0: all this process may use
  std::uint64_t memory_bytes = 0;  // 0: not given
  std::uint64_t device_memory_bytes = 0;
  unsigned device_memory_percent = 0;
};

struct ChosenBackend {
  std::unique_ptr<Backend> backend;
  unsigned threads = 1;  // CPU threads this run may keep busy, at least 1
};

// Makes the backend asked for. automatic takes CUDA when a device is usable, else the CPU. With
// --verbose, and on a terminal, says on standard error which one it is. Throws BackendError when
// the one that was asked for by name cannot run.
ChosenBackend choose_backend(const BackendRequest& request, const Habits& habits);

}  // namespace cuarbiter
