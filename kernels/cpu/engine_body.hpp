// The body of a CPU engine; included once by each instruction set's file, which has defined
// CUARBITER_TARGET and kLanes' word type CUARBITER_ENGINE_WORD.
#pragma once

#include "host/rules/game_state.hpp"
#include "host/rules/movegen.hpp"
#include "host/rules/reply_count.hpp"
#include "kernels/cpu/engine.hpp"
#include "kernels/cpu/word_vector.hpp"
#include "kernels/ops/mates_op.hpp"
#include "kernels/ops/moves_op.hpp"
#include "kernels/ops/repetition_op.hpp"
#include "kernels/ops/replay_op.hpp"
#include "kernels/ops/rule_out_op.hpp"

CUARBITER_RULES_BEGIN

namespace engine {

using Word = CUARBITER_ENGINE_WORD;
inline constexpr std::size_t kLanes = sizeof(Word) / sizeof(std::uint64_t);

// Adds the number of legal moves of n rows to the counts of their tags. Rows past n, up to a whole
// vector, are read but not counted.
inline void count_rows(const PerftLevel& level, std::size_t n, std::uint64_t* counts) {
  std::uint64_t lanes[kLanes];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const BoardView<Word> v(load_lanes<Word>(level.a + i), load_lanes<Word>(level.b + i),
                            load_lanes<Word>(level.c + i), load_lanes<Word>(level.d + i));
    const Word moves = count_legal_moves(v);
    store_lanes(lanes, moves);
    const std::size_t m = n - i < kLanes ? n - i : kLanes;
    for (std::size_t lane = 0; lane < m; ++lane) counts[level.tag[i + lane]] += lanes[lane];
  }
}

CUARBITER_HD_INLINE Position row(const PerftLevel& level, std::size_t i) {
  Position p;
  p.a = level.a[i];
  p.b = level.b[i];
  p.c = level.c[i];
  p.d = level.d[i];
  return p;
}

CUARBITER_HD_INLINE void set_row(const PerftLevel& level, std::size_t i, const Position& p,
                                 std::uint32_t tag) {
  level.a[i] = p.a;
  level.b[i] = p.b;
  level.c[i] = p.c;
  level.d[i] = p.d;
  level.tag[i] = tag;
}

#if defined(__AVX512F__)
using Writer = WideLaneWriter;
#else
using Writer = LaneWriter;
#endif

// A sink of visit_lane_moves that appends to a level.
struct LevelSink {
  PerftLevel next;
  std::uint32_t tags[kLanes];  // of the parents in the lanes
  Word valid;                  // 0 in lanes without a parent
  std::size_t filled;

  CUARBITER_HD_INLINE void child(const BoardView<Word>& child, Word active) {
    const Writer writer(active & valid);
    writer.write(child.a, next.a + filled);
    writer.write(child.b, next.b + filled);
    writer.write(child.c, next.c + filled);
    writer.write(child.d, next.d + filled);
    writer.write(tags, next.tag + filled);
    filled += writer.count;
  }
};

// The rows of a level from row i on as lanes; those past the n-th are not valid in `sink`, whose
// tags become theirs.
inline BoardView<Word> load_parents(const PerftLevel& level, std::size_t i, std::size_t n,
                                    LevelSink& sink) {
  sink.valid = WordOps<Word>::splat(~Bitboard{0});
  if (n - i < kLanes) {
    std::uint64_t lanes[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = lane < n - i ? ~Bitboard{0} : 0;
    sink.valid = load_lanes<Word>(lanes);
  }
  __builtin_memcpy(sink.tags, level.tag + i, sizeof sink.tags);
  return BoardView<Word>(load_lanes<Word>(level.a + i), load_lanes<Word>(level.b + i),
                         load_lanes<Word>(level.c + i), load_lanes<Word>(level.d + i));
}

// A level with more rows has no room for the children of kLanes more parents.
inline constexpr std::size_t kFullLevel = kLevelRows - kLanes * kMaxMoves;

// Writes the children of rows i .. i + kLanes.
inline void expand_lanes(const PerftLevel& level, std::size_t i, std::size_t n, LevelSink& sink) {
  const BoardView<Word> v = load_parents(level, i, n, sink);
  EveryLaneMove<Word> every;
  visit_lane_moves(v, constraints(v), every, sink);
}

// Counts n rows of levels[0] to two plies: most replies by their sum, after the moves that are left
// open one by one.
inline void count_replies(const PerftLevel* levels, std::size_t n, std::uint64_t* counts) {
  LevelSink sink;
  sink.next = levels[1];
  sink.filled = 0;
  std::uint64_t lanes[kLanes];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const BoardView<Word> v = load_parents(levels[0], i, n, sink);
    const Word sum = sum_replies(v, sink);
    store_lanes(lanes, sum);
    const std::size_t m = n - i < kLanes ? n - i : kLanes;
    for (std::size_t lane = 0; lane < m; ++lane) counts[sink.tags[lane]] += lanes[lane];
    if (sink.filled > kFullLevel) {
      count_rows(sink.next, sink.filled, counts);
      sink.filled = 0;
    }
  }
  if (sink.filled) count_rows(sink.next, sink.filled, counts);
}

// Counts the rows of levels[0] to `depth` plies. Expands into the next level until it is nearly
// full, counts that, goes on: memory stays fixed, and every batch but the last is large.
inline void count_level(const PerftLevel* levels, std::size_t n, unsigned depth,
                        std::uint64_t* counts) {
  if (depth == 1) {
    count_rows(levels[0], n, counts);
    return;
  }
  if (depth == 2) {
    count_replies(levels, n, counts);
    return;
  }
  LevelSink sink;
  sink.next = levels[1];
  sink.filled = 0;
  for (std::size_t i = 0; i < n; i += kLanes) {
    expand_lanes(levels[0], i, n, sink);
    if (sink.filled > kFullLevel) {
      count_level(levels + 1, sink.filled, depth - 1, counts);
      sink.filled = 0;
    }
  }
  if (sink.filled) count_level(levels + 1, sink.filled, depth - 1, counts);
}

inline void perft(const Position* positions, std::size_t n, unsigned depth,
                  const PerftLevel* levels, std::uint64_t* counts) {
  for (std::size_t i = 0; i < n; ++i) counts[i] = 0;
  for (std::size_t base = 0; base < n; base += kLevelRows) {
    const std::size_t m = n - base < kLevelRows ? n - base : kLevelRows;
    for (std::size_t i = 0; i < m; ++i) {
      set_row(levels[0], i, positions[base + i], static_cast<std::uint32_t>(base + i));
    }
    count_level(levels, m, depth, counts);
  }
}

CUARBITER_HD_INLINE std::uint64_t row_mix(std::uint64_t mix, std::uint32_t root) {
  return (mix ^ (root * std::uint64_t{0x9FB21C651E98DF25u})) * 0x9E3779B97F4A7C15u;
}

// Calls f(children, i, mix, partition, parent) for every child of the rows that falls into the
// range: it is row i of the level `children`; `parent` is its row.
template <class F>
CUARBITER_HD_INLINE void for_each_child_in(const PerftRow* rows, std::size_t n,
                                           const KeyRange& range, const PerftLevel* levels, F&& f) {
  const PerftLevel& parents = levels[0];
  std::uint64_t mixes[kLanes];
  LevelSink sink;
  sink.next = levels[1];
  sink.filled = 0;
  // A shift by 64 is not defined: one partition has every mix.
  const unsigned shift_by = range.bits ? 64 - range.bits : 63;
  const std::uint64_t keep = range.bits ? ~std::uint64_t{0} : 0;
  for (std::size_t base = 0; base < n; base += kLevelRows) {
    const std::size_t m = n - base < kLevelRows ? n - base : kLevelRows;
    for (std::size_t i = 0; i < m; ++i) {
      set_row(parents, i, rows[base + i].position, static_cast<std::uint32_t>(i));
    }
    for (std::size_t i = 0; i < m; i += kLanes) {
      expand_lanes(parents, i, m, sink);
      if (sink.filled <= kFullLevel && i + kLanes < m) continue;
      for (std::size_t c = 0; c < sink.filled; c += kLanes) {
        const Word mix =
            planes_mix(load_lanes<Word>(sink.next.a + c), load_lanes<Word>(sink.next.b + c),
                       load_lanes<Word>(sink.next.c + c), load_lanes<Word>(sink.next.d + c));
        store_lanes(mixes, mix);
        const std::size_t end = sink.filled - c < kLanes ? sink.filled - c : kLanes;
        for (std::size_t lane = 0; lane < end; ++lane) {
          const PerftRow& parent = rows[base + sink.next.tag[c + lane]];
          const std::uint64_t key = row_mix(mixes[lane], parent.root);
          const std::uint64_t partition = ((key >> shift_by) & keep) - range.first;
          if (partition < range.count) f(sink.next, c + lane, key, partition, parent);
        }
      }
      sink.filled = 0;
    }
  }
}

inline void partition_sizes(const PerftRow* rows, std::size_t n, const KeyRange& range,
                            const PerftLevel* levels, std::uint64_t* sizes) {
  for_each_child_in(
      rows, n, range, levels,
      [&](const PerftLevel&, std::size_t, std::uint64_t, std::uint64_t partition, const PerftRow&)
          __attribute__((always_inline)) { ++sizes[partition]; });
}

inline void partition_children(const PerftRow* rows, std::size_t n, const KeyRange& range,
                               const PerftLevel* levels, std::uint64_t* cursor, PerftRow* out) {
  for_each_child_in(
      rows, n, range, levels,
      [&](const PerftLevel& children, std::size_t i, std::uint64_t mix, std::uint64_t partition,
          const PerftRow& parent) __attribute__((always_inline)) {
        PerftRow& to = out[cursor[partition]++];
        to.position = row(children, i);
        to.mix = mix;
        to.multiplicity = parent.multiplicity;
        to.root = parent.root;
      });
}

inline std::size_t merge_rows(PerftRow* rows, std::size_t n, std::uint32_t* table,
                              std::size_t table_size, bool* overflow) {
  constexpr std::uint32_t kEmpty = 0xFFFFFFFFu;
  for (std::size_t i = 0; i < table_size; ++i) table[i] = kEmpty;
  const std::size_t mask = table_size - 1;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t at = static_cast<std::size_t>(rows[i].mix) & mask;
    for (;;) {
      const std::uint32_t found = table[at];
      if (found == kEmpty) {
        table[at] = static_cast<std::uint32_t>(kept);
        rows[kept++] = rows[i];
        break;
      }
      PerftRow& other = rows[found];
      if (other.root == rows[i].root && same_position(other.position, rows[i].position)) {
        if (add(other.multiplicity, rows[i].multiplicity)) *overflow = true;
        break;
      }
      at = (at + 1) & mask;
    }
  }
  return kept;
}

// Moves and checkers are counted a vector of positions at a time. A block's planes are turned into
// columns first: loaded at once, they would wait for the stores that made them.
inline void classify(const Position* positions, std::size_t n, PositionFacts* facts) {
  constexpr std::size_t kBlock = 8 * kLanes;
  alignas(64) std::uint64_t a[kBlock], b[kBlock], c[kBlock], d[kBlock];
  alignas(64) std::uint64_t moves[kBlock], checkers[kBlock];
  for (std::size_t base = 0; base < n; base += kBlock) {
    const std::size_t m = n - base < kBlock ? n - base : kBlock;
    for (std::size_t i = 0; i < m; ++i) {
      const Position& p = positions[base + i];
      a[i] = p.a;
      b[i] = p.b;
      c[i] = p.c;
      d[i] = p.d;
      facts[base + i].flags = material_flags(view(p));
    }
    // An empty board in the lanes behind the last position.
    for (std::size_t i = m; i % kLanes; ++i) a[i] = b[i] = c[i] = d[i] = 0;
    for (std::size_t i = 0; i < m; i += kLanes) {
      const BoardView<Word> v(load_lanes<Word>(a + i), load_lanes<Word>(b + i),
                              load_lanes<Word>(c + i), load_lanes<Word>(d + i));
      const Constraints<Word> k = constraints(v);
      const Word counted = count_legal_moves(v, k);
      const Word checking = WordOps<Word>::popcount(k.checkers);
      store_lanes(moves + i, counted);
      store_lanes(checkers + i, checking);
    }
    for (std::size_t i = 0; i < m; ++i) {
      facts[base + i].legal_moves = static_cast<std::uint16_t>(moves[i]);
      facts[base + i].checkers = static_cast<std::uint8_t>(checkers[i]);
    }
  }
}

inline void find_mates(const Position* positions, std::size_t n, std::uint8_t* sides) {
  for (std::size_t i = 0; i < n; ++i) {
    std::uint8_t found[2];
    const MatesOp op{positions + i, sides + i, found};
    op(0);
    op(1);
    sides[i] = static_cast<std::uint8_t>(found[0] * kSideUs + found[1] * kSideThem);
  }
}

inline void rule_out(const Position* positions, std::size_t n, std::uint8_t* sides) {
  const RuleOutOp op{positions, sides};
  for (std::size_t i = 0; i < n; ++i) op(i);
}

inline std::size_t moves(const Position& position, MoveFacts* out) {
  return static_cast<std::size_t>(write_moves(position, out) - out);
}

inline void repetitions(const Position* positions, const std::uint32_t* reach, std::size_t n,
                        RepetitionFacts* facts) {
  const RepetitionView view{positions, reach, facts};
  const RepetitionsOp times{view};
  const ThirdTimeOp third_time{view};
  for (std::size_t i = 0; i < n; ++i) times(i);
  for (std::size_t i = 0; i < n; ++i) third_time(i);
}

inline void replay(const ReplayView& view, std::uint32_t first, std::uint32_t last) {
  std::uint16_t seen[kLanes * ReplayView::kSeenEntries] = {};
  ReplayView lanes = view;
  lanes.seen = seen;
  LaneReplay<Word>(lanes).run(first, last);
}

}  // namespace engine

CUARBITER_RULES_END

#include "kernels/cpu/engine_children.hpp"
#include "kernels/cpu/engine_stats.hpp"
