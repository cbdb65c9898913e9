// The part of a CPU engine that takes statistics of leaf moves; included by engine_body.hpp. Counts
// that need no move are taken for a vector of positions at once. Moves that may check are made,
// gathered, and judged a vector at a time.
#pragma once

#include "host/rules/leaf_stats.hpp"
#include "kernels/cpu/engine.hpp"
#include "kernels/cpu/word_vector.hpp"

CUARBITER_RULES_BEGIN

namespace engine {

// One lane of structs whose members are all words.
template <template <class> class S, class W>
CUARBITER_HD_INLINE S<Bitboard> lane_of(const S<W>& s, std::size_t lane) {
  constexpr std::size_t kMembers = sizeof(S<Bitboard>) / sizeof(Bitboard);
  static_assert(sizeof(S<W>) == kMembers * sizeof(W));
  const auto* from = reinterpret_cast<const char*>(&s) + lane * sizeof(Bitboard);
  Bitboard words[kMembers];
  for (std::size_t i = 0; i < kMembers; ++i) {
    __builtin_memcpy(&words[i], from + i * sizeof(W), sizeof(Bitboard));
  }
  S<Bitboard> out;
  __builtin_memcpy(&out, words, sizeof out);
  return out;
}

// Positions after moves that may check, waiting to be judged.
struct CheckBatch {
  static constexpr std::size_t kSize = 64;
  alignas(64) std::uint64_t a[kSize] = {}, b[kSize] = {}, c[kSize] = {}, d[kSize] = {};
  alignas(64) std::uint64_t moved[kSize] = {};
  std::uint32_t tag[kSize] = {};
  std::size_t filled = 0;

  void add(const Position& child, Bitboard arrived, std::uint32_t parent_tag, LeafSums* sums) {
    a[filled] = child.a;
    b[filled] = child.b;
    c[filled] = child.c;
    d[filled] = child.d;
    moved[filled] = arrived;
    tag[filled] = parent_tag;
    if (++filled == kSize) flush(sums);
  }

  // Adds what was gathered to the sums of its tags. Lanes past the end hold old positions.
  __attribute__((noinline)) void flush(LeafSums* sums) {
    for (std::size_t i = 0; i < filled; i += kLanes) {
      const CheckStats<Word> s =
          check_stats(BoardView<Word>(load_lanes<Word>(a + i), load_lanes<Word>(b + i),
                                      load_lanes<Word>(c + i), load_lanes<Word>(d + i)),
                      load_lanes<Word>(moved + i));
      const std::size_t m = filled - i < kLanes ? filled - i : kLanes;
      for (std::size_t lane = 0; lane < m; ++lane) {
        const CheckStats<Bitboard> one = lane_of(s, lane);
        std::uint64_t* count = sums[tag[i + lane]].count;
        count[kLeafChecks] += one.check & 1;
        count[kLeafDiscoveredChecks] += one.discovered & 1;
        count[kLeafDoubleChecks] += one.twofold & 1;
        count[kLeafCheckmates] += one.mate & 1;
      }
    }
    filled = 0;
  }
};

// Adds the statistics of the legal moves of n rows to the sums of their tags. Rows past n, up to a
// whole vector, are read but not counted.
inline void add_row_stats(const PerftLevel& level, std::size_t n, CheckBatch& checks,
                          LeafSums* sums) {
  for (std::size_t i = 0; i < n; i += kLanes) {
    const BoardView<Word> v(load_lanes<Word>(level.a + i), load_lanes<Word>(level.b + i),
                            load_lanes<Word>(level.c + i), load_lanes<Word>(level.d + i));
    const Constraints<Word> k = constraints(v);
    const PlainStats<Word> plain = plain_stats(v, k);
    const CheckMap<Word> map = check_map(v);
    const std::size_t m = n - i < kLanes ? n - i : kLanes;
    for (std::size_t lane = 0; lane < m; ++lane) {
      const std::uint32_t tag = level.tag[i + lane];
      const PlainStats<Bitboard> one = lane_of(plain, lane);
      std::uint64_t* count = sums[tag].count;
      count[kLeafNodes] += one.nodes;
      count[kLeafCaptures] += one.captures;
      count[kLeafEnPassants] += one.en_passants;
      count[kLeafCastles] += one.castles;
      count[kLeafPromotions] += one.promotions;
      const Position p = row(level, i + lane);
      const auto add = [&](const Position& child, Bitboard moved) __attribute__((always_inline)) {
        checks.add(child, moved, tag, sums);
      };
      CandidateVisitor<decltype(add)> visitor{p, add};
      visit_check_candidates(view(p), lane_of(k, lane), lane_of(map, lane), visitor);
    }
  }
}

inline void add_level_stats(const PerftLevel* levels, std::size_t n, unsigned depth,
                            CheckBatch& checks, LeafSums* sums) {
  if (depth == 1) {
    add_row_stats(levels[0], n, checks, sums);
    return;
  }
  const PerftLevel& next = levels[1];
  std::size_t filled = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t tag = levels[0].tag[i];
    const Position parent = row(levels[0], i);
    for_each_child(
        parent, [&](const Position& child)
                    __attribute__((always_inline)) { set_row(next, filled++, child, tag); });
    if (filled > kLevelRows - kMaxMoves) {
      add_level_stats(levels + 1, filled, depth - 1, checks, sums);
      filled = 0;
    }
  }
  if (filled) add_level_stats(levels + 1, filled, depth - 1, checks, sums);
}

inline void leaf_sums(const Position* positions, std::size_t n, unsigned depth,
                      const PerftLevel* levels, LeafSums* sums) {
  for (std::size_t i = 0; i < n; ++i) sums[i] = LeafSums{};
  CheckBatch checks;
  for (std::size_t base = 0; base < n; base += kLevelRows) {
    const std::size_t m = n - base < kLevelRows ? n - base : kLevelRows;
    for (std::size_t i = 0; i < m; ++i) {
      set_row(levels[0], i, positions[base + i], static_cast<std::uint32_t>(base + i));
    }
    add_level_stats(levels, m, depth, checks, sums);
  }
  checks.flush(sums);
}

}  // namespace engine

CUARBITER_RULES_END
