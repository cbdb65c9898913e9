#include "kernels/cpu/cpu_perft.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "kernels/cpu/cpu_frontier.hpp"

namespace cuarbiter {
namespace {

struct RootSum {
  std::uint32_t root;
  Uint128 nodes;
};

struct Scratch {
  LevelStack stack;
  std::vector<Position> positions;
  std::vector<std::uint64_t> counts;
  std::vector<RootSum> sums;
};

class Perft {
 public:
  Perft(const CpuEngine& engine, ThreadTeam& team, const PerftOptions& options,
        std::span<Uint128> nodes)
      : engine_(engine), team_(team), options_(options), nodes_(nodes), scratch_(team.size()) {}

  void run(const PerftRows& rows, unsigned depth, std::uint64_t memory) {
    CpuFrontier(engine_, team_, options_.merge,
                [this](unsigned member, const PerftRow* r, std::size_t n, unsigned d) {
                  count(member, r, n, d);
                })
        .run(rows, depth, memory);
    if (overflow_) throw BackendError("perft: a count passes 128 bits");
  }

 private:
  // The paths of `depth` plies from each row of a slice.
  std::span<const std::uint64_t> counted(unsigned member, const PerftRow* rows, std::size_t n,
                                         unsigned depth) {
    Scratch& s = scratch_[member];
    s.stack.reserve(depth);
    s.positions.resize(n);
    s.counts.resize(n);
    for (std::size_t i = 0; i < n; ++i) s.positions[i] = rows[i].position;
    engine_.perft(s.positions.data(), n, depth, s.stack.levels(), s.counts.data());
    return {s.counts.data(), n};
  }

  // Adds the paths of the rows to the nodes of their roots.
  void count(unsigned member, const PerftRow* rows, std::size_t n, unsigned depth) {
    std::span<const std::uint64_t> counts;
    if (depth > 0) counts = counted(member, rows, n, depth);
    // Sums of neighbours with one root, so that the lock is held for little.
    std::vector<RootSum>& sums = scratch_[member].sums;
    sums.clear();
    bool overflow = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (sums.empty() || sums.back().root != rows[i].root) sums.push_back({rows[i].root, {}});
      if (add_product(sums.back().nodes, rows[i].multiplicity, depth > 0 ? counts[i] : 1)) {
        overflow = true;
      }
    }
    double progress = 0;
    for (const RootSum& sum : sums) progress += to_double(sum.nodes);
    {
      const std::lock_guard lock(mutex_);
      for (const RootSum& sum : sums) {
        if (add(nodes_[sum.root], sum.nodes)) overflow = true;
      }
      progress_ = progress_ + progress;
    }
    if (overflow) overflow_ = true;
    if (member == 0 && options_.progress) options_.progress(progress_);
  }

  const CpuEngine& engine_;
  ThreadTeam& team_;
  const PerftOptions& options_;
  std::span<Uint128> nodes_;
  std::vector<Scratch> scratch_;
  std::mutex mutex_;
  std::atomic<double> progress_{0};
  std::atomic<bool> overflow_{false};
};

}  // namespace

void cpu_perft(const CpuEngine& engine, ThreadTeam& team, std::uint64_t memory_bytes,
               const PerftRows& rows, unsigned depth, const PerftOptions& options,
               std::span<Uint128> nodes) {
  std::fill(nodes.begin(), nodes.end(), Uint128{});
  Perft(engine, team, options, nodes).run(rows, depth, memory_bytes);
}

}  // namespace cuarbiter
