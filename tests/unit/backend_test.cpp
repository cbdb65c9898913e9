// The backends' contract: one body for the CPU and for CUDA. What is expected comes from known
// counts, from hand-made games and from the rules core called directly.
#include "host/backend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "host/rules/forced_lines.hpp"
#include "kernels/cpu/engine.hpp"
#include "kernels/ops/moves_op.hpp"
#include "tests/support/board_text.hpp"
#include "tests/support/cuda_device.hpp"
#include "tests/support/each_backend.hpp"
#include "tests/support/known_perft.hpp"

namespace cuarbiter {
namespace {

using test::board_of;

constexpr std::size_t kSizes[] = {0, 1, 31, 32, 33, 127, 128, 129, 1000};
constexpr std::uint64_t kSmallMemory = std::uint64_t{32} << 20;

class BackendTest : public test::EachBackend {
 protected:
  static std::vector<Uint128> perft(Backend& backend, const std::vector<Position>& roots,
                                    unsigned depth, bool merge) {
    // What stood there before must not matter.
    std::vector<Uint128> nodes(roots.size(), Uint128{77, 77});
    PerftOptions options;
    options.merge = merge;
    backend.perft(roots, depth, options, nodes);
    return nodes;
  }
};

TEST_P(BackendTest, InfoNamesTheBackend) {
  const BackendInfo info = make()->info();
  EXPECT_TRUE(info.usable) << info.reason;
  EXPECT_EQ(info.name.rfind(is_cuda() ? "cuda:0" : "cpu", 0), 0u) << info.name;
  EXPECT_GT(info.memory_bytes, 0u);
  EXPECT_GT(info.threads, 0u);
  EXPECT_FALSE(info.description.empty());
}

// The engine that is forced is the one that answers: its name comes out of the table of functions
// that the backend calls, and no function of one table is that of another.
TEST_P(BackendTest, AForcedEngineIsTaken) {
  if (is_cuda()) return;
  const std::string forced = GetParam();
  const std::pair<std::string, std::string> expected("instruction_set", forced);
  const BackendInfo info = make()->info();
  EXPECT_NE(std::find(info.details.begin(), info.details.end(), expected), info.details.end());
  const CpuEngine& chosen = choose_cpu_engine();
  EXPECT_EQ(chosen.name, forced);
  std::vector<const CpuEngine*> all = {&cpu_engine_generic()};
#if defined(__x86_64__)
  all.push_back(cpu_engine_avx2());
  all.push_back(cpu_engine_avx512());
#endif
  unsigned same = 0;
  for (const CpuEngine* engine : all) {
    same += engine == &chosen;
    if (engine == &chosen) continue;
    EXPECT_NE(engine->perft, chosen.perft) << engine->name;
    EXPECT_NE(engine->leaf_sums, chosen.leaf_sums) << engine->name;
    EXPECT_NE(engine->mixed_children, chosen.mixed_children) << engine->name;
    EXPECT_NE(engine->merge_rows, chosen.merge_rows) << engine->name;
    EXPECT_NE(engine->classify, chosen.classify) << engine->name;
    EXPECT_NE(engine->replay, chosen.replay) << engine->name;
  }
  EXPECT_EQ(same, 1u);
}

TEST_P(BackendTest, PerftKnownCounts) {
  const std::unique_ptr<Backend> backend = make();
  for (const test::KnownPerft& known : test::kKnownPerft) {
    for (const bool merge : {false, true}) {
      EXPECT_EQ(perft(*backend, {board_of(known.fen)}, known.depth, merge)[0],
                (Uint128{known.nodes, 0}))
          << known.fen << " depth " << known.depth << " merge " << merge;
    }
  }
}

TEST_P(BackendTest, PerftInTheLeastMemory) {
  const std::unique_ptr<Backend> backend = make(1);
  const std::vector<Position> roots = {board_of(test::kStartFen), board_of(test::kKiwipeteFen)};
  for (const bool merge : {false, true}) {
    const std::vector<Uint128> nodes = perft(*backend, roots, 4, merge);
    EXPECT_EQ(nodes[0], (Uint128{197281, 0}));
    EXPECT_EQ(nodes[1], (Uint128{4085603, 0}));
  }
}

TEST_P(BackendTest, PerftOfManyRoots) {
  const std::unique_ptr<Backend> backend = make();
  for (const std::size_t size : kSizes) {
    std::vector<Position> roots = test::random_positions(size);
    for (std::size_t i = 3; i < roots.size(); i += 3) roots[i] = roots[i - 1];
    for (unsigned depth = 0; depth <= (size > 200 ? 2u : 3u); ++depth) {
      for (const bool merge : {false, true}) {
        const std::vector<Uint128> nodes = perft(*backend, roots, depth, merge);
        for (std::size_t i = 0; i < roots.size(); ++i) {
          ASSERT_EQ(nodes[i], (Uint128{test::plain_perft(roots[i], depth), 0}))
              << "root " << i << " of " << size << " depth " << depth << " merge " << merge;
        }
      }
    }
  }
}

// Root 0 has no rows, root 1 equal and unequal ones with weights, root 3 one whose weight passes 64
// bits.
TEST_P(BackendTest, PerftOfWeightedRows) {
  const std::unique_ptr<Backend> backend = make();
  const std::vector<Position> positions = test::random_positions(4);
  const std::vector<Position> rows = {positions[0], positions[1], positions[0], positions[2],
                                      positions[3]};
  const std::vector<std::uint32_t> roots = {1, 1, 1, 2, 3};
  const std::vector<Uint128> weights = {{3, 0}, {5, 0}, {7, 0}, {0, 0}, {2, 9}};
  for (unsigned depth = 0; depth <= 4; ++depth) {
    const auto plain = [&](std::size_t i) { return test::plain_perft(positions[i], depth); };
    for (const bool merge : {false, true}) {
      PerftOptions options;
      options.merge = merge;
      std::vector<Uint128> nodes(4, Uint128{77, 77});
      backend->perft(PerftRows{rows, roots, weights}, depth, options, nodes);
      EXPECT_EQ(nodes[0], (Uint128{0, 0})) << depth;
      EXPECT_EQ(nodes[1], (Uint128{10 * plain(0) + 5 * plain(1), 0})) << depth;
      EXPECT_EQ(nodes[2], (Uint128{0, 0})) << depth;
      EXPECT_EQ(nodes[3], (Uint128{2 * plain(3), 9 * plain(3)})) << depth;
      // Without weights each row counts once.
      backend->perft(PerftRows{rows, roots, {}}, depth, options, nodes);
      EXPECT_EQ(nodes[1], (Uint128{2 * plain(0) + plain(1), 0})) << depth;
    }
  }
}

// Two kings have few positions, so that a great depth is quickly counted when equal ones merge.
TEST_P(BackendTest, PerftBeyond64Bits) {
  const std::unique_ptr<Backend> backend = make(kSmallMemory);
  const Position root = board_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  const std::vector<Uint128> expected = test::path_counts(root, 28);
  ASSERT_GT(expected[28].hi, 0u);
  for (const unsigned depth : {17u, 28u}) {
    const std::vector<Uint128> nodes = perft(*backend, {root, root}, depth, true);
    EXPECT_EQ(nodes[0], expected[depth]) << depth;
    EXPECT_EQ(nodes[1], expected[depth]) << depth;
  }
}

TEST_P(BackendTest, PerftBeyond128BitsIsAnError) {
  const std::unique_ptr<Backend> backend = make(kSmallMemory);
  const Position root = board_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  try {
    perft(*backend, {root}, 60, true);
    FAIL() << "no error";
  } catch (const BackendError& error) {
    EXPECT_STREQ(error.what(), "perft: a count passes 128 bits");
  }
}

TEST_P(BackendTest, PerftReportsProgressOnTheCallingThread) {
  const std::unique_ptr<Backend> backend = make();
  const std::thread::id self = std::this_thread::get_id();
  PerftOptions options;
  double last = 0;
  options.progress = [&](double nodes) {
    EXPECT_EQ(std::this_thread::get_id(), self);
    EXPECT_GE(nodes, last);
    last = nodes;
  };
  std::vector<Uint128> nodes(1);
  backend->perft(std::vector<Position>{board_of(test::kStartFen)}, 4, options, nodes);
  EXPECT_EQ(nodes[0].lo, 197281u);
  EXPECT_LE(last, 197281.0);
}

TEST_P(BackendTest, ClassifyAgreesWithTheCore) {
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1}}) {
    const std::unique_ptr<Backend> backend = make(memory);
    for (const std::size_t size : kSizes) {
      const std::vector<Position> positions = test::random_positions(size, 5);
      std::vector<PositionFacts> facts(size);
      backend->classify(positions, facts);
      for (std::size_t i = 0; i < size; ++i) {
        const PositionFacts expected = position_facts(positions[i]);
        ASSERT_EQ(facts[i].legal_moves, expected.legal_moves) << i;
        ASSERT_EQ(facts[i].checkers, expected.checkers) << i;
        ASSERT_EQ(facts[i].flags, expected.flags) << i;
      }
    }
  }
}

TEST_P(BackendTest, ClassifyKnownPositions) {
  const std::vector<Position> positions = {
      board_of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
      board_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
      board_of("8/8/4k3/8/8/3KB3/8/8 b - - 0 1"),
      board_of("4k3/8/5N2/8/8/8/4R3/4K3 b - - 0 1"),
  };
  std::vector<PositionFacts> facts(positions.size());
  make()->classify(positions, facts);
  EXPECT_EQ(facts[0].legal_moves, 0);
  EXPECT_EQ(facts[0].checkers, 1);
  EXPECT_EQ(facts[1].legal_moves, 0);
  EXPECT_EQ(facts[1].checkers, 0);
  EXPECT_EQ(facts[2].flags & kFlagInsufficientMaterial, kFlagInsufficientMaterial);
  EXPECT_EQ(facts[3].checkers, 2);
}

TEST_P(BackendTest, MovesAgreeWithTheCore) {
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1}}) {
    const std::unique_ptr<Backend> backend = make(memory);
    for (const std::size_t size : kSizes) {
      const std::vector<Position> positions = test::random_positions(size, 9);
      MoveLists lists;
      backend->moves(positions, lists);
      ASSERT_EQ(lists.offsets.size(), size + 1);
      ASSERT_EQ(lists.offsets.front(), 0u);
      ASSERT_EQ(lists.offsets.back(), lists.moves.size());
      for (std::size_t i = 0; i < size; ++i) {
        MoveFacts expected[256];
        const MoveFacts* end = write_moves(positions[i], expected);
        ASSERT_EQ(lists.offsets[i + 1] - lists.offsets[i],
                  static_cast<std::uint64_t>(end - expected));
        for (const MoveFacts* m = expected; m != end; ++m) {
          const MoveFacts& found =
              lists.moves[lists.offsets[i] + static_cast<std::size_t>(m - expected)];
          ASSERT_EQ(found.move, m->move) << "position " << i;
          ASSERT_EQ(found.flags, m->flags) << "position " << i;
        }
      }
    }
  }
}

// The numbers of moves of each kind at the third ply from "Kiwipete": chessprogramming.org, "Perft
// Results".
TEST_P(BackendTest, MovesOfEachKind) {
  std::vector<Position> second;
  for_each_child(board_of(test::kKiwipeteFen), [&](const Position& child) {
    for_each_child(child, [&](const Position& grandchild) { second.push_back(grandchild); });
  });
  MoveLists lists;
  make()->moves(second, lists);
  const auto having = [&](MoveFlag flag) {
    return std::count_if(lists.moves.begin(), lists.moves.end(),
                         [&](const MoveFacts& m) { return (m.flags & flag) != 0; });
  };
  EXPECT_EQ(lists.moves.size(), 97862u);
  EXPECT_EQ(having(kMoveCapture), 17102);
  EXPECT_EQ(having(kMoveEnPassant), 45);
  EXPECT_EQ(having(kMoveCastling), 3162);
  EXPECT_EQ(having(kMovePromotion), 0);
  EXPECT_EQ(having(kMoveCheck), 993);
  EXPECT_EQ(having(kMoveCheckmate), 1);
  EXPECT_EQ(having(kMoveStalemate), 0);
}

// What is found is what guided play finds when it is called directly, for the sides asked for
// alone.
TEST_P(BackendTest, FindMates) {
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1}}) {
    const std::unique_ptr<Backend> backend = make(memory);
    for (const std::size_t size : {0, 1, 33, 200}) {
      std::vector<Position> positions = test::random_positions(size, 5);
      // Nobody can mate here: chance moves to the last round.
      if (size > 2) positions[2] = board_of("8/8/4k3/8/2b5/8/4K3/8 w - - 0 1");
      std::vector<std::uint8_t> sides(size);
      for (std::size_t i = 0; i < size; ++i) sides[i] = static_cast<std::uint8_t>(i % 4 ^ 3);
      const std::vector<std::uint8_t> asked = sides;
      backend->find_mates(positions, sides);
      GuidedPlay play;
      unsigned yes = 0;
      for (std::size_t i = 0; i < size; ++i) {
        for (const bool us : {true, false}) {
          const unsigned side = us ? kSideUs : kSideThem;
          const bool expected =
              (asked[i] & side) != 0 && play.find(positions[i], us, kGuidedRounds);
          ASSERT_EQ((sides[i] & side) != 0, expected) << i << " of " << size;
          yes += expected ? 1 : 0;
        }
        ASSERT_EQ(sides[i] & ~3u, 0u);
      }
      EXPECT_GE(yes, size * 2 / 3);
    }
  }
}

// What is ruled out is what forced lines rule out when they are followed directly, for the sides
// asked for alone.
TEST_P(BackendTest, RuleOut) {
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1}}) {
    const std::unique_ptr<Backend> backend = make(memory);
    for (const std::size_t size : {0, 1, 33, 200}) {
      std::vector<Position> positions = test::random_positions(size, 5);
      // A queen and a rook that have to be taken, between positions where nothing is forced.
      for (std::size_t i = 0; i < size; i += 3) {
        positions[i] =
            board_of(i % 2 ? "k7/8/8/8/8/8/1q6/K7 w - - 0 1" : "k7/8/8/8/8/2n5/1q6/K7 w - - 0 1");
      }
      std::vector<std::uint8_t> sides(size);
      for (std::size_t i = 0; i < size; ++i) sides[i] = static_cast<std::uint8_t>(i % 4 ^ 3);
      const std::vector<std::uint8_t> asked = sides;
      backend->rule_out(positions, sides);
      std::size_t no = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint8_t expected = forced_lines_exclude(positions[i], asked[i]);
        ASSERT_EQ(sides[i], expected) << i << " of " << size;
        no += expected != 0 ? 1 : 0;
      }
      EXPECT_GE(no, size / 4);
    }
  }
}

TEST_P(BackendTest, SeveralThreadsAtOnce) {
  const std::unique_ptr<Backend> backend = make();
  const std::vector<Position> positions = test::random_positions(500, 3);
  std::vector<std::vector<PositionFacts>> facts(6, std::vector<PositionFacts>(positions.size()));
  {
    std::vector<std::jthread> threads;
    for (std::vector<PositionFacts>& own : facts) {
      threads.emplace_back([&] { backend->classify(positions, own); });
    }
  }
  for (const std::vector<PositionFacts>& own : facts) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      ASSERT_EQ(own[i].legal_moves, count_legal_moves(positions[i]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, BackendTest, test::each_backend(),
                         [](const auto& instance) { return std::string(instance.param); });

// All devices at once give what one gives.
TEST(CudaBackend, SeveralDevices_cuda) {
  if (!test::cuda_missing().empty()) GTEST_SKIP() << test::cuda_missing();
  CudaOptions options;
  for (std::size_t i = 0; i < cuda_info().size(); ++i)
    options.devices.push_back(static_cast<int>(i));
  if (options.devices.size() < 2) GTEST_SKIP() << "one CUDA device only";
  options.memory_bytes = kSmallMemory;
  const std::unique_ptr<Backend> backend = make_cuda_backend(options);
  const std::vector<Position> roots = {board_of(test::kStartFen), board_of(test::kKiwipeteFen)};
  PerftOptions perft;
  for (const bool merge : {false, true}) {
    perft.merge = merge;
    std::vector<Uint128> nodes(roots.size());
    backend->perft(roots, 4, perft, nodes);
    EXPECT_EQ(nodes[0], (Uint128{197281, 0}));
    EXPECT_EQ(nodes[1], (Uint128{4085603, 0}));
    backend->perft(std::span(roots).first(1), 5, perft, std::span(nodes).first(1));
    EXPECT_EQ(nodes[0], (Uint128{4865609, 0}));
  }
  const std::vector<Position> positions = test::random_positions(300, 11);
  for (int turn = 0; turn < 8; ++turn) {
    std::vector<PositionFacts> facts(positions.size());
    backend->classify(positions, facts);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      ASSERT_EQ(facts[i].legal_moves, count_legal_moves(positions[i])) << turn;
    }
  }
}

TEST(CudaBackend, RefusesADeviceNamedTwice_cuda) {
  CudaOptions options;
  options.devices = {0, 0};
  EXPECT_THROW(make_cuda_backend(options), BackendError);
}

TEST(CudaBackend, RefusesDevicesThatAreNotThere_cuda) {
  CudaOptions options;
  options.devices = {1000000};
  EXPECT_THROW(make_cuda_backend(options), BackendError);
}

TEST(CudaBackend, InfoAlwaysHasAnEntry_cuda) {
  const std::vector<BackendInfo> devices = cuda_info();
  ASSERT_FALSE(devices.empty());
  for (const BackendInfo& device : devices) EXPECT_EQ(device.usable, device.reason.empty());
}

}  // namespace
}  // namespace cuarbiter
