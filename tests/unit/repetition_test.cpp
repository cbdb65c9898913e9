// Repetitions by each backend (FIDE 9.2): hand-made games with known answers, and random play back
// and forth against the rule taken at its word.
#include "host/rules/repetition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/backend.hpp"
#include "host/rules/san_match.hpp"
#include "tests/support/board_text.hpp"
#include "tests/support/each_backend.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using Numbers = std::vector<unsigned>;

constexpr std::string_view kDance = "Nf3 Nf6 Ng1 Ng8 ";

// Positions of games, one after the other.
struct Games {
  std::vector<Position> positions;
  std::vector<std::uint32_t> reach;

  void begin(const Position& start) {
    positions.push_back(start);
    reach.push_back(0);
  }
  void play(Move move) {
    const Position p = positions.back();
    positions.push_back(make_move(p, move));
    reach.push_back(is_zeroing(p, move) ? 0 : reach.back() + 1);
  }
  void add(std::string_view fen, std::string_view moves) {
    begin(test::board_of(fen));
    bool black = fen[fen.find(' ') + 1] == 'b';
    for (std::size_t at = 0; at < moves.size();) {
      const std::size_t end = std::min(moves.find(' ', at), moves.size());
      const std::string_view san = moves.substr(at, end - at);
      const Match m = match_san(positions.back(), test::token_of(san), black);
      ASSERT_EQ(m.status, MatchStatus::ok) << san;
      play(m.move);
      black = !black;
      at = end + 1;
    }
  }
};

std::string dances(int times) {
  std::string moves;
  for (int i = 0; i < times; ++i) moves += kDance;
  return moves;
}

class RepetitionTest : public test::EachBackend {
 protected:
  static std::vector<RepetitionFacts> ask(Backend& backend, const Games& games) {
    // What stood there before must not matter.
    std::vector<RepetitionFacts> facts(games.positions.size(), RepetitionFacts{77, 77});
    backend.repetitions(games.positions, games.reach, facts);
    return facts;
  }
  std::vector<RepetitionFacts> ask(const Games& games) const { return ask(*make(), games); }

  Numbers times(std::string_view moves, std::string_view fen = test::kStartFen) const {
    Games games;
    games.add(fen, moves);
    Numbers times;
    for (const RepetitionFacts& f : ask(games)) times.push_back(f.times);
    return times;
  }
  Numbers ahead(std::string_view moves, std::string_view fen = test::kStartFen) const {
    Games games;
    games.add(fen, moves);
    Numbers ahead;
    for (const RepetitionFacts& f : ask(games)) ahead.push_back(f.third_time_ahead);
    return ahead;
  }
};

TEST_P(RepetitionTest, TheStartPositionCounts) {
  EXPECT_EQ(times(""), Numbers{1});
  EXPECT_EQ(times(dances(1)), (Numbers{1, 1, 1, 1, 2}));
  EXPECT_EQ(times(dances(2)), (Numbers{1, 1, 1, 1, 2, 2, 2, 2, 3}));
  EXPECT_EQ(times(dances(4)), (Numbers{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5}));
}

TEST_P(RepetitionTest, AheadFromThePlyBeforeTheThirdTime) {
  EXPECT_EQ(ahead(dances(1) + "Nf3 Nf6"), (Numbers{0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(ahead(dances(2)), (Numbers{0, 0, 0, 0, 0, 0, 0, 1, 1}));
  // The start position could come by Ng8, whatever was played.
  EXPECT_EQ(ahead(dances(1) + "Nf3 Nf6 Ng1 Rg8 Nf3"), (Numbers{0, 0, 0, 0, 0, 0, 0, 1, 0, 0}));
}

TEST_P(RepetitionTest, ACaptureOrPawnMoveBetween) {
  EXPECT_EQ(times(dances(1) + "a3 Nf6 Nf3 Ng8 Ng1 Nf6"),
            (Numbers{1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(ahead(dances(1) + "Nf3 Nf6 Ng1 a6"), (Numbers{0, 0, 0, 0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(times("Kxd2 Kg7 Ke1 Kg8 Kd2 Kg7", "6k1/8/8/8/8/8/3n4/3K3R w - - 0 1"),
            (Numbers{1, 1, 1, 1, 1, 2, 2}));
}

TEST_P(RepetitionTest, LostCastlingRights) {
  EXPECT_EQ(times("e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8"),
            (Numbers{1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2}));
}

TEST_P(RepetitionTest, LostRightToCaptureEnPassant) {
  // After d5 White may capture in passing, four plies later no more.
  EXPECT_EQ(times("e4 Nf6 e5 d5 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1 Nf6"),
            (Numbers{1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2}));
  // Where nobody can, the double step leaves no right behind.
  EXPECT_EQ(times("e4 Nf6 Nf3 Ng8 Ng1"), (Numbers{1, 1, 1, 1, 1, 2}));
}

TEST_P(RepetitionTest, GamesBesideEachOther) {
  Games games;
  games.add(test::kStartFen, dances(2));
  games.add(test::kStartFen, dances(1));
  games.add(test::kStartFen, "");
  games.add(test::kStartFen, dances(2));
  const std::vector<RepetitionFacts> facts = ask(games);
  EXPECT_EQ(facts[8].times, 3);
  EXPECT_EQ(facts[9].times, 1);
  EXPECT_EQ(facts[13].times, 2);
  EXPECT_EQ(facts[13].third_time_ahead, 0);
  EXPECT_EQ(facts[14].times, 1);
  EXPECT_EQ(facts[22].times, 2);
  EXPECT_EQ(facts[22].third_time_ahead, 1);
  EXPECT_EQ(facts[23].times, 3);
}

TEST_P(RepetitionTest, NoPositions) {
  EXPECT_TRUE(ask(Games{}).empty());
}

TEST_P(RepetitionTest, AThousandPliesBack) {
  const Position p = test::board_of("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
  const Position child = make_move(p, Move{7, 15});
  // The position comes again so many plies later.
  const auto times_after = [&](std::uint32_t plies) {
    Games games{test::random_positions(1100), std::vector<std::uint32_t>(1100)};
    for (std::uint32_t i = 0; i < 1100; ++i) games.reach[i] = i;
    games.positions[20] = games.positions[20 + plies] = p;
    return ask(games)[20 + plies].times;
  };
  EXPECT_EQ(times_after(1022), 2);
  EXPECT_EQ(times_after(1024), 2);
  EXPECT_EQ(times_after(1026), 1);
  // A move leads to a position that stood three plies ago, and for the first time so many.
  const auto ahead_after = [&](std::uint32_t plies) {
    Games games{test::random_positions(1100), std::vector<std::uint32_t>(1100)};
    for (std::uint32_t i = 0; i < 1100; ++i) games.reach[i] = i;
    games.positions[20] = games.positions[20 + plies - 3] = child;
    games.positions[20 + plies] = p;
    return ask(games)[20 + plies].third_time_ahead;
  };
  EXPECT_EQ(ahead_after(7), 1);
  EXPECT_EQ(ahead_after(1023), 1);
  EXPECT_EQ(ahead_after(1025), 0);
}

// The rule at its word.
RepetitionFacts by_trial(const Games& games, std::size_t i) {
  const Position* const p = games.positions.data() + i;
  const auto count = [&](const Position& position, std::uint32_t back) {
    unsigned found = 0;
    for (; back <= games.reach[i]; back += 2)
      found += same_position(p[-std::ptrdiff_t{back}], position);
    return found;
  };
  RepetitionFacts facts;
  facts.times = static_cast<std::uint16_t>(1 + count(*p, 2));
  for (const Move move : test_support::legal_moves(*p)) {
    if (!is_zeroing(*p, move) && count(make_move(*p, move), 1) >= 2) facts.third_time_ahead = 1;
  }
  return facts;
}

// Games in which either side often takes its last move back.
Games games_to_and_fro(unsigned count) {
  test_support::Random random(11);
  Games games;
  for (unsigned game = 0; game < count; ++game) {
    const std::string chess960 = test_support::random_chess960_fen(random);
    const std::string_view starts[] = {test::kStartFen, test::kKiwipeteFen, chess960,
                                       "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
                                       "r3k3/2p5/8/3P4/8/8/8/1RK5 b q - 0 1"};
    games.begin(test::board_of(starts[game % 5]));
    Move last[2];
    for (unsigned ply = 0; ply < 60; ++ply) {
      const Position p = games.positions.back();
      const std::vector<Move> moves = test_support::legal_moves(p);
      if (moves.empty()) break;
      Move& mine = last[ply % 2];
      const Move undo{mine.to, mine.from};
      const bool possible = std::find(moves.begin(), moves.end(), undo) != moves.end();
      mine = possible && random.below(8) != 0
                 ? undo
                 : moves[random.below(static_cast<unsigned>(moves.size()))];
      games.play(mine);
    }
  }
  return games;
}

TEST_P(RepetitionTest, RandomGames) {
  const Games all = games_to_and_fro(40);
  std::vector<RepetitionFacts> expected;
  unsigned most = 0, ahead = 0;
  for (std::size_t i = 0; i < all.positions.size(); ++i) {
    expected.push_back(by_trial(all, i));
    most = std::max<unsigned>(most, expected.back().times);
    ahead += expected.back().third_time_ahead;
  }
  ASSERT_GE(most, 5u);
  ASSERT_GE(ahead, 100u);
  ASSERT_LT(ahead, all.positions.size() / 2);
  // In the least memory, in batches of some hundred positions, in one.
  for (const std::uint64_t memory : {1u, 20000u, 0u}) {
    const std::unique_ptr<Backend> backend = make(memory);
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{33}, std::size_t{129},
          std::size_t{500}, all.positions.size()}) {
      if (memory == 1 && size > 500) continue;
      Games games = all;
      games.positions.resize(size);
      games.reach.resize(size);
      const std::vector<RepetitionFacts> facts = ask(*backend, games);
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(facts[i].times, expected[i].times) << i << " of " << size;
        ASSERT_EQ(facts[i].third_time_ahead, expected[i].third_time_ahead) << i << " of " << size;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, RepetitionTest, test::each_backend(),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace cuarbiter
