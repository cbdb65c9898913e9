// The CPU engine: the operations compiled once per instruction set, reached through one table of
// functions. The rest of the CPU backend (threads, memory, order of work) is ordinary code.
//
// The files that instantiate it are compiled with the flags of their instruction set, so they use
// no standard library templates: an inline copy of one, compiled for AVX-512, could be the copy
// that the linker keeps for everybody.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/backend.hpp"
#include "host/batch/uint128.hpp"
#include "host/rules/leaf_stats.hpp"
#include "kernels/ops/replay_view.hpp"

namespace cuarbiter {

// Rows of perft as a struct of arrays: planes and the tag of the row they descend from.
struct PerftLevel {
  std::uint64_t* a = nullptr;
  std::uint64_t* b = nullptr;
  std::uint64_t* c = nullptr;
  std::uint64_t* d = nullptr;
  std::uint32_t* tag = nullptr;
};

// A row of the merged frontier: one cache line.
struct alignas(64) PerftRow {
  Position position;
  std::uint64_t mix = 0;   // of position and root
  Uint128 multiplicity{};  // number of paths that lead here
  std::uint32_t root = 0;
  std::uint32_t padding = 0;
};
static_assert(sizeof(PerftRow) == 64);

// Sums of leaf moves, by LeafColumn.
struct LeafSums {
  std::uint64_t count[kLeafColumns] = {};
};

// No position with at most 32 men has more moves: 31 queens of at most 27 moves, a king's 8.
inline constexpr std::size_t kMaxMoves = 31 * 27 + 8;
// Rows of a level; a multiple of the widest vector, with room for the children of one more parent a
// lane.
inline constexpr std::size_t kLevelRows = 16384;

// Games that an engine replays side by side.
inline constexpr std::size_t kMostLanes = 8;

// Partitions first .. first + count of the 2^bits that the top bits (0 to 32) of the mix make.
struct KeyRange {
  unsigned bits = 0;
  std::uint64_t first = 0;
  std::uint64_t count = 1;
};

struct CpuEngine {
  const char* name;  // "generic", "avx2", "avx512"

  // Counts the paths of `depth` >= 1 plies from each of n positions into counts[i], which must not
  // overflow 64 bits. levels[0 .. depth-1) are scratch of kLevelRows rows each.
  void (*perft)(const Position* positions, std::size_t n, unsigned depth, const PerftLevel* levels,
                std::uint64_t* counts);

  // The same for the statistics of the leaf moves: sums[i] belongs to positions[i].
  void (*leaf_sums)(const Position* positions, std::size_t n, unsigned depth,
                    const PerftLevel* levels, LeafSums* sums);

  // Adds to sizes[i] the number of children of `rows` that fall into partition range.first + i.
  // levels[0 .. 2) are scratch of kLevelRows rows each.
  void (*partition_sizes)(const PerftRow* rows, std::size_t n, const KeyRange& range,
                          const PerftLevel* levels, std::uint64_t* sizes);

  // Writes the same children, in the same order, each to out[cursor[i]++].
  void (*partition_children)(const PerftRow* rows, std::size_t n, const KeyRange& range,
                             const PerftLevel* levels, std::uint64_t* cursor, PerftRow* out);

  // Writes the children of positions, in order, with their unique_mix until fewer than kMaxMoves
  // rows of `room` are left; sets *taken to the number of parents done and returns that of
  // children.
  std::size_t (*mixed_children)(const Position* parents, std::size_t n, Position* children,
                                std::uint64_t* mixes, std::size_t room, std::size_t* taken);

  // Merges equal rows (position and root) of one partition in place, adding multiplicities; returns
  // how many are left, at the front, in the order of first occurrence. `table` has `table_size`
  // entries, a power of two larger than n. Sets *overflow when a multiplicity passes 128 bits.
  std::size_t (*merge_rows)(PerftRow* rows, std::size_t n, std::uint32_t* table,
                            std::size_t table_size, bool* overflow);

  void (*classify)(const Position* positions, std::size_t n, PositionFacts* facts);

  // As Backend::find_mates and rule_out.
  void (*find_mates)(const Position* positions, std::size_t n, std::uint8_t* sides);
  void (*rule_out)(const Position* positions, std::size_t n, std::uint8_t* sides);

  // Writes the legal moves of one position; returns how many. `out` has room for kMaxMoves.
  std::size_t (*moves)(const Position& position, MoveFacts* out);

  // As Backend::repetitions.
  void (*repetitions)(const Position* positions, const std::uint32_t* reach, std::size_t n,
                      RepetitionFacts* facts);

  // Plays through games first .. last of the batch, up to kMostLanes at a time.
  void (*replay)(const ReplayView& view, std::uint32_t first, std::uint32_t last);
};

const CpuEngine& cpu_engine_generic();
// Null when the build is not for x86-64.
const CpuEngine* cpu_engine_avx2();
const CpuEngine* cpu_engine_avx512();

// The widest engine that this processor runs, or the one that the environment variable
// CUARBITER_ISA names. Throws BackendError when that one is unknown or cannot run here.
const CpuEngine& choose_cpu_engine();

}  // namespace cuarbiter
