// The HTML page about a run, and its boards.
#include <gtest/gtest.h>

#include <string>

#include "host/report/board_svg.hpp"
#include "host/report/html_report.hpp"
#include "host/report/utf8.hpp"

namespace cuarbiter {
namespace {

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Every element that is opened is closed, in order; no bare angle bracket or quote tears a tag.
bool well_nested(const std::string& page) {
  std::vector<std::string> open;
  std::size_t at = page.find("<html");
  while ((at = page.find('<', at)) != std::string::npos) {
    const std::size_t end = page.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = page.substr(at + 1, end - at - 1);
    at = end;
    const bool closing = tag[0] == '/';
    const std::string name =
        tag.substr(closing ? 1 : 0, tag.find_first_of(" /", 1) - (closing ? 1 : 0));
    if (closing) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/' && name != "meta" && name != "br") {
      open.push_back(name);
    }
  }
  return open.empty();
}

TEST(BoardSvg, StartPosition) {
  std::string out;
  ASSERT_TRUE(
      append_board_svg(out, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4"));
  EXPECT_EQ(count(out, "<rect "), 64u);
  EXPECT_EQ(count(out, "class=\"light"), 32u);
  EXPECT_EQ(count(out, "class=\"dark"), 32u);
  EXPECT_EQ(count(out, "<use "), 32u);
  EXPECT_EQ(count(out, "class=\"white\""), 16u);
  EXPECT_EQ(count(out, "#man-p"), 16u);
  // Black's rook on a8 at the top left, White's king on e1, the mark on e4 (a light square).
  EXPECT_TRUE(contains(out, "<use href=\"#man-r\" class=\"black\" x=\"0\" y=\"0\""));
  EXPECT_TRUE(contains(out, "<use href=\"#man-k\" class=\"white\" x=\"400\" y=\"700\""));
  EXPECT_TRUE(contains(out, "<rect class=\"light mark\" x=\"400\" y=\"400\""));
  EXPECT_EQ(count(out, "mark"), 1u);
  EXPECT_TRUE(contains(out, "<rect class=\"dark\" x=\"0\" y=\"700\""));  // a1
}

TEST(BoardSvg, WhatIsNoBoard) {
  for (const char* fen :
       {"", "8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8/8", "9/8/8/8/8/8/8/8", "x7/8/8/8/8/8/8/8",
        "8/8/8/8/8/8/8/7", "44p/8/8/8/8/8/8/8", "8888/8/8/8/8", "<svg>"}) {
    std::string out = "before";
    EXPECT_FALSE(append_board_svg(out, fen, "")) << fen;
    EXPECT_EQ(out, "before");
  }
  std::string out;
  EXPECT_TRUE(append_board_svg(out, "8/8/8/8/8/8/8/8", "z9"));
  EXPECT_EQ(count(out, "mark"), 0u);
}

TEST(BoardSvg, TargetSquare) {
  EXPECT_EQ(target_square("Bxd7+"), "d7");
  EXPECT_EQ(target_square("e8=Q#"), "e8");
  EXPECT_EQ(target_square("R1a3"), "a3");
  EXPECT_EQ(target_square("e2e4"), "e4");
  EXPECT_EQ(target_square("O-O"), "");
  EXPECT_EQ(target_square(""), "");
}

ArchiveReport sample() {
  ArchiveReport report;
  report.files = 2;
  report.total.games = 1234567;
  report.total.errors = 2;
  report.rows = {ReportRow{"a.pgn", ""}, ReportRow{"b.pgn", "cannot open"}};
  report.codes[static_cast<std::size_t>(Code::move_illegal)] = 40;
  report.codes[static_cast<std::size_t>(Code::pgn_encoding)] = 80;
  report.results.add("1-0", 3);
  report.results.add("0-1");
  report.results.add("0-1", 7);
  report.draws.add("stalemate", 2);
  report.positions.push_back(
      ReportPosition{"a.pgn", 3, 17, 7, "W", "B", "Bxd7+",
                     "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
                     Severity::error, Code::move_illegal, "illegal move \"Bxd7+\""});
  report.rules = std::string("fide");
  return report;
}

TEST(HtmlReport, SaysWhatWasFound) {
  std::string page;
  append_html_report(page, sample());
  EXPECT_TRUE(valid_utf8(page));
  EXPECT_TRUE(well_nested(page));
  EXPECT_TRUE(contains(page, "1&#8239;234&#8239;567"));
  // The most frequent first, its bar the longest.
  EXPECT_LT(page.find("<code>pgn.encoding</code>"), page.find("<code>move.illegal</code>"));
  EXPECT_TRUE(contains(page, "<rect class=\"warning\" width=\"100.00\""));
  EXPECT_TRUE(contains(page, "<rect class=\"error\" width=\"50.00\""));
  EXPECT_LT(page.find("<code>0-1</code></td><td class=\"n\">8<"),
            page.find("<code>1-0</code></td><td class=\"n\">3<"));
  EXPECT_TRUE(contains(page, "b.pgn<br><span class=\"error\">cannot open</span>"));
  EXPECT_TRUE(contains(page, "a.pgn:17, game 3"));
  EXPECT_TRUE(contains(page, "ply 7, White to move"));
  EXPECT_TRUE(contains(
      page, "<code>r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4</code>"));
  EXPECT_EQ(count(page, "class=\"board\""), 1u);
  EXPECT_FALSE(contains(page, "Stopped"));
}

TEST(HtmlReport, LoadsNothing) {
  std::string page;
  append_html_report(page, sample());
  for (const char* part : {"http:", "https:", "src=", "<script", "<link", "@import", "url("}) {
    EXPECT_FALSE(contains(page, part)) << part;
  }
  EXPECT_EQ(count(page, "href="), count(page, "href=\"#man-"));
}

TEST(HtmlReport, HostileTextIsHarmless) {
  const std::string evil =
      "</code></style><script>alert('x')</script>\"' onload=\"&amp;\x1b[31m\xff\xe2\x80\xae";
  ArchiveReport report = sample();
  report.rows[0].name = report.rows[1].fault = report.rules = evil;
  ReportPosition& p = report.positions[0];
  p.file = p.white = p.black = p.move = p.fen = p.message = evil;
  report.results.add(evil);
  std::string page;
  append_html_report(page, report);
  EXPECT_TRUE(valid_utf8(page));
  EXPECT_TRUE(well_nested(page));
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_FALSE(contains(page, "alert('"));
  EXPECT_FALSE(contains(page, "\x1b"));
  EXPECT_FALSE(contains(page, "\xe2\x80\xae"));
  EXPECT_EQ(
      count(page,
            "&lt;/code&gt;&lt;/style&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&#39; "
            "onload=&quot;&amp;amp;\\x1B[31m\\xFF"),
      10u);
}

TEST(HtmlReport, NothingToSay) {
  std::string page;
  ArchiveReport report;
  report.stopped = true;
  append_html_report(page, report);
  EXPECT_TRUE(well_nested(page));
  EXPECT_TRUE(contains(page, "Stopped"));
  EXPECT_FALSE(contains(page, "faulty positions"));
}

}  // namespace
}  // namespace cuarbiter
