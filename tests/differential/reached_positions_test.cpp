// Every position that a real game reached is possible: no defect may be found in it. Games of the
// shared folder, Chess960 among them, and those that come with the program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "host/io/source.hpp"
#include "host/notation/fen.hpp"
#include "host/pgn/game_line.hpp"
#include "tests/support/pgn_run.hpp"
#include "tests/support/shared_folder.hpp"

namespace cuarbiter {
namespace {

using namespace test;

// CUARBITER_EVERY_GAME in the environment takes all games instead of some thousand.
std::uint64_t most_games() {
  return std::getenv("CUARBITER_EVERY_GAME") ? UINT64_MAX : 3000;
}

struct Reached {
  std::uint64_t games = 0, positions = 0, with_defects = 0;
  std::string first_fen, first_message;
};

void look_at(const GameLine& line, const LinePoint& point, bool chess960, Reached& reached) {
  ++reached.positions;
  const std::string fen = line.fen(point);
  const FenResult read = read_fen(fen, FenOptions{.chess960 = chess960});
  const FenDefect* fault = nullptr;
  for (const FenDefect& d : read.defects) {
    // Counters are as the start position's FEN had them.
    if (d.fault != FenFault::counters) fault = &d;
  }
  if (!fault) return;
  if (reached.with_defects++ == 0) {
    reached.first_fen = fen;
    reached.first_message = fault->message;
  }
}

// The positions of all lines of the games. Those of games that start from a position which is at
// fault itself are left out.
Reached reached_in(const std::string& path, bool chess960) {
  Reached reached;
  const std::unique_ptr<ByteSource> source = open_source(path);
  GameBatch batch;
  for_each_slab(*source, {}, [&](const Slab& slab) {
    if (reached.games >= most_games()) return;
    batch.clear();
    lex_slab(slab, {}, batch);
    cpu_for_pgn().replay(batch.replay);
    for (const GameRecord& game : batch.games) {
      if (game.replay == kNotReplayed) continue;
      ++reached.games;
      const GameLine line(batch, game);
      const LinePoint* start = line.before(line.token_begin());
      if (!start || !read_fen(line.fen(*start), FenOptions{.chess960 = chess960}).valid()) continue;
      for (std::uint32_t token = line.token_begin(); token < line.token_end(); ++token) {
        if (const LinePoint* point = line.before(token)) look_at(line, *point, chess960, reached);
      }
    }
  });
  return reached;
}

void expect_possible(const Reached& reached, std::uint64_t least_positions) {
  EXPECT_EQ(reached.with_defects, 0u) << reached.first_fen << ": " << reached.first_message;
  EXPECT_GT(reached.positions, least_positions);
}

class ReachedPositions : public testing::TestWithParam<const char*> {};

TEST_P(ReachedPositions, ArePossible) {
  const std::string path = shared_path("pgn/" + std::string(GetParam()) + ".pgn.zst");
  if (path.empty()) GTEST_SKIP() << kNoSharedFolder;
  const Reached reached = reached_in(path, std::string(GetParam()) == "chess960");
  std::cout << reached.games << " games, " << reached.positions << " positions\n";
  expect_possible(reached, 100000);
}

INSTANTIATE_TEST_SUITE_P(Archives, ReachedPositions,
                         testing::Values("master", "clocks", "engine", "annotated", "chess960"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(ReachedPositions, OfTheGamesThatComeAlong) {
  expect_possible(reached_in(std::string(CUARBITER_DATA) + "/games/history.pgn", false), 300);
}

}  // namespace
}  // namespace cuarbiter
