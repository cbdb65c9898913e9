// The lexer: tokens, lines of play and markers, and every fault that shows in the text, where it
// stands.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "host/notation/san_text.hpp"
#include "host/pgn/markers.hpp"
#include "host/pgn/san_lexer.hpp"
#include "tests/support/pgn_run.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using namespace test;

struct Lexed {
  Slab slab;
  GameBatch batch;

  std::string token_text(std::uint32_t token) const {
    const std::uint32_t at = batch.token_at[token];
    std::uint32_t end = at;
    while (end < slab.size && slab.text[end] > ' ' && slab.text[end] != ')') ++end;
    return std::string(slab.view(at, end));
  }
  // The tokens of one segment, as written, with blanks between.
  std::string line(std::uint32_t segment) const {
    const ReplaySegment& s = batch.replay.segments[segment];
    std::string out;
    for (std::uint32_t i = 0; i < s.token_count; ++i) {
      if (i) out += ' ';
      out += token_text(s.token_begin + i);
    }
    return out;
  }
};

Lexed lex(const std::string& text, bool chess960 = false) {
  Lexed out;
  MemorySource source(text);
  Framer framer(source, 1);
  EXPECT_TRUE(framer.next(out.slab));
  lex_slab(out.slab, LexerOptions{chess960}, out.batch);
  return out;
}

// "code@line:column" of every finding of a game with nothing else to complain about. The movetext
// begins on line 9 and holds no termination marker of its own.
std::vector<std::string> faults(const std::string& movetext) {
  return run_pgn(roster() + movetext + " *\n").places();
}

using Places = std::vector<std::string>;

TEST(Lexer, PlainGame) {
  const Lexed x = lex(roster() + "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n");
  ASSERT_EQ(x.batch.games.size(), 1u);
  EXPECT_TRUE(x.batch.problems.empty());
  ASSERT_EQ(x.batch.replay.segments.size(), 1u);
  EXPECT_EQ(x.line(0), "e4 e5 Nf3 Nc6 Bb5 a6");
  const GameRecord& game = x.batch.games[0];
  EXPECT_EQ(game.marker, GameResult::unknown);
  EXPECT_EQ(game.result_tag, GameResult::unknown);
  EXPECT_EQ(x.slab.text[game.marker_at], '*');
  EXPECT_EQ(game.text.begin, 0u);
  EXPECT_EQ(game.text.end, game.marker_at + 1);
  EXPECT_TRUE(game.has_moves);
  EXPECT_EQ(x.batch.replay.games[0].start, 0u);
}

TEST(Lexer, TokensSayWhatIsWritten) {
  const Lexed x = lex("1. Nbd7 R1xe4+ Qh4e1# exd8=Q+ O-O-O fxg1=N O-O# *");
  const std::vector<SanToken>& t = x.batch.replay.tokens;
  ASSERT_EQ(t.size(), 7u);
  EXPECT_EQ(t[0].piece(), static_cast<unsigned>(PieceType::knight));
  EXPECT_EQ(t[0].target(), 51u);
  EXPECT_EQ(t[0].origin_file(), 2u);
  EXPECT_EQ(t[0].origin_rank(), 0u);
  EXPECT_EQ(t[1].origin_rank(), 1u);
  EXPECT_EQ(t[1].origin_file(), 0u);
  EXPECT_TRUE(t[1].capture());
  EXPECT_EQ(t[1].suffix(), SanToken::kCheckSuffix);
  EXPECT_EQ(t[2].origin_file(), 8u);
  EXPECT_EQ(t[2].origin_rank(), 4u);
  EXPECT_EQ(t[2].suffix(), SanToken::kMateSuffix);
  EXPECT_EQ(t[3].promotion(), PieceType::queen);
  EXPECT_EQ(t[3].origin_file(), 5u);
  EXPECT_EQ(t[4], SanToken::special(SanToken::kCastleQueenside));
  EXPECT_EQ(t[5].promotion(), PieceType::knight);
  EXPECT_EQ(t[5].target(), 6u);
  EXPECT_EQ(t[6], SanToken::special(SanToken::kCastleKingside).set_suffix(SanToken::kMateSuffix));
}

TEST(Lexer, VariationsKnowTheirParentBranchAndPly) {
  const Lexed x =
      lex("1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. Nf3)) 2. c4) (1. c4) 1... e5 2. Nf3 (2. f4 exf4 "
          "(2... d5) "
          "3. Nf3) Nc6 *");
  ASSERT_EQ(x.batch.replay.games.size(), 1u);
  const ReplayGame& game = x.batch.replay.games[0];
  ASSERT_EQ(game.segment_count, 7u);
  const std::vector<std::string> lines = {"e4 e5 Nf3 Nc6", "d4 d5 c4", "Nf6 c4", "Nf3", "c4",
                                          "f4 exf4 Nf3",   "d5"};
  const std::vector<std::vector<std::uint32_t>> where = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {2, 1, 2},
                                                         {0, 0, 0}, {0, 2, 2}, {5, 1, 3}};
  for (std::uint32_t s = 0; s < 7; ++s) {
    EXPECT_EQ(x.line(s), lines[s]) << s;
    const ReplaySegment& segment = x.batch.replay.segments[s];
    EXPECT_EQ(segment.parent, where[s][0]) << s;
    EXPECT_EQ(segment.branch, where[s][1]) << s;
    EXPECT_EQ(segment.ply, where[s][2]) << s;
  }
}

TEST(Lexer, SegmentsOfTheSecondGameFollowTheFirst) {
  const Lexed x = lex("1. e4 (1. d4) e5 *\n\n1. c4 (1. Nf3 (1. b3)) *\n");
  ASSERT_EQ(x.batch.replay.games.size(), 2u);
  EXPECT_EQ(x.batch.replay.games[1].segment_begin, 2u);
  ASSERT_EQ(x.batch.replay.segments.size(), 5u);
  EXPECT_EQ(x.batch.replay.segments[3].parent, 2u);
  EXPECT_EQ(x.batch.replay.segments[4].parent, 3u);
  EXPECT_EQ(x.line(4), "b3");
}

TEST(Lexer, AnEmptyVariationHasNoTokens) {
  const Lexed x = lex("1. e4 () ({only words}) e5 *");
  ASSERT_EQ(x.batch.replay.segments.size(), 3u);
  EXPECT_EQ(x.batch.replay.segments[1].token_count, 0u);
  EXPECT_EQ(x.batch.replay.segments[2].token_count, 0u);
  EXPECT_EQ(x.line(0), "e4 e5");
}

TEST(Lexer, Markers) {
  for (const auto& [text, result] :
       std::vector<std::pair<std::string, GameResult>>{{"1-0", GameResult::white_wins},
                                                       {"0-1", GameResult::black_wins},
                                                       {"1/2-1/2", GameResult::draw},
                                                       {"*", GameResult::unknown}}) {
    const PgnRun run = run_pgn(roster(text) + "1. e4 e5 " + text + "\n");
    EXPECT_EQ(run.codes(), std::vector<std::string>{}) << text;
    EXPECT_EQ(run.games[0].record.marker, result);
    EXPECT_TRUE(read_marker(text).standard);
  }
  for (const auto& [text, result] :
       std::vector<std::pair<std::string, GameResult>>{{"1:0", GameResult::white_wins},
                                                       {"0:1", GameResult::black_wins},
                                                       {"1/2", GameResult::draw},
                                                       {"\xC2\xBD-\xC2\xBD", GameResult::draw}}) {
    const PgnRun run = run_pgn(roster("*") + "1. e4 e5 " + text + "\n");
    EXPECT_EQ(run.games[0].record.marker, result) << text;
    EXPECT_TRUE(run.has("pgn.result-spelling")) << text;
    EXPECT_EQ(run.find("pgn.result-spelling")->column, 10u) << text;
    EXPECT_FALSE(read_marker(text).standard);
  }
  EXPECT_EQ(read_marker("1-0x").result, GameResult::none);
  EXPECT_EQ(read_marker("0-0").result, GameResult::none);
  EXPECT_EQ(read_marker("10").result, GameResult::none);
  EXPECT_EQ(read_result_value("1-0").result, GameResult::white_wins);
  EXPECT_EQ(read_result_value("1-0 ").result, GameResult::other);
  EXPECT_EQ(read_result_value("").result, GameResult::other);
}

TEST(Lexer, AMarkerRightBehindAMove) {
  const PgnRun run = run_pgn(roster("1-0") + "1. e4 e5*1-0\n");
  EXPECT_EQ(run.games[0].plies(), 2u);
}

TEST(Lexer, CommentsEscapesAndNagsAreNoMoves) {
  EXPECT_EQ(
      faults("1. e4 {d4 ( ; % [x] 1-0} e5 ; 2. d4 {\n%3. d5\n2. Nf3 $1 $16 Nc6! 3. Bb5?! a6 !? "
             "4. Ba4 $255"),
      Places{});
  EXPECT_EQ(run_pgn(roster() + "1. e4 {\nd4\n} e5;x\n%y\nNf3 *").games[0].plies(), 3u);
}

TEST(Lexer, MoveNumbersOfEveryForm) {
  EXPECT_EQ(faults("1.e4 1...e5 2 . Nf3 2... . Nc6 3 Bb5 3. ... a6 4.Ba4 Nf6"), Places{});
  EXPECT_EQ(faults("e4 e5 Nf3"), Places{});
  EXPECT_EQ(faults("1. e4 e5 3. Nf3 Nc6 9. Bb5"), Places{"pgn.move-number@9:10"});
  EXPECT_EQ(faults("1. e4 2. e5"), Places{"pgn.move-number@9:7"});
  EXPECT_EQ(faults("1e4 1e5"), Places{});
  const PgnRun run =
      run_pgn(with_fen("4k3/8/8/8/8/8/8/4K2R b K - 0 40") + "40... Kd8 41. O-O Kc7 42. Rf2 *\n");
  EXPECT_EQ(run.places(), Places{});
  EXPECT_TRUE(run.games[0].record.black_first);
  EXPECT_EQ(run_pgn(with_fen("4k3/8/8/8/8/8/8/4K2R b K - 0 40") + "1... Kd8 *\n").places(),
            Places{"pgn.move-number@11:1"});
}

struct FaultCase {
  const char* movetext;
  const char* place;
};

TEST(Lexer, EveryFaultOfTheMovetextAtItsPlace) {
  const FaultCase cases[] = {
      // text
      {"1. e4 e5 ) 2. Nf3", "pgn.unexpected-token@9:10"},
      {"1. e4 e5 } 2. Nf3", "pgn.unexpected-token@9:10"},
      {"( e4 )", "pgn.unexpected-token@9:1"},
      {"1. e4 $ e5", "pgn.unexpected-token@9:7"},
      {"1. e4 [%clk 1] e5", "pgn.unexpected-token@9:7"},
      {"1. e4 > e5", "pgn.unexpected-token@9:7"},
      {"1. e4 % e5", "pgn.unexpected-token@9:7"},
      {"1. e4 < e5", "pgn.unexpected-token@9:7"},
      {"1. e4 (1. d4 1-0) e5", "pgn.unexpected-token@9:14"},
      {"1. e4 (1. d4", "pgn.unterminated-variation@9:7"},
      {"1. e4 {a {b} c} e5", "pgn.nested-comment@9:7"},
      {"1. e4 <what> e5", "pgn.reserved@9:7"},
      {"1. e4 +- e5", "pgn.nag-glyph@9:7"},
      {"1. e4 \xC2\xB1 e5", "pgn.nag-glyph@9:7"},
      {"1. e4 -> e5", "pgn.nag-glyph@9:7"},
      {"1. e4 => e5", "pgn.nag-glyph@9:7"},
      // moves as written
      {"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0", "san.castling@9:35"},
      {"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. o-o", "san.castling@9:35"},
      {"1. e4 e5 2. nf3", "san.case@9:13"},
      {"1. e4 e5 2. Ng1f3 Nc6", "san.disambiguation@9:13"},
      {"1. e4 e5 2. Ng1-f3 Nc6", "san.long@9:13"},
      {"1. e2e4 e5", "san.long@9:4"},
      {"1. e2-e4 e5", "san.long@9:4"},
      {"1. \xE2\x99\x98"
       "f3",
       "san.figurine@9:4"},
      {"1. Pe4", "san.pawn-letter@9:4"},
      {"1. e4 d5 2. e5 f5 3. exf6 e.p.", "san.en-passant@9:27"},
      {"1. e4 d5 2. e5 f5 3. exf6e.p.", "san.en-passant@9:22"},
      {"1. e4, e5", "san.punctuation@9:4"},
      {"1. e4. e5", "san.punctuation@9:4"},
      {"1. e4 f6 2. Qh5 +", "san.check-suffix@9:17"},
      // moves that cannot be read
      {"1. e4 xd5", "move.invalid@9:7"},
      {"1. e4 Nf9", "move.invalid@9:7"},
      {"1. Sf3", "move.invalid@9:4"},
      {"1. e4 blah", "move.invalid@9:7"},
  };
  for (const FaultCase& c : cases) {
    const Places places = faults(c.movetext);
    ASSERT_FALSE(places.empty()) << c.movetext;
    EXPECT_EQ(std::count(places.begin(), places.end(), c.place), 1)
        << c.movetext << ": " << testing::PrintToString(places);
  }
}

TEST(Lexer, PromotionsOfEverySpelling) {
  const std::string fen = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
  EXPECT_EQ(run_pgn(with_fen(fen) + "1. e8=Q *\n").places(), Places{});
  for (const char* move : {"e8Q", "e8(Q)", "e8/Q", "e8=q", "e8q"}) {
    const PgnRun run = run_pgn(with_fen(fen) + "1. " + move + " Kf6 *\n");
    EXPECT_TRUE(run.has("san.promotion") || run.has("san.long") || run.has("san.case")) << move;
    EXPECT_EQ(run.games[0].plies(), 2u) << move;
    EXPECT_EQ(run.findings[0].column, 4u) << move;
    EXPECT_EQ(run.findings[0].move, move);
    EXPECT_EQ(run.findings[0].fen, fen);
    EXPECT_EQ(run.errors(), 0u) << move;
  }
}

TEST(Lexer, TextOutsideOfGamesIsToldOnce) {
  const std::string game = roster() + "1. e4 e5 *\n\n";
  const PgnRun between = run_pgn(game + "some words here and [ there\nand more\n\n" + game);
  EXPECT_EQ(between.games.size(), 2u);
  EXPECT_EQ(between.places(), Places{"pgn.unexpected-token@11:1"});
  const PgnRun before = run_pgn("# words\n\n" + game);
  EXPECT_EQ(before.games.size(), 1u);
  EXPECT_EQ(before.places(), Places{"pgn.unexpected-token@1:1"});
  EXPECT_EQ(run_pgn(game + "1-0\n").places(), Places{"pgn.unexpected-token@11:1"});
}

TEST(Lexer, AGameThatIsNothingButItsResult) {
  const PgnRun run = run_pgn("1-0\n");
  ASSERT_EQ(run.games.size(), 1u);
  EXPECT_EQ(run.games[0].record.marker, GameResult::white_wins);
}

TEST(Lexer, ResultZeroZeroIsNoCastling) {
  const PgnRun run = run_pgn(roster("0-0") + "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. d3 d6 0-0\n");
  EXPECT_EQ(run.games[0].plies(), 8u);
  EXPECT_TRUE(run.has("pgn.result-spelling"));
  EXPECT_TRUE(run.has("pgn.tag-value"));
  // Where the tag does not say so it is castling.
  EXPECT_EQ(run_pgn(roster() + "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0 *\n").games[0].plies(), 7u);
}

struct TagCase {
  const char* tags;  // in place of the roster's last line
  const char* place;
};

TEST(Lexer, EveryFaultOfTheTagsAtItsPlace) {
  const TagCase cases[] = {
      {"[Annotator Nobody]", "pgn.tag-syntax@8:1"},
      {"[Annotator \"A \"B\" C\"]", "pgn.tag-syntax@8:1"},
      {"[Annotator \"Nobody", "pgn.unterminated-tag@8:1"},
      {"[Annotator \"Nobody\"", "pgn.unterminated-tag@8:1"},
      {"[White \"W\"]", "pgn.tag-duplicate@8:1"},
      {"[Annotator \"it\\'s\"]", "pgn.tag-value@8:1"},
      {"[SetUp \"1\"]", "pgn.setup-tag@8:1"},
      {"[SetUp \"2\"]", "pgn.setup-tag@8:1"},
      {"[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]", "pgn.setup-tag@8:1"},
      {"[PlyCount \"3\"]", "pgn.tag-value@8:12"},
      {"[Variant \"Atomic\"]", "pgn.variant-unsupported@8:1"},
      {"[Annotator \"M\xFCller\"]", "pgn.encoding@8:14"},
      {"[Termination \"draw by threefold repetition\"]", "pgn.tag-value@8:15"},
      {"[Termination \"fifty move rule\"]", "pgn.tag-value@8:15"},
  };
  for (const TagCase& c : cases) {
    EXPECT_EQ(run_pgn(roster("*", std::string(c.tags) + "\n") + "1. e4 e5 *\n").places(),
              Places{c.place})
        << c.tags;
  }
  EXPECT_EQ(run_pgn("[Event \"E\"]\n\n1. e4 *\n").places(), Places{"pgn.tag-missing@1:1"});
  std::string dated = roster();
  for (const char* bad :
       {"2026-01-02", "2026.1.2", "2026.13.01", "2026.01.32", "20260102", "soon"}) {
    std::string text = dated;
    text.replace(text.find("2026.01.02"), 10, bad);
    EXPECT_EQ(run_pgn(text + "1. e4 *\n").places(), Places{"pgn.tag-value@3:1"}) << bad;
  }
  for (const char* good : {"2026.??.??", "????.??.??", "?", "1620.12.31"}) {
    std::string text = dated;
    text.replace(text.find("2026.01.02"), 10, good);
    EXPECT_EQ(run_pgn(text + "1. e4 *\n").places(), Places{}) << good;
  }
  EXPECT_EQ(run_pgn(roster("2-0") + "1. e4 *\n").places(), Places{"pgn.tag-value@7:1"});
}

TEST(Lexer, FaultsOfTheFenTagHaveTheCodesOfFen) {
  const auto codes = [](const std::string& fen) { return run_pgn(with_fen(fen) + "*\n").codes(); };
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), std::vector<std::string>{});
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/8 w - - 0 1"), std::vector<std::string>{"fen.kings"});
  EXPECT_EQ(codes("4k3/8/8/8/8/8/8/4KR2 w K - 0 1"),
            std::vector<std::string>{"fen.castling-impossible"});
  const PgnRun run = run_pgn(with_fen("4k3/8/8/8/8/8/8/8 w - - 0 1") + "1. e4 Nf9 *\n");
  EXPECT_EQ(run.places(), Places{"fen.kings@9:1"});
  EXPECT_FALSE(run.games[0].replayed);
}

TEST(Lexer, TheVariantTagDecidesHowCastlingIsRead) {
  const std::string fen = "4k3/8/8/8/8/8/8/4KR2 w K - 0 1";
  const std::string more = "[SetUp \"1\"]\n[FEN \"" + fen + "\"]\n";
  EXPECT_EQ(run_pgn(roster("*", "[Variant \"Chess960\"]\n" + more) + "1. O-O *\n").codes(),
            std::vector<std::string>{});
  PgnOptions options;
  options.chess960 = true;
  EXPECT_EQ(run_pgn(roster("*", more) + "1. O-O *\n", options).codes(), std::vector<std::string>{});
  EXPECT_TRUE(run_pgn(roster("*", "[Variant \"Standard\"]\n" + more) + "1. O-O *\n", options)
                  .has("fen.castling-impossible"));
  // Every spelling of the variants.
  for (const char* name : {"chess 960", "Fischerandom", "Fischer Random", "FRC"}) {
    EXPECT_EQ(
        run_pgn(roster("*", "[Variant \"" + std::string(name) + "\"]\n" + more) + "1. O-O *\n")
            .errors(),
        0u)
        << name;
  }
  const PgnRun skipped =
      run_pgn(roster("*", "[Variant \"Crazyhouse\"]\n") + "1. e4 N@f3 2. Ke7 *\n");
  EXPECT_EQ(skipped.places(), Places{"pgn.variant-unsupported@8:1"});
  EXPECT_FALSE(skipped.games[0].replayed);
}

TEST(Lexer, BytesThatAreNotText) {
  const std::string nul(1, '\0');
  EXPECT_EQ(faults("1. e4 " + nul + " e5"), Places{"pgn.nul-byte@9:7"});
  EXPECT_EQ(faults("1. e4 {" + nul + nul + "} e5"), Places{"pgn.nul-byte@9:8"});
  EXPECT_EQ(faults("1. e4 {M\xFCller} e5 {M\xFCller}"), Places{"pgn.encoding@9:9"});
  EXPECT_EQ(faults("1. e4 {M\xC3\xBCller} e5"), Places{});
}

TEST(Lexer, MissingMarkerIsToldAtTheEnd) {
  EXPECT_EQ(run_pgn(roster() + "1. e4 e5\n\n\n").places(), Places{"pgn.result-missing@9:8"});
  EXPECT_EQ(run_pgn(roster() + "1. e4 e5\n\n" + roster() + "1. d4 *\n").places(),
            Places{"pgn.result-missing@9:8"});
  // Tags alone: a warning.
  const PgnRun bare = run_pgn(roster());
  EXPECT_EQ(bare.codes(), std::vector<std::string>{"pgn.result-missing"});
  EXPECT_EQ(bare.errors(), 0u);
}

TEST(Lexer, AfterAnUnreadableMoveTheRestIsNotJudged) {
  const PgnRun run = run_pgn(roster() + "1. e4 zzz 2. Ke5 Ke4 (2... Ka1) *\n");
  EXPECT_EQ(run.places(), Places{"move.invalid@9:7"});
  EXPECT_EQ(run.games[0].plies(), 1u);
}

TEST(Lexer, FaultsWithoutEndAreToldUpToAPoint) {
  for (const std::string_view piece : {"(e4 ", ") ", "$ ", "[x] ", "<x> ", "(e4+) ", "(e5) "}) {
    std::string text = roster() + "1. e4 ";
    for (int i = 0; i < 10000; ++i) text += piece;
    const PgnRun run = run_pgn(text + "\n\n" + roster() + "1. e4 ) *\n");
    EXPECT_GE(run.findings.size(), 1000u) << piece;
    EXPECT_LE(run.findings.size(), 2010u) << piece;
    EXPECT_EQ(run.games.size(), 2u) << piece;
    EXPECT_EQ(run.findings.back().game, 2u) << piece;
  }
}

TEST(Lexer, AMoveWithoutEndIsShownInPart) {
  const PgnRun run = run_pgn(roster() + "1. e4 " + std::string(100000, 'x') + " *\n");
  ASSERT_TRUE(run.has("move.invalid"));
  EXPECT_LE(run.find("move.invalid")->move.size(), 255u);
}

// The fast path and the full reader say the same of whatever the fast path takes.
TEST(SanLexer, AgreesWithTheReaderOnEveryMoveOfRandomGames) {
  std::size_t moves = 0;
  test_support::play_random_games(11, 40, 120, [&](const test_support::PlayedPosition& p, bool) {
    for (const Move move : test_support::legal_moves(p.position)) {
      const std::string san = san_text(p.position, move, p.black());
      std::string text = san;
      text.resize(san.size() + 32);
      SanToken token;
      const char* after = lex_canonical_san(text.data(), token);
      ASSERT_NE(after, nullptr) << san;
      ASSERT_EQ(after - text.data(), static_cast<std::ptrdiff_t>(san.size())) << san;
      ASSERT_EQ(token, read_san(san)) << san;
      ++moves;
    }
  });
  EXPECT_GT(moves, 50000u);
}

TEST(SanLexer, AgreesWithTheReaderOnTextThatIsAlmostAMove) {
  test_support::Random random(5);
  constexpr std::string_view kLetters = "abcdefgh12345678NBRQKOx=+#-P0!? ";
  std::size_t taken = 0;
  for (int i = 0; i < 300000; ++i) {
    std::string text;
    const unsigned length = 2 + random.below(6);
    for (unsigned k = 0; k < length; ++k) {
      text += kLetters[random.below(static_cast<unsigned>(kLetters.size()))];
    }
    std::string padded = text;
    padded.resize(text.size() + 32);
    SanToken token;
    const char* after = lex_canonical_san(padded.data(), token);
    if (!after) continue;
    ++taken;
    const std::string move = text.substr(0, static_cast<std::size_t>(after - padded.data()));
    const SanToken slow = read_san(move);
    ASSERT_EQ(token.bits, slow.bits & ~kStyleMask) << move;
    // The only style that the fast path lets pass is none at all; a full origin is SAN, too.
    ASSERT_EQ(slow.style() & ~static_cast<std::uint32_t>(kStyleLong), 0u) << move;
  }
  EXPECT_GT(taken, 1000u);
}

}  // namespace
}  // namespace cuarbiter
