#include "kernels/cpu/cpu_perft.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "host/rules/count.hpp"
#include "kernels/cpu/row_arena.hpp"

namespace cuarbiter {
namespace {

// Rows of a partition that merge inside a core's own cache.
constexpr std::size_t kPartitionRows = 4096;
constexpr unsigned kMaxPartitionBits = 12;
// Below this budget a piece is counted without further merging.
constexpr std::uint64_t kLeastBudget = std::uint64_t{4} << 20;
// Plies that are counted, not merged.
constexpr unsigned kCountedPlies = 2;

// Scratch of one thread for the engine's depth-first counting.
class LevelStack {
 public:
  void reserve(unsigned depth) {
    while (levels_.size() < depth) {
      planes_.push_back(std::make_unique<std::uint64_t[]>(4 * kLevelRows));
      tags_.push_back(std::make_unique<std::uint32_t[]>(kLevelRows));
      std::uint64_t* p = planes_.back().get();
      levels_.push_back(PerftLevel{p, p + kLevelRows, p + 2 * kLevelRows, p + 3 * kLevelRows,
                                   tags_.back().get()});
    }
  }
  const PerftLevel* levels() const { return levels_.data(); }

 private:
  std::vector<std::unique_ptr<std::uint64_t[]>> planes_;
  std::vector<std::unique_ptr<std::uint32_t[]>> tags_;
  std::vector<PerftLevel> levels_;
};

struct Scratch {
  LevelStack stack;
  std::vector<Position> positions;
  std::vector<std::uint64_t> counts;
  std::vector<std::uint32_t> table;
};

class Perft {
 public:
  Perft(const CpuEngine& engine, ThreadTeam& team, const PerftOptions& options,
        std::span<Uint128> nodes)
      : engine_(engine), team_(team), options_(options), nodes_(nodes), scratch_(team.size()) {}

  void run(const PerftRows& rows, unsigned depth, std::uint64_t memory) {
    RowArena start(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      PerftRow& row = start.rows()[i];
      row.position = rows.positions[i];
      row.multiplicity = rows.multiplicity(i);
      row.root = rows.root(i);
    }
    walk(std::move(start), rows.size(), depth, memory);
    if (overflow_) throw BackendError("perft: a count passes 128 bits");
  }

 private:
  // Counts n rows to `depth` plies, keeping the frontier within `memory` bytes.
  void walk(RowArena rows, std::size_t n, unsigned depth, std::uint64_t memory) {
    while (grow_further(n, depth, memory)) {
      const std::uint64_t children = count_children(rows.rows(), n);
      if (children * sizeof(PerftRow) > memory) {
        walk_in_pieces(rows, n, depth, memory, children);
        return;
      }
      n = expand(rows, n, children);
      --depth;
      memory -= n * sizeof(PerftRow);
    }
    count(rows.rows(), n, depth);
  }

  bool grow_further(std::size_t n, unsigned depth, std::uint64_t memory) const {
    if (n == 0 || depth <= 1) return false;
    if (options_.merge) return depth > kCountedPlies && memory >= kLeastBudget;
    // Without merging the frontier only has to give every thread its share of work.
    return n < std::size_t{256} * team_.size() && memory >= kLeastBudget;
  }

  void walk_in_pieces(const RowArena& rows, std::size_t n, unsigned depth, std::uint64_t memory,
                      std::uint64_t children) {
    const std::uint64_t pieces =
        children * sizeof(PerftRow) / std::max(memory / 2, kLeastBudget) + 1;
    const std::size_t length = std::max<std::size_t>(n / pieces, 1);
    if (length == n) {
      count(rows.rows(), n, depth);
      return;
    }
    for (std::size_t begin = 0; begin < n; begin += length) {
      const std::size_t m = std::min(length, n - begin);
      RowArena piece(m);
      std::memcpy(static_cast<void*>(piece.rows()), rows.rows() + begin, m * sizeof(PerftRow));
      const std::uint64_t own = m * sizeof(PerftRow);
      walk(std::move(piece), m, depth, memory > own ? memory - own : 0);
    }
  }

  // Calls work(scratch, begin, end) for slices of 0 .. n on all threads.
  template <class F>
  void for_slices(std::size_t n, std::size_t slice, F&& work) {
    std::atomic<std::size_t> next{0};
    team_.run([&](unsigned member) {
      for (;;) {
        const std::size_t begin = next.fetch_add(slice, std::memory_order_relaxed);
        if (begin >= n) return;
        work(member, begin, std::min(begin + slice, n));
      }
    });
  }

  static std::size_t slice_size(std::size_t n, unsigned threads, std::size_t least,
                                std::size_t most) {
    return std::clamp<std::size_t>(n / (std::size_t{32} * threads) + 1, least, most);
  }

  std::uint64_t count_children(const PerftRow* rows, std::size_t n) {
    std::atomic<std::uint64_t> total{0};
    for_slices(n, slice_size(n, team_.size(), 64, 4096),
               [&](unsigned member, std::size_t begin, std::size_t end) {
                 std::uint64_t sum = 0;
                 for (const std::uint64_t c : counted(member, rows + begin, end - begin, 1)) {
                   sum += c;
                 }
                 total += sum;
               });
    return total;
  }

  // Replaces the rows by their children, merged when asked for; returns how many those are.
  std::size_t expand(RowArena& rows, std::size_t n, std::uint64_t children) {
    unsigned bits = 0;
    while (bits < kMaxPartitionBits && (children >> bits) > kPartitionRows) ++bits;
    const std::size_t partitions = std::size_t{1} << bits;
    const std::size_t slice = slice_size(n, team_.size(), 16, 16384);
    const std::size_t slices = (n + slice - 1) / slice;

    // Sizes per slice and partition, turned into places: partition by partition, slices in order,
    // so that the rows' order does not depend on the threads.
    std::vector<std::uint64_t> places(slices * partitions, 0);
    for_slices(n, slice, [&](unsigned, std::size_t begin, std::size_t end) {
      engine_.partition_sizes(rows.rows() + begin, end - begin, bits,
                              &places[begin / slice * partitions]);
    });
    std::vector<std::uint64_t> begins(partitions + 1);
    std::uint64_t place = 0;
    for (std::size_t p = 0; p < partitions; ++p) {
      begins[p] = place;
      for (std::size_t s = 0; s < slices; ++s) {
        const std::uint64_t size = places[s * partitions + p];
        places[s * partitions + p] = place;
        place += size;
      }
    }
    begins[partitions] = place;

    RowArena out(children);
    for_slices(n, slice, [&](unsigned, std::size_t begin, std::size_t end) {
      engine_.partition_children(rows.rows() + begin, end - begin, bits,
                                 &places[begin / slice * partitions], out.rows());
    });
    rows = RowArena();
    std::size_t kept = children;
    if (options_.merge) kept = merge(out, begins);
    out.shrink(kept);
    rows = std::move(out);
    return kept;
  }

  // Merges every partition, then closes the gaps; returns the number of rows left.
  std::size_t merge(RowArena& out, const std::vector<std::uint64_t>& begins) {
    const std::size_t partitions = begins.size() - 1;
    std::vector<std::size_t> kept(partitions);
    for_slices(partitions, 1, [&](unsigned member, std::size_t p, std::size_t) {
      const std::size_t n = begins[p + 1] - begins[p];
      std::size_t table_size = 16;
      while (table_size < 2 * n) table_size *= 2;
      std::vector<std::uint32_t>& table = scratch_[member].table;
      if (table.size() < table_size) table.resize(table_size);
      bool overflow = false;
      kept[p] = engine_.merge_rows(out.rows() + begins[p], n, table.data(), table_size, &overflow);
      if (overflow) overflow_ = true;
    });
    std::size_t total = 0;
    for (std::size_t p = 0; p < partitions; ++p) {
      if (total != begins[p]) {
        std::memmove(static_cast<void*>(out.rows() + total), out.rows() + begins[p],
                     kept[p] * sizeof(PerftRow));
      }
      total += kept[p];
    }
    return total;
  }

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
    for_slices(n, slice_size(n, team_.size(), 1, most),
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
