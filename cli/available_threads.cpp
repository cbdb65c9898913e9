// CPU limits of this process: affinity and control groups (Linux cgroup-v2 and cgroup-v1
// documents).
#include "cli/available_threads.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace cuarbiter {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

unsigned affinity_threads() {
  // Machines with more CPUs than a fixed cpu_set_t holds need a larger one.
  for (int cpus = 1024; cpus <= 1 << 20; cpus *= 4) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(cpus));
    if (set == nullptr) break;
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(cpus));
    const bool known = sched_getaffinity(0, size, set) == 0;
    const int count = known ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (known && count > 0) return static_cast<unsigned>(count);
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

// The tightest quota from a control group's folder up to the hierarchy's root.
template <class Read>
unsigned tightest(std::string group, Read&& read) {
  unsigned least = 0;
  for (;;) {
    const unsigned threads = quota_threads(read(group));
    if (threads != 0 && (least == 0 || threads < least)) least = threads;
    if (group.empty() || group == "/") return least;
    const std::size_t slash = group.rfind('/');
    group = slash == std::string::npos ? std::string() : group.substr(0, slash);
  }
}

unsigned group_threads() {
  std::ifstream groups("/proc/self/cgroup");
  unsigned least = 0;
  std::string line;
  // A line is "ID:CONTROLLERS:PATH"; version 2 has ID 0 and no controllers.
  while (std::getline(groups, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers(1, ',');
    controllers.append(line, first + 1, second - first - 1).push_back(',');
    const std::string path = line.substr(second + 1);
    unsigned threads = 0;
    if (controllers == ",,") {
      threads = tightest(path, [](const std::string& group) {
        return file_text("/sys/fs/cgroup" + group + "/cpu.max");
      });
    } else if (controllers.find(",cpu,") != std::string::npos) {
      threads = tightest(path, [](const std::string& group) {
        const std::string folder = "/sys/fs/cgroup/cpu" + group;
        return file_text(folder + "/cpu.cfs_quota_us") + " " +
               file_text(folder + "/cpu.cfs_period_us");
      });
    }
    if (threads != 0 && (least == 0 || threads < least)) least = threads;
  }
  return least;
}

}  // namespace

unsigned quota_threads(const std::string& quota_and_period) {
  std::istringstream words(quota_and_period);
  long long quota = 0, period = 0;
  if (!(words >> quota >> period) || quota <= 0 || period <= 0) return 0;
  return static_cast<unsigned>(std::min<long long>((quota + period - 1) / period, 1 << 20));
}

unsigned available_threads() {
  const unsigned affinity = affinity_threads();
  const unsigned quota = group_threads();
  return std::max(1u, quota == 0 ? affinity : std::min(affinity, quota));
}

}  // namespace cuarbiter
