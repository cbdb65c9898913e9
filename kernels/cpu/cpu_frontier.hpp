// The frontier of a perft on the CPU: rows (position, root, number of paths) that grow ply by ply,
// equal ones merged, within a budget of memory. Whatever is counted below them is the visitor's.
//
// Children are written partitioned by the top bits of their mix, so that equal positions meet in
// one partition that fits in a core's cache; there equal rows (all 32 bytes and the root compared)
// become one, with their numbers of paths added. The last level that is merged is never there as a
// whole: it is made in passes, each over a range of keys, and its partitions are visited as soon
// as they are merged. When an earlier level would not fit, the frontier is taken in pieces and
// each piece goes on alone. No answer depends on a mix.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "host/backend.hpp"
#include "kernels/cpu/engine.hpp"
#include "kernels/cpu/level_stack.hpp"
#include "kernels/cpu/system_array.hpp"
#include "kernels/cpu/thread_team.hpp"

namespace cuarbiter {

class CpuFrontier {
 public:
  // Called with rows that have `depth` plies left, by any member of the team, several at a time.
  // Together the rows of all calls have the paths of the rows that run() got.
  using Visit =
      std::function<void(unsigned member, const PerftRow* rows, std::size_t n, unsigned depth)>;

  // Refers to `engine` and `team`, which must outlive it.
  CpuFrontier(const CpuEngine& engine, ThreadTeam& team, bool merge, Visit visit);

  // Grows the frontier to the last plies, which are counted without merging, and visits it. Keeps
  // to `memory_bytes` (at least some MiB). Throws BackendError when a number of paths passes 128
  // bits.
  void run(const PerftRows& rows, unsigned depth, std::uint64_t memory_bytes);

 private:
  struct Scratch {
    LevelStack stack;
    std::vector<Position> positions;
    std::vector<std::uint64_t> counts;
    std::vector<std::uint32_t> table;
  };
  // A run of rows of an arena.
  struct Run {
    std::size_t begin, size;
  };
  struct Level {
    SystemArray<PerftRow> arena;
    std::vector<Run> runs;
    std::size_t size = 0;  // of all runs
  };

  void walk(Level level, unsigned depth, std::uint64_t memory);
  void visit(const Level& level, unsigned depth);
  bool grow_further(std::size_t n, unsigned depth, std::uint64_t memory) const;
  void walk_in_pieces(const Level& level, unsigned depth, std::uint64_t memory,
                      std::uint64_t children);
  std::vector<Run> slices(const Level& level, std::size_t length) const;
  std::uint64_t count_children(const Level& level);
  std::vector<std::uint64_t> write_children(const Level& level, const std::vector<Run>& parts,
                                            const KeyRange& range, SystemArray<PerftRow>& out);
  Level expand(const Level& level, std::uint64_t children);
  void visit_children(const Level& level, unsigned depth, std::uint64_t memory,
                      std::uint64_t children);
  std::size_t merge(unsigned member, PerftRow* rows, std::size_t n);
  void compact(Level& level);

  const CpuEngine& engine_;
  ThreadTeam& team_;
  bool merge_;
  Visit visit_;
  std::vector<Scratch> scratch_;
  std::atomic<bool> overflow_{false};
};

}  // namespace cuarbiter
