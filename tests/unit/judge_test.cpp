// Judging games: every code about moves, results and ends, at the move before it applies, where it
// does, and after.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/pgn_run.hpp"

namespace cuarbiter {
namespace {

using namespace test;

using Codes = std::vector<std::string>;

constexpr std::string_view kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

PgnRun play(const std::string& moves, const std::string& result = "*",
            const RulesProfile& rules = kRulesProfiles[0]) {
  PgnOptions options;
  options.rules = rules;
  return run_pgn(roster(result) + moves + " " + result + "\n", options);
}

PgnRun play_from(const std::string& fen, const std::string& moves, const std::string& result = "*",
                 const RulesProfile& rules = kRulesProfiles[0]) {
  PgnOptions options;
  options.rules = rules;
  return run_pgn(with_fen(fen, result) + moves + " " + result + "\n", options);
}

struct MoveCase {
  const char* fen;    // "" is the start position
  const char* moves;  // the faulty one is the last of the main line or of a variation
  const char* code;
  bool error;
  std::uint32_t ply;
  const char* move;
  const char* before;  // the FEN before it
  const char* message;
};

const MoveCase kMoveCases[] = {
    {"", "1. e4 e5 2. Ke3", "move.illegal", true, 3, "Ke3",
     "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "illegal move \"Ke3\""},
    {"", "1. e4 e5 2. Nf3 Nf6 3. O-O", "move.illegal", true, 5, "O-O",
     "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "illegal move \"O-O\""},
    {"", "1. d4 d5 2. Nf3 Nf6 3. Nd2", "move.ambiguous", true, 5, "Nd2",
     "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 2 3",
     "ambiguous move \"Nd2\": Nbd2 or Nfd2"},
    {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "1. e8", "move.ambiguous", true, 1, "e8",
     "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", nullptr},
    {"", "1. e4 e5 2. Bc4 d6 3. Bxf7+ Nf6", "move.king-left-in-check", true, 6, "Nf6",
     "rnbqkbnr/ppp2Bpp/3p4/4p3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 0 3",
     "illegal move \"Nf6\": the king stays in check"},
    {"4k3/8/8/8/8/4r3/4N3/4K3 w - - 0 1", "1. Nc3", "move.king-left-in-check", true, 1, "Nc3",
     "4k3/8/8/8/8/4r3/4N3/4K3 w - - 0 1", "illegal move \"Nc3\": it puts the own king in check"},
    {"4k3/8/8/8/8/8/3r4/4K3 b - - 0 1", "1... Kd8 2. Kd1", "move.king-left-in-check", true, 2,
     "Kd1", "3k4/8/8/8/8/8/3r4/4K3 w - - 1 2",
     "illegal move \"Kd1\": it puts the own king in check"},
    {"", "1. f3 e5 2. g4 Qh4# 3. a3", "move.after-end", true, 5, "a3",
     "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
     "move \"a3\" after checkmate"},
    {"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "1. Qf7 Kg8", "move.after-end", true, 2, "Kg8",
     "7k/5Q2/6K1/8/8/8/8/8 b - - 1 1", "move \"Kg8\" after stalemate"},
    {"", "1. e4 Nf9", "move.invalid", true, 2, "Nf9",
     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "unreadable move \"Nf9\""},
    {"", "1. e4 --", "move.null", true, 2, "--",
     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
     "null move \"--\": a player must move"},
    {"", "1. e4 e5+", "san.check-suffix", false, 2, "e5+",
     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
     "check suffix of \"e5+\": export format is \"e5\""},
    {"", "1. e4 f6 2. Qh5", "san.check-suffix", false, 3, "Qh5",
     "rnbqkbnr/ppppp1pp/5p2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
     "check suffix of \"Qh5\": export format is \"Qh5+\""},
    {"", "1. f3 e5 2. g4 Qh4+", "san.check-suffix", false, 4, "Qh4+",
     "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
     "check suffix of \"Qh4+\": export format is \"Qh4#\""},
    {"", "1. e4 f6 2. Qh5#", "san.check-suffix", false, 3, "Qh5#",
     "rnbqkbnr/ppppp1pp/5p2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
     "check suffix of \"Qh5#\": export format is \"Qh5+\""},
    {"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "1. Nge2", "san.disambiguation", false, 1, "Nge2",
     "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "disambiguation of \"Nge2\": export format is \"Ne2\""},
    {"", "1. e4 d5 2. ed5", "san.capture", false, 3, "ed5",
     "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
     "capture mark of \"ed5\": export format is \"exd5\""},
    {"", "1. Nxf3", "san.capture", false, 1, "Nxf3", kStart.data(),
     "capture mark of \"Nxf3\": export format is \"Nf3\""},
};

std::vector<const MoveCase*> all_move_cases() {
  std::vector<const MoveCase*> out;
  for (const MoveCase& c : kMoveCases) out.push_back(&c);
  return out;
}

TEST(JudgeMoves, EveryCodeInTheMainLine) {
  for (const MoveCase* c : all_move_cases()) {
    const PgnRun run = *c->fen ? play_from(c->fen, c->moves) : play(c->moves);
    const std::string code = c->code;
    ASSERT_EQ(run.count(code), 1u) << c->moves << testing::PrintToString(run.places());
    const PgnFinding& f = *run.find(code);
    EXPECT_EQ(f.error, c->error) << c->moves;
    EXPECT_EQ(f.ply, c->ply) << c->moves;
    EXPECT_EQ(f.move, c->move) << c->moves;
    EXPECT_EQ(f.fen, c->before) << c->moves;
    if (c->message) {
      EXPECT_EQ(f.message, c->message);
    }
    EXPECT_EQ(f.line, (*c->fen ? kFenRosterLines : kRosterLines) + 1) << c->moves;
    EXPECT_EQ(f.column, std::string(c->moves).rfind(c->move) + 1) << c->moves;
    // A move that cannot be made is not counted; the move before it raises nothing.
    const bool made = code.substr(0, 4) == "san.";
    EXPECT_EQ(run.games[0].plies(), made ? c->ply : c->ply - 1) << c->moves;
    const std::string moves = c->moves;
    std::string shorter = moves.substr(0, moves.rfind(c->move));
    const PgnRun before = *c->fen ? play_from(c->fen, shorter) : play(shorter);
    EXPECT_FALSE(before.has(code)) << shorter;
  }
}

TEST(JudgeMoves, EveryCodeInAVariation) {
  for (const MoveCase* c : all_move_cases()) {
    const std::string moves = c->moves;
    const std::size_t first = moves.find(". ") + 2;
    if (moves.compare(first, 1, ".") == 0 || moves.find("...") != std::string::npos) continue;
    // The whole line as a variation of another first move.
    const std::string other = !*c->fen                                            ? "1. h3"
                              : moves.substr(first, 2) == "e8"                    ? "1. Kd2"
                              : std::string_view(c->code) == "san.disambiguation" ? "1. Ke2"
                                                                                  : "1. Kf1";
    std::string fen = c->fen;
    if (fen.find("7k/8/6K1/8/8/8/8/5Q2") == 0) {
      const PgnRun run = play_from(fen, "1. Kg5 (1. Qf7 Kg8) Kg8");
      EXPECT_EQ(run.count(c->code), 1u);
      continue;
    }
    if (fen.find("4r3/4N3") != std::string::npos) {
      const PgnRun run = play_from(fen, "1. Kf1 (1. Nc3) Kd8");
      EXPECT_EQ(run.count(c->code), 1u);
      continue;
    }
    const std::string text = other + " (" + moves + ") *";
    const PgnRun run = *c->fen ? run_pgn(with_fen(fen) + text) : run_pgn(roster() + text);
    std::string code = c->code;
    ASSERT_EQ(run.count(code), 1u) << text << testing::PrintToString(run.places());
    const PgnFinding& f = *run.find(code);
    EXPECT_EQ(f.error, code == "move.null" ? false : c->error) << text;
    EXPECT_EQ(f.ply, c->ply) << text;
    EXPECT_EQ(f.move, c->move) << text;
    EXPECT_EQ(f.fen, c->before) << text;
    EXPECT_EQ(run.games[0].plies(), 1u) << text;
    EXPECT_EQ(run.games[0].verdict.broken, 0) << text;
  }
}

TEST(JudgeMoves, TheRestOfABrokenLineIsNotJudged) {
  EXPECT_EQ(play("1. e4 e5 2. Ke3 Ke6 3. Ka1 Kh8 (3... Ra1)").codes(), Codes{"move.illegal"});
  // Another variation is.
  EXPECT_EQ(play("1. e4 (1. Ke3 Ke6) (1. Kd3) e5 2. Nf3").codes(),
            (Codes{"move.illegal", "move.illegal"}));
  // A variation of a move that was reached is judged, of one that was not is not.
  EXPECT_EQ(play("1. e4 Ke6 (1... Kd6) 2. d4 (2. Ka1)").codes(),
            (Codes{"move.illegal", "move.illegal"}));
}

TEST(JudgeMoves, NullMovesInVariationsGoOn) {
  const PgnRun run = play("1. e4 e5 (1... -- 2. d4 -- 3. Ke3) 2. Nf3");
  EXPECT_EQ(run.codes(), (Codes{"move.null", "move.null", "move.illegal"}));
  EXPECT_FALSE(run.findings[0].error);
  EXPECT_EQ(run.findings[0].ply, 2u);
  EXPECT_EQ(run.findings[1].ply, 4u);
  EXPECT_EQ(run.findings[2].ply, 5u);
  EXPECT_EQ(run.games[0].plies(), 3u);
  // Not out of a check.
  EXPECT_EQ(play("1. e4 f6 2. Qh5+ g6 (2... -- 3. Qxe8)").codes(),
            Codes{"move.king-left-in-check"});
}

TEST(JudgeMoves, GlyphsAreNoPartOfTheMove) {
  EXPECT_EQ(play("1. e4 e5 2. Ke3??").find("move.illegal")->move, "Ke3");
  EXPECT_EQ(play("1. e4 e5 2. Ke3$4").find("move.illegal")->move, "Ke3");
  EXPECT_EQ(play("1. e4 e5 2. Ke3{x}").find("move.illegal")->move, "Ke3");
  EXPECT_EQ(play("1. e4 e5 2. e1e3!").find("move.illegal")->move, "e1e3");
  EXPECT_EQ(play("1. e4 (1. Ke3) e5").find("move.illegal")->move, "Ke3");
}

TEST(JudgeMoves, LongTextIsCutShort) {
  const PgnRun run = play("1. " + std::string(5000, 'z'));
  ASSERT_TRUE(run.has("move.invalid"));
  EXPECT_LT(run.find("move.invalid")->message.size(), 100u);
}

std::string dance(unsigned times) {
  std::string out;
  for (unsigned i = 0; i < times; ++i) {
    out += std::to_string(2 * i + 1) + ". Nf3 Nf6 " + std::to_string(2 * i + 2) + ". Ng1 Ng8 ";
  }
  return out;
}

TEST(JudgeEnds, FivefoldRepetition) {
  // The start position stands for the fifth time after 16 plies.
  EXPECT_EQ(play(dance(3) + "7. Nf3 Nf6 8. Ng1").codes(), Codes{});
  EXPECT_EQ(play(dance(3) + "7. Nf3 Nf6 8. Ng1 Ng4").codes(), Codes{});
  const PgnRun at = play(dance(4));
  EXPECT_EQ(at.codes(), Codes{});
  EXPECT_EQ(at.games[0].state(), GameState::fivefold_repetition);
  EXPECT_EQ(at.games[0].verdict.first_fivefold, 16u);
  EXPECT_EQ(at.games[0].verdict.first_threefold, 8u);
  const PgnRun beyond = play(dance(4) + "9. e4 e5");
  ASSERT_EQ(beyond.codes(), Codes{"game.beyond-fivefold"});
  EXPECT_FALSE(beyond.findings[0].error);
  EXPECT_EQ(beyond.findings[0].ply, 17u);
  EXPECT_EQ(beyond.findings[0].move, "e4");
  EXPECT_EQ(beyond.findings[0].fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 16 9");
  EXPECT_EQ(beyond.games[0].plies(), 18u);
  // Told once, however long play goes on.
  EXPECT_EQ(play(dance(6)).codes(), Codes{"game.beyond-fivefold"});
  // Under the Laws of 2001 there is no such end.
  EXPECT_EQ(play(dance(4) + "9. e4", "*", kRulesProfiles[1]).codes(), Codes{});
  // Lines that are only looked at repeat nothing.
  EXPECT_EQ(play("1. e4 (" + dance(5) + ") e5").codes(), Codes{});
}

// House rules count checks, and results only from some move on.
TEST(JudgeEnds, HouseRules) {
  const RulesProfile& qq = kRulesProfiles[2];
  const std::string fen = "7k/8/8/8/8/8/2P2q2/Q6K b - - 0 1";
  const auto checks = [](int pairs) {
    std::string moves = "1... Kg8 2. Qa8+ Kh7 3. Qe4+ ";
    for (int i = 1; i < pairs; ++i) {
      const int n = 2 * i + 1;
      moves += std::to_string(n) + "... Kg8 " + std::to_string(n + 1) + ". Qa8+ Kh7 " +
               std::to_string(n + 2) + ". Qe4+ ";
    }
    return moves;
  };
  EXPECT_EQ(play_from(fen, checks(5), "1/2-1/2", qq).codes(), Codes{});
  EXPECT_EQ(play_from(fen, checks(5), "1/2-1/2", qq).games[0].state(), GameState::checks_in_a_row);
  const PgnRun beyond = play_from(fen, checks(5) + "11... Kg8", "*", qq);
  ASSERT_EQ(beyond.codes(), Codes{"game.beyond-checks"});
  EXPECT_EQ(beyond.findings[0].ply, 21u);
  EXPECT_EQ(beyond.findings[0].move, "Kg8");
  EXPECT_FALSE(beyond.findings[0].error);
  EXPECT_EQ(play_from(fen, checks(5) + "11... Kg8").codes(), Codes{"game.beyond-fivefold"});
}

std::string shuffles(int plies) {
  const char* const moves[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
  std::string out;
  for (int ply = 0; ply < plies; ++ply) {
    if (ply % 2 == 0) out += std::to_string(ply / 2 + 1) + ". ";
    out += std::string(moves[ply % 4]) + " ";
  }
  return out;
}

TEST(JudgeEnds, EarlyResultsUnderHouseRules) {
  const RulesProfile& qq = kRulesProfiles[2];
  const auto run = [&](int plies, const std::string& result, const std::string& termination,
                       const RulesProfile& rules) {
    PgnOptions options;
    options.rules = rules;
    const std::string tag = termination.empty() ? "" : "[Termination \"" + termination + "\"]\n";
    return run_pgn(roster(result, tag) + shuffles(plies) + result + "\n", options).codes();
  };
  // Move 14, move 15, and the move after.
  for (const char* result : {"1-0", "0-1", "1/2-1/2"}) {
    EXPECT_EQ(run(27, result, "", qq), Codes{"result.early"}) << result;
    EXPECT_EQ(run(28, result, "", qq), Codes{}) << result;
    EXPECT_EQ(run(29, result, "", qq), Codes{}) << result;
  }
  EXPECT_EQ(run(27, "1-0", "normal", qq), Codes{"result.early"});
  EXPECT_EQ(run(27, "*", "", qq), Codes{});
  EXPECT_EQ(run(27, "1-0", "rules infraction", qq), Codes{});
  EXPECT_EQ(run(2, "1-0", "", kRulesProfiles[0]), Codes{});
  // A flag at move 5, at move 6, and after.
  for (const char* words : {"time forfeit", "Time forfeit", "W won on time"}) {
    EXPECT_EQ(run(9, "1-0", words, qq), Codes{"result.void"}) << words;
    EXPECT_EQ(run(10, "1-0", words, qq), Codes{}) << words;
    EXPECT_EQ(run(11, "1-0", words, qq), Codes{}) << words;
  }
  EXPECT_EQ(run(9, "*", "time forfeit", qq), Codes{});
  EXPECT_EQ(run(9, "1-0", "time forfeit", kRulesProfiles[0]), Codes{});
  // A mate counts however early.
  PgnOptions options;
  options.rules = qq;
  EXPECT_EQ(run_pgn(roster("0-1") + "1. f3 e5 2. g4 Qh4# 0-1\n", options).codes(), Codes{});
}

TEST(JudgeEnds, SeventyFiveMoves) {
  const auto from = [](int clock) {
    return "4k3/8/8/8/8/8/4K3/R7 w - - " + std::to_string(clock) + " 120";
  };
  EXPECT_EQ(play_from(from(147), "120. Ra2 Kd7").codes(), Codes{});
  EXPECT_EQ(play_from(from(147), "120. Ra2 Kd7").games[0].state(), GameState::ongoing);
  const PgnRun at = play_from(from(148), "120. Ra2 Kd7");
  EXPECT_EQ(at.codes(), Codes{});
  EXPECT_EQ(at.games[0].state(), GameState::seventyfive_moves);
  EXPECT_EQ(at.games[0].fen, "8/3k4/8/8/8/8/R3K3/8 w - - 150 121");
  const PgnRun beyond = play_from(from(148), "120. Ra2 Kd7 121. Ra3");
  ASSERT_EQ(beyond.codes(), Codes{"game.beyond-seventyfive"});
  EXPECT_EQ(beyond.findings[0].ply, 3u);
  EXPECT_EQ(beyond.findings[0].move, "Ra3");
  EXPECT_EQ(beyond.findings[0].fen, "8/3k4/8/8/8/8/R3K3/8 w - - 150 121");
  EXPECT_FALSE(beyond.findings[0].error);
  // A capture or pawn move just in time.
  EXPECT_EQ(play_from("4k3/8/8/8/8/P7/4K3/R7 w - - 148 120", "120. Ra2 Kd7 121. a4").codes(),
            Codes{"game.beyond-seventyfive"});
  EXPECT_EQ(play_from("4k3/8/8/8/8/P7/4K3/R7 w - - 148 120", "120. a4 Kd7 121. a5").codes(),
            Codes{});
  // A mate with the last move counts (9.6.2).
  const PgnRun mate = play_from("7k/8/6K1/8/8/8/8/R7 w - - 149 120", "120. Ra8#", "1-0");
  EXPECT_EQ(mate.codes(), Codes{});
  EXPECT_EQ(mate.games[0].state(), GameState::checkmate);
  // Other profiles.
  EXPECT_EQ(play_from(from(148), "120. Ra2 Kd7 121. Ra3", "*", kRulesProfiles[1]).codes(), Codes{});
  EXPECT_EQ(play_from(from(58), "120. Ra2 Kd7 121. Ra3", "*", kRulesProfiles[2]).codes(),
            Codes{"game.beyond-seventyfive"});
  EXPECT_EQ(play_from(from(58), "120. Ra2 Kd7", "*", kRulesProfiles[2]).codes(), Codes{});
  EXPECT_EQ(
      play_from(from(28), "120. Ra2 Kd7 121. Ra3", "*", with_move_limit(kRulesProfiles[0], 10))
          .codes(),
      Codes{"game.beyond-seventyfive"});
}

TEST(JudgeEnds, DeadPosition) {
  const std::string fen = "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1";
  const PgnRun at = play_from(fen, "1. Kxe2", "1/2-1/2");
  EXPECT_EQ(at.codes(), Codes{});
  EXPECT_EQ(at.games[0].state(), GameState::dead_position);
  const PgnRun beyond = play_from(fen, "1. Kxe2 Kd7 2. Kd3 Kd6", "1/2-1/2");
  ASSERT_EQ(beyond.codes(), Codes{"move.after-end"});
  EXPECT_FALSE(beyond.findings[0].error);
  EXPECT_EQ(beyond.findings[0].ply, 2u);
  EXPECT_EQ(beyond.findings[0].move, "Kd7");
  EXPECT_EQ(beyond.findings[0].fen, "4k3/8/8/8/8/8/4K3/8 b - - 0 1");
  EXPECT_EQ(beyond.games[0].plies(), 4u);
  // From the start.
  EXPECT_EQ(play_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "1. Kd2").find("move.after-end")->ply, 1u);
}

struct ResultCase {
  const char* fen;
  const char* moves;
  const char* result;
  const char* code;  // nullptr: nothing to say
};

TEST(JudgeResults, AgainstTheFinalPosition) {
  const char* const kMate = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";  // 1. Ra8#
  const char* const kBlackMates = "7K/8/6k1/8/8/8/8/r7 b - - 0 1";
  const char* const kStalemate = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";  // 1. Qf7
  const char* const kDead = "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1";      // 1. Kxe2
  const char* const kQueen = "3qk3/8/8/8/8/8/8/4K3 w - - 0 1";
  const char* const kRook = "4k3/8/8/8/8/8/8/R3K3 b - - 0 1";
  const char* const kKnights = "4k3/8/8/8/8/8/8/N3K2N w - - 0 1";
  const char* const kWall = "8/2k5/8/1p1p2p1/1P1P2P1/8/2K5/8 w - - 0 1";
  const char* const kForced = "7k/8/8/8/8/8/7q/K7 b - - 0 1";
  const char* const kForcedByTwo = "7k/8/8/8/8/8/R6q/K7 b - - 0 1";
  const ResultCase cases[] = {
      {kMate, "1. Ra8#", "1-0", nullptr},
      {kMate, "1. Ra8#", "0-1", "result.checkmate"},
      {kMate, "1. Ra8#", "1/2-1/2", "result.checkmate"},
      {kMate, "1. Ra8#", "*", "result.checkmate"},
      {kMate, "1. Ra7", "0-1", "result.cannot-win"},
      {kMate, "1. Ra7", "1-0", nullptr},
      {kBlackMates, "1... Ra8#", "0-1", nullptr},
      {kBlackMates, "1... Ra8#", "1-0", "result.checkmate"},
      {kStalemate, "1. Qf7", "1/2-1/2", nullptr},
      {kStalemate, "1. Qf7", "1-0", "result.stalemate"},
      {kStalemate, "1. Qf7", "0-1", "result.stalemate"},
      {kStalemate, "1. Qf7", "*", "result.stalemate"},
      {kDead, "1. Kxe2", "1/2-1/2", nullptr},
      {kDead, "1. Kxe2", "*", nullptr},
      {kDead, "1. Kxe2", "1-0", "result.dead-position"},
      {kDead, "1. Kxe2", "0-1", "result.dead-position"},
      {kDead, "1. Kd2", "0-1", nullptr},
      {kDead, "1. Kd2", "1-0", "result.cannot-win"},
      {kQueen, "1. Ke2", "0-1", nullptr},
      {kQueen, "1. Ke2", "1-0", "result.cannot-win"},
      {kQueen, "1. Ke2 Qd5", "1-0", "result.cannot-win"},
      {kQueen, "1. Ke2", "1/2-1/2", nullptr},
      {kRook, "1... Kd7", "1-0", nullptr},
      {kRook, "1... Kd7", "0-1", "result.cannot-win"},
      {kRook, "1... Kd7 2. Ra2", "0-1", "result.cannot-win"},
      {kKnights, "1. Nb3", "1-0", nullptr},
      {kKnights, "1. Nb3", "0-1", "result.cannot-win"},
      // By proof: a wall; a capture that is forced, by a king alone or by either of two men.
      {kWall, "1. Kd3", "1-0", "result.dead-position"},
      {kWall, "1. Kd3", "1/2-1/2", nullptr},
      {kForced, "1... Qb2+", "0-1", "result.dead-position"},
      {kForced, "1... Qh7", "0-1", nullptr},
      {kForcedByTwo, "1... Qb2+", "0-1", "result.cannot-win"},
      {kForcedByTwo, "1... Qb2+", "1-0", nullptr},
  };
  for (const ResultCase& c : cases) {
    const PgnRun run = play_from(c.fen, c.moves, c.result);
    const Codes expected = c.code ? Codes{c.code} : Codes{};
    EXPECT_EQ(run.codes(), expected) << c.fen << " " << c.moves << " " << c.result;
    if (c.code && !run.findings.empty()) {
      EXPECT_TRUE(run.findings[0].error);
      EXPECT_EQ(run.findings[0].ply, 0u);
      EXPECT_EQ(run.findings[0].column, std::string(c.moves).size() + 2);
      EXPECT_EQ(run.findings[0].line, kFenRosterLines + 1);
    }
  }
}

TEST(JudgeResults, TagAndMarker) {
  EXPECT_EQ(run_pgn(roster("1-0") + "1. e4 e5 0-1\n").codes(), Codes{"pgn.result-mismatch"});
  EXPECT_EQ(run_pgn(roster("1-0") + "1. e4 e5 *\n").codes(), Codes{"pgn.result-mismatch"});
  EXPECT_EQ(run_pgn(roster("1-0") + "1. e4 e5\n").codes(), Codes{"pgn.result-missing"});
  // The marker is what counts; without it the tag.
  EXPECT_EQ(run_pgn(roster("1-0") + "1. f3 e5 2. g4 Qh4# 0-1\n").codes(),
            Codes{"pgn.result-mismatch"});
  EXPECT_TRUE(run_pgn(roster("1-0") + "1. f3 e5 2. g4 Qh4#\n").has("result.checkmate"));
  // Of a line that breaks off nothing is said about the end.
  EXPECT_EQ(play("1. f3 e5 2. g4 Qh4# 3. a3", "1-0").codes(), Codes{"move.after-end"});
}

TEST(JudgeGames, FindingsAreInTextOrder) {
  const PgnRun run = run_pgn(roster("1-0", "[White \"X\"]\n") +
                             "1. Nf3+ {M\xFCller} 3. Nf6 (1... Ke3) 2. Ng5 Ng4 $ (2... blah) 3. "
                             "Nxf7 Nxf2 4. Nxd8 Nxd1 0-1\n");
  EXPECT_TRUE(run.sorted);
  std::uint64_t last = 0;
  for (const PgnFinding& f : run.findings) {
    EXPECT_GE(f.offset, last);
    last = f.offset;
  }
  EXPECT_EQ(run.findings.size(), 8u) << testing::PrintToString(run.places());
}

TEST(JudgeGames, FinalFensCountMovesFromTheFirst) {
  EXPECT_EQ(play("1. e4 e5 2. Nf3").games[0].fen,
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
  EXPECT_EQ(play_from("4k3/8/8/8/8/8/8/4K2R b K - 7 40", "40... Kd8 41. O-O Kc7").games[0].fen,
            "8/2k5/8/8/8/8/8/5RK1 w - - 10 42");
}

TEST(JudgeGames, EnPassantAndRepetitionOfPositionsThatOnlyLookAlike) {
  // After 1. e4 no capture is possible: the position counts with the later ones.
  const PgnRun run = play("1. e4 Nf6 2. Nf3 Ng8 3. Ng1 Nf6 4. Nf3 Ng8 5. Ng1");
  EXPECT_EQ(run.games[0].verdict.first_threefold, 9u);
  // Castling rights lost on the way make another position.
  const PgnRun rights = play("1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 Ke7 5. Ke1 Ke8 6. Ke2 Ke7");
  EXPECT_EQ(rights.games[0].verdict.first_threefold, 12u);
}

}  // namespace
}  // namespace cuarbiter
