#include "kernels/cpu/cpu_unique.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kernels/cpu/level_stack.hpp"
#include "kernels/cpu/position_set.hpp"
#include "kernels/cpu/slices.hpp"

namespace cuarbiter {
namespace {

// Parents that a thread takes at a time.
constexpr std::size_t kSliceParents = 1024;
// Children that a thread makes before it hands them to the set.
constexpr std::size_t kScratchChildren = 4096;
// The least memory for the sets of all plies that are not kept.
constexpr std::uint64_t kLeastSets = std::uint64_t{2} << 20;

using Spans = std::vector<std::span<const Position>>;

// What a thread makes children in.
struct Scratch {
  std::unique_ptr<Position[]> positions;
  std::unique_ptr<std::uint64_t[]> mixes;  // or counts
  LevelStack stack;
};

class Unique {
 public:
  Unique(const CpuEngine& engine, ThreadTeam& team, std::uint64_t memory,
         const PerftOptions& options)
      : engine_(engine), team_(team), memory_(memory), options_(options) {
    scratch_.resize(team.size());
    for (Scratch& own : scratch_) {
      own.positions = std::make_unique<Position[]>(kScratchChildren);
      own.mixes = std::make_unique<std::uint64_t[]>(kScratchChildren);
    }
  }

  void run(const Position& root, unsigned depth,
           const std::function<void(unsigned, std::uint64_t)>& found) {
    kept_ = SystemArray<Position>(1);
    *kept_.data() = root;
    counts_.assign(1, 1);
    for (unsigned ply = 1; ply <= depth; ++ply) {
      counts_.push_back(counts_.back() == 0 ? 0 : count(ply));
      found(ply, counts_.back());
    }
  }

 private:
  // The number of distinct positions at `ply`, which becomes the kept ply where it can.
  std::uint64_t count(unsigned ply) {
    const unsigned unkept = ply - kept_ply_;
    const std::uint64_t own = kept_.size() * sizeof(Position);
    const std::uint64_t room = std::max(memory_ > own ? memory_ - own : 0, kLeastSets);
    sets_.clear();
    // Small plies do not take the whole room: it would have to be cleared.
    const std::uint64_t enough =
        unkept == 1 ? PositionSet::bytes_for(count_children()) : room / unkept;
    for (unsigned i = 0; i < unkept; ++i) {
      sets_.push_back(std::make_unique<PositionSet>(std::min(room / unkept, enough), team_));
    }
    PositionSet& set = *sets_.back();
    set.start(expected(ply));
    std::uint64_t total = 0;
    while (set.next_pass()) {
      fill(ply, set);
      total += set.size();
      if (unkept == 1 && set.whole()) {
        kept_ = SystemArray<Position>();
        kept_ = set.take();
        kept_ply_ = ply;
        break;
      }
    }
    sets_.clear();
    return total;
  }

  // The number of moves of the positions that are kept.
  std::uint64_t count_children() {
    std::atomic<std::uint64_t> total{0};
    for_slices(team_, kept_.size(), kSliceParents,
               [&](unsigned member, std::size_t begin, std::size_t end) {
                 Scratch& own = scratch_[member];
                 own.stack.reserve(1);
                 engine_.perft(kept_.data() + begin, end - begin, 1, own.stack.levels(),
                               own.mixes.get());
                 std::uint64_t sum = 0;
                 for (std::size_t i = 0; i < end - begin; ++i) sum += own.mixes[i];
                 total += sum;
               });
    return total;
  }

  // How many positions a ply may have, going by those before it; 0 where nothing is known.
  double expected(unsigned ply) const {
    if (ply < counts_.size()) return static_cast<double>(counts_[ply]);
    if (ply < 2) return 0;
    const auto last = static_cast<double>(counts_[ply - 1]);
    return last * last / std::max(static_cast<double>(counts_[ply - 2]), 1.0);
  }

  // Puts the positions of a ply that belong to the set's pass into it.
  void fill(unsigned ply, PositionSet& set) {
    if (ply - 1 == kept_ply_) {
      Spans parents;
      for (std::size_t at = 0; at < kept_.size(); at += kSliceParents) {
        parents.push_back(kept_.span().subspan(at, std::min(kSliceParents, kept_.size() - at)));
      }
      expand(parents, set);
    } else {
      PositionSet& above = *sets_[ply - 2 - kept_ply_];
      above.start(expected(ply - 1));
      while (above.next_pass()) {
        fill(ply - 1, above);
        expand(above.parts(), set);
      }
    }
    set.end_pass();
  }

  void expand(const Spans& parents, PositionSet& set) {
    for_slices(team_, parents.size(), 1, [&](unsigned member, std::size_t i, std::size_t) {
      const Scratch& own = scratch_[member];
      std::span<const Position> rest = parents[i];
      std::uint64_t made = 0;
      while (!rest.empty()) {
        std::size_t taken = 0;
        const std::size_t n = engine_.mixed_children(rest.data(), rest.size(), own.positions.get(),
                                                     own.mixes.get(), kScratchChildren, &taken);
        set.add(member, own.positions.get(), own.mixes.get(), n);
        rest = rest.subspan(taken);
        made += n;
      }
      made_ += made;
      if (member == 0 && options_.progress) options_.progress(static_cast<double>(made_));
    });
  }

  const CpuEngine& engine_;
  ThreadTeam& team_;
  std::uint64_t memory_;
  const PerftOptions& options_;
  std::vector<Scratch> scratch_;
  SystemArray<Position> kept_;  // the distinct positions at kept_ply_
  unsigned kept_ply_ = 0;
  std::vector<std::uint64_t> counts_;               // by ply
  std::vector<std::unique_ptr<PositionSet>> sets_;  // of the plies behind the kept one
  std::atomic<std::uint64_t> made_{0};
};

}  // namespace

void cpu_perft_unique(const CpuEngine& engine, ThreadTeam& team, std::uint64_t memory_bytes,
                      const Position& root, unsigned depth, const PerftOptions& options,
                      const std::function<void(unsigned, std::uint64_t)>& found) {
  Unique(engine, team, memory_bytes, options).run(root, depth, found);
}

}  // namespace cuarbiter
