// Export format: one text for each thing it says, one for each repair, and nothing lost.
#include <gtest/gtest.h>

#include <string>

#include "host/pgn/line_filler.hpp"
#include "tests/support/export_run.hpp"

namespace cuarbiter {
namespace {

using namespace test;

// The movetext of the one game of `text`, its lines joined.
std::string movetext_of(const std::string& exported) {
  const std::size_t blank = exported.find("\n\n");
  std::string out = exported.substr(blank + 2);
  while (!out.empty() && out.back() == '\n') out.pop_back();
  for (char& c : out) c = c == '\n' ? ' ' : c;
  return out;
}

// What is written for movetext behind a roster; checks that it is written again without a change.
std::string moves(const std::string& text, bool fix = false, const std::string& tags = {}) {
  const std::string once = export_pgn(roster("*", tags) + text, fix);
  EXPECT_EQ(export_pgn(once, fix), once) << text;
  return movetext_of(once);
}

// The tag pairs of a game with these and nothing else.
std::string tags(const std::string& text, bool fix = false) {
  const std::string once = export_pgn(text, fix);
  EXPECT_EQ(export_pgn(once, fix), once) << text;
  return once.substr(0, once.find("\n\n") + 1);
}

std::string value_of(const std::string& tag_lines, const std::string& name) {
  const std::size_t at = tag_lines.find("[" + name + " \"");
  if (at == std::string::npos) return "(none)";
  const std::size_t begin = at + name.size() + 3;
  return tag_lines.substr(begin, tag_lines.find("\"]\n", begin) - begin);
}

TEST(ExportWriter, MovesAreCanonical) {
  EXPECT_EQ(moves("1.e4 e5 2.Nf3 *"), "1. e4 e5 2. Nf3 *");
  EXPECT_EQ(moves("e2-e4 e7e5 Ng1f3 nc6 *"), "1. e4 e5 2. Nf3 Nc6 *");
  EXPECT_EQ(moves("1. e4+ e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qf7 *"),
            "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# *");
  EXPECT_EQ(moves("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 o-o *"),
            "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *");
  EXPECT_EQ(moves("1. e4 d5 2. ed Qd5: 3. Ngf3?? Qe5 mate *"),
            "1. e4 d5 2. exd5 Qxd5 3. Nf3 $4 Qe5+ *");
  EXPECT_EQ(moves("1. e4 a6 2. e5 d5 3. exd6 e.p. *"), "1. e4 a6 2. e5 d5 3. exd6 *");
}

TEST(ExportWriter, NumbersStandWhereTheStandardWantsThem) {
  EXPECT_EQ(moves("e4 {c} e5 (1... c5 2. Nf3) 5. Nf3 $1 Nc6 ; d\n*"),
            "1. e4 {c} 1... e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 {d} *");
  EXPECT_EQ(moves("17. e4 17... e5 (1.. c5 (Nf6) d4) d4 *"),
            "1. e4 e5 (1... c5 (1... Nf6) 2. d4) 2. d4 *");
  const std::string from_black =
      export_pgn(with_fen("4k3/8/8/8/8/8/8/R3K3 b Q - 3 12") + "Ke7 O-O-O Kf7 *");
  EXPECT_EQ(movetext_of(from_black), "12... Ke7 13. O-O-O Kf7 *");
}

TEST(ExportWriter, AnnotationsAreKept) {
  EXPECT_EQ(moves("1. e4! e5? 2. d4!! d5?? 3. c4 !? c5 ?! 4. a3 $014 !!! *"),
            "1. e4 $1 e5 $2 2. d4 $3 d5 $4 3. c4 $5 c5 $6 4. a3 $14 $3 $1 *");
  EXPECT_EQ(moves("1. e4 +- e5 = 2. d4 \xC2\xB1 N d5 -> *"),
            "1. e4 $18 e5 $10 2. d4 $16 $146 d5 {->} *");
  EXPECT_EQ(moves("{before} $1 {more} 1. e4 {  a\n\n  b } e5 {} *"),
            "{before} $1 {more} 1. e4 { a b } 1... e5 {} *");
  EXPECT_EQ(moves("1. e4 ; a } brace { here\ne5 *"), "1. e4 {a ) brace ( here} 1... e5 *");
  EXPECT_EQ(moves("1. e4 {a {b} c} e5 {d { e} *"), "1. e4 {a (b) c} 1... e5 {d { e} *");
  EXPECT_EQ(moves("1. e4 () e5 (1... c5 ()) (({x})) *"), "1. e4 e5 (1... c5) (({x})) *");
  EXPECT_EQ(moves("1. e4 e5 (1... -- 2. d4 Z0) 2. d4 *"), "1. e4 e5 (1... -- 2. d4 --) 2. d4 *");
}

TEST(ExportWriter, CommentsBehindTheResultStayInTheGame) {
  const std::string text = roster("1-0") + "1. e4 1-0 {Black lost on time} ; and left\n\n" +
                           roster("0-1") + "1. d4 0-1\n";
  const std::string out = export_pgn(text);
  EXPECT_TRUE(out.find("1. e4 {Black lost on time} {and left} 1-0\n\n[Event") != std::string::npos)
      << out;
  EXPECT_EQ(export_pgn(out), out);
}

TEST(ExportWriter, EscapesAndTextOutsideOfGames) {
  const std::string text = "% first\nhello } there\n\n" + roster("1-0") +
                           "1. e4\n% inside\ne5 1-0\n%  last \nstray {c} words 1-0\n\n" +
                           roster("0-1") + "1. d4 0-1\n";
  const std::string out = export_pgn(text);
  EXPECT_EQ(out.substr(0, 40), "% first\n% hello ) there\n% inside\n[Event ");
  EXPECT_TRUE(out.find("1. e4 e5 {c} 1-0\n\n%  last\n% stray\n% words 1-0\n[Event") !=
              std::string::npos)
      << out;
  EXPECT_EQ(export_pgn(out), out);
  EXPECT_TRUE(run_pgn(out).findings.empty());
}

TEST(ExportWriter, TextThatPgnHasNoPlaceForBecomesComments) {
  EXPECT_EQ(moves("1. e4 } [foo] <bar{> 99-9 ) e5 *"),
            "1. e4 {)} {[foo]} {<bar(>} {99-9} {)} 1... e5 *");
  EXPECT_EQ(moves("1. e4 e5 (1... c5 1-0) 2. d4 *"), "1. e4 e5 (1... c5 {1-0}) 2. d4 *");
  EXPECT_TRUE(run_pgn(roster() + moves("1. e4 } [foo] <bar> 99-9 e5 *")).findings.empty());
}

TEST(ExportWriter, WhatIsNotClosedIsClosed) {
  EXPECT_EQ(moves("1. e4 (1. d4 (1. c4 *"), "1. e4 (1. d4 (1. c4)) *");
  EXPECT_EQ(moves("1. e4 {open\n\n"), "1. e4 {open} *");
}

// The move that could not be made and all behind it: as written, only the layout changes.
TEST(ExportWriter, FaultyMovesStay) {
  EXPECT_EQ(moves("1.e4 e5 2.Ke3 nf6 3. 0-0! {c} Zz9?! 4. e7-e8Q, (4. --) *"),
            "1. e4 e5 2. Ke3 nf6 3. 0-0 $1 {c} 3... Zz9?! 4. e7-e8Q, (4. --) *");
  EXPECT_EQ(moves("1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7 + Ke7 *"),
            "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# Ke7 *");
  EXPECT_EQ(moves("1. d4 d5 2. Nf3 Nf6 3. Nd2 + e6 e.p. (e5) *", true),
            "1. d4 d5 2. Nf3 Nf6 3. Nd2 {+} 3... e6 {e.p.} (3... e5) *");
  // Lines that branch off before it are judged and written as such.
  EXPECT_EQ(moves("1.e4 e5 (e7-e6 d2d4) 2.Ke3 (g1f3 nc6) *"),
            "1. e4 e5 (1... e6 2. d4) 2. Ke3 (2. Nf3 Nc6) *");
}

TEST(ExportWriter, GamesThatAreNotJudgedKeepTheirWords) {
  EXPECT_EQ(
      moves("1.e4 e5! 2. N@f3 {c}  %x (2.d4 0-0) ; d\n*", false, "[Variant \"Crazyhouse\"]\n"),
      "1.e4 e5! 2. N@f3 {c} %x (2.d4 0-0) {d} *");
  EXPECT_EQ(moves("1.e4 1-0> 2.0-1] (e5 1-0)", false, "[Variant \"Atomic\"]\n"),
            "1.e4 {1-0} {>} {2.0-1} {]} (e5 {1-0}) *");
  EXPECT_EQ(moves("1.e4 2.1/2-1/2", false, "[Variant \"Atomic\"]\n"), "1.e4 2. 1/2-1/2");
  EXPECT_EQ(moves(" %x 1.e4 !? *", false, "[Variant \"Atomic\"]\n"), "{%x} 1.e4 $5 *");
}

TEST(ExportWriter, RosterFirstThenByName) {
  EXPECT_EQ(tags("[White \"W\"]\n[Zed \"z\"]\n[ECO \"C20\"]\n[Event \"E\"]\n[Annotator \"A\"]\n\n"
                 "1. e4 1-0\n"),
            "[Event \"E\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"W\"]\n"
            "[Black \"?\"]\n[Result \"1-0\"]\n[Annotator \"A\"]\n[ECO \"C20\"]\n[Zed \"z\"]\n");
  const std::string odd =
      tags("[Event \"a \\\"b\\\" \\\\ c\"]\n[Site Paris]\n[White \"Q \"x\" y\"]\n\n*\n");
  EXPECT_EQ(value_of(odd, "Event"), "a \\\"b\\\" \\\\ c");
  EXPECT_EQ(value_of(odd, "Site"), "Paris");
  EXPECT_EQ(value_of(odd, "White"), "Q \\\"x\\\" y");
  // Text behind a value is in no tag.
  EXPECT_EQ(export_pgn("[Event \"E\" more]\n\n*\n").substr(0, 33),
            "% [Event \"E\" more]\n[Event \"E\"]\n[S");
}

TEST(ExportWriter, RepairsOfTags) {
  const std::string mate = "1. f3 e5 2. g4 Qh4# ";
  EXPECT_EQ(value_of(tags(roster("1-0") + mate + "1-0\n"), "Result"), "1-0");
  EXPECT_EQ(value_of(tags(roster("1-0") + mate + "1-0\n", true), "Result"), "0-1");
  EXPECT_EQ(value_of(tags(roster("0-1") + "1. e4 1-0\n"), "Result"), "0-1");
  EXPECT_EQ(value_of(tags(roster("0-1") + "1. e4 1-0\n", true), "Result"), "1-0");
  EXPECT_EQ(value_of(tags(roster("0-0") + "1. e4 *\n", true), "Result"), "0-0");
  EXPECT_EQ(value_of(tags(roster("?") + "1. e4 *\n", true), "Result"), "*");
  EXPECT_EQ(value_of(tags(roster("1:0") + "1. e4\n", true), "Result"), "1-0");
  const std::string more = "[PlyCount \"7\"]\n[Date \"x\"]\n[White \"W\"]\n[White \"V\"]\n";
  const std::string fixed = tags(roster("*", more) + "1. e4 e5 *\n", true);
  EXPECT_EQ(value_of(fixed, "PlyCount"), "2");
  EXPECT_EQ(fixed.find("[White \"W\"]"), fixed.rfind("[White \"W\"]"));  // the same twice: once
  EXPECT_TRUE(fixed.find("[White \"V\"]") != std::string::npos);         // another: kept
  EXPECT_TRUE(fixed.find("[Date \"x\"]") != std::string::npos);
  EXPECT_EQ(value_of(tags(roster("*", "[PlyCount \"7\"]\n") + "1. e4 Ke3 *\n", true), "PlyCount"),
            "7");
}

TEST(ExportWriter, RepairsOfTheStart) {
  const std::string fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 3 12";
  const auto with = [&](const std::string& more) {
    return tags(roster("*", more) + "1. Ra2 *\n", true);
  };
  EXPECT_EQ(value_of(with("[FEN \"" + fen + "\"]\n"), "SetUp"), "1");
  EXPECT_EQ(value_of(with("[SetUp \"0\"]\n[FEN \"" + fen + "\"]\n"), "SetUp"), "1");
  EXPECT_EQ(value_of(with("[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q -\"]\n"), "FEN"),
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
  // With an error in it, it stays.
  const std::string bad = "4k3/8/8/8/8/8/8/R2K4 w Q - 3 12";
  EXPECT_EQ(value_of(with("[FEN \"" + bad + "\"]\n"), "FEN"), bad);
  EXPECT_EQ(value_of(tags(roster("*", "[SetUp \"1\"]\n") + "1. e4 *\n", true), "SetUp"), "0");
  EXPECT_EQ(value_of(tags(roster("*", "[SetUp \"1\"]\n") + "1. Ke3 *\n", true), "SetUp"), "1");
}

TEST(ExportWriter, EncodingIsRepairedOnlyWhereItIsCertain) {
  const std::string name = "[Annotator \"J\xE9r\xF4me\"]\n";
  EXPECT_EQ(value_of(tags(roster("*", name) + "*\n"), "Annotator"), "J\xE9r\xF4me");
  EXPECT_EQ(value_of(tags(roster("*", name) + "*\n", true), "Annotator"), "J\xC3\xA9r\xC3\xB4me");
  EXPECT_EQ(moves("{\xE9} 1. e4 {\x93} *", true), "{\xC3\xA9} 1. e4 {\x93} *");
}

TEST(ExportWriter, RepairedGamesAreClean) {
  const std::string text =
      "[White \"J\xE9r\xF4me\"]\n[Date \"2020/1/2\"]\n[PlyCount \"1\"]\n[Result \"1-0\"]\n\n"
      "1.e2-e4! e5 (1... c5 2. Nf3 +- (2. c3 nc6) d6) 2. Bc4 nc6 3.Qh5? Nf6 4. Qf7 ++\n"
      "(Qf3 ; well\n0-1\n";
  EXPECT_GT(run_pgn(text).findings.size(), 6u);
  const std::string fixed = export_pgn(text, true);
  const PgnRun again = run_pgn(fixed);
  EXPECT_EQ(again.places(), std::vector<std::string>{}) << fixed;
  EXPECT_EQ(again.games.size(), 1u);
}

TEST(LineFiller, LinesAreFullButNeverTooLong) {
  std::string out;
  LineFiller filler(out);
  for (const std::size_t n : {79u, 40u, 38u, 1u, 39u, 39u, 100u, 3u}) {
    filler.put(std::string(n, 'x'));
  }
  filler.finish();
  const auto x = [](std::size_t n) { return std::string(n, 'x'); };
  EXPECT_EQ(out, x(79) + "\n" + x(40) + " " + x(38) + "\n" + x(1) + " " + x(39) + "\n" + x(39) +
                     "\n" + x(100) + "\n" + x(3) + "\n");
  // Characters count, not bytes.
  std::string utf8;
  for (int i = 0; i < 39; ++i) utf8 += "\xC3\xA9";
  EXPECT_EQ(character_count(utf8), 39u);
  EXPECT_EQ(character_count(utf8 + "\xE9"), 79u);
  out.clear();
  filler.put(utf8);
  filler.put(utf8);
  filler.finish();
  EXPECT_EQ(out, utf8 + " " + utf8 + "\n");
}

TEST(LineFiller, ParenthesesAndPercentSigns) {
  std::string out;
  LineFiller filler(out);
  filler.open();
  EXPECT_FALSE(filler.close());
  filler.open();
  filler.open();
  filler.put("a");
  EXPECT_TRUE(filler.close());
  filler.put(std::string(71, 'b'));
  filler.put("%c");
  EXPECT_TRUE(filler.close());
  filler.finish();
  EXPECT_EQ(out, "((a)\n" + std::string(71, 'b') + " %c)\n");
}

TEST(ExportWriter, CommandsInCommentsAreNotTorn) {
  std::string text = "{";
  for (int i = 0; i < 30; ++i) text += "word [%clk 0:00:0" + std::to_string(i % 10) + "] ";
  text += "[%cal " + std::string(90, 'G') + " " + std::string(5, 'H') + "]} 1. e4 *";
  const std::string out = export_pgn(roster() + text);
  EXPECT_EQ(out.find("[%clk\n"), std::string::npos);
  EXPECT_TRUE(out.find(std::string(90, 'G') + "\nHHHHH]}") != std::string::npos) << out;
  EXPECT_EQ(export_pgn(out), out);
}

}  // namespace
}  // namespace cuarbiter
