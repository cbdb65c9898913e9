// Folded names, and the keys of games: what makes two games the same.
#include <gtest/gtest.h>

#include <set>

#include "host/pgn/game_key.hpp"
#include "host/pgn/player_name.hpp"
#include "tests/support/pgn_run.hpp"

namespace cuarbiter {
namespace {

using namespace test;

std::string folded(std::string_view name) {
  std::string out;
  append_folded_name(out, name);
  return out;
}

TEST(PlayerName, SpellingsOfOneName) {
  for (const char* name : {"Carlsen, M.", "Carlsen,M", "CARLSEN,M.", "carlsen  m", " Carlsen M. ",
                           "Carlsen_M", "Carlsen ,\tM.", "Carlsen,\xC2\xA0M."}) {
    EXPECT_EQ(folded(name), "carlsen m") << name;
  }
  EXPECT_EQ(folded("Timman, J.H."), folded("Timman,J H"));
  EXPECT_EQ(folded("O'Kelly de Galway, A."), "o'kelly de galway a");
  EXPECT_EQ(folded("M\xC3\x9CLLER, H"), folded("M\xC3\xBCller,H."));
  // ISO 8859-1, where the text is no UTF-8.
  EXPECT_EQ(folded("M\xFCller, H"), folded("M\xC3\xBCller,H."));
  EXPECT_EQ(folded("\xC5\xA0ime \xC4\x90\xC5\xBD"), "\xC5\xA1ime \xC4\x91\xC5\xBE");  // Šime ĐŽ
  EXPECT_EQ(folded("\xC5\x81\xC5\x83\xC5\xB8"), "\xC5\x82\xC5\x84\xC3\xBF");          // ŁŃŸ
  EXPECT_EQ(folded("\xD0\x81\xD0\x90\xD0\xAF"), "\xD1\x91\xD0\xB0\xD1\x8F");          // ЁАЯ
  EXPECT_EQ(folded("\xCE\x91\xCE\xA9\xCE\x86"), "\xCE\xB1\xCF\x89\xCE\xAC");          // ΑΩΆ
  EXPECT_EQ(folded("\xE5\x91\x8B X"), "\xE5\x91\x8B x");
  EXPECT_EQ(folded("a \\\"b\\\" \\\\c"), "a \"b\" \\c");
}

TEST(PlayerName, DifferentNamesAndNone) {
  std::set<std::string> names;
  for (const char* name : {"Carlsen, Magnus", "Magnus Carlsen", "Carlsen, M", "M\xC3\xBCller",
                           "Muller", "Mueller", "\xC3\xB7", "\xC3\x97"}) {
    EXPECT_TRUE(names.insert(folded(name)).second) << name;
  }
  for (const char* name : {"", "?", "-", "??", " . ", "?, ?", "*"}) EXPECT_EQ(folded(name), "");
}

// The keys of all games of a text, as text; empty for none.
std::vector<std::string> keys(const std::string& text, std::size_t slab_bytes = 1 << 20) {
  std::vector<std::string> out;
  MemorySource source(text);
  PgnOptions options;
  options.slab_bytes = slab_bytes;
  for_each_slab(source, options, [&](const Slab& slab) {
    GameBatch batch;
    lex_slab(slab, LexerOptions{}, batch);
    cpu_for_pgn().replay(batch.replay);
    GameKeys maker(slab, batch);
    for (const GameRecord& game : batch.games) {
      const GameKey key = maker.of(game);
      out.emplace_back();
      if (key.known) append_key_text(out.back(), key.value);
    }
  });
  return out;
}

std::string game(const std::string& moves, const std::string& white = "W",
                 const std::string& black = "B", const std::string& more = {}) {
  return "[Event \"E\"]\n[White \"" + white + "\"]\n[Black \"" + black + "\"]\n" + more + "\n" +
         moves + "\n\n";
}

std::string with_start(const std::string& fen, const std::string& moves) {
  return game(moves, "W", "B", "[SetUp \"1\"]\n[FEN \"" + fen + "\"]\n");
}

void expect_all_the_same(const std::vector<std::string>& games) {
  std::string text;
  for (const std::string& one : games) text += one;
  const std::vector<std::string> all = keys(text);
  ASSERT_EQ(all.size(), games.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].size(), 32u) << games[i];
    EXPECT_EQ(all[i], all[0]) << games[i];
  }
  EXPECT_EQ(keys(text, 1), all);  // a slab a game
}

TEST(GameKey, SpellingDoesNotMatter) {
  expect_all_the_same(
      {game("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O *"),
       game("1.e4 e5 2.Nf3 {c} Nc6 (2... d6) 3.Bb5 a6 4.Bxc6 $1 dxc6 5.O-O 1-0"),
       game("e4 e5 Nf3 Nc6 Bb5 a6 Bc6 dc6 0-0 1/2-1/2"),
       game("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 4. Bb5xc6 d7xc6 5. O-O *"),
       game("1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 a7a6 4. b5c6 d7c6 5. e1g1 *"),
       game("1. e4 e5 2. Ngf3 Nbc6 3. Bfb5 Pa6 4. B5xc6+ dc 5. Ke1-g1 *"),
       game("1. e4+ e5# 2. N1f3! Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O", " w.", "b,")});
  // Where disambiguation is called for, in all its forms.
  const std::string fen = "6k1/8/8/8/8/R6R/8/1K5R w - - 0 1";
  expect_all_the_same({with_start(fen, "1. Rad3 Kf7 2. R1h2 *"),
                       with_start(fen, "1. Ra3d3 Kf7 2. Rh1h2 *"),
                       with_start(fen, "1. a3d3 Kf7 2. R1h2 *")});
  const std::string promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
  expect_all_the_same({with_start(promotion, "1. a8=N Kg7 *"),
                       with_start(promotion, "1. a8N Kg7 *"),
                       with_start(promotion, "1. a7a8n Kg7 *")});
}

TEST(GameKey, StartPositions) {
  const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ";
  // Counters are no part of a position, nor is an en passant square on which nobody can capture.
  expect_all_the_same({game("1. e4 *"), with_start(start + "0 1", "1. e4 *"),
                       with_start(start + "7 30", "30. e4 *")});
  expect_all_the_same({with_start("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", "1... Kd7 *"),
                       with_start("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "1... Kd7 *")});
}

TEST(GameKey, WhatIsDifferent) {
  std::string text;
  for (const std::string& one :
       {game("1. e4 e5 *"),
        game("1. e4 *"),
        game("1. e4 e5 2. Nf3 *"),
        game("1. e4 e5 2. Nc3 *"),
        game("*"),
        game("1. e4 e5 *", "B", "W"),
        game("1. e4 e5 *", "W", ""),
        game("1. e4 e5 *", "", "B"),
        game("1. e4 e5 *", "", ""),
        game("1. e4 e5 *", "WB", ""),
        game("1. e4 Ke3 *"),
        game("1. e4 Ke3 2. d4 *"),
        game("1. e4 Ke4 *"),
        game("1. e4 Kx *"),
        with_start("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Qkq - 0 1", "1. e4 e5 *"),
        with_start("8/P6k/8/8/8/8/8/K7 w - - 0 1", "1. a8=N Kg7 *"),
        with_start("8/P6k/8/8/8/8/8/K7 w - - 0 1", "1. a8=Q Kg7 *"),
        with_start("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "*"),
        with_start("4k3/8/8/8/8/8/8/4K3 b - - 0 1", "*"),
        with_start("6k1/8/8/8/8/R6R/8/1K5R w - - 0 1", "1. Rad3 *"),
        with_start("6k1/8/8/8/8/R6R/8/1K5R w - - 0 1", "1. Rhd3 *")}) {
    text += one;
  }
  const std::vector<std::string> all = keys(text);
  EXPECT_EQ(all.size(), 21u);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

TEST(GameKey, BrokenGamesCountAsWrittenAndSkippedOnesHaveNone) {
  expect_all_the_same({game("1. e4 Ke3 2. d4 d5 *"), game("1.e4 Ke3! {x} 2.d4 (2. c4) d5 0-1")});
  const std::vector<std::string> all = keys(game("1. e4 *", "W", "B", "[Variant \"Atomic\"]\n") +
                                            with_start("8/8/8/8/8/8/8/8 w - - 0 1", "1. e4 *"));
  EXPECT_EQ(all, (std::vector<std::string>{"", ""}));
}

// Keys are kept and compared by users: they must not change.
TEST(GameKey, KnownKey) {
  EXPECT_EQ(keys(game("1. e4 e5 *"))[0], "8952332752d2ef15753759e2bd38f6e9");
}

}  // namespace
}  // namespace cuarbiter
