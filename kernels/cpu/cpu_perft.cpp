#include "kernels/cpu/cpu_perft.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "kernels/cpu/cpu_frontier.hpp"
#include "kernels/cpu/slices.hpp"

namespace cuarbiter {
namespace {

struct Scratch {
  LevelStack stack;
  std::vector<Position> positions;
  std::vector<std::uint64_t> counts;
};

class Perft {
 public:
  Perft(const CpuEngine& engine, ThreadTeam& team, const PerftOptions& options,
        std::span<Uint128> nodes)
      : engine_(engine), team_(team), options_(options), nodes_(nodes), scratch_(team.size()) {}

  void run(const PerftRows& rows, unsigned depth, std::uint64_t memory) {
    CpuFrontier(engine_, team_, options_.merge,
                [this](const PerftRow* r, std::size_t n, unsigned d) { count(r, n, d); })
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
  void count(const PerftRow* rows, std::size_t n, unsigned depth) {
    if (depth == 0) {
      for (std::size_t i = 0; i < n; ++i) add_paths(rows[i], 1);
      return;
    }
    // Deep rows are few and dear, shallow rows many and cheap.
    const std::size_t most = depth <= 2 ? 2048 : 64;
    for_slices(team_, n, slice_size(n, team_.size(), 1, most),
               [&](unsigned member, std::size_t begin, std::size_t end) {
                 const auto counts = counted(member, rows + begin, end - begin, depth);
                 double sum = 0;
                 {
                   const std::lock_guard lock(mutex_);
                   for (std::size_t i = begin; i < end; ++i) {
                     add_paths(rows[i], counts[i - begin]);
                     sum +=
                         static_cast<double>(counts[i - begin]) * to_double(rows[i].multiplicity);
                   }
                   progress_ += sum;
                 }
                 if (member == 0 && options_.progress) options_.progress(progress_);
               });
  }

  void add_paths(const PerftRow& row, std::uint64_t count) {
    if (add_product(nodes_[row.root], row.multiplicity, count)) overflow_ = true;
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
