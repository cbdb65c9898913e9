// Distinct positions ply by ply, breadth first in passes: the same algorithm for every execution
// space that Thrust has (see perft_levels.hpp for what a space is).
//
// A ply that fits is kept. From there on a ply is gone through in passes, each over a range of
// keys: all parents are expanded a chunk at a time, the children of the range appended to a set,
// and the set sorted and freed of repetitions whenever it is full. Where that does not make room
// the range is cut in half and the rest left to a later pass. A ply that was not kept is made
// again, pass by pass, whenever the next one needs its positions. All of it stays within one block
// of memory; a smaller block takes more passes and gives the same answer.
//
// Several workers share a ply by its keys, without a word between them: each makes the passes over
// its own part of the keys. A ply that fits is made by each of them as a whole, to go on from.
#pragma once

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "kernels/algo/arena.hpp"
#include "kernels/algo/unique_share.hpp"
#include "kernels/ops/count_op.hpp"
#include "kernels/ops/expand_op.hpp"
#include "kernels/ops/perft_op.hpp"
#include "kernels/ops/unique_op.hpp"

namespace cuarbiter {

// The least block for a depth, in bytes. Any larger block gives the same answers sooner.
constexpr std::size_t unique_minimum_bytes(unsigned depth) {
  return (std::size_t{1} << 19) * (depth + 2);
}

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

template <class Space>
class UniqueLevels {
 public:
  // Works in `bytes` bytes at `block`, memory of the space, aligned to Arena::kAlignment.
  // `progress` may be empty; it is called with the children made so far.
  UniqueLevels(Space& space, void* block, std::size_t bytes,
               std::function<void(double)> progress = {})
      : space_(space), arena_(block, bytes), progress_(std::move(progress)) {
    chunk_ = arena_.template allocate<PerftChunk>(1);
    bottom_ = arena_.mark();
  }

  // Calls found(ply, positions) with the positions of the share, for the plies 1 to `depth`, in
  // order. Throws std::bad_alloc when the block is below the minimum.
  void run(const Position& root, unsigned depth, UniqueShare share,
           const std::function<void(unsigned, std::uint64_t)>& found) {
    depth_ = depth;
    share_ =
        InKeyRange{kKeyEnd * share.index / share.count, kKeyEnd * (share.index + 1) / share.count};
    arena_.release(bottom_);
    kept_ = arena_.template allocate<Position>(1);
    kept_size_ = 1;
    kept_ply_ = 0;
    space_.copy_in(kept_, &root, sizeof root);
    sizes_.assign(1, 1);
    for (unsigned ply = 1; ply <= depth; ++ply) found(ply, count(ply));
  }

 private:
  using Allocator = ArenaAllocator<Space>;

  static constexpr std::uint64_t kKeyEnd = std::uint64_t{1} << 32;
  // Row numbers have 32 bits, Thrust's are signed.
  static constexpr std::uint64_t kMaxRows = 1u << 30;
  // Scratch of a row of the largest set: mix, order, head, the sort's copies, the compacted row.
  static constexpr std::uint64_t kScratchBytes = 8 + 4 + 8 + 12 + sizeof(Position) + 2;
  // A chunk of children is a quarter of a set, its parents at most an eighth of that.
  static constexpr std::uint64_t kChunkShare = 4;
  static constexpr std::uint64_t kParentShare = 8;
  static constexpr std::uint64_t kChunkBytes = (sizeof(Position) + 1) / kChunkShare + 1;
  static constexpr std::uint64_t kSlack = 32 * Arena::kAlignment;
  // The most children of one parent have room in the least chunk.
  static constexpr std::uint64_t kLeastRows = 4096;

  // The positions of a ply that belong to the range of the pass under way, the first `size` of
  // `rows`; not free of repetitions before tidy().
  struct Set {
    Position* rows = nullptr;
    std::uint64_t size = 0;
    std::uint64_t lower = 0, upper = 0;
  };

  static InKeyRange whole() { return InKeyRange{0, kKeyEnd}; }
  static bool is_whole(const Set& set) { return set.lower == 0 && set.upper == kKeyEnd; }

  // The positions of a ply that belong to the share.
  std::uint64_t count(unsigned ply) {
    const std::size_t mark = arena_.mark();
    const unsigned unkept = ply - kept_ply_;
    const std::uint64_t free = arena_.free_bytes() > kSlack ? arena_.free_bytes() - kSlack : 0;
    capacity_ =
        std::min(free / (unkept * sizeof(Position) + kScratchBytes + kChunkBytes), kMaxRows);
    if (capacity_ < kLeastRows) throw std::bad_alloc();
    sets_.assign(unkept, Set{});
    for (Set& set : sets_) set.rows = arena_.template allocate<Position>(capacity_);
    Set& set = sets_.back();
    const double positions = expected(ply);
    // The last ply is not gone on from.
    const bool try_whole = unkept == 1 && ply != depth_ && positions <= room();
    std::uint64_t total = 0;
    bool more = start(set, positions, try_whole ? whole() : share_);
    for (; more; more = next(set, share_)) {
      fill(ply, set);
      total += count_shared(set);
    }
    if (unkept == 1 && is_whole(set)) {
      sizes_.push_back(static_cast<double>(set.size));
      keep(set.rows, set.size);
      kept_ply_ = ply;
    } else {
      const auto share = static_cast<double>(share_.upper - share_.lower);
      sizes_.push_back(static_cast<double>(total) * static_cast<double>(kKeyEnd) / share);
      arena_.release(mark);
    }
    return total;
  }

  std::uint64_t count_shared(const Set& set) {
    if (set.lower >= share_.lower && set.upper <= share_.upper) return set.size;
    ArenaScope scope(arena_);
    Allocator temporary(arena_, space_);
    return static_cast<std::uint64_t>(
        thrust::count_if(space_.policy(temporary), set.rows, set.rows + set.size, share_));
  }

  // Makes rows that lie further up in the arena the ones that are kept.
  void keep(const Position* rows, std::uint64_t size) {
    arena_.release(bottom_);
    kept_ = arena_.template allocate<Position>(size);
    kept_size_ = size;
    // Old and new place may overlap: in pieces no longer than what lies between them.
    const auto step = static_cast<std::uint64_t>(rows - kept_);
    for (std::uint64_t at = 0; at < size; at += step) {
      space_.copy(kept_ + at, rows + at, std::min(step, size - at) * sizeof(Position));
    }
  }

  // How many positions a ply may have in all, going by those before it; 0 where nothing is known.
  double expected(unsigned ply) const {
    if (ply < sizes_.size()) return sizes_[ply];
    if (ply < 2) return 0;
    return sizes_[ply - 1] * sizes_[ply - 1] / std::max(sizes_[ply - 2], 1.0);
  }

  // What a set may hold after tidy(), so that the next chunks have room.
  std::uint64_t most() const { return capacity_ / 2; }
  // What a pass is made for: no more than that, as a guess may be too small.
  double room() const { return 0.9 * static_cast<double>(most()); }

  // The first pass over a range of the keys of a ply that may have so many positions in all.
  bool start(Set& set, double positions, InKeyRange range) const {
    const double wanted = room() * static_cast<double>(kKeyEnd) / std::max(positions, 1.0);
    set.lower = range.lower;
    set.upper = upper_end(set, wanted, range);
    set.size = 0;
    return true;
  }

  // The next pass over the range; false when there is none. The one before may have begun, and even
  // ended, below the range.
  bool next(Set& set, InKeyRange range) const {
    if (set.upper >= range.upper) return false;
    const double positions = std::max(static_cast<double>(set.size), 1.0);
    const double wanted = static_cast<double>(set.upper - set.lower) * room() / positions;
    set.lower = std::max(set.upper, range.lower);
    set.upper = upper_end(set, wanted, range);
    set.size = 0;
    return true;
  }

  // Where a pass ends that takes so many keys, within the range.
  static std::uint64_t upper_end(const Set& set, double wanted, InKeyRange range) {
    const auto left = static_cast<double>(range.upper - set.lower);
    if (wanted >= left) return range.upper;
    return set.lower + std::max<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1);
  }

  // Puts the positions of a ply that belong to the set's range into it, once each.
  void fill(unsigned ply, Set& set) {
    if (ply - 1 == kept_ply_) {
      expand(kept_, kept_size_, set);
    } else {
      Set& above = sets_[ply - 2 - kept_ply_];
      const double positions = expected(ply - 1);
      for (bool more = start(above, positions, whole()); more; more = next(above, whole())) {
        fill(ply - 1, above);
        expand(above.rows, above.size, set);
      }
    }
    tidy(set);
  }

  void expand(const Position* parents, std::uint64_t size, Set& set) {
    const std::uint64_t chunk_rows = capacity_ / kChunkShare;
    const std::uint64_t batch_rows = chunk_rows / kParentShare;
    for (std::uint64_t first = 0; first < size; first += batch_rows) {
      const std::uint64_t batch = std::min(batch_rows, size - first);
      ArenaScope scope(arena_);
      auto* ends = arena_.template allocate<std::uint64_t>(batch);
      auto* children = arena_.template allocate<Position>(chunk_rows);
      space_.for_each(batch, CountOp<std::uint64_t>{parents + first, ends});
      scan(ends, batch);
      std::uint64_t parent = 0, child = 0;
      while (parent < batch) {
        space_.for_each(1, FindChunkOp{ends, parent, batch, child, batch, chunk_rows, chunk_});
        PerftChunk chunk;
        space_.copy_out(&chunk, chunk_, sizeof chunk);
        space_.for_each(chunk.end - parent, ExpandPositionsOp{parents + first + parent,
                                                              ends + parent, child, children});
        append(set, children, chunk.children);
        parent = chunk.end;
        child += chunk.children;
        made_ += static_cast<double>(chunk.children);
      }
      if (progress_) progress_(made_);
    }
  }

  void append(Set& set, const Position* children, std::uint64_t size) {
    if (set.size + size > capacity_) {
      tidy(set);
      while (set.size > most()) halve(set);
    }
    ArenaScope scope(arena_);
    Allocator temporary(arena_, space_);
    Position* end = thrust::copy_if(space_.policy(temporary), children, children + size,
                                    set.rows + set.size, InKeyRange{set.lower, set.upper});
    set.size = static_cast<std::uint64_t>(end - set.rows);
  }

  // Leaves the upper half of the range to a later pass.
  void halve(Set& set) {
    const std::uint64_t width = set.upper - set.lower;
    if (width < 2) throw std::bad_alloc();
    set.upper = set.lower + width / 2;
    ArenaScope scope(arena_);
    Allocator temporary(arena_, space_);
    Position* end = thrust::remove_if(space_.policy(temporary), set.rows, set.rows + set.size,
                                      OutsideKeyRange{InKeyRange{set.lower, set.upper}});
    set.size = static_cast<std::uint64_t>(end - set.rows);
  }

  // Drops the repetitions.
  void tidy(Set& set) {
    const std::uint64_t size = set.size;
    if (size < 2) return;
    ArenaScope scope(arena_);
    auto* mixes = arena_.template allocate<std::uint64_t>(size);
    auto* order = arena_.template allocate<std::uint32_t>(size);
    auto* heads = arena_.template allocate<std::uint64_t>(size);
    auto* out = arena_.template allocate<Position>(size);
    space_.for_each(size, UniqueKeyOp{set.rows, mixes, order});
    {
      ArenaScope sort_scope(arena_);
      Allocator temporary(arena_, space_);
      thrust::sort_by_key(space_.policy(temporary), mixes, mixes + size, order);
    }
    space_.for_each(size, UniqueHeadOp{set.rows, mixes, order, heads});
    scan(heads, size);
    space_.for_each(size, UniqueCompactOp{set.rows, order, heads, out});
    std::uint64_t kept = 0;
    space_.copy_out(&kept, heads + size - 1, sizeof kept);
    space_.copy(set.rows, out, kept * sizeof(Position));
    set.size = kept;
  }

  void scan(std::uint64_t* values, std::uint64_t size) {
    ArenaScope scope(arena_);
    Allocator temporary(arena_, space_);
    thrust::inclusive_scan(space_.policy(temporary), values, values + size, values);
  }

  Space& space_;
  Arena arena_;
  std::function<void(double)> progress_;
  PerftChunk* chunk_ = nullptr;
  std::size_t bottom_ = 0;
  Position* kept_ = nullptr;  // the distinct positions at kept_ply_
  std::uint64_t kept_size_ = 0;
  unsigned kept_ply_ = 0;
  unsigned depth_ = 0;
  InKeyRange share_{0, 0};
  std::uint64_t capacity_ = 0;  // rows of each set
  std::vector<Set> sets_;       // of the plies behind the kept one
  std::vector<double> sizes_;   // positions of each ply in all, guessed from the share's if need be
  double made_ = 0;
};

CUARBITER_RULES_END
