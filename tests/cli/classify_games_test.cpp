// classify on PGN: one record a game, exact, in the order of the input; files sorted by content.
#include <gtest/gtest.h>
#include <zstd.h>

#include "tests/support/cuarbiter_program.hpp"

namespace cuarbiter {
namespace {

using namespace test;

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const std::string kHistory = CUARBITER_DATA "/games/history.pgn";
const std::string kFaulty = CUARBITER_DATA "/games/faulty.pgn";
const std::string kStates = CUARBITER_DATA "/positions/states.fen";

// A complete game; `tags` are lines after the roster.
std::string game(const std::string& moves, const std::string& result = "*",
                 const std::string& tags = {}) {
  return "[Event \"E\"]\n[Site \"S\"]\n[Date \"2026.01.02\"]\n[Round \"1\"]\n[White \"W\"]\n"
         "[Black \"B\"]\n[Result \"" +
         result + "\"]\n" + tags + "\n" + moves + " " + result + "\n\n";
}

std::string from(const std::string& fen) {
  return "[SetUp \"1\"]\n[FEN \"" + fen + "\"]\n";
}

const std::string kMate = game("1. f3 e5 2. g4 Qh4#", "0-1");
const std::string kBroken = game("1. e4 e5 2. Ke3 Nf6", "*");
const std::string kUnknown = game("1. e4 e5", "*", "[Variant \"Atomic\"]\n");
const std::string kUnplayable = game("1. e4 e5", "*", from("8/8/8/8/8/8/8/K7 w - - 0 1"));

// `rounds` times knights out and back: the position after each has stood once more.
std::string shuffle(int rounds) {
  std::string moves;
  for (int i = 0; i < rounds; ++i) {
    moves += std::to_string(2 * i + 1) + ". Nf3 Nf6 " + std::to_string(2 * i + 2) + ". Ng1 Ng8 ";
  }
  return game(moves, "*");
}

RunResult run_on(const std::string& text, std::vector<std::string> flags = {}) {
  flags.insert(flags.begin(), {"classify", "--format", "jsonl"});
  return cuarbiter_on_cpu(std::move(flags), with_input(text));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return lines;
}

TEST(ClassifyGames, OneRecordAGameInFixedFieldOrder) {
  const RunResult run = run_on(kMate);
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.errors, "");
  EXPECT_EQ(run.output,
            "{\"type\":\"game\",\"file\":1,\"game\":1,\"line\":1,\"offset\":0,\"plies\":4,"
            "\"result\":\"0-1\",\"valid\":true,"
            "\"fen\":\"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\","
            "\"side_to_move\":\"white\",\"legal_moves\":0,\"in_check\":true,\"checkers\":1,"
            "\"state\":\"checkmate\",\"draw\":[],\"insufficient_material\":false,"
            "\"dead_position\":\"no\",\"can_win\":{\"white\":\"no\",\"black\":\"yes\"},"
            "\"material\":\"KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP\",\"endgame\":\"none\","
            "\"threefold_ply\":null,\"fivefold_ply\":null,\"fifty_ply\":null,"
            "\"seventyfive_ply\":null,\"max_repetitions\":1,\"perpetual_check\":null,"
            "\"checks_ply\":null,\"draw_with_move\":[],\"drawn_by\":null,\"defects\":[]}\n");
}

TEST(ClassifyGames, RepetitionIsClaimedAndThenEndsTheGame) {
  const std::string three = run_on(shuffle(2)).output;
  EXPECT_TRUE(contains(three, "\"state\":\"ongoing\",\"draw\":[\"threefold_repetition\"]"))
      << three;
  EXPECT_TRUE(contains(three, "\"threefold_ply\":8,\"fivefold_ply\":null,")) << three;
  const std::string five = run_on(shuffle(4)).output;
  EXPECT_TRUE(contains(five,
                       "\"legal_moves\":20,\"in_check\":false,\"checkers\":0,"
                       "\"state\":\"fivefold_repetition\",\"draw\":[],"
                       "\"insufficient_material\":false,\"dead_position\":\"no\""))
      << five;
  EXPECT_TRUE(contains(five,
                       "\"threefold_ply\":8,\"fivefold_ply\":16,\"fifty_ply\":null,"
                       "\"seventyfive_ply\":null,\"max_repetitions\":5,"))
      << five;
  EXPECT_TRUE(contains(run_on(shuffle(4), {"--rules", "fide-2001"}).output,
                       "\"state\":\"ongoing\",\"draw\":[\"threefold_repetition\"]"));
  EXPECT_TRUE(
      contains(run_on(shuffle(4), {"--rules", "qq"}).output, "\"state\":\"ongoing\",\"draw\":[]"));
}

TEST(ClassifyGames, MoveCounts) {
  const std::string claim =
      run_on(game("80. Kd2 Kd7", "*", from("4k3/8/8/8/8/8/8/R3K3 w - - 98 80"))).output;
  EXPECT_TRUE(contains(claim, "\"state\":\"ongoing\",\"draw\":[\"fifty_moves\"]")) << claim;
  EXPECT_TRUE(contains(claim, "\"fifty_ply\":2,\"seventyfive_ply\":null")) << claim;
  const std::string end =
      run_on(game("80. Kd2 Kd7", "*", from("4k3/8/8/8/8/8/8/R3K3 w - - 148 80"))).output;
  EXPECT_TRUE(contains(end, "\"state\":\"seventyfive_moves\",\"draw\":[]")) << end;
  EXPECT_TRUE(contains(end, "\"fifty_ply\":0,\"seventyfive_ply\":2")) << end;
}

// Each way to a draw, told from the others.
TEST(ClassifyGames, DrawsAreExplained) {
  const auto drawn_by = [](const std::string& text, const std::string& rules = "fide") {
    const std::string record = run_on(text, {"--rules", rules}).output;
    const std::size_t at = record.find("\"drawn_by\":");
    return record.substr(at + 11, record.find(",\"defects", at) - at - 11);
  };
  const std::string rook = "4k3/8/8/8/8/8/8/R3K3 w - - ";
  EXPECT_EQ(drawn_by(game("1. e4 e5", "1/2-1/2")), "[\"agreement\"]");
  EXPECT_EQ(drawn_by(game("1. e4 e5", "1-0")), "null");
  EXPECT_EQ(drawn_by(game("1. e4 e5", "*")), "null");
  EXPECT_EQ(drawn_by(game("1. e4 Ke6", "1/2-1/2")), "null");
  EXPECT_EQ(drawn_by(game("1. Qf7", "1/2-1/2", from("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"))),
            "[\"stalemate\"]");
  EXPECT_EQ(drawn_by(game("1. Kxd2", "1/2-1/2", from("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"))),
            "[\"dead_position\"]");
  EXPECT_EQ(drawn_by(game("80. Kd2 Kd7", "1/2-1/2", from(rook + "97 80"))), "[\"fifty_moves\"]");
  EXPECT_EQ(drawn_by(game("80. Kd2 Kd7", "1/2-1/2", from(rook + "96 80"))), "[\"agreement\"]");
  EXPECT_EQ(drawn_by(game("80. Kd2 Kd7", "1/2-1/2", from(rook + "148 80"))),
            "[\"seventyfive_moves\"]");
  EXPECT_EQ(drawn_by(game("80. Kd2 Kd7", "1/2-1/2", from(rook + "58 80")), "qq"),
            "[\"thirty_moves\"]");
  const auto dance = [](int plies, const std::string& tags = {}) {
    const char* const moves[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    std::string text;
    for (int ply = 0; ply < plies; ++ply) text += std::string(moves[ply % 4]) + " ";
    return game(text, "1/2-1/2", tags);
  };
  EXPECT_EQ(drawn_by(dance(16)), "[\"fivefold_repetition\"]");
  EXPECT_EQ(drawn_by(dance(16), "fide-2001"), "[\"threefold_repetition\"]");
  EXPECT_EQ(drawn_by(dance(8)), "[\"threefold_repetition\"]");
  EXPECT_EQ(drawn_by(dance(8, "[Termination \"Time forfeit\"]\n")), "[\"time_forfeit\"]");
  EXPECT_EQ(drawn_by(dance(8, "[Termination \"adjudication\"]\n")), "[\"other\"]");
}

// FIDE 9.2.1 and 9.3.1: a claim with the move about to be made, the ply before it stands.
TEST(ClassifyGames, ClaimsWithTheMoveAboutToBeMade) {
  const auto draws = [](const std::string& text, const std::string& rules = "fide") {
    const std::string record = run_on(text, {"--rules", rules}).output;
    const auto field = [&](const std::string& name) {
      const std::size_t at = record.find("\"" + name + "\":[");
      const std::size_t begin = at + name.size() + 3;
      return record.substr(begin, record.find(']', begin) + 1 - begin);
    };
    return field("draw") + field("draw_with_move");
  };
  const std::string dance = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 ";
  EXPECT_EQ(draws(game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6")), "[][]");
  // Ng8 would make the start position stand for the third time.
  EXPECT_EQ(draws(game(dance)), "[][\"threefold_repetition\"]");
  EXPECT_EQ(draws(game(dance), "fide-2001"), "[][\"threefold_repetition\"]");
  EXPECT_EQ(draws(game(dance), "qq"), "[][]");
  // On the board now, and ahead: Nf3 would stand for the third time.
  EXPECT_EQ(draws(game(dance + "Ng8")), "[\"threefold_repetition\"][\"threefold_repetition\"]");
  EXPECT_EQ(draws(game(dance + "Ng8 5. e4")), "[][]");
  const std::string rook = "4k3/8/8/8/8/8/8/R3K3 w - - ";
  EXPECT_EQ(draws(game("80. Kd2 Kd7", "*", from(rook + "96 80"))), "[][]");
  EXPECT_EQ(draws(game("80. Kd2 Kd7", "*", from(rook + "97 80"))), "[][\"fifty_moves\"]");
  EXPECT_EQ(draws(game("80. Kd2 Kd7", "*", from(rook + "98 80"))),
            "[\"fifty_moves\"][\"fifty_moves\"]");
  // Only a pawn can move: the move would not complete the fifty.
  EXPECT_EQ(draws(game("80. Rg2", "*", from("8/8/8/8/7p/6R1/5K2/7k w - - 98 80"))), "[][]");
}

TEST(ClassifyGames, EveryPlyInOrder) {
  const RunResult run = run_on(game("1. f3 e5 2. g4 Qh4#", "0-1") + kBroken, {"--every-ply"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(contains(run.errors, "game 2 ply 3: illegal move")) << run.errors;
  const std::vector<std::string> records = lines_of(run.output);
  ASSERT_EQ(records.size(), 6u);
  EXPECT_EQ(records[0],
            "{\"type\":\"ply\",\"file\":1,\"game\":1,\"line\":1,\"ply\":1,\"move\":\"f3\","
            "\"fen\":\"rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1\","
            "\"side_to_move\":\"black\",\"legal_moves\":20,\"in_check\":false,\"checkers\":0,"
            "\"state\":\"ongoing\",\"draw\":[],\"insufficient_material\":false,"
            "\"dead_position\":\"no\",\"can_win\":{\"white\":\"yes\",\"black\":\"yes\"},"
            "\"material\":\"KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP\",\"endgame\":\"none\","
            "\"repetitions\":1,\"draw_with_move\":[]}");
  EXPECT_TRUE(contains(records[3], "\"ply\":4,\"move\":\"Qh4#\",\"fen\":")) << records[3];
  EXPECT_TRUE(contains(records[3], "\"state\":\"checkmate\"")) << records[3];
  EXPECT_TRUE(contains(records[4], "\"game\":2,\"line\":11,\"ply\":1,\"move\":\"e4\""));
  const RunResult csv = cuarbiter_on_cpu({"classify", "--every-ply", "--format", "csv"},
                                         with_input(game("1. e4 e5")));
  EXPECT_EQ(csv.output.substr(0, csv.output.find('\n')),
            "file,game,line,ply,move,fen,side_to_move,legal_moves,in_check,checkers,state,draw,"
            "insufficient_material,dead_position,can_win_white,can_win_black,material,endgame,"
            "repetitions,draw_with_move");
  EXPECT_EQ(count_lines(csv.output), 3u);
  EXPECT_TRUE(
      contains(cuarbiter_on_cpu({"classify", "--every-ply"}, with_input(game("1. e4 e5"))).output,
               "<stdin>:1: game 1 ply 2: e5: ongoing, white to move, 29 legal moves: rnbqkbnr/"));
  EXPECT_EQ(run_on(kUnplayable, {"--every-ply"}).output, "");
}

// The last ply's record says what the game's record says, under each profile.
TEST(ClassifyGames, TheLastPlyIsTheGamesEnd) {
  const std::string text = shuffle(1) + shuffle(2) + shuffle(4) + shuffle(5) + kMate + kBroken +
                           game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1") +
                           game("80. Kd2 Kd7", "*", from("4k3/8/8/8/8/8/8/R3K3 w - - 97 80")) +
                           game("80. Kd2 Kd7", "*", from("4k3/8/8/8/8/8/8/R3K3 w - - 148 80"));
  std::string checks;
  for (int i = 0; i < 5; ++i) checks += "Kg8 Qa8+ Kh7 Qe4+ ";
  const std::string all = text + game(checks, "*", from("7k/8/8/8/8/8/2P2q2/Q6K b - - 0 1"));
  const auto part = [](const std::string& record, const std::string& from, const std::string& to) {
    const std::size_t begin = record.find(from);
    return record.substr(begin, record.find(to, begin) - begin);
  };
  for (const std::string rules : {"fide", "fide-2001", "qq"}) {
    const auto games = lines_of(run_on(all, {"--rules", rules}).output);
    const auto plies = lines_of(run_on(all, {"--rules", rules, "--every-ply"}).output);
    std::size_t at = 0;
    for (std::size_t g = 0; g < games.size(); ++g) {
      const std::string number = "\"game\":" + std::to_string(g + 1) + ",";
      while (at + 1 < plies.size() && contains(plies[at + 1], number)) ++at;
      ASSERT_TRUE(contains(plies[at], number)) << plies[at];
      EXPECT_EQ(part(plies[at], "\"fen\":", ",\"repetitions\""),
                part(games[g], "\"fen\":", ",\"threefold_ply\""))
          << rules;
      EXPECT_EQ(part(plies[at], "\"draw_with_move\":", "]"),
                part(games[g], "\"draw_with_move\":", "]"))
          << rules;
      ++at;
      if (at == plies.size()) --at;
    }
  }
}

TEST(ClassifyGames, EveryPlySameBytesForAnyThreadsAndBatchSize) {
  const RunResult one = cuarbiter_on_cpu(
      {"classify", "--format", "jsonl", "--every-ply", "-j", "1", kHistory, kFaulty});
  EXPECT_GT(count_lines(one.output), 300u);
  for (const char* batch : {"1", "1000", "10000000"}) {
    const RunResult other = cuarbiter_on_cpu({"classify", "--format", "jsonl", "--every-ply", "-j",
                                              "3", "--batch-size", batch, kHistory, kFaulty});
    EXPECT_EQ(other.output, one.output) << batch;
    EXPECT_EQ(other.errors, one.errors) << batch;
    EXPECT_EQ(other.status, one.status) << batch;
  }
}

TEST(ClassifyGames, EndsOfHouseRules) {
  const auto state = [](const std::string& text, const std::string& rules) {
    const std::string record = run_on(text, {"--rules", rules}).output;
    const std::size_t at = record.find("\"state\":\"") + 9;
    return record.substr(at, record.find('"', at) - at);
  };
  const std::string flag = "[Termination \"Time forfeit\"]\n";
  const std::string nine = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O";
  EXPECT_EQ(state(game(nine, "1-0", flag), "qq"), "void");
  EXPECT_EQ(state(game(nine + " Be7", "1-0", flag), "qq"), "ongoing");
  EXPECT_EQ(state(game(nine, "1-0", flag), "fide"), "ongoing");
  EXPECT_EQ(state(game(nine, "1-0"), "qq"), "ongoing");
  std::string checks;
  for (int i = 0; i < 5; ++i) checks += "Kg8 Qa8+ Kh7 Qe4+ ";
  const std::string tags = from("7k/8/8/8/8/8/2P2q2/Q6K b - - 0 1");
  EXPECT_EQ(state(game(checks, "1/2-1/2", tags), "qq"), "checks_in_a_row");
  EXPECT_EQ(state(game(checks.substr(0, checks.size() - 5), "1/2-1/2", tags), "qq"), "ongoing");
  EXPECT_TRUE(
      contains(run_on(game(checks, "1/2-1/2", tags), {"--rules", "qq"}).output,
               "\"checks_ply\":20,\"draw_with_move\":[],\"drawn_by\":[\"checks_in_a_row\"]"));
}

TEST(ClassifyGames, StalemateAndBlackToMove) {
  const std::string out =
      run_on(game("1. Qf7", "1/2-1/2", from("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"))).output;
  EXPECT_TRUE(contains(out,
                       "\"plies\":1,\"result\":\"1/2-1/2\",\"valid\":true,"
                       "\"fen\":\"7k/5Q2/6K1/8/8/8/8/8 b - - 1 1\","
                       "\"side_to_move\":\"black\",\"legal_moves\":0,\"in_check\":false,"))
      << out;
  EXPECT_TRUE(contains(out, "\"state\":\"stalemate\"")) << out;
  EXPECT_TRUE(
      contains(run_on(game("1... Kd7 2. Kd2", "*", from("4k3/8/8/8/8/8/8/R3K3 b - - 0 1"))).output,
               "\"side_to_move\":\"black\""));
}

TEST(ClassifyGames, ABrokenGameStandsAfterItsLastLegalMove) {
  const RunResult run = run_on(kMate + kBroken);
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.errors, "");
  const std::vector<std::string> records = lines_of(run.output);
  ASSERT_EQ(records.size(), 2u);
  const std::string& broken = records[1];
  EXPECT_TRUE(contains(broken, "\"game\":2,\"line\":11,")) << broken;
  EXPECT_TRUE(contains(broken,
                       "\"plies\":2,\"result\":\"*\",\"valid\":false,"
                       "\"fen\":\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\","
                       "\"side_to_move\":\"white\",\"legal_moves\":29,"))
      << broken;
  EXPECT_TRUE(contains(broken,
                       "\"defects\":[{\"code\":\"move.illegal\",\"message\":\"illegal move "
                       "\\\"Ke3\\\"\",\"severity\":\"error\",\"line\":19,\"column\":13,\"ply\":3}"
                       "]}"))
      << broken;
}

TEST(ClassifyGames, WhatIsNotJudgedHasNulls) {
  const std::string nulls =
      "\"fen\":null,\"side_to_move\":null,\"legal_moves\":null,\"in_check\":null,"
      "\"checkers\":null,\"state\":\"not_judged\",\"draw\":null,\"insufficient_material\":null,"
      "\"dead_position\":null,\"can_win\":null,\"material\":null,\"endgame\":null,\"threefold_"
      "ply\":null,\"fivefold_ply\":null,"
      "\"fifty_ply\":null,\"seventyfive_ply\":null,\"max_repetitions\":null,"
      "\"perpetual_check\":null,\"checks_ply\":null,\"draw_with_move\":null,\"drawn_by\":null,";
  const RunResult variant = run_on(kUnknown);
  EXPECT_EQ(variant.status, 0);
  EXPECT_TRUE(contains(variant.output, "\"valid\":true," + nulls + "\"defects\":[]"))
      << variant.output;
  const RunResult position = run_on(kUnplayable);
  EXPECT_EQ(position.status, 1);
  EXPECT_TRUE(contains(position.output,
                       "\"valid\":false," + nulls + "\"defects\":[{\"code\":\"fen.kings\""))
      << position.output;
}

TEST(ClassifyGames, WarningsAreFindingsOnlyWithStrict) {
  const std::string sloppy = game("1. e4+ e5", "*");
  const RunResult lax = run_on(sloppy);
  EXPECT_EQ(lax.status, 0);
  EXPECT_TRUE(contains(lax.output, "\"defects\":[]"));
  const RunResult strict = run_on(sloppy, {"--strict"});
  EXPECT_EQ(strict.status, 1);
  EXPECT_TRUE(contains(strict.output, "\"valid\":true,"));
  EXPECT_TRUE(contains(strict.output, "\"severity\":\"warning\"")) << strict.output;
}

TEST(ClassifyGames, TextPutsDefectsOnStandardError) {
  const TemporaryFolder folder;
  const std::string path = folder.write("two.pgn", kMate + kBroken + kUnknown);
  const RunResult run = cuarbiter_on_cpu({"classify", path});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.output,
            path +
                ":1: game 1: 0-1, 4 plies, checkmate, white to move, 0 legal moves, in check: "
                "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n" +
                path +
                ":11: game 2: invalid (move.illegal), *, 2 plies, ongoing, white to move, "
                "29 legal moves: "
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n" +
                path + ":21: game 3: *, 0 plies, not_judged\n");
  EXPECT_EQ(run.errors, path +
                            ":19:13: error: game 2 ply 3: illegal move \"Ke3\" "
                            "[move.illegal]\n");
}

TEST(ClassifyGames, Csv) {
  const RunResult run =
      cuarbiter_on_cpu({"classify", "--format", "csv"}, with_input(shuffle(4) + kUnplayable));
  EXPECT_EQ(run.output,
            "file,game,line,offset,plies,result,valid,fen,side_to_move,legal_moves,in_check,"
            "checkers,state,draw,insufficient_material,dead_position,can_win_white,can_win_black,"
            "material,endgame,"
            "threefold_ply,fivefold_ply,fifty_ply,seventyfive_ply,max_repetitions,perpetual_check,"
            "checks_ply,draw_with_move,drawn_by,defects\n"
            "1,1,1,0,16,*,true,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 16 9,white,20,"
            "false,0,fivefold_repetition,,false,no,yes,yes,"
            "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP,none,8,16,,,5,,,,,\n"
            "1,2,11," +
                std::to_string(shuffle(4).size()) +
                ",0,*,false,,,,,,not_judged,,,,,,,,,,,,,,,,,fen.kings\n");
}

// The position part is what classify says of the final position as a line of its own.
TEST(ClassifyGames, AgreesWithThePositionAsALine) {
  const RunResult games = cuarbiter_on_cpu({"classify", "--format", "jsonl", kHistory, kFaulty});
  const auto part = [](const std::string& record) {
    const std::size_t begin = record.find("\"fen\":"), end = record.find("}", begin);
    return record.substr(begin, end - begin);
  };
  std::string fens;
  std::vector<std::string> parts;
  for (const std::string& record : lines_of(games.output)) {
    const bool repeated =
        !contains(record, "\"max_repetitions\":1,") && !contains(record, "\"max_repetitions\":2,");
    if (repeated) continue;
    parts.push_back(part(record));
    const std::size_t begin = parts.back().find(":\"") + 2;
    fens += parts.back().substr(begin, parts.back().find('"', begin) - begin) + "\n";
  }
  ASSERT_GT(parts.size(), 60u);
  const std::vector<std::string> positions = lines_of(run_on(fens).output);
  ASSERT_EQ(positions.size(), parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) EXPECT_EQ(part(positions[i]), parts[i]);
}

TEST(ClassifyGames, EveryHistoricGameIsValid) {
  const RunResult run = cuarbiter_on_cpu({"classify", "--format", "jsonl", kHistory});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(count_lines(run.output), 52u);
  EXPECT_FALSE(contains(run.output, "\"valid\":false"));
  EXPECT_EQ(cuarbiter_on_cpu({"classify", "--format", "jsonl", kFaulty}).status, 1);
}

TEST(ClassifyInput, FilesOfBothKindsInTheirOrder) {
  const TemporaryFolder folder;
  const std::string positions = folder.write("a", "# start\n" + kStart + "\n");
  const std::string games = folder.write("b", kMate + kMate);
  const RunResult run = cuarbiter_on_cpu({"classify", "--format", "jsonl", positions, games, games,
                                          folder.path("missing"), positions, games});
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(count_lines(run.errors), 1u) << run.errors;
  const std::vector<std::string> records = lines_of(run.output);
  ASSERT_EQ(records.size(), 8u);
  const std::vector<std::string> begins = {
      "{\"type\":\"position\",\"line\":2,",        "{\"type\":\"game\",\"file\":2,\"game\":1,",
      "{\"type\":\"game\",\"file\":2,\"game\":2,", "{\"type\":\"game\",\"file\":3,\"game\":1,",
      "{\"type\":\"game\",\"file\":3,\"game\":2,", "{\"type\":\"position\",\"line\":2,",
      "{\"type\":\"game\",\"file\":6,\"game\":1,", "{\"type\":\"game\",\"file\":6,\"game\":2,"};
  for (std::size_t i = 0; i < begins.size(); ++i) {
    EXPECT_EQ(records[i].rfind(begins[i], 0), 0u) << records[i];
  }
  // In CSV a header stands before the records of each kind.
  const std::vector<std::string> rows =
      lines_of(cuarbiter_on_cpu(
                   {"classify", "--format", "csv", folder.path("missing"), games, games, positions})
                   .output);
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows[0].rfind("file,game,", 0), 0u);
  EXPECT_EQ(rows[5].rfind("line,input,", 0), 0u);
}

TEST(ClassifyInput, StandardInputAndCompression) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += read_file(kHistory) + "\n" + read_file(kFaulty) + "\n";
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  const TemporaryFolder folder;
  const std::string plain = run_on(text).output;
  EXPECT_EQ(count_lines(plain), 40u * 79u);
  EXPECT_TRUE(run_on(packed).output == plain);
  EXPECT_TRUE(
      cuarbiter_on_cpu({"classify", "--format", "jsonl", folder.write("games", packed)}).output ==
      plain);
}

TEST(ClassifyInput, TheFlagOverridesTheContent) {
  const RunResult lines = run_on("1. e4 e5 *\n", {"--input", "fen"});
  EXPECT_EQ(lines.status, 1);
  EXPECT_TRUE(contains(lines.output, "\"type\":\"position\",\"line\":1,\"input\":\"1. e4 e5 *\""));
  const RunResult games = run_on(kStart + "\n", {"--input", "pgn"});
  EXPECT_EQ(games.status, 1);
  EXPECT_FALSE(contains(games.output, "\"type\":\"position\""));
  EXPECT_EQ(run_on(kMate, {"--input", "pgn"}).output, run_on(kMate).output);
  EXPECT_EQ(run_on(kMate, {"--input", "epub"}).status, 2);
}

TEST(ClassifyInput, UtfSixteenIsRefusedEitherWay) {
  const std::string text("\xff\xfe[\0E\0v\0", 8);
  EXPECT_EQ(run_on(text).status, 3);
  const RunResult games = run_on(text, {"--input", "pgn"});
  EXPECT_EQ(games.status, 1);
  EXPECT_EQ(games.output, "");
  EXPECT_TRUE(contains(games.errors, "UTF-16")) << games.errors;
}

// Text before the first game belongs to no record, but is a finding all the same.
TEST(ClassifyInput, TextOutsideOfGamesIsReported) {
  for (const char* batch : {"1", "100000"}) {
    const RunResult run = run_on("xyzzy\n\n" + kMate, {"--input", "pgn", "--batch-size", batch});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(count_lines(run.output), 1u);
    EXPECT_TRUE(contains(run.output, "\"valid\":true")) << run.output;
    EXPECT_EQ(run.errors.rfind("<stdin>:1:1: error: before game 1: ", 0), 0u) << run.errors;
  }
  const RunResult after = run_on(kMate + "xyzzy\n");
  EXPECT_EQ(after.status, 1);
  EXPECT_TRUE(contains(after.output, "\"valid\":false")) << after.output;
  EXPECT_EQ(after.errors, "");
}

TEST(ClassifyGames, SameBytesForAnyThreadsAndBatchSize) {
  std::string text = "[Event \"none\"\nxyzzy\n\n";
  for (int i = 0; i < 3; ++i) {
    text += read_file(kHistory) + "\n" + read_file(kFaulty) + "\nxyzzy\n\n" + kBroken + kUnknown;
  }
  const TemporaryFolder folder;
  const std::string games = folder.write("games", text);
  for (const std::string format : {"text", "jsonl", "csv"}) {
    const auto run = [&](const std::string& threads, const std::string& batch) {
      return cuarbiter_on_cpu({"classify", "-v", "--format", format, "-j", threads, "--batch-size",
                               batch, kStates, games, games, kStates, games});
    };
    const RunResult one = run("1", "16000000");
    EXPECT_EQ(one.status, 1);
    EXPECT_NE(one.errors, "");
    for (const char* threads : {"1", "3"}) {
      for (const char* batch : {"1", "1000", "50000"}) {
        const RunResult other = run(threads, batch);
        EXPECT_TRUE(other.output == one.output) << format << threads << batch;
        EXPECT_TRUE(other.errors == one.errors) << format << threads << batch;
        EXPECT_EQ(other.status, 1);
      }
    }
  }
}

TEST(ClassifyGames, cuda_SameBytes) {
  const std::vector<std::string> words = {"classify", "--format", "jsonl", kHistory, kFaulty};
  const RunResult device = cuarbiter_on("cuda", words);
  if (device.status == 4) {
    EXPECT_NE(device.errors, "");
    GTEST_SKIP() << device.errors;
  }
  EXPECT_TRUE(device.output == cuarbiter_on_cpu(words).output);
}

}  // namespace
}  // namespace cuarbiter
