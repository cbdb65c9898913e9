// Perft statistics on the CPU: the frontier of perft, and below it sums of leaf moves by kind.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "kernels/cpu/cpu_frontier.hpp"
#include "kernels/cpu/cpu_perft.hpp"

namespace cuarbiter {
namespace {

struct Scratch {
  LevelStack stack;
  std::vector<Position> positions;
  std::vector<LeafSums> sums;
};

class Stats {
 public:
  Stats(const CpuEngine& engine, const ThreadTeam& team, const PerftOptions& options,
        std::span<PerftStats> stats)
      : engine_(engine), options_(options), stats_(stats), scratch_(team.size()) {}

  // Adds the leaf moves below the rows to the statistics of their roots.
  void take(unsigned member, const PerftRow* rows, std::size_t n, unsigned depth) {
    if (depth == 0) {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < n; ++i) {
        if (add(stats_[rows[i].root][kLeafNodes], rows[i].multiplicity)) overflow_ = true;
      }
      return;
    }
    take_rows(scratch_[member], rows, n, depth);
    if (member == 0 && options_.progress) options_.progress(progress_);
  }

  bool overflow() const { return overflow_; }

 private:
  void take_rows(Scratch& s, const PerftRow* rows, std::size_t n, unsigned depth) {
    s.stack.reserve(depth);
    s.positions.resize(n);
    s.sums.resize(n);
    for (std::size_t i = 0; i < n; ++i) s.positions[i] = rows[i].position;
    engine_.leaf_sums(s.positions.data(), n, depth, s.stack.levels(), s.sums.data());
    double nodes = 0;
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < n; ++i) {
      PerftStats& stats = stats_[rows[i].root];
      for (unsigned c = 0; c < kLeafColumns; ++c) {
        if (add_product(stats.count[c], rows[i].multiplicity, s.sums[i].count[c])) {
          overflow_ = true;
        }
      }
      nodes += static_cast<double>(s.sums[i].count[kLeafNodes]) * to_double(rows[i].multiplicity);
    }
    progress_ = progress_ + nodes;
  }

  const CpuEngine& engine_;
  const PerftOptions& options_;
  std::span<PerftStats> stats_;
  std::vector<Scratch> scratch_;
  std::mutex mutex_;
  std::atomic<double> progress_{0};
  std::atomic<bool> overflow_{false};
};

}  // namespace

void cpu_perft_stats(const CpuEngine& engine, ThreadTeam& team, std::uint64_t memory_bytes,
                     const PerftRows& rows, unsigned depth, const PerftOptions& options,
                     std::span<PerftStats> stats) {
  std::fill(stats.begin(), stats.end(), PerftStats{});
  Stats sums(engine, team, options, stats);
  CpuFrontier(engine, team, options.merge,
              [&sums](unsigned member, const PerftRow* r, std::size_t n, unsigned d) {
                sums.take(member, r, n, d);
              })
      .run(rows, depth, memory_bytes);
  if (sums.overflow()) throw BackendError("perft: a count passes 128 bits");
}

}  // namespace cuarbiter
