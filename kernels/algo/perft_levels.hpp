// perft, breadth first in chunks: the same algorithm for every execution space that Thrust has.
//
// A level is a set of rows: position, root, and the number of paths that lead to it (multiplicity).
// It is expanded a chunk of parents at a time into the next level, as many as its share of the
// memory holds; equal rows of that level are merged, which lets it take more parents; then the
// search goes depth first into it. The last two plies are counted at once, and the sums go to the
// totals of their roots. So the memory stays within one block whatever the depth and the number of
// roots, and one root or a million are the same case: rows are always ordered by root.
//
// What is counted at the leaves is a policy: moves, or also what moves they are (NodeLeaves,
// StatsLeaves). It has one or more columns, each a number per position and a total per root. Moves
// are counted by the sum of the replies to each parent (ops/reply_op.hpp). Otherwise the parents'
// children are written, counted and forgotten.
//
// An execution space has these members (work is in the order of the calls):
//   template <class Op> void for_each(std::uint64_t n, const Op& op);  // op(i) for all i < n
//   auto policy(ArenaAllocator<Space>&);      // Thrust's policy with this temporary storage
//   void sort_values(ArenaAllocator<Space>&, std::uint64_t* keys, std::uint32_t* values,
//                    std::uint64_t n, int bits);  // stable, by keys below 2^bits, which are lost
//   void copy_in(void* to, const void* from, std::size_t bytes);       // from the host
//   void copy_out(void* to, const void* from, std::size_t bytes);      // to the host, finished
//   void copy(void* to, const void* from, std::size_t bytes);          // within; no overlap
//   void* allocate(std::size_t bytes);        // throws std::bad_alloc
//   void deallocate(void*) noexcept;
#pragma once

#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <new>
#include <span>
#include <vector>

#include "kernels/algo/arena.hpp"
#include "kernels/algo/perft_rows.hpp"
#include "kernels/ops/count_op.hpp"
#include "kernels/ops/expand_op.hpp"
#include "kernels/ops/merge_op.hpp"
#include "kernels/ops/perft_op.hpp"
#include "kernels/ops/reply_op.hpp"
#include "kernels/ops/rows.hpp"
#include "kernels/ops/stats_op.hpp"

CUARBITER_RULES_BEGIN

struct SaturatedPlus {
  CUARBITER_HD_INLINE Uint128 operator()(const Uint128& a, const Uint128& b) const {
    return saturated_sum(a, b);
  }
};

// The number of legal moves of each position.
struct NodeLeaves {
  static constexpr unsigned kColumns = 1;
  static constexpr bool kReplies = true;  // two plies may be counted by ReplySumOp
  // Column c of position i goes to counts[c * stride + i].
  static CountOp<std::uint16_t> op(const Position* positions, std::uint16_t* counts,
                                   std::uint64_t) {
    return {positions, counts};
  }
};

// The statistics of the legal moves of each position, columns by LeafColumn.
struct StatsLeaves {
  static constexpr unsigned kColumns = kLeafColumns;
  static constexpr bool kReplies = false;
  static LeafStatsOp op(const Position* positions, std::uint16_t* counts, std::uint64_t stride) {
    return {positions, counts, stride};
  }
};

template <class Space, class Leaves = NodeLeaves>
class PerftLevels {
 public:
  // Works in `bytes` bytes at `block`, memory of the space, aligned to Arena::kAlignment.
  // `progress` may be empty; it is called with the paths counted so far.
  PerftLevels(Space& space, void* block, std::size_t bytes, bool merge,
              std::function<void(double)> progress = {})
      : space_(space), arena_(block, bytes), merge_(merge), progress_(std::move(progress)) {
    chunk_ = arena_.template allocate<PerftChunk>(1);
  }

  // Adds the paths of `depth` plies below each row, times its multiplicity, to its root's totals
  // (saturating at saturated_count()): column c of root r is totals[r * kColumns + c]. Throws
  // std::bad_alloc when the block is below the minimum; totals then hold what was finished.
  void run(const PerftRows& rows, unsigned depth, std::span<Uint128> totals) {
    std::uint64_t first = 0;
    while (first < rows.positions.size()) {
      const std::uint64_t end = batch_end(rows, first, depth);
      run_batch(PerftRows{rows.positions.subspan(first, end - first),
                          rows.roots.subspan(first, end - first),
                          rows.multiplicities.subspan(first, end - first)},
                depth, totals);
      first = end;
    }
  }

 private:
  using Allocator = ArenaAllocator<Space>;

  static constexpr std::uint64_t kRowBytes =
      sizeof(Position) + sizeof(std::uint32_t) + sizeof(Uint128);
  static constexpr std::uint64_t kEndBytes = sizeof(std::uint64_t);
  // Row, key, order, then at most: the sort's second copies, or keep flag and compacted row.
  static constexpr std::uint64_t kMergeBytes = 2 * kRowBytes + 20 + 2;
  static constexpr unsigned kColumns = Leaves::kColumns;
  static constexpr std::uint64_t kLeafBytes = sizeof(Position) + kColumns * sizeof(std::uint16_t);
  static constexpr std::uint64_t kSumBytes = 2 * sizeof(Uint128) + sizeof(std::uint32_t);
  static constexpr std::uint64_t kLeavesPerSum = 4;
  // A parent whose replies are summed, and one of its open moves.
  static constexpr std::uint64_t kReplyBytes =
      MoveList::kMost * sizeof(std::uint16_t) + sizeof(std::uint32_t) + kEndBytes + kSumBytes;
  static constexpr std::uint64_t kOpenBytes = sizeof(OpenMove) + sizeof(std::uint16_t);
  static constexpr std::uint64_t kOpenPerParent = 12;  // on average seldom more
  // Row numbers have 32 bits, Thrust's are signed.
  static constexpr std::uint64_t kMaxRows = 1u << 30;
  // Room for the ends of arrays and for Thrust's small needs.
  static constexpr std::uint64_t kSlack = 16 * Arena::kAlignment;

  struct Level {
    RowView rows;
    std::uint64_t size = 0;
    std::uint64_t* ends = nullptr;  // inclusive scan of the numbers of children
  };

  // How far the expansion of a level has come.
  struct Cursor {
    std::uint64_t parent = 0;
    std::uint64_t child = 0;
  };

  std::uint64_t usable_bytes() const {
    const std::uint64_t free = arena_.free_bytes();
    return free > kSlack ? free - kSlack : 0;
  }

  RowView allocate_rows(std::uint64_t size) {
    RowView rows;
    rows.positions = arena_.template allocate<Position>(size);
    rows.multiplicities = arena_.template allocate<Uint128>(size);
    rows.roots = arena_.template allocate<std::uint32_t>(size);
    return rows;
  }

  void copy_rows(const RowView& to, const RowView& from, std::uint64_t size) {
    space_.copy(to.positions, from.positions, size * sizeof(Position));
    space_.copy(to.multiplicities, from.multiplicities, size * sizeof(Uint128));
    space_.copy(to.roots, from.roots, size * sizeof(std::uint32_t));
  }

  void scan(std::uint64_t* values, std::uint64_t size) {
    ArenaScope scope(arena_);
    Allocator temporary(arena_, space_);
    thrust::inclusive_scan(space_.policy(temporary), values, values + size, values);
  }

  template <class T>
  T value_at(const T* where) {
    T value;
    space_.copy_out(&value, where, sizeof(T));
    return value;
  }

  // The first row that does not belong to the batch from `first` on.
  std::uint64_t batch_end(const PerftRows& rows, std::uint64_t first, unsigned depth) const {
    const std::uint64_t share = usable_bytes() / (depth + 1);
    const std::uint64_t room = std::clamp<std::uint64_t>(
        share / (kRowBytes + kEndBytes + kSumBytes + kColumns * (sizeof(Uint128) + 2)), 1,
        kMaxRows);
    std::uint64_t end = std::min<std::uint64_t>(rows.positions.size(), first + room);
    const std::uint64_t root_end = rows.roots[first] + room;
    while (rows.roots[end - 1] >= root_end) --end;
    return end;
  }

  void run_batch(const PerftRows& rows, unsigned depth, std::span<Uint128> totals) {
    const std::uint64_t size = rows.positions.size();
    const std::uint32_t root_base = rows.roots.front();
    root_count_ = rows.roots.back() - root_base + 1;
    std::vector<Uint128> sums(root_count_ * kColumns, Uint128{0, 0});  // column after column
    std::vector<std::uint32_t> roots(rows.roots.begin(), rows.roots.end());
    for (std::uint32_t& root : roots) root -= root_base;
    if (depth == 0) {
      // A path without a move: it counts in the first column only.
      for (std::uint64_t i = 0; i < size; ++i) {
        sums[roots[i]] = saturated_sum(sums[roots[i]], rows.multiplicities[i]);
      }
    } else {
      ArenaScope scope(arena_);
      totals_ = arena_.template allocate<Uint128>(sums.size());
      space_.copy_in(totals_, sums.data(), sums.size() * sizeof(Uint128));
      Level level;
      level.rows = allocate_rows(size);
      level.size = size;
      space_.copy_in(level.rows.positions, rows.positions.data(), size * sizeof(Position));
      space_.copy_in(level.rows.multiplicities, rows.multiplicities.data(), size * sizeof(Uint128));
      space_.copy_in(level.rows.roots, roots.data(), size * sizeof(std::uint32_t));
      if (depth == 1) {
        count_roots(level);
      } else {
        descend(level, depth);
      }
      space_.copy_out(sums.data(), totals_, sums.size() * sizeof(Uint128));
    }
    for (std::size_t r = 0; r < root_count_; ++r) {
      for (unsigned c = 0; c < kColumns; ++c) {
        Uint128& total = totals[(root_base + r) * kColumns + c];
        total = saturated_sum(total, sums[c * root_count_ + r]);
      }
    }
  }

  // Adds the paths of `remaining` plies (at least 2) below each parent to the totals.
  void descend(Level& parents, unsigned remaining) {
    ArenaScope scope(arena_);
    if constexpr (Leaves::kReplies) {
      if (remaining == 2) {
        count_replies(parents);
        return;
      }
    }
    parents.ends = arena_.template allocate<std::uint64_t>(parents.size);
    space_.for_each(parents.size, CountOp<std::uint64_t>{parents.rows.positions, parents.ends});
    scan(parents.ends, parents.size);
    if (remaining == 2) {
      count_leaves(parents);
      return;
    }
    Cursor cursor;
    const std::uint64_t total = value_at(parents.ends + parents.size - 1);
    while (cursor.child < total) {
      ArenaScope level_scope(arena_);
      Level children = fill(parents, cursor, total, remaining);
      descend(children, remaining - 1);
    }
  }

  PerftChunk find_chunk(const Level& parents, const Cursor& cursor, std::uint64_t max_parents,
                        std::uint64_t max_children) {
    return find_chunk(parents.ends, parents.size, cursor, max_parents, max_children);
  }
  PerftChunk find_chunk(const std::uint64_t* ends, std::uint64_t size, const Cursor& cursor,
                        std::uint64_t max_parents, std::uint64_t max_children) {
    space_.for_each(
        1, FindChunkOp{ends, cursor.parent, size, cursor.child, max_parents, max_children, chunk_});
    return value_at(chunk_);
  }

  // Makes the next level of as many parents as its share of the memory holds, and merges it. It
  // stays in the arena until the caller's scope ends.
  Level fill(const Level& parents, Cursor& cursor, std::uint64_t total, unsigned remaining) {
    // This level, those below it and the leaf nodes share what is left.
    std::uint64_t room = usable_bytes() / (kRowBytes + kEndBytes) / (remaining - 1);
    if (merge_) room = std::min(room, usable_bytes() / kMergeBytes);
    room = std::min({room, kMaxRows, total - cursor.child});
    PerftChunk chunk = find_chunk(parents, cursor, parents.size, room);
    if (chunk.children == 0) {
      room = chunk.next;  // one parent at least
      chunk = find_chunk(parents, cursor, parents.size, room);
    }
    const std::size_t level_begin = arena_.mark();
    std::size_t level_end = 0;
    Level level;
    level.rows = allocate_rows(room);
    for (;;) {
      space_.for_each(chunk.end - cursor.parent,
                      ExpandOp{parents.rows.from(cursor.parent), parents.ends + cursor.parent,
                               cursor.child, level.rows.from(level.size)});
      level.size += chunk.children;
      cursor.parent = chunk.end;
      cursor.child += chunk.children;
      if (!merge_ || level.size < 2) return level;
      const std::uint64_t before = level.size;
      const bool more = cursor.child < total;
      ArenaScope scope(arena_);
      const RowView merged = merge(level);
      if (more && level.size <= room / 2) {
        chunk = find_chunk(parents, cursor, parents.size, room - level.size);
        if (chunk.children != 0) {
          if (level.size != before) copy_rows(level.rows, merged, level.size);
          continue;
        }
      }
      if (level.size != before) {
        // The level becomes as small as its rows; the merged copy lies above the old one.
        arena_.release(level_begin);
        level.rows = allocate_rows(level.size);
        copy_rows(level.rows, merged, level.size);
        level_end = arena_.mark();
      }
      break;
    }
    if (level_end != 0) arena_.release(level_end);
    return level;
  }

  // Merges equal rows; sets the level's new size. The rows are returned in scratch space unless
  // nothing was merged.
  RowView merge(Level& level) {
    const std::uint64_t size = level.size;
    auto* keys = arena_.template allocate<std::uint64_t>(size);
    auto* order = arena_.template allocate<std::uint32_t>(size);
    // Whole bytes, as a radix sort takes them, with 8 bits to spare: a key is then shared by chance
    // by less than one row in 256.
    const int bits = std::min<int>((std::bit_width(size) + 8 + 7) / 8 * 8, 64);
    space_.for_each(size, MergeKeyOp{level.rows, 64 - bits, keys, order});
    {
      ArenaScope scope(arena_);
      Allocator temporary(arena_, space_);
      space_.sort_values(temporary, keys, order, size, bits);
    }
    space_.for_each(size, MergeHeadOp{level.rows, order, keys});
    auto* keep = arena_.template allocate<std::uint64_t>(size);
    space_.for_each(size, MergeSumOp{level.rows, order, keys, size, keep});
    scan(keep, size);
    level.size = value_at(keep + size - 1);
    if (level.size == size) return RowView{};
    const RowView merged = allocate_rows(level.size);
    space_.for_each(size, MergeCompactOp{level.rows, keep, merged});
    return merged;
  }

  // Counts what is two plies below each parent, child by child.
  void count_leaves(const Level& parents) {
    const std::uint64_t room =
        std::min(usable_bytes() / (kLeafBytes + kSumBytes / kLeavesPerSum + 2), kMaxRows);
    const std::uint64_t max_parents = std::max<std::uint64_t>(room / kLeavesPerSum, 1);
    Cursor cursor;
    while (cursor.parent < parents.size) {
      const PerftChunk chunk = find_chunk(parents, cursor, max_parents, room);
      const std::uint64_t size = chunk.end - cursor.parent;
      if (size == 0) throw std::bad_alloc();
      ArenaScope scope(arena_);
      auto* positions = arena_.template allocate<Position>(chunk.children);
      auto* counts = arena_.template allocate<std::uint16_t>(kColumns * chunk.children);
      auto* sums = arena_.template allocate<Uint128>(size);
      const std::uint64_t* ends = parents.ends + cursor.parent;
      const RowView rows = parents.rows.from(cursor.parent);
      space_.for_each(size, ExpandPositionsOp{rows.positions, ends, cursor.child, positions});
      space_.for_each(chunk.children, Leaves::op(positions, counts, chunk.children));
      for (unsigned c = 0; c < kColumns; ++c) {
        space_.for_each(size, LeafSumOp{ends, cursor.child, counts + c * chunk.children,
                                        rows.multiplicities, sums});
        add_to_totals(rows.roots, sums, size, c);
      }
      cursor.parent = chunk.end;
      cursor.child += chunk.children;
    }
  }

  // The same by the sums of the replies, for a chunk of parents after the other.
  void count_replies(const Level& parents) {
    const std::uint64_t room = std::clamp<std::uint64_t>(
        usable_bytes() / (kReplyBytes + kOpenPerParent * kOpenBytes), 1, kMaxRows);
    for (std::uint64_t first = 0; first < parents.size; first += room) {
      const std::uint64_t size = std::min(room, parents.size - first);
      ArenaScope scope(arena_);
      const RowView rows = parents.rows.from(first);
      auto* sums = arena_.template allocate<std::uint32_t>(size);
      auto* ends = arena_.template allocate<std::uint64_t>(size);
      {
        ArenaScope moves_scope(arena_);
        auto* moves = arena_.template allocate<std::uint16_t>(size * MoveList::kMost);
        space_.for_each(size, ReplySumOp{rows.positions, sums, ends, moves, size});
        scan(ends, size);
        add_open(rows.positions, ends, moves, size, sums);
      }
      auto* products = arena_.template allocate<Uint128>(size);
      space_.for_each(size, ReplyProductOp{sums, rows.multiplicities, products});
      add_to_totals(rows.roots, products, size, 0);
    }
  }

  // Counts the open moves of the parents of a chunk and adds the replies to their sums; of as many
  // parents at a time as there is room for.
  void add_open(const Position* parents, const std::uint64_t* ends, const std::uint16_t* moves,
                std::uint64_t size, std::uint32_t* sums) {
    const std::uint64_t room = std::min(usable_bytes() / kOpenBytes, kMaxRows);
    Cursor cursor;
    while (cursor.parent < size) {
      const PerftChunk chunk = find_chunk(ends, size, cursor, size, room);
      const std::uint64_t part = chunk.end - cursor.parent;
      if (part == 0) throw std::bad_alloc();
      ArenaScope scope(arena_);
      auto* list = arena_.template allocate<OpenMove>(chunk.children);
      auto* counts = arena_.template allocate<std::uint16_t>(chunk.children);
      const std::uint64_t* part_ends = ends + cursor.parent;
      space_.for_each(part, OpenListOp{part_ends, cursor.child, moves, size,
                                       static_cast<std::uint32_t>(cursor.parent), list});
      space_.for_each(chunk.children, OpenCountOp{parents, list, counts});
      space_.for_each(part, OpenSumOp{part_ends, cursor.child, counts, sums + cursor.parent});
      cursor.parent = chunk.end;
      cursor.child += chunk.children;
    }
  }

  // The leaf nodes one ply below the roots.
  void count_roots(const Level& level) {
    ArenaScope scope(arena_);
    auto* counts = arena_.template allocate<std::uint16_t>(kColumns * level.size);
    auto* sums = arena_.template allocate<Uint128>(level.size);
    space_.for_each(level.size, Leaves::op(level.rows.positions, counts, level.size));
    for (unsigned c = 0; c < kColumns; ++c) {
      space_.for_each(level.size,
                      RootSumOp{counts + c * level.size, level.rows.multiplicities, sums});
      add_to_totals(level.rows.roots, sums, level.size, c);
    }
  }

  // Adds sums[i] to a column of the totals of roots[i]; equal roots are neighbours.
  void add_to_totals(const std::uint32_t* roots, const Uint128* sums, std::uint64_t size,
                     unsigned column) {
    ArenaScope scope(arena_);
    auto* root_sums = arena_.template allocate<Uint128>(size);
    auto* root_names = arena_.template allocate<std::uint32_t>(size);
    Allocator temporary(arena_, space_);
    const auto ends =
        thrust::reduce_by_key(space_.policy(temporary), roots, roots + size, sums, root_names,
                              root_sums, thrust::equal_to<std::uint32_t>(), SaturatedPlus{});
    const auto found = static_cast<std::uint64_t>(ends.first - root_names);
    space_.for_each(found, AddTotalsOp{root_names, root_sums, totals_ + column * root_count_});
    if (!progress_ || column != 0) return;
    std::vector<Uint128> counted(found);
    space_.copy_out(counted.data(), root_sums, found * sizeof(Uint128));
    for (const Uint128& sum : counted) nodes_so_far_ += to_double(sum);
    progress_(nodes_so_far_);
  }

  Space& space_;
  Arena arena_;
  bool merge_;
  std::function<void(double)> progress_;
  PerftChunk* chunk_ = nullptr;
  Uint128* totals_ = nullptr;  // column after column
  std::size_t root_count_ = 0;
  double nodes_so_far_ = 0;
};

CUARBITER_RULES_END
