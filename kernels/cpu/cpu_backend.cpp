// The CPU backend: the kernels' operations on all threads of this process.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <string>

#include "kernels/cpu/cpu_perft.hpp"
#include "kernels/cpu/cpu_unique.hpp"

namespace cuarbiter {
namespace {

// Processors this process may use: its affinity mask, cut by a cgroup's CPU quota.
unsigned usable_threads() {
  cpu_set_t set;
  unsigned n = 1;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    n = static_cast<unsigned>(CPU_COUNT(&set));
  } else {
    n = std::max(1u, std::thread::hardware_concurrency());
  }
  std::ifstream quota_file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (quota_file >> quota >> period && quota != "max" && period > 0) {
    const double share = std::strtod(quota.c_str(), nullptr) / period;
    if (share > 0) n = std::min(n, std::max(1u, static_cast<unsigned>(share + 0.999)));
  }
  return std::max(1u, n);
}

std::uint64_t total_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || size <= 0) return std::uint64_t{1} << 30;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
}

// Tokens of a game up to which every lane has slots for it.
constexpr std::size_t kMostLaneSlots = 4096;

std::uint64_t default_budget() {
  return total_memory() / 4;
}

std::string processor_model() {
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  while (std::getline(info, line)) {
    if (line.rfind("model name", 0) == 0) {
      const std::size_t colon = line.find(':');
      if (colon != std::string::npos && colon + 2 < line.size()) return line.substr(colon + 2);
    }
  }
  return "unknown processor";
}

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const CpuOptions& options)
      : engine_(choose_cpu_engine()),
        team_(options.threads ? options.threads : usable_threads()),
        memory_(options.memory_bytes ? options.memory_bytes : default_budget()) {}

  BackendInfo info() const override {
    BackendInfo info = cpu_info();
    info.threads = team_.size();
    info.memory_bytes = memory_;
    return info;
  }

  void perft(const PerftRows& rows, unsigned depth, const PerftOptions& options,
             std::span<Uint128> nodes) override {
    cpu_perft(engine_, team_, memory_, rows, depth, options, nodes);
  }

  void perft_stats(const PerftRows& rows, unsigned depth, const PerftOptions& options,
                   std::span<PerftStats> stats) override {
    cpu_perft_stats(engine_, team_, memory_, rows, depth, options, stats);
  }

  void perft_unique(const Position& root, unsigned depth, const PerftOptions& options,
                    const std::function<void(unsigned, std::uint64_t)>& found) override {
    cpu_perft_unique(engine_, team_, memory_, root, depth, options, found);
  }

  void classify(std::span<const Position> positions, std::span<PositionFacts> facts) override {
    engine_.classify(positions.data(), positions.size(), facts.data());
  }

  void find_mates(std::span<const Position> positions, std::span<std::uint8_t> sides) override {
    engine_.find_mates(positions.data(), positions.size(), sides.data());
  }

  void rule_out(std::span<const Position> positions, std::span<std::uint8_t> sides) override {
    engine_.rule_out(positions.data(), positions.size(), sides.data());
  }

  void moves(std::span<const Position> positions, MoveLists& lists) override {
    lists.offsets.assign(1, 0);
    lists.offsets.reserve(positions.size() + 1);
    lists.moves.clear();
    MoveFacts found[kMaxMoves];
    for (const Position& position : positions) {
      const std::size_t n = engine_.moves(position, found);
      lists.moves.insert(lists.moves.end(), found, found + n);
      lists.offsets.push_back(lists.moves.size());
    }
  }

  void repetitions(std::span<const Position> positions, std::span<const std::uint32_t> reach,
                   std::span<RepetitionFacts> facts) override {
    engine_.repetitions(positions.data(), reach.data(), positions.size(), facts.data());
  }

  void replay(ReplayBatch& batch) override {
    batch.verdicts.assign(batch.tokens.size(), kVerdictOk);
    batch.plies_judged.resize(batch.segments.size());
    batch.game_verdicts.resize(batch.games.size());
    if (batch.games.empty()) return;
    std::size_t largest = 0;
    for (const ReplayGame& game : batch.games) {
      const ReplaySegment& first = batch.segments[game.segment_begin];
      const ReplaySegment& last = batch.segments[game.segment_begin + game.segment_count - 1];
      largest =
          std::max<std::size_t>(largest, last.token_begin + last.token_count - first.token_begin);
    }
    // Slots by lane stay in the nearest caches; with a giant among the games one array serves all,
    // and goes away with it.
    thread_local std::vector<Position> lanes;
    std::vector<Position> one_array;
    const bool by_lane = largest <= kMostLaneSlots;
    const std::size_t needed = by_lane ? (largest + 1) * kMostLanes : batch.tokens.size();
    std::vector<Position>& slots = by_lane ? lanes : one_array;
    if (slots.size() < needed) slots.resize(needed);
    ReplayView view;
    view.tokens = batch.tokens.data();
    view.token_count = static_cast<std::uint32_t>(batch.tokens.size());
    view.segments = batch.segments.data();
    view.games = batch.games.data();
    view.starts = batch.starts.data();
    view.slots = slots.data();
    view.lane_slots = by_lane ? static_cast<std::uint32_t>(largest) + 1 : 0;
    view.verdicts = batch.verdicts.data();
    view.plies_judged = batch.plies_judged.data();
    view.game_verdicts = batch.game_verdicts.data();
    view.rules = batch.rules;
    engine_.replay(view, 0, static_cast<std::uint32_t>(batch.games.size()));
  }

 private:
  const CpuEngine& engine_;
  ThreadTeam team_;
  std::uint64_t memory_;
};

}  // namespace

BackendInfo cpu_info() {
  BackendInfo info;
  info.name = "cpu";
  info.description = processor_model();
  info.memory_bytes = default_budget();
  info.memory_total = total_memory();
  info.threads = usable_threads();
  try {
    info.details.emplace_back("instruction_set", choose_cpu_engine().name);
  } catch (const BackendError& error) {
    info.usable = false;
    info.reason = error.what();
  }
  return info;
}

std::unique_ptr<Backend> make_cpu_backend(const CpuOptions& options) {
  return std::make_unique<CpuBackend>(options);
}

}  // namespace cuarbiter
