#include "kernels/cpu/cpu_frontier.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/cpu/slices.hpp"

namespace cuarbiter {
namespace {

// Rows of a partition that merge inside a core's own cache.
constexpr std::size_t kPartitionRows = 4096;
constexpr unsigned kMaxPartitionBits = 12;
// Below this budget a piece is counted without further merging.
constexpr std::uint64_t kLeastBudget = std::uint64_t{4} << 20;
// Plies that are counted, not merged.
constexpr unsigned kCountedPlies = 2;

}  // namespace

CpuFrontier::CpuFrontier(const CpuEngine& engine, ThreadTeam& team, bool merge, Visit visit)
    : engine_(engine),
      team_(team),
      merge_(merge),
      visit_(std::move(visit)),
      scratch_(team.size()) {}

void CpuFrontier::run(const PerftRows& rows, unsigned depth, std::uint64_t memory_bytes) {
  RowArena start(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PerftRow& row = start.rows()[i];
    row.position = rows.positions[i];
    row.multiplicity = rows.multiplicity(i);
    row.root = rows.root(i);
  }
  walk(std::move(start), rows.size(), depth, memory_bytes);
  if (overflow_) throw BackendError("perft: a count passes 128 bits");
}

// Visits n rows of `depth` plies, keeping the frontier within `memory` bytes.
void CpuFrontier::walk(RowArena rows, std::size_t n, unsigned depth, std::uint64_t memory) {
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
  visit_(rows.rows(), n, depth);
}

bool CpuFrontier::grow_further(std::size_t n, unsigned depth, std::uint64_t memory) const {
  if (n == 0 || depth <= 1) return false;
  if (merge_) return depth > kCountedPlies && memory >= kLeastBudget;
  // Without merging the frontier only has to give every thread its share of work.
  return n < std::size_t{256} * team_.size() && memory >= kLeastBudget;
}

void CpuFrontier::walk_in_pieces(const RowArena& rows, std::size_t n, unsigned depth,
                                 std::uint64_t memory, std::uint64_t children) {
  const std::uint64_t pieces = children * sizeof(PerftRow) / std::max(memory / 2, kLeastBudget) + 1;
  const std::size_t length = std::max<std::size_t>(n / pieces, 1);
  if (length == n) {
    visit_(rows.rows(), n, depth);
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

std::uint64_t CpuFrontier::count_children(const PerftRow* rows, std::size_t n) {
  std::atomic<std::uint64_t> total{0};
  for_slices(team_, n, slice_size(n, team_.size(), 64, 4096),
             [&](unsigned member, std::size_t begin, std::size_t end) {
               Scratch& s = scratch_[member];
               const std::size_t m = end - begin;
               s.stack.reserve(1);
               s.positions.resize(m);
               s.counts.resize(m);
               for (std::size_t i = 0; i < m; ++i) s.positions[i] = rows[begin + i].position;
               engine_.perft(s.positions.data(), m, 1, s.stack.levels(), s.counts.data());
               std::uint64_t sum = 0;
               for (const std::uint64_t c : s.counts) sum += c;
               total += sum;
             });
  return total;
}

// Replaces the rows by their children, merged when asked for; returns how many those are.
std::size_t CpuFrontier::expand(RowArena& rows, std::size_t n, std::uint64_t children) {
  unsigned bits = 0;
  while (bits < kMaxPartitionBits && (children >> bits) > kPartitionRows) ++bits;
  const std::size_t partitions = std::size_t{1} << bits;
  const std::size_t slice = slice_size(n, team_.size(), 16, 16384);
  const std::size_t slices = (n + slice - 1) / slice;

  // Sizes per slice and partition, turned into places: partition by partition, slices in order,
  // so that the rows' order does not depend on the threads.
  std::vector<std::uint64_t> places(slices * partitions, 0);
  for_slices(team_, n, slice, [&](unsigned, std::size_t begin, std::size_t end) {
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
  for_slices(team_, n, slice, [&](unsigned, std::size_t begin, std::size_t end) {
    engine_.partition_children(rows.rows() + begin, end - begin, bits,
                               &places[begin / slice * partitions], out.rows());
  });
  rows = RowArena();
  std::size_t kept = children;
  if (merge_) kept = merge(out, begins);
  out.shrink(kept);
  rows = std::move(out);
  return kept;
}

// Merges every partition, then closes the gaps; returns the number of rows left.
std::size_t CpuFrontier::merge(RowArena& out, const std::vector<std::uint64_t>& begins) {
  const std::size_t partitions = begins.size() - 1;
  std::vector<std::size_t> kept(partitions);
  for_slices(team_, partitions, 1, [&](unsigned member, std::size_t p, std::size_t) {
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

}  // namespace cuarbiter
