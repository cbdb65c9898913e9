// The replay of games by each backend: hand-made games with known verdicts, alone and in batches of
// many sizes, in ample memory and in next to none.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "host/backend.hpp"
#include "host/notation/san_text.hpp"
#include "host/rules/make_move.hpp"
#include "host/rules/movegen.hpp"
#include "kernels/ops/replay_op.hpp"
#include "tests/support/board_text.hpp"
#include "tests/support/each_backend.hpp"

namespace cuarbiter {
namespace {

// Builds a batch. A game is written as moves with blanks between them; a variation stands in
// brackets after the move that it replaces.
class BatchBuilder {
 public:
  BatchBuilder() { add_start(test::kStartFen, 0); }

  std::uint32_t add_start(std::string_view fen, std::uint32_t halfmove_clock) {
    ReplayStart start;
    start.position = test::board_of(fen);
    start.halfmove_clock = halfmove_clock;
    start.black = fen[fen.find(' ') + 1] == 'b' ? 1 : 0;
    batch.starts.push_back(start);
    return static_cast<std::uint32_t>(batch.starts.size() - 1);
  }

  void add_game(std::string_view text, std::uint32_t start = 0) {
    lines_.assign(1, Line{});
    std::vector<std::size_t> open = {0};
    for (std::size_t at = 0; at < text.size();) {
      const char c = text[at];
      if (c == '(') {
        Line line;
        line.parent = open.back();
        line.branch = static_cast<std::uint32_t>(lines_[open.back()].tokens.size()) - 1;
        line.ply = lines_[open.back()].ply + line.branch;
        lines_.push_back(line);
        open.push_back(lines_.size() - 1);
        ++at;
      } else if (c == ')') {
        open.pop_back();
        ++at;
      } else if (c == ' ') {
        ++at;
      } else {
        const std::size_t end = std::min(text.find_first_of(" ()", at), text.size());
        lines_[open.back()].tokens.push_back(test::token_of(text.substr(at, end - at)));
        at = end;
      }
    }
    ReplayGame game;
    game.segment_begin = static_cast<std::uint32_t>(batch.segments.size());
    game.segment_count = static_cast<std::uint32_t>(lines_.size());
    game.start = start;
    batch.games.push_back(game);
    for (const Line& line : lines_) {
      ReplaySegment segment;
      segment.token_begin = static_cast<std::uint32_t>(batch.tokens.size());
      segment.token_count = static_cast<std::uint32_t>(line.tokens.size());
      segment.parent = game.segment_begin + static_cast<std::uint32_t>(line.parent);
      segment.branch = line.branch;
      segment.ply = line.ply;
      batch.segments.push_back(segment);
      batch.tokens.insert(batch.tokens.end(), line.tokens.begin(), line.tokens.end());
    }
  }

  ReplayBatch batch;

 private:
  struct Line {
    std::vector<SanToken> tokens;
    std::size_t parent = 0;
    std::uint32_t branch = 0, ply = 0;
  };
  std::vector<Line> lines_;
};

class ReplayTest : public test::EachBackend {
 protected:
  // Replays one game from the start position.
  GameVerdict replay(std::string_view moves) {
    BatchBuilder builder;
    builder.add_game(moves);
    make()->replay(builder.batch);
    batch_ = std::move(builder.batch);
    return batch_.game_verdicts.at(0);
  }
  GameVerdict replay_from(std::string_view fen, std::uint32_t clock, std::string_view moves,
                          const ReplayRules& rules = {}) {
    BatchBuilder builder;
    builder.batch.rules = rules;
    builder.add_game(moves, builder.add_start(fen, clock));
    make()->replay(builder.batch);
    batch_ = std::move(builder.batch);
    return batch_.game_verdicts.at(0);
  }
  std::vector<unsigned> verdicts() const {
    return {batch_.verdicts.begin(), batch_.verdicts.end()};
  }

  ReplayBatch batch_;
};

using Verdicts = std::vector<unsigned>;

TEST_P(ReplayTest, Checkmate) {
  const GameVerdict game = replay("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#");
  EXPECT_EQ(verdicts(), Verdicts(7, kVerdictOk));
  EXPECT_EQ(game.plies, 7u);
  EXPECT_EQ(game.state, static_cast<unsigned>(GameState::checkmate));
  EXPECT_EQ(game.broken, 0);
  EXPECT_EQ(game.noted, 0);
  EXPECT_EQ(game.halfmove_clock, 0u);
  EXPECT_EQ(game.checkers, 1);
  EXPECT_TRUE(same_position(
      game.final_position,
      test::board_of("r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4")));
}

TEST_P(ReplayTest, MoveAfterTheEnd) {
  const GameVerdict game = replay("f3 e5 g4 Qh4# a3");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, 0, 0, kVerdictAfterEnd}));
  EXPECT_EQ(game.plies, 4u);
  EXPECT_EQ(game.broken, 1);
  EXPECT_EQ(game.noted, 1);
}

TEST_P(ReplayTest, FaultyMoves) {
  replay("e4 e5 Ke3 Nf6");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, kVerdictIllegal, 0}));
  EXPECT_EQ(batch_.plies_judged[0], 3u);
  EXPECT_EQ(batch_.game_verdicts[0].plies, 2u);
  replay("Nf3 d5 d3 d4 Nd2");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, 0, 0, kVerdictAmbiguous}));
  replay("e4 e5 d3 Bb4+ a3");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, 0, 0, kVerdictKingLeftInCheck}));
  replay("e4 ? e5");
  EXPECT_EQ(verdicts(), (Verdicts{0, kVerdictUnreadable, 0}));
  replay("e4 -- e5");
  EXPECT_EQ(verdicts(), (Verdicts{0, kVerdictNullMove, 0}));
}

TEST_P(ReplayTest, SpellingIsNoted) {
  replay("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7");
  EXPECT_EQ(verdicts().back(), unsigned{kVerdictCheckSuffix});
  EXPECT_EQ(batch_.game_verdicts[0].broken, 0);
  EXPECT_EQ(batch_.game_verdicts[0].noted, 1);
  replay("e4+");
  EXPECT_EQ(verdicts(), Verdicts{kVerdictCheckSuffix});
  replay("e4 d5 ed5");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, kVerdictCapture}));
  replay("Ngf3");
  EXPECT_EQ(verdicts(), Verdicts{kVerdictDisambiguation});
}

// A check is known not to be mate when the line goes on, otherwise by the position at its end.
TEST_P(ReplayTest, MateSuffixInAllPlaces) {
  replay("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7+");
  EXPECT_EQ(verdicts().back(), unsigned{kVerdictCheckSuffix});
  EXPECT_EQ(batch_.game_verdicts[0].noted, 1);
  replay("e4 e5 Qh5 Nc6 Qxf7#");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, 0, 0, kVerdictCheckSuffix}));
  EXPECT_EQ(batch_.game_verdicts[0].noted, 1);
  replay("e4 e5 Qh5 Nc6 Qxf7# Kxf7");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, 0, 0, kVerdictCheckSuffix, 0}));
  EXPECT_EQ(batch_.game_verdicts[0].noted, 1);
  replay("e4 e5 Qh5 Nc6 Qxf7+ Kxf7");
  EXPECT_EQ(verdicts(), Verdicts(6, kVerdictOk));
  // What follows cannot be made, because of the mate or for itself.
  replay("f3 e5 g4 Qh4+ a3");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, 0, kVerdictCheckSuffix, kVerdictAfterEnd}));
  replay("e4 e5 Qh5 Nc6 Qxf7+ a6");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, 0, 0, 0, kVerdictKingLeftInCheck}));
  replay("e4 e5 Qh5 Nc6 Qxf7# a6");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, 0, 0, kVerdictCheckSuffix, kVerdictKingLeftInCheck}));
  // At the end of variations, and at the end of one with another in it.
  replay("f3 e5 g4 Qh4# (Qh4+) (Qf6 h3 Qh4+)");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, 0, 0, kVerdictCheckSuffix, 0, 0, kVerdictCheckSuffix}));
  EXPECT_EQ(batch_.game_verdicts[0].noted, 1);
  replay("e4 e5 Qh5 Nc6 Bc4 (Qxf7# (Qxe5#) Kxf7)");
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, 0, 0, 0, kVerdictCheckSuffix, 0, kVerdictCheckSuffix}));
}

// Pins, answers to a check, flights, captures in passing.
TEST_P(ReplayTest, KingInDanger) {
  const struct {
    std::string_view fen, move;
    unsigned verdict;
  } cases[] = {
      {"4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1", "Nd5", kVerdictKingLeftInCheck},
      {"4k3/4r3/8/8/8/4R3/8/4K3 w - - 0 1", "Re5", kVerdictOk},
      {"4k3/4r3/8/8/8/4R3/8/4K3 w - - 0 1", "Rd3", kVerdictKingLeftInCheck},
      {"4k3/4r3/8/8/4P3/4R3/8/4K3 w - - 0 1", "Rd3", kVerdictOk},
      {"4k3/8/8/8/7b/8/8/R3K3 w - - 0 1", "Ra2", kVerdictKingLeftInCheck},
      {"4k3/8/8/8/7b/8/8/R3K3 w - - 0 1", "Kf2", kVerdictKingLeftInCheck},
      {"4k3/8/8/8/7b/8/8/R3K3 w - - 0 1", "Kd1", kVerdictOk},
      {"4k3/8/8/8/7b/8/8/4K2R w - - 0 1", "Rxh4", kVerdictOk},
      {"4k3/8/8/8/7b/8/6P1/4K3 w - - 0 1", "g3", kVerdictOk},
      {"4k3/8/8/8/7b/8/6P1/4K3 w - - 0 1", "g4", kVerdictKingLeftInCheck},
      // The square behind a checked king.
      {"4k3/8/8/4r3/8/4K3/8/8 w - - 0 1", "Ke2", kVerdictKingLeftInCheck},
      {"4k3/8/8/4r3/8/4K3/8/8 w - - 0 1", "Kd3", kVerdictOk},
      // Two checks have no answer but to go.
      {"4k3/8/8/8/1b2r3/8/2P5/4K3 w - - 0 1", "c3", kVerdictKingLeftInCheck},
      {"4k3/8/8/8/1b2r3/8/2P5/4K3 w - - 0 1", "Kf1", kVerdictOk},
      // The corner from which king and checker are both seen lies on no line between them.
      {"4k3/R7/8/8/8/1n6/8/K7 w - - 0 1", "Ra3", kVerdictKingLeftInCheck},
      {"4k3/R7/8/8/8/2q5/8/K7 w - - 0 1", "Ra3", kVerdictKingLeftInCheck},
      {"4k3/1R6/8/8/8/2q5/8/K7 w - - 0 1", "Rb2", kVerdictOk},
      // In passing, of the pawn that gives check, and on ranks that it would open.
      {"4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", "exd6", kVerdictOk},
      {"4k3/8/8/3pP3/2P1K3/8/8/8 w - d6 0 1", "cxd5", kVerdictOk},
      {"4k3/8/8/K1PpP2r/8/8/8/8 w - d6 0 1", "exd6", kVerdictOk},
  };
  for (const auto& c : cases) {
    replay_from(c.fen, 0, c.move);
    EXPECT_EQ(verdicts(), Verdicts{c.verdict}) << c.fen << " " << c.move;
  }
}

// What is fetched ahead of the moves may lie behind the last token.
TEST_P(ReplayTest, GamesWithoutMovesAtTheEnd) {
  for (const std::size_t empty : {0, 1, 7, 8, 9, 40}) {
    BatchBuilder builder;
    for (int i = 0; i < 12; ++i) builder.add_game("e4 e5 Nf3 (f4 exf4) Nc6");
    for (std::size_t i = 0; i < empty; ++i) builder.add_game("");
    builder.batch.tokens.shrink_to_fit();
    make()->replay(builder.batch);
    for (std::size_t i = 0; i < 12 + empty; ++i) {
      EXPECT_EQ(builder.batch.game_verdicts[i].plies, i < 12 ? 4u : 0u) << i;
    }
    EXPECT_EQ(builder.batch.verdicts, std::vector<std::uint8_t>(72, 0));
  }
}

TEST_P(ReplayTest, Variations) {
  // Two lines deep; a null move and an illegal one inside variations.
  const GameVerdict game = replay("e4 (d4 d5 (Nf6 c4 -- Nc3) c4) e5 (c5 Nf3 (Ke3 d6) d6) Nf3 Nc6");
  EXPECT_EQ(game.plies, 4u);
  EXPECT_EQ(game.broken, 0);
  EXPECT_EQ(game.noted, 1);
  // e4 e5 Nf3 Nc6 | d4 d5 c4 | Nf6 c4 -- Nc3 | c5 Nf3 d6 | Ke3 d6
  EXPECT_EQ(verdicts(), (Verdicts{0, 0, 0, 0, 0, 0, 0, 0, 0, kVerdictNullInLine, 0, 0, 0, 0,
                                  kVerdictIllegal, 0}));
  EXPECT_EQ(batch_.plies_judged, (std::vector<std::uint32_t>{4, 3, 4, 3, 1}));
}

TEST_P(ReplayTest, VariationOfAMoveNotReached) {
  replay("e4 Ke3 e5 (d5 exd5)");
  EXPECT_EQ(verdicts(), (Verdicts{0, kVerdictIllegal, 0, 0, 0}));
  EXPECT_EQ(batch_.plies_judged, (std::vector<std::uint32_t>{2, 0}));
}

TEST_P(ReplayTest, Repetition) {
  const std::string dance = "Nf3 Nf6 Ng1 Ng8 ";
  GameVerdict game = replay(dance);
  EXPECT_EQ(game.repetitions, 2u);
  EXPECT_EQ(game.first_threefold, kNoPly);
  game = replay(dance + dance);
  EXPECT_EQ(game.repetitions, 3u);
  EXPECT_EQ(game.first_threefold, 8u);
  EXPECT_EQ(game.first_fivefold, kNoPly);
  EXPECT_EQ(game.perpetual_by, 0);
  game = replay(dance + dance + dance + dance);
  EXPECT_EQ(game.first_threefold, 8u);
  EXPECT_EQ(game.first_fivefold, 16u);
  EXPECT_EQ(game.state, static_cast<unsigned>(GameState::fivefold_repetition));
  // What was played before the game's first move is not known.
  game = replay_from(test::kStartFen, 60, dance + dance);
  EXPECT_EQ(game.repetitions, 3u);
  EXPECT_EQ(game.first_threefold, 8u);
  EXPECT_EQ(game.halfmove_clock, 68u);
  // After a lost castling right the position is another one.
  game = replay("e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8");
  EXPECT_EQ(game.max_repetitions, 2u);
}

TEST_P(ReplayTest, PerpetualCheck) {
  const GameVerdict game = replay_from("6k1/5ppp/8/8/8/8/1r3PPP/3Q2K1 w - - 0 1", 0, "Qd8# h6");
  EXPECT_EQ(game.state, static_cast<unsigned>(GameState::checkmate));
  const GameVerdict perpetual = replay_from(
      "7k/8/8/8/8/8/5q2/Q6K b - - 0 1", 0, "Kg8 Qa8+ Kh7 Qe4+ Kg8 Qa8+ Kh7 Qe4+ Kg8 Qa8+ Kh7 Qe4+");
  EXPECT_EQ(perpetual.broken, 0);
  EXPECT_EQ(perpetual.repetitions, 3u);
  EXPECT_EQ(perpetual.perpetual_by, 1);
}

TEST_P(ReplayTest, MoveCountLimits) {
  const std::string_view fen = "7k/8/8/8/8/8/R7/K7 w - - 0 1";
  GameVerdict game = replay_from(fen, 98, "Ra3 Kg8 Ra4");
  EXPECT_EQ(game.first_fifty, 2u);
  EXPECT_EQ(game.first_seventyfive, kNoPly);
  EXPECT_EQ(game.halfmove_clock, 101u);
  game = replay_from(fen, 149, "Ra3");
  EXPECT_EQ(game.first_fifty, 0u);
  EXPECT_EQ(game.first_seventyfive, 1u);
  EXPECT_EQ(game.state, static_cast<unsigned>(GameState::seventyfive_moves));
}

// White's queen checks from a8 and e4 for as long as it likes.
constexpr std::string_view kChecks = "7k/8/8/8/8/8/2P2q2/Q6K b - - 0 1";
const std::string kTwoChecks = "Kg8 Qa8+ Kh7 Qe4+ ";

std::string times(int n, const std::string& text) {
  std::string out;
  while (n-- > 0) out += text;
  return out;
}

TEST_P(ReplayTest, ChecksInARow) {
  ReplayRules rules;
  rules.checks_in_a_row = 10;
  // The check before the tenth, the tenth, and the move after it.
  GameVerdict game = replay_from(kChecks, 0, times(4, kTwoChecks) + "Kg8 Qa8+ Kh7", rules);
  EXPECT_EQ(game.first_check_run, kNoPly);
  EXPECT_NE(game.state, static_cast<unsigned>(GameState::checks_in_a_row));
  game = replay_from(kChecks, 0, times(5, kTwoChecks), rules);
  EXPECT_EQ(game.broken, 0);
  EXPECT_EQ(game.first_check_run, 20u);
  EXPECT_EQ(game.first_check_sum, kNoPly);
  EXPECT_EQ(game.state, static_cast<unsigned>(GameState::checks_in_a_row));
  game = replay_from(kChecks, 0, times(5, kTwoChecks) + "Kg8", rules);
  EXPECT_EQ(game.first_check_run, 20u);
  EXPECT_NE(game.state, static_cast<unsigned>(GameState::checks_in_a_row));
  // Eight, a quiet move, and eight more.
  game = replay_from(
      kChecks, 0, times(4, kTwoChecks) + "Kg8 c3 Kh8 Qa8+ Kh7 Qe4+ " + times(3, kTwoChecks), rules);
  EXPECT_EQ(game.broken, 0);
  EXPECT_EQ(game.first_check_run, kNoPly);
  // Without the rule nothing is counted.
  game = replay_from(kChecks, 0, times(5, kTwoChecks));
  EXPECT_EQ(game.first_check_run, kNoPly);
  EXPECT_NE(game.state, static_cast<unsigned>(GameState::checks_in_a_row));
}

TEST_P(ReplayTest, ChecksOfBothSidesAreRunsOfTheirOwn) {
  ReplayRules rules;
  rules.checks_in_a_row = 3;
  const std::string_view fen = "4k3/8/8/8/8/8/4q3/4R2K w - - 0 1";
  GameVerdict game = replay_from(fen, 0, "Rxe2+ Kd7 Rd2+ Ke6", rules);
  EXPECT_EQ(game.broken, 0);
  EXPECT_EQ(game.first_check_run, kNoPly);
  game = replay_from(fen, 0, "Rxe2+ Kd7 Rd2+ Ke6 Re2+", rules);
  EXPECT_EQ(game.first_check_run, 5u);
  // A check that answers a check: each side has given one.
  rules.checks_in_a_row = 2;
  game = replay_from("4k3/8/8/b7/8/8/3R4/4K2R w - - 0 1", 0, "Rh8+ Ke7 Rh7+", rules);
  EXPECT_EQ(game.first_check_run, 3u);
  game = replay_from("r3k3/8/8/b7/8/8/4R3/3K4 w - - 0 1", 0, "Rd2 Rd8 Ke1 Bxd2+ Kxd2", rules);
  EXPECT_EQ(game.first_check_run, kNoPly);
  game = replay_from("k7/8/8/8/8/6b1/8/R6K w - - 0 1", 0, "Ra2+ Kb7 Rb2+", rules);
  EXPECT_EQ(game.first_check_run, 3u);
  game = replay_from("7k/8/8/8/8/8/1q6/B6K b - - 0 1", 0, "Qxa1+ Kg2 Qb2+", rules);
  EXPECT_EQ(game.first_check_run, 3u);
}

TEST_P(ReplayTest, ChecksInAll) {
  ReplayRules rules;
  rules.automatic_clock = 60;
  rules.checks_in_a_row = 10;
  rules.checks_in_all = 30;
  const std::string quiet = "Kg8 c3 Kh8 Qa8+ Kh7 Qe4+ ", again = "Kg8 c4 Kh8 Qa8+ Kh7 Qe4+ ",
                    last = "Kg8 c5 Kh8 Qa8+ Kh7 Qe4+ ";
  const std::string to_28 = times(4, kTwoChecks) + quiet + times(3, kTwoChecks) + again +
                            times(3, kTwoChecks) + last + kTwoChecks;
  GameVerdict game = replay_from(kChecks, 0, to_28 + "Kg8 Qa8+ Kh7", rules);
  EXPECT_EQ(game.broken, 0);
  EXPECT_EQ(game.first_check_sum, kNoPly);
  EXPECT_NE(game.state, static_cast<unsigned>(GameState::checks_in_all));
  game = replay_from(kChecks, 0, to_28 + kTwoChecks, rules);
  EXPECT_EQ(game.first_check_sum, 66u);
  EXPECT_EQ(game.plies, 66u);
  EXPECT_EQ(game.first_check_run, kNoPly);
  EXPECT_EQ(game.state, static_cast<unsigned>(GameState::checks_in_all));
  game = replay_from(kChecks, 0, to_28 + kTwoChecks + "Kg8", rules);
  EXPECT_EQ(game.first_check_sum, 66u);
  EXPECT_EQ(game.state, static_cast<unsigned>(GameState::checks_in_all));
}

TEST_P(ReplayTest, ACheckThatMatesIsNoDraw) {
  ReplayRules rules;
  rules.checks_in_a_row = 1;
  rules.checks_in_all = 1;
  const std::string_view fen = "6k1/5ppp/8/8/8/8/1r3PPP/3Q2K1 w - - 0 1";
  GameVerdict game = replay_from(fen, 0, "Qd8#", rules);
  EXPECT_EQ(game.state, static_cast<unsigned>(GameState::checkmate));
  EXPECT_EQ(game.first_check_run, kNoPly);
  EXPECT_EQ(game.first_check_sum, kNoPly);
  game = replay_from("6k1/5pp1/8/8/8/8/1r3PPP/3Q2K1 w - - 0 1", 0, "Qd8+", rules);
  EXPECT_EQ(game.state, static_cast<unsigned>(GameState::checks_in_a_row));
  EXPECT_EQ(game.first_check_run, 1u);
  EXPECT_EQ(game.first_check_sum, 1u);
}

TEST_P(ReplayTest, DeadPosition) {
  const GameVerdict game = replay_from("7k/8/8/8/8/8/1p6/K7 w - - 7 40", 7, "Kxb2 Kg8");
  EXPECT_EQ(game.first_dead, 1u);
  EXPECT_EQ(game.state, static_cast<unsigned>(GameState::dead_position));
  EXPECT_EQ(verdicts(), (Verdicts{0, kVerdictAfterDead}));
}

TEST_P(ReplayTest, NoMovesAtAll) {
  const GameVerdict game = replay("");
  EXPECT_EQ(game.plies, 0u);
  EXPECT_EQ(game.state, static_cast<unsigned>(GameState::ongoing));
  EXPECT_TRUE(same_position(game.final_position, test::board_of(test::kStartFen)));
}

// What the operation, called directly, says of a batch.
ReplayBatch by_operation(const ReplayBatch& games) {
  ReplayBatch batch = games;
  batch.verdicts.assign(batch.tokens.size(), 0);
  batch.plies_judged.assign(batch.segments.size(), 0);
  batch.game_verdicts.assign(batch.games.size(), GameVerdict{});
  std::vector<Position> slots(batch.tokens.size());
  ReplayView view;
  view.tokens = batch.tokens.data();
  view.segments = batch.segments.data();
  view.games = batch.games.data();
  view.starts = batch.starts.data();
  view.slots = slots.data();
  view.verdicts = batch.verdicts.data();
  view.plies_judged = batch.plies_judged.data();
  view.game_verdicts = batch.game_verdicts.data();
  view.rules = batch.rules;
  for (std::uint32_t i = 0; i < batch.games.size(); ++i) ReplayOp{view}(i);
  return batch;
}

void expect_same_answers(const ReplayBatch& batch, const ReplayBatch& expected) {
  ASSERT_EQ(batch.verdicts, expected.verdicts);
  ASSERT_EQ(batch.plies_judged, expected.plies_judged);
  ASSERT_EQ(batch.game_verdicts.size(), expected.game_verdicts.size());
  for (std::size_t i = 0; i < expected.game_verdicts.size(); ++i) {
    const GameVerdict& x = batch.game_verdicts[i];
    const GameVerdict& y = expected.game_verdicts[i];
    ASSERT_EQ(std::memcmp(&x, &y, offsetof(GameVerdict, padding)), 0) << "game " << i;
  }
}

// Games of all lengths and kinds against the operation called directly.
TEST_P(ReplayTest, BatchesAgreeWithTheOperation) {
  const std::string_view games[] = {
      "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#",
      "",
      "e4 (d4 d5 (Nf6 c4 -- Nc3) c4) e5 (c5 Nf3 (Ke3 d6) d6) Nf3 Nc6",
      "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8",
      "e4 e5 Ke3",
      "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 Nbd7 Rc1 c6 Bd3 dxc4 Bxc4 Nd5 Bxe7 Qxe7 O-O",
      "f3 e5 g4 Qh4# a3",
      "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5xc6 d7c6 e1g1 Bg4 O-O",
  };
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{100000}}) {
    const std::unique_ptr<Backend> backend = make(memory);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{31}, std::size_t{32},
                                   std::size_t{33}, std::size_t{1000}}) {
      BatchBuilder builder;
      const std::uint32_t other =
          builder.add_start("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", 0);
      for (std::size_t i = 0; i < size; ++i) {
        if (i % 5 == 4) {
          builder.add_game("Nf3 (d4 exd4) Nc6 Bb5 a6 Ba4", other);
        } else {
          builder.add_game(games[i * 13 / 5 % std::size(games)]);
        }
      }
      const ReplayBatch expected = by_operation(builder.batch);
      ReplayBatch& batch = builder.batch;
      // Answers of an earlier use of the batch must not matter.
      batch.verdicts.assign(3, 99);
      backend->replay(batch);
      expect_same_answers(batch, expected);
    }
  }
}

// Knights that go out and home again, and checks by a queen that a king runs from: nearly every
// position has stood on the board before, and games end in the middle of it in many ways.
TEST_P(ReplayTest, ManyRepetitions) {
  static constexpr const char* kKnights[2][2][2] = {{{"Nf3", "Ng1"}, {"Nc3", "Nb1"}},
                                                    {{"Nf6", "Ng8"}, {"Nc6", "Nb8"}}};
  static constexpr const char* kQueen[] = {"Kg8", "Qa8+", "Kh7", "Qe4+"};
  static constexpr const char* kEnds[] = {"", "e4", "Ke3", "O-O", "Qa5", "e5", "Nf3", "Nc6"};
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  BatchBuilder builder;
  const std::uint32_t chase = builder.add_start("7k/8/8/8/8/8/5q2/Q6K b - - 0 1", 0);
  const std::uint32_t starts[] = {chase, builder.add_start(test::kStartFen, 40), 0};
  unsigned threefold = 0, by_white = 0;
  for (unsigned game = 0; game < 300; ++game) {
    std::string moves;
    const bool checks = game % 3 == 0;
    bool out[2][2] = {};
    const unsigned plies = below(game % 7 ? 60 : 700);
    for (unsigned ply = 0; ply < plies; ++ply) {
      if (checks) {
        moves += kQueen[ply % 4];
      } else {
        const unsigned side = ply % 2, knight = below(2);
        moves += kKnights[side][knight][out[side][knight] ? 1 : 0];
        out[side][knight] = !out[side][knight];
        if (below(40) == 0) moves += side ? " (a6 a3)" : " (a3 Nh6)";
      }
      moves += ' ';
    }
    builder.add_game(moves + kEnds[below(std::size(kEnds))], starts[game % 3]);
  }
  const ReplayBatch expected = by_operation(builder.batch);
  make()->replay(builder.batch);
  expect_same_answers(builder.batch, expected);
  for (const GameVerdict& game : builder.batch.game_verdicts) {
    threefold += game.first_threefold != kNoPly ? 1 : 0;
    by_white += game.perpetual_by == 1 ? 1 : 0;
  }
  EXPECT_GT(threefold, 150u);
  EXPECT_GT(by_white, 50u);
}

// Games of moves by chance, written by what knows nothing of lanes: men on all squares, many of a
// kind, pins, checks and promotions.
TEST_P(ReplayTest, GamesByChance) {
  static constexpr std::string_view kStarts[] = {
      test::kStartFen,
      "n1n1k1n1/PPPPP1PP/8/8/8/8/ppppp1pp/N1N1K1N1 w - - 0 1",
      "q3k2q/1n4n1/2q2q2/3nn3/3NN3/2Q2Q2/1N4N1/Q3K2Q b - - 0 1",
      "r3k2r/1b1r1b1q/8/3RB3/3rb3/8/1B1R1B1Q/R3K2R w KQkq - 0 1",
  };
  std::mt19937 random(7);
  BatchBuilder builder;
  std::vector<Position> ends;
  for (unsigned game = 0; game < 400; ++game) {
    const std::string_view fen = kStarts[game % std::size(kStarts)];
    Position position = test::board_of(fen);
    bool black = fen[fen.find(' ') + 1] == 'b';
    std::string text;
    for (unsigned ply = 0; ply < 120; ++ply) {
      std::vector<Move> moves;
      for_each_legal_move(position, [&](Move m) { moves.push_back(m); });
      if (moves.empty()) break;
      const Move move = moves[random() % moves.size()];
      text += san_text(position, move, black) + ' ';
      position = make_move(position, move);
      black = !black;
    }
    builder.add_game(text, builder.add_start(fen, 0));
    ends.push_back(position);
  }
  make()->replay(builder.batch);
  const ReplayBatch& batch = builder.batch;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const GameVerdict& game = batch.game_verdicts[i];
    const ReplaySegment& line = batch.segments[batch.games[i].segment_begin];
    EXPECT_EQ(game.plies, line.token_count) << "game " << i;
    EXPECT_TRUE(same_position(game.final_position, ends[i])) << "game " << i;
    for (std::uint32_t t = 0; t < line.token_count; ++t) {
      // That play went on in a dead position is no matter here.
      const unsigned verdict = batch.verdicts[line.token_begin + t] & ~unsigned{kVerdictAfterDead};
      EXPECT_EQ(verdict, unsigned{kVerdictOk}) << "game " << i << ", ply " << t + 1;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, ReplayTest, test::each_backend(),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace cuarbiter
