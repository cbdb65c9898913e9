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
// Rows that a pass over the last level makes at most: memory that is used again costs less than
// fresh memory, but every pass makes all children anew.
constexpr std::uint64_t kPassRows = std::uint64_t{1} << 26;
// Rows that a visit gets at most.
constexpr std::size_t kVisitRows = 2048;
constexpr std::size_t kDeepVisitRows = 64;

constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

CpuFrontier::CpuFrontier(const CpuEngine& engine, ThreadTeam& team, bool merge, Visit visit)
    : engine_(engine),
      team_(team),
      merge_(merge),
      visit_(std::move(visit)),
      scratch_(team.size()) {}

void CpuFrontier::run(const PerftRows& rows, unsigned depth, std::uint64_t memory_bytes) {
  Level start;
  start.arena = SystemArray<PerftRow>(rows.size());
  start.size = rows.size();
  start.runs = {{0, rows.size()}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PerftRow& row = start.arena.data()[i];
    row.position = rows.positions[i];
    row.multiplicity = rows.multiplicity(i);
    row.root = rows.root(i);
  }
  walk(std::move(start), depth, memory_bytes);
  if (overflow_) throw BackendError("perft: a count passes 128 bits");
}

// Visits the rows, of `depth` plies, keeping the frontier within `memory` bytes.
void CpuFrontier::walk(Level level, unsigned depth, std::uint64_t memory) {
  // A level's parents are gone when it grows: only its own rows are taken off.
  const std::uint64_t budget = memory;
  while (grow_further(level.size, depth, memory)) {
    const std::uint64_t children = count_children(level);
    if (merge_ && depth == kCountedPlies + 1) {
      visit_children(level, depth, memory, children);
      return;
    }
    if (children * sizeof(PerftRow) > memory) {
      walk_in_pieces(level, depth, memory, children);
      return;
    }
    level = expand(level, children);
    --depth;
    // Gaps that merging left are closed where they would be missed.
    if (level.arena.size() * sizeof(PerftRow) > memory / 4) compact(level);
    const std::uint64_t own = level.arena.size() * sizeof(PerftRow);
    memory = budget > own ? budget - own : 0;
  }
  visit(level, depth);
}

bool CpuFrontier::grow_further(std::size_t n, unsigned depth, std::uint64_t memory) const {
  if (n == 0 || depth <= 1) return false;
  if (merge_) return depth > kCountedPlies && memory >= kLeastBudget;
  // Without merging the frontier only has to give every thread its share of work.
  return n < std::size_t{256} * team_.size() && memory >= kLeastBudget;
}

void CpuFrontier::visit(const Level& level, unsigned depth) {
  // Deep rows are few and dear, shallow rows many and cheap.
  const std::size_t most = depth <= kCountedPlies ? kVisitRows : kDeepVisitRows;
  const std::vector<Run> parts = slices(level, slice_size(level.size, team_.size(), 1, most));
  for_slices(team_, parts.size(), 1, [&](unsigned member, std::size_t i, std::size_t) {
    visit_(member, level.arena.data() + parts[i].begin, parts[i].size, depth);
  });
}

void CpuFrontier::walk_in_pieces(const Level& level, unsigned depth, std::uint64_t memory,
                                 std::uint64_t children) {
  const std::uint64_t pieces = children * sizeof(PerftRow) / std::max(memory / 2, kLeastBudget) + 1;
  const std::size_t length = std::max<std::size_t>(level.size / pieces, 1);
  if (length == level.size) {
    visit(level, depth);
    return;
  }
  for (const Run& part : slices(level, length)) {
    Level piece;
    piece.arena = SystemArray<PerftRow>(part.size);
    piece.size = part.size;
    piece.runs = {{0, part.size}};
    std::memcpy(static_cast<void*>(piece.arena.data()), level.arena.data() + part.begin,
                part.size * sizeof(PerftRow));
    const std::uint64_t own = part.size * sizeof(PerftRow);
    walk(std::move(piece), depth, memory > own ? memory - own : 0);
  }
}

// The runs of a level cut into slices of at most `length` rows.
std::vector<CpuFrontier::Run> CpuFrontier::slices(const Level& level, std::size_t length) const {
  std::vector<Run> out;
  for (const Run& run : level.runs) {
    for (std::size_t at = 0; at < run.size; at += length) {
      out.push_back({run.begin + at, std::min(length, run.size - at)});
    }
  }
  return out;
}

std::uint64_t CpuFrontier::count_children(const Level& level) {
  std::atomic<std::uint64_t> total{0};
  const std::vector<Run> parts = slices(level, slice_size(level.size, team_.size(), 64, 4096));
  for_slices(team_, parts.size(), 1, [&](unsigned member, std::size_t part, std::size_t) {
    Scratch& s = scratch_[member];
    const PerftRow* rows = level.arena.data() + parts[part].begin;
    const std::size_t n = parts[part].size;
    s.stack.reserve(1);
    s.positions.resize(n);
    s.counts.resize(n);
    for (std::size_t i = 0; i < n; ++i) s.positions[i] = rows[i].position;
    engine_.perft(s.positions.data(), n, 1, s.stack.levels(), s.counts.data());
    std::uint64_t sum = 0;
    for (const std::uint64_t c : s.counts) sum += c;
    total += sum;
  });
  return total;
}

// Writes the children in the range of keys to `out`, which grows where it must: partition by
// partition, in each slice by slice, so that their order does not depend on the threads. Returns
// where the partitions begin, and where the last one ends.
std::vector<std::uint64_t> CpuFrontier::write_children(const Level& level,
                                                       const std::vector<Run>& parts,
                                                       const KeyRange& range,
                                                       SystemArray<PerftRow>& out) {
  const std::size_t partitions = range.count;
  std::vector<std::uint64_t> places(parts.size() * partitions, 0);
  for_slices(team_, parts.size(), 1, [&](unsigned member, std::size_t i, std::size_t) {
    LevelStack& stack = scratch_[member].stack;
    stack.reserve(2);
    engine_.partition_sizes(level.arena.data() + parts[i].begin, parts[i].size, range,
                            stack.levels(), &places[i * partitions]);
  });
  std::vector<std::uint64_t> begins(partitions + 1);
  std::uint64_t place = 0;
  for (std::size_t p = 0; p < partitions; ++p) {
    begins[p] = place;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint64_t size = places[i * partitions + p];
      places[i * partitions + p] = place;
      place += size;
    }
  }
  begins[partitions] = place;
  if (out.size() < place) {
    out = SystemArray<PerftRow>();  // before the new one is taken
    out = SystemArray<PerftRow>(place);
  }
  for_slices(team_, parts.size(), 1, [&](unsigned member, std::size_t i, std::size_t) {
    LevelStack& stack = scratch_[member].stack;
    stack.reserve(2);
    engine_.partition_children(level.arena.data() + parts[i].begin, parts[i].size, range,
                               stack.levels(), &places[i * partitions], out.data());
  });
  return begins;
}

// The children of a level, merged when asked for.
CpuFrontier::Level CpuFrontier::expand(const Level& level, std::uint64_t children) {
  KeyRange range;
  while (range.bits < kMaxPartitionBits && (children >> range.bits) > kPartitionRows) ++range.bits;
  range.count = std::uint64_t{1} << range.bits;
  Level next;
  const std::vector<std::uint64_t> begins = write_children(
      level, slices(level, slice_size(level.size, team_.size(), 16, 16384)), range, next.arena);
  next.runs.resize(range.count);
  for_slices(team_, range.count, 1, [&](unsigned member, std::size_t p, std::size_t) {
    const std::size_t n = begins[p + 1] - begins[p];
    next.runs[p] = {begins[p], merge_ ? merge(member, next.arena.data() + begins[p], n) : n};
  });
  for (const Run& run : next.runs) next.size += run.size;
  return next;
}

// Merges the children of a level of `depth` plies and visits them, within `memory` bytes.
void CpuFrontier::visit_children(const Level& level, unsigned depth, std::uint64_t memory,
                                 std::uint64_t children) {
  const std::uint64_t pass_rows =
      std::clamp<std::uint64_t>(memory / sizeof(PerftRow), kPartitionRows, kPassRows);
  // Equal keys make passes uneven: room for that.
  const std::uint64_t passes = ceil_div(children + children / 16, pass_rows);
  KeyRange range;
  while ((std::uint64_t{1} << range.bits) < passes) ++range.bits;
  const std::uint64_t ranges = std::uint64_t{1} << range.bits;
  unsigned inner = 0;
  while (inner < kMaxPartitionBits && (children >> (range.bits + inner)) > kPartitionRows) ++inner;
  range.bits += inner;
  range.count = std::uint64_t{1} << inner;
  const std::vector<Run> parts = slices(level, slice_size(level.size, team_.size(), 16, 16384));
  SystemArray<PerftRow> arena;
  for (std::uint64_t i = 0; i < ranges; ++i) {
    range.first = i * range.count;
    const std::vector<std::uint64_t> begins = write_children(level, parts, range, arena);
    for_slices(team_, range.count, 1, [&](unsigned member, std::size_t p, std::size_t) {
      PerftRow* rows = arena.data() + begins[p];
      const std::size_t n = merge(member, rows, begins[p + 1] - begins[p]);
      for (std::size_t at = 0; at < n; at += kVisitRows) {
        visit_(member, rows + at, std::min(kVisitRows, n - at), depth - 1);
      }
    });
  }
}

// Merges the rows of a partition; returns how many are left, at the front.
std::size_t CpuFrontier::merge(unsigned member, PerftRow* rows, std::size_t n) {
  std::size_t table_size = 16;
  while (table_size < 2 * n) table_size *= 2;
  std::vector<std::uint32_t>& table = scratch_[member].table;
  if (table.size() < table_size) table.resize(table_size);
  bool overflow = false;
  const std::size_t kept = engine_.merge_rows(rows, n, table.data(), table_size, &overflow);
  if (overflow) overflow_ = true;
  return kept;
}

// Moves the rows of a level together and gives back the rest of its memory.
void CpuFrontier::compact(Level& level) {
  std::size_t at = 0;
  for (const Run& run : level.runs) {
    if (at != run.begin) {
      std::memmove(static_cast<void*>(level.arena.data() + at), level.arena.data() + run.begin,
                   run.size * sizeof(PerftRow));
    }
    at += run.size;
  }
  level.runs = {{0, level.size}};
  level.arena.shrink(level.size);
}

}  // namespace cuarbiter
