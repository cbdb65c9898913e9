// Choosing and making the backend.
#include "cli/backend_choice.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <string_view>

#include "cli/available_threads.hpp"
#include "cli/messages.hpp"
#include "host/io/source.hpp"

namespace cuarbiter {
namespace {

// The number in "cuda:3"; -1 for another name.
int device_number(std::string_view name) {
  constexpr std::string_view kPrefix = "cuda:";
  if (name.substr(0, kPrefix.size()) != kPrefix) return -1;
  name.remove_prefix(kPrefix.size());
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

std::vector<int> usable_devices() {
  std::vector<int> devices;
  for (const BackendInfo& info : cuda_info()) {
    const int number = device_number(info.name);
    if (info.usable && number >= 0) devices.push_back(number);
  }
  return devices;
}

std::unique_ptr<Backend> make_cuda(const BackendRequest& request) {
  CudaOptions options;
  options.devices = request.all_devices ? usable_devices() : request.devices;
  options.memory_bytes = request.device_memory_bytes;
  options.memory_percent = request.device_memory_percent;
  return make_cuda_backend(options);
}

std::unique_ptr<Backend> make_cpu(const BackendRequest& request, unsigned threads) {
  CpuOptions options;
  options.threads = threads;
  options.memory_bytes = request.memory_bytes;
  return make_cpu_backend(options);
}

}  // namespace

ChosenBackend choose_backend(const BackendRequest& request, const Habits& habits) {
  ChosenBackend chosen;
  chosen.threads = request.threads != 0 ? request.threads : available_threads();
  std::string note;
  if (request.kind == BackendKind::cuda) {
    chosen.backend = make_cuda(request);
  } else if (request.kind == BackendKind::automatic && cuda_built() && !usable_devices().empty()) {
    try {
      chosen.backend = make_cuda(request);
    } catch (const BackendError& error) {
      note = fmt::format(" (CUDA cannot run: {})", error.what());
    }
  }
  if (!chosen.backend) chosen.backend = make_cpu(request, chosen.threads);
  if (habits.verbose || !note.empty() || (is_terminal(STDERR_FILENO) && !habits.quiet)) {
    const BackendInfo info = chosen.backend->info();
    say(fmt::format("cuarbiter: computing on {}, {}{}\n", info.name, info.description, note));
  }
  return chosen;
}

}  // namespace cuarbiter
