// Moves as written: the forms that are read, what each deviates in, and canonical SAN.
#include "host/notation/san_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "host/notation/fen.hpp"
#include "host/rules/movegen.hpp"
#include "host/rules/san_match.hpp"

namespace cuarbiter {
namespace {

// What a token names, as a UCI move, or why it names none.
std::string named(const std::string& fen_text, const std::string& text) {
  const FenResult fen = read_fen(fen_text);
  const SanToken token = read_san(text);
  if (token == SanToken::special(SanToken::kUnreadable)) return "unreadable";
  const Match match = match_san(fen.position, token, fen.black());
  switch (match.status) {
    case MatchStatus::ok:
      return uci_text(match.move, fen.black(), false);
    case MatchStatus::ambiguous:
      return "ambiguous";
    case MatchStatus::king_left_in_check:
      return "king left in check";
    default:
      return "illegal";
  }
}

struct Form {
  const char* fen;
  const char* text;
  const char* uci;
  std::uint32_t style;
};

constexpr const char* kOpen = "r3k2r/1P6/8/3Pp3/2p5/1P1N2N1/5P2/R3K2R w KQkq e6 0 30";

TEST(SanForms, NameTheMoveAndShowTheirStyle) {
  const Form forms[] = {
      {kOpen, "f4", "f2f4", 0},
      {kOpen, "Nf4", "d3f4", 0},
      {kOpen, "Nd3f4", "d3f4", 0},
      {kOpen, "Nd3-f4", "d3f4", kStyleLong},
      {kOpen, "nf4", "d3f4", kStyleCase},
      {kOpen, "NF4", "d3f4", kStyleCase},
      {kOpen, "d3f4", "d3f4", kStyleLong},
      {kOpen, "D3F4", "d3f4", kStyleLong | kStyleCase},
      {kOpen, "f2-f4", "f2f4", kStyleLong},
      {kOpen, "Pf4", "f2f4", kStylePawnLetter},
      {kOpen, "pf4", "f2f4", kStylePawnLetter | kStyleCase},
      {kOpen, "Pf2-f4", "f2f4", kStylePawnLetter | kStyleLong},
      {kOpen, "bxc4", "b3c4", 0},
      {kOpen, "bc4", "b3c4", 0},
      {kOpen, "bc", "b3c4", 0},
      {kOpen, "bxc", "b3c4", 0},
      {kOpen, "b4", "b3b4", 0},
      {kOpen, "B4", "b3b4", kStyleCase},
      {kOpen, "BXC4", "illegal", 0},
      {kOpen, "b:c4", "b3c4", 0},
      {kOpen, "b3xc4", "b3c4", kStyleLong},
      {kOpen, "dxe6", "d5e6", 0},
      {kOpen, "dxe6e.p.", "d5e6", kStyleEnPassant},
      {kOpen, "dxe6ep", "d5e6", kStyleEnPassant},
      {kOpen, "dxe6 e.p.", "d5e6", kStyleEnPassant},
      {kOpen, "de", "d5e6", 0},
      {kOpen, "O-O", "e1g1", 0},
      {kOpen, "O-O-O", "e1c1", 0},
      {kOpen, "O-O-O+", "e1c1", 0},
      {kOpen, "0-0", "e1g1", kStyleCastling},
      {kOpen, "0-0-0", "e1c1", kStyleCastling},
      {kOpen, "o-o", "e1g1", kStyleCastling},
      {kOpen, "OO", "e1g1", kStyleCastling},
      {kOpen, "000", "e1c1", kStyleCastling},
      {kOpen, "O\xE2\x80\x93O", "e1g1", kStyleCastling},
      {kOpen, "e1g1", "e1g1", kStyleLong},
      {kOpen, "e1h1", "e1g1", kStyleLong},
      {kOpen, "Ke1-g1", "e1g1", kStyleLong},
      {kOpen, "b8=Q", "b7b8q", 0},
      {kOpen, "b8Q", "b7b8q", kStylePromotion},
      {kOpen, "b8(Q)", "b7b8q", kStylePromotion},
      {kOpen, "b8/Q", "b7b8q", kStylePromotion},
      {kOpen, "b8=q", "b7b8q", kStylePromotion},
      {kOpen, "b8q", "b7b8q", kStylePromotion},
      {kOpen, "b7b8q", "b7b8q", kStyleLong},
      {kOpen, "b7-b8=Q", "b7b8q", kStyleLong},
      {kOpen, "bxa8=N", "b7a8n", 0},
      {kOpen, "bxa8b", "b7a8b", kStylePromotion},
      {kOpen, "ba8=R", "b7a8r", 0},
      {kOpen, "b8", "ambiguous", 0},
      {kOpen, "f4=Q", "illegal", 0},
      {kOpen,
       "\xE2\x99\x98"
       "f4",
       "d3f4", kStyleFigurine},
      {kOpen,
       "\xE2\x99\x9E\xEF\xB8\x8E"
       "f4",
       "d3f4", kStyleFigurine},
      {kOpen, "b8=\xE2\x99\x95", "b7b8q", kStyleFigurine},
      {kOpen, "Nf4+", "d3f4", 0},
      {kOpen, "Nf4#", "d3f4", 0},
      {kOpen, "Nf4++", "d3f4", kStyleMate},
      {kOpen, "Nf4mate", "d3f4", kStyleMate},
      {kOpen, "Nf4 ch.", "d3f4", kStyleMate},
      {kOpen, "Nf4\xE2\x80\xA0", "d3f4", kStyleMate},
      {kOpen, "Nge2", "g3e2", 0},
      {kOpen, "Ngxe2", "g3e2", 0},
      {kOpen, "N3e2", "g3e2", 0},
      {"4k3/8/8/8/8/8/8/3BKB2 w - - 0 1", "bc2", "illegal", 0},
      {"4k3/8/8/8/8/8/8/3BKB2 w - - 0 1", "bd3", "f1d3", kStyleCase},
      {"4k3/8/8/8/8/8/8/3BKB2 w - - 0 1", "bfe2", "f1e2", kStyleCase},
      {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "kd2", "e1d2", kStyleCase},
  };
  for (const Form& form : forms) {
    const std::string answer = named(form.fen, form.text);
    EXPECT_EQ(answer, form.uci) << form.text;
    if (answer.size() > 5) continue;
    EXPECT_EQ(read_san(form.text).style(), form.style) << form.text;
  }
}

TEST(SanForms, Unreadable) {
  for (const char* text : {"",
                           "x",
                           "xd5",
                           "Ra9",
                           "Ri1",
                           "R1",
                           "R",
                           "Nf",
                           "Sf3",
                           "Df3",
                           "De5",
                           "Dxe5",
                           "Cc3",
                           "Te1",
                           "Lb5",
                           "e8=K",
                           "e8=P",
                           "e8=",
                           "e8=Q=Q",
                           "P@e3",
                           "N@f3",
                           "e9",
                           "e0",
                           "ee4",
                           "exe5",
                           "e-e4",
                           "e",
                           "4e",
                           "44",
                           "Nf3=Q",
                           "Pxd5",
                           "P5",
                           "Nxx3",
                           "Nf3xe5x",
                           "O",
                           "O-",
                           "O-O-",
                           "-O-O",
                           "O-O-O-O",
                           "O-OO",
                           "OO-O",
                           "0",
                           "KxO-O",
                           "?",
                           "!!",
                           "+",
                           "#",
                           "e4e",
                           "e4e5e6",
                           "1.e4",
                           "1-0",
                           "*",
                           "$1",
                           "Nf3e.p.",
                           "O-Oe.p.",
                           "\xFF\xFE",
                           "\xE2\x99",
                           "\xE2\x99\x80"
                           "f3",
                           "e4\xC3\xA9",
                           "Nf3-",
                           "Bc",
                           "Nf3aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    EXPECT_EQ(read_san(text), SanToken::special(SanToken::kUnreadable)) << text;
  }
}

TEST(SanForms, SuffixesAndGlyphs) {
  const struct {
    const char* text;
    unsigned suffix;
    unsigned glyph;
  } rows[] = {
      {"Nf3", SanToken::kNoSuffix, 0},          {"Nf3+", SanToken::kCheckSuffix, 0},
      {"Nf3#", SanToken::kMateSuffix, 0},       {"Nf3++", SanToken::kDoublePlus, 0},
      {"Nf3!", SanToken::kNoSuffix, 1},         {"Nf3+!?", SanToken::kCheckSuffix, 2},
      {"O-O#??", SanToken::kMateSuffix, 2},     {"exd6+e.p.", SanToken::kCheckSuffix, 0},
      {"exd6e.p.+", SanToken::kCheckSuffix, 0},
  };
  for (const auto& row : rows) {
    unsigned glyph = 99;
    const SanToken token = read_san(row.text, &glyph);
    EXPECT_NE(token, SanToken::special(SanToken::kUnreadable)) << row.text;
    EXPECT_EQ(token.suffix(), row.suffix) << row.text;
    EXPECT_EQ(glyph, row.glyph) << row.text;
  }
}

TEST(SanForms, TokensHoldWhatIsWritten) {
  const SanToken token = read_san("Rd1xd5+");
  EXPECT_EQ(token.piece(), static_cast<unsigned>(PieceType::rook));
  EXPECT_EQ(token.target(), 35u);
  EXPECT_EQ(token.origin_file(), 4u);
  EXPECT_EQ(token.origin_rank(), 1u);
  EXPECT_TRUE(token.capture());
  EXPECT_EQ(read_san("e7e8q").piece(), SanToken::kAnyPiece);
  EXPECT_EQ(read_san("e7e8q").promotion(), PieceType::queen);
  EXPECT_TRUE(read_san("ed").short_capture());
  EXPECT_FALSE(read_san("ed5").capture());
}

TEST(SanSpelling, ShowsWhenItIsMatched) {
  const auto spelling = [](const char* fen_text, const char* text) {
    const FenResult fen = read_fen(fen_text);
    const Match m = match_san(fen.position, read_san(text), fen.black());
    EXPECT_EQ(m.status, MatchStatus::ok) << text;
    return static_cast<unsigned>(m.spelling);
  };
  EXPECT_EQ(spelling(kOpen, "bc4"), kSpellingCapture);
  EXPECT_EQ(spelling(kOpen, "bc"), kSpellingCapture);
  EXPECT_EQ(spelling(kOpen, "bxc"), kSpellingCapture);
  EXPECT_EQ(spelling(kOpen, "b:c4"), kSpellingCapture);
  EXPECT_EQ(spelling(kOpen, "Nxf4"), kSpellingCapture);
  EXPECT_EQ(spelling(kOpen, "Nd3f4"), kSpellingDisambiguation);
  EXPECT_EQ(spelling(kOpen, "Nge2"), kSpellingDisambiguation);
  EXPECT_EQ(spelling(kOpen, "N3e2"), kSpellingDisambiguation);
  EXPECT_EQ(spelling(kOpen, "Ne2"), 0u);
}

TEST(SanWriting, LeastDisambiguation) {
  const auto san = [](const char* fen_text, const char* uci) {
    const FenResult fen = read_fen(fen_text);
    return san_text(fen.position, read_uci(fen.position, uci, fen.black()).value(), fen.black());
  };
  EXPECT_EQ(san("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2"), "Ne2");
  EXPECT_EQ(san("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a5a3"), "R5a3");
  EXPECT_EQ(san("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1"), "Rad1");
  EXPECT_EQ(san("7k/8/8/8/Q6Q/8/4K3/Q7 w - - 0 1", "a4d4"), "Qa4d4+");
  EXPECT_EQ(san("7k/5Q2/5K2/8/8/8/8/8 w - - 0 1", "f7g7"), "Qg7#");
  EXPECT_EQ(san("8/8/8/8/8/5k2/4p3/7K b - - 0 1", "e2e1r"), "e1=R+");
}

}  // namespace
}  // namespace cuarbiter
