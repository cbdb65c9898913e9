// The passes over text of every instruction set against the same by single bytes; runs of moves and
// usual tag pairs at sight against the readers of every form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "host/batch/instruction_set.hpp"
#include "host/pgn/move_run.hpp"
#include "host/pgn/san_lexer.hpp"
#include "host/pgn/tag_pair.hpp"
#include "host/pgn/text_scan.hpp"
#include "host/pgn/word_cache.hpp"

namespace cuarbiter {
namespace {

struct NamedScan {
  const char* name;
  const TextScan& scan;
};

std::vector<NamedScan> scans_here() {
  std::vector<NamedScan> scans = {{"generic", text_scan_generic()}};
#if defined(__x86_64__)
  if (runs_here(InstructionSet::avx2)) scans.push_back({"avx2", text_scan_avx2()});
  if (runs_here(InstructionSet::avx512)) scans.push_back({"avx512", text_scan_avx512()});
#endif
  return scans;
}

class Texts {
 public:
  // `length` bytes, most of them from `alphabet`, some of any value.
  std::string random(std::size_t length, std::string_view alphabet, unsigned odd_in = 200) {
    std::string text(length, ' ');
    for (char& c : text) {
      c = below(odd_in) == 0 ? static_cast<char>(below(256)) : alphabet[below(alphabet.size())];
    }
    return text;
  }
  std::size_t below(std::size_t n) { return engine_() % n; }

 private:
  std::mt19937_64 engine_{20240607};
};

bool one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

constexpr std::string_view kSpaces("\0\t\n\v\f\r ", 7);

TEST(TextScan, BytesAndLineEnds) {
  Texts texts;
  for (int round = 0; round < 400; ++round) {
    const std::string text =
        texts.random(texts.below(round % 10 == 0 ? 40000 : 300), "ab\n\r\r\n ",
                     static_cast<unsigned>(1 + texts.below(round % 10 == 0 ? 100000 : 1000)));
    std::uint64_t lines = 0;
    bool ascii = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool crlf = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
      if (text[i] == '\n' || (text[i] == '\r' && !crlf)) ++lines;
      ascii = ascii && static_cast<unsigned char>(text[i]) < 0x80;
    }
    for (const NamedScan& s : scans_here()) {
      EXPECT_EQ(s.scan.count_line_ends(text.data(), text.size()), lines) << s.name;
      const TextBytes bytes = s.scan.look_at_bytes(text.data(), text.size());
      EXPECT_EQ(bytes.has_nul, text.find('\0') != std::string::npos) << s.name;
      EXPECT_EQ(bytes.plain_ascii, ascii) << s.name;
      TextBytes too;
      EXPECT_EQ(s.scan.count_and_look(text.data(), text.size(), too), lines) << s.name;
      EXPECT_EQ(too.has_nul, bytes.has_nul) << s.name;
      EXPECT_EQ(too.plain_ascii, ascii) << s.name;
    }
  }
}

// What skip_plain() must have seen, by single bytes: the state at `to`, and whether all that was
// passed is plain.
struct Passed {
  PlainText state;
  bool plain = true;
};

Passed pass(const std::string& text, const PlainText& from, std::size_t to) {
  Passed p{from, true};
  for (std::size_t i = from.at; i < to; ++i) {
    const char c = text[i];
    const bool line_end = c == '\n' || (c == '\r' && text[i + 1] != '\n');
    if (i > from.at && (text[i - 1] == '\n' || (text[i - 1] == '\r' && c != '\n'))) {
      const bool odd = p.state.in_comment ? c == '[' : one_of(c, "[%\xEF") || one_of(c, kSpaces);
      p.plain = p.plain && !odd;
    }
    if (c == '{') {
      p.plain = p.plain && !p.state.in_comment;
      p.state.in_comment = true;
      p.state.comment_begin = i;
    } else if (c == '}') {
      p.plain = p.plain && p.state.in_comment;
      p.state.in_comment = false;
      p.state.line_begin = i + 1;
    } else if (!p.state.in_comment) {
      p.plain = p.plain && c != ';';
      if (line_end) p.state.line_begin = i + 1;
    }
  }
  p.state.at = to;
  return p;
}

TEST(TextScan, SkipsNothingButPlainText) {
  Texts texts;
  std::size_t moved = 0;
  for (int round = 0; round < 4000; ++round) {
    const char* alphabet = round % 3 == 0   ? "abcdefgh12345678 .KQRN"
                           : round % 3 == 1 ? "abc {}{}"
                                            : "abcdefgh 1234.abcdefgh 1234.abcdefgh\n\r";
    std::string text = texts.random(64 * (2 + texts.below(6)) + texts.below(64), alphabet,
                                    static_cast<unsigned>(40 + texts.below(2000)));
    if (round % 2) {
      // Comments that close, and lines that begin with movetext.
      for (std::size_t i = texts.below(90); i + 70 < text.size(); i += 10 + texts.below(90)) {
        const std::size_t length = 2 + texts.below(60);
        for (std::size_t k = i; k <= i + length; ++k) text[k] = 'x';
        text[i] = '{';
        text[i + length] = '}';
        i += length;
      }
    }
    PlainText start;
    start.at = texts.below(20);
    start.in_comment = texts.below(4) == 0;
    const std::size_t longest = round % 5 == 0 ? 100 : 4096;
    PlainText first;
    for (const NamedScan& s : scans_here()) {
      PlainText state = start;
      s.scan.skip_plain(text.data(), text.size(), longest, state);
      if (&s.scan == &text_scan_generic()) first = state;
      EXPECT_EQ(state.at, first.at) << s.name;
      EXPECT_EQ(state.in_comment, first.in_comment) << s.name;
      EXPECT_EQ(state.comment_begin, first.comment_begin) << s.name;
      EXPECT_EQ(state.line_begin, first.line_begin) << s.name;
    }
    ASSERT_LE(first.at, text.size());
    const Passed expected = pass(text, start, first.at);
    EXPECT_TRUE(expected.plain) << text;
    EXPECT_EQ(first.in_comment, expected.state.in_comment);
    EXPECT_EQ(first.line_begin, expected.state.line_begin);
    if (first.in_comment) {
      EXPECT_EQ(first.comment_begin, expected.state.comment_begin);
    }
    // With a line end at its end the line behind would be lost on the scan by lines; in a comment
    // it may be an empty one.
    if (first.at > start.at) {
      const bool line_end = one_of(text[first.at - 1], "\n\r");
      EXPECT_FALSE(line_end && !(first.in_comment && one_of(text[first.at], "\n\r"))) << text;
      ++moved;
    }
  }
  EXPECT_GT(moved, 500u);
}

// The limit for comments is looked at now and then.
TEST(TextScan, SkipsNoMuchTooLongComment) {
  const std::string text = "1. e4 {" + std::string(200000, 'x') + "} e5";
  for (const NamedScan& s : scans_here()) {
    for (const std::size_t longest : {1000u, 50000u, 150000u}) {
      PlainText state;
      s.scan.skip_plain(text.data(), text.size(), longest, state);
      EXPECT_TRUE(state.in_comment) << s.name;
      EXPECT_EQ(state.comment_begin, 6u) << s.name;
      EXPECT_GT(state.at, longest) << s.name;
      EXPECT_LE(state.at, longest + 16384 + 128) << s.name;
    }
    PlainText state;
    s.scan.skip_plain(text.data(), text.size(), 250000, state);
    EXPECT_GT(state.at, text.size() - 130) << s.name;
  }
}

// ---- usual tag pairs ----

TEST(UsualTagPair, ReadsWhatTheFullReaderReads) {
  Texts texts;
  std::size_t usual = 0;
  const auto compare = [&](std::string text) {
    const std::size_t size = text.size();
    text.append(64, '\0');
    if (!at_tag_pair(text.data(), text.data() + size)) return;
    const UsualTag quotes = text_scan_generic().usual_tag(text.data());
    for (const NamedScan& s : scans_here()) {
      const UsualTag other = s.scan.usual_tag(text.data());
      ASSERT_EQ(other.open, quotes.open) << s.name << ' ' << text;
      ASSERT_EQ(other.close, quotes.close) << s.name << ' ' << text;
    }
    if (quotes.close == 0) return;
    const TagPair quick = usual_tag_pair(text.data(), quotes);
    ++usual;
    const std::size_t line = std::min(text.find_first_of("\r\n"), size);
    const TagPair full = read_tag_pair(text.data(), text.data() + line);
    EXPECT_EQ(full.fault, TagFault::none) << text;
    EXPECT_FALSE(full.escaped) << text;
    EXPECT_EQ(quick.name, full.name) << text;
    EXPECT_EQ(quick.value, full.value) << text;
    EXPECT_EQ(quick.next, full.next) << text;
    EXPECT_EQ(quick.fault, TagFault::none);
  };
  compare("[Event \"x\"]\n");
  compare("[Event \"\"]");
  EXPECT_EQ(usual, 2u);
  for (int round = 0; round < 20000; ++round) {
    std::string text = "[";
    text += texts.random(1 + texts.below(8), "ABcd_1", 30);
    text += " \"";
    text += texts.random(texts.below(50), "abcdef 12", 60);
    text += "\"]";
    if (round % 3 == 0) text[texts.below(text.size())] = "\"\\[] \n\t"[texts.below(7)];
    if (round % 4 == 0) text += "[Next \"y\"]";
    text += '\n';
    compare(text);
  }
  EXPECT_GT(usual, 5000u);
}

// A usual pair whose value goes far.
UsualTag far_tag(const std::string& text, std::size_t at) {
  const std::string line = text.substr(at, 256);
  const std::size_t open = line.find_first_of("\"\\\n\r");
  if (open == std::string::npos || open < 3 || open > 61) return {};
  const std::size_t close = line.find_first_of("\"\\\n\r", open + 1);
  if (close == std::string::npos || close > 250) return {};
  if (line[open] != '"' || line[open - 1] != ' ' || line.compare(close, 2, "\"]") != 0) return {};
  for (std::size_t i = 1; i < open - 1; ++i) {
    if (!std::isalnum(static_cast<unsigned char>(line[i])) && line[i] != '_') return {};
  }
  return {static_cast<std::uint32_t>(open), static_cast<std::uint32_t>(close)};
}

// What usual_tags() must give, line by line.
std::vector<SlabTag> lines_of_tags(const std::string& text, std::size_t& at, std::size_t size,
                                   unsigned most) {
  std::vector<SlabTag> tags;
  while (tags.size() < most && at < size && text[at] == '[') {
    UsualTag tag = text_scan_generic().usual_tag(text.data() + at);
    if (tag.close == 0 && at + 320 <= size) tag = far_tag(text, at);
    std::size_t end = at + tag.close + 2;
    if (tag.close == 0 || end + 1 >= size) break;
    if (text[end] == '\r' && text[end + 1] == '\n') ++end;
    if (text[end] != '\n' || end + 1 >= size) break;
    tags.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint8_t>(tag.open),
                    static_cast<std::uint8_t>(tag.close)});
    at = end + 1;
  }
  return tags;
}

TEST(UsualTagPair, SectionsAreReadAsTheirLines) {
  Texts texts;
  std::size_t read = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text(texts.below(70), 'x');
    std::size_t at = text.size();
    const std::size_t lines = texts.below(30);
    for (std::size_t i = 0; i < lines; ++i) {
      std::string line = "[";
      line += texts.random(1 + texts.below(12), "ABcd_1", 2000);
      line += " \"";
      line += texts.random(texts.below(texts.below(9)   ? 20
                                       : texts.below(3) ? 60
                                                        : 260),
                           "abc 12.-", 900);
      line += "\"]";
      if (texts.below(40) == 0) line[texts.below(line.size())] = "\"\\[] \n\t"[texts.below(7)];
      if (texts.below(60) == 0) line += ' ';
      text += line;
      text += texts.below(50) ? "\n" : texts.below(2) ? "\r\n" : "\r";
    }
    if (round % 3) {
      text += "\n1. e4 e5 2. Nf3 \"x\" *\n";
      text.append(texts.below(600), 'y');
    }
    const std::size_t size = text.size() - (round % 7 ? 0 : texts.below(text.size() + 1));
    if (at > size) continue;
    text.append(64, '\0');
    for (;;) {
      const auto most = static_cast<unsigned>(1 + texts.below(40));
      std::size_t end = at;
      const std::vector<SlabTag> expected = lines_of_tags(text, end, size, most);
      for (const NamedScan& s : scans_here()) {
        SlabTag tags[40];
        std::size_t to = at;
        ASSERT_EQ(s.scan.usual_tags(text.data(), to, size, tags, most), expected.size())
            << s.name << ' ' << text;
        ASSERT_EQ(to, end) << s.name << ' ' << text;
        for (std::size_t i = 0; i < expected.size(); ++i) {
          ASSERT_EQ(tags[i].at, expected[i].at) << s.name << ' ' << text;
          ASSERT_EQ(tags[i].open, expected[i].open) << s.name << ' ' << text;
          ASSERT_EQ(tags[i].close, expected[i].close) << s.name << ' ' << text;
        }
      }
      if (expected.empty()) break;
      read += expected.size();
      at = end;
    }
  }
  EXPECT_GT(read, 100000u);
}

// ---- runs of moves ----

// What a run has read.
struct WholeRun {
  std::vector<SanToken> tokens;
  std::vector<std::size_t> at;
  std::size_t end = 0;

  bool operator==(const WholeRun& other) const {
    const auto same = [](SanToken x, SanToken y) { return x.bits == y.bits; };
    return std::equal(tokens.begin(), tokens.end(), other.tokens.begin(), other.tokens.end(),
                      same) &&
           at == other.at && end == other.end;
  }
};

// Reads from `from` to `end`, inside of a comment or not. What is behind is padded.
WholeRun read_run(const TextScan& scan, const std::string& text, std::size_t from, std::size_t end,
                  std::size_t comment, std::uint32_t ply, bool any_number) {
  static WordCache cache;
  WholeRun whole;
  MoveRun run;
  run.text = text.data();
  run.at = from;
  run.end = end;
  run.comment = comment;
  run.ply = ply;
  run.any_number = any_number;
  bool more;
  do {
    more = scan.read_moves(run, cache);
    EXPECT_TRUE(!more || run.count > MoveRun::kMost / 2);
    whole.tokens.insert(whole.tokens.end(), run.tokens, run.tokens + run.count);
    whole.at.insert(whole.at.end(), run.places, run.places + run.count);
    run.count = 0;
  } while (more);
  EXPECT_EQ(run.ply, ply + whole.tokens.size());
  whole.end = run.at;
  return whole;
}

std::string padded(std::string text) {
  text.append(64, '\0');
  return text;
}

TEST(MoveRun, TokensAreThoseOfTheReaderOfOneMove) {
  Texts texts;
  constexpr const char* kWords[] = {"e4",    "Nf3",     "exd5",  "O-O", "Nbd7",   "R1xe4+",
                                    "Qxh7#", "a8=Q+",   "O-O-O", "Kd2", "bxa1=N", "Bb5+",
                                    "h3",    "Qh4xe1+", "N1f3",  "e5+"};
  std::size_t moves = 0, whole = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::size_t from = texts.below(70);
    std::string text(from, 'x');
    std::uint32_t ply = static_cast<std::uint32_t>(texts.below(240));
    const std::uint32_t first_ply = ply;
    const std::size_t words = 1 + texts.below(40);
    for (std::size_t i = 0; i < words; ++i, ++ply) {
      if (ply % 2 == 0 || i == 0) {
        text += std::to_string(1 + ply / 2);
        text += ply % 2 ? "..." : ".";
        if (texts.below(2)) text += ' ';
      }
      text += kWords[texts.below(std::size(kWords))];
      text += texts.below(30) ? ' ' : "\n)$!.;?"[texts.below(7)];
      if (texts.below(9) == 0) {
        text += "{a ";
        text += texts.random(texts.below(90), "xy.[%]1(", 99);
        text += '}';
      }
    }
    if (round % 2) {
      text[from + texts.below(text.size() - from)] = "ax=+#1.O- e9K{}"[texts.below(15)];
    }
    const std::string whole_text = padded(text);
    const auto read = [&](const TextScan& scan) {
      return read_run(scan, whole_text, from, text.size(), MoveRun::kNone, first_ply, false);
    };
    const WholeRun run = read(text_scan_generic());
    for (const NamedScan& s : scans_here()) EXPECT_EQ(read(s.scan), run) << s.name << ' ' << text;
    ASSERT_GE(run.end, from);
    ASSERT_LE(run.end, text.size()) << text;
    // Word by word: each is a number that fits, or a move that ends where a move may end.
    std::size_t found = 0, at = from;
    while (at < run.end) {
      const char c = whole_text[at];
      if (one_of(c, kSpaces) || one_of(c, ".!?")) {
        ++at;
        continue;
      }
      if (c == '{') {
        const std::size_t close = text.find('}', at);
        ASSERT_LT(close, run.end) << text;
        at = close + 1;
        continue;
      }
      if (c >= '0' && c <= '9') {
        std::size_t end = at;
        std::uint32_t number = 0;
        for (; whole_text[end] >= '0' && whole_text[end] <= '9'; ++end) {
          number = number * 10 + static_cast<std::uint32_t>(whole_text[end] - '0');
        }
        ASSERT_TRUE(one_of(whole_text[end], ".!?{}") || one_of(whole_text[end], kSpaces)) << text;
        EXPECT_EQ(number, 1 + (first_ply + found) / 2) << text;
        at = end;
        continue;
      }
      SanToken token;
      const char* end = lex_canonical_san(whole_text.data() + at, token);
      ASSERT_NE(end, nullptr) << text << " at " << at;
      ASSERT_LT(found, run.tokens.size()) << text;
      EXPECT_EQ(run.at[found], at) << text;
      EXPECT_EQ(run.tokens[found].bits, token.bits) << text;
      ++found;
      at = static_cast<std::size_t>(end - whole_text.data());
    }
    EXPECT_EQ(found, run.tokens.size()) << text;
    moves += found;
    whole += run.end == text.size() ? 1 : 0;
  }
  EXPECT_GT(moves, 100000u);
  EXPECT_GT(whole, 1000u);
}

// A number that does not fit, a word that is no move and a mark end the run before them, a comment
// that is not plain at its brace. At every place of the block border the same is read.
TEST(MoveRun, EndsWhereSomethingElseComes) {
  struct Case {
    const char* text;
    std::uint32_t ply;
    bool any_numbers, in_comment;
    unsigned moves, length;
  };
  constexpr Case kCases[] = {
      {"1. e4 e5 2. Nf3 Nc6 ", 0, false, false, 4, 20},
      {"1. e4 e5 3. Nf3 ", 0, false, false, 2, 9},
      {"1. e4 e5 3. Nf3 ", 0, true, false, 3, 16},
      {"1. e4 {x} e5 ", 0, false, false, 2, 13},
      {"1. e4{x}e5{y} 2. d4", 0, false, false, 2, 17},
      {"1. e4! e5?? 2. d4 ", 0, false, false, 3, 18},
      {"1. e4 {x e5 ", 0, false, false, 1, 6},
      {"x} 1. e4 ", 0, false, true, 1, 9},
      {"1. e4 {a {b} c} e5 ", 0, false, false, 1, 6},
      {"1. e4 } e5 ", 0, false, false, 1, 6},
      {"1. e4 (1. d4 ", 0, false, false, 1, 6},
      {"1. e4 Ng9 ", 0, false, false, 1, 6},
      {"1. e4.e5 ", 0, false, false, 0, 3},
      {"7... Kd2 8. h3 ", 13, false, false, 2, 15},
      {"1-0 ", 0, false, false, 0, 0},
      {"0-0 ", 0, true, false, 0, 0},
      {"1000. e4 ", 1998, false, false, 0, 0},
      {"12", 22, false, false, 0, 0},
      {"12. ", 22, false, false, 0, 4},
      {"13. ", 22, false, false, 0, 0},
      {"e4 12", 23, false, false, 1, 3},
      {"{ e4 } e4 ", 0, false, false, 1, 10},
      {"e4 Averylongwordthatisnomoveatallandgoesonandonoverablockborderandmore ", 0, true, false, 1,
       3},
  };
  for (const NamedScan& s : scans_here()) {
    for (const Case& c : kCases) {
      for (std::size_t from = 1; from < 70; ++from) {
        std::string text(from, ' ');
        text += c.text;
        const std::size_t comment = c.in_comment ? from - 1 : MoveRun::kNone;
        const WholeRun run =
            read_run(s.scan, padded(text), from, text.size(), comment, c.ply, c.any_numbers);
        EXPECT_EQ(run.tokens.size(), c.moves) << s.name << ' ' << c.text << " at " << from;
        EXPECT_EQ(run.end - from, c.length) << s.name << ' ' << c.text << " at " << from;
      }
    }
  }
}

// Comments of any length; those that do not close end the run.
TEST(MoveRun, PassesOverLongComments) {
  Texts texts;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t from = texts.below(130), length = texts.below(900);
    std::string text(from, ' ');
    text += "e4 {" + texts.random(length, "ab 1.()$;\n[", 5) + "} ";
    for (std::size_t i = from + 4; i < from + 4 + length; ++i) {
      if (one_of(text[i], "{}")) text[i] = '-';
    }
    const std::size_t size = text.size();
    text += "e5 Nf3";
    const std::size_t cut = texts.below(3) == 0 ? from + 4 + texts.below(length + 1) : text.size();
    for (const NamedScan& s : scans_here()) {
      const WholeRun run = read_run(s.scan, padded(text), from, cut, MoveRun::kNone, 0, false);
      EXPECT_EQ(run.tokens.size(), cut == text.size() ? 2u : 1u) << s.name << ' ' << text;
      EXPECT_EQ(run.end, cut == text.size() ? size + 3 : from + 3) << s.name << ' ' << text;
    }
  }
}

// Bytes of any value at every place: all instruction sets read the same, also where a run goes on
// behind what ended the one before.
TEST(MoveRun, InstructionSetsAgree) {
  Texts texts;
  for (int round = 0; round < 20000; ++round) {
    const std::string text =
        texts.random(1 + texts.below(400), round % 2 ? "e4 d5 Nf3 {}" : "e4 d5 a6 h3  ",
                     static_cast<unsigned>(5 + texts.below(60)));
    const std::size_t end = 1 + texts.below(text.size());
    const std::string whole = padded(text);
    for (std::size_t from = texts.below(end); from < end;) {
      const auto read = [&](const TextScan& scan) {
        return read_run(scan, whole, from, end, MoveRun::kNone, 1, true);
      };
      const WholeRun first = read(text_scan_generic());
      for (const NamedScan& s : scans_here()) EXPECT_EQ(read(s.scan), first) << s.name;
      from = std::max(from, first.end) + 1 + texts.below(8);
    }
  }
}

// More moves than a run has room for; masks kept from the run before.
TEST(MoveRun, GoesOnWhereItLeftOff) {
  std::string text;
  std::vector<std::size_t> at;
  for (int i = 0; i < 5000; ++i) {
    at.push_back(text.size());
    text += i % 7 ? "e4 " : "Nf3!{x} ";
  }
  const std::string whole = padded(text);
  for (const NamedScan& s : scans_here()) {
    const WholeRun run = read_run(s.scan, whole, 0, text.size(), MoveRun::kNone, 0, true);
    EXPECT_EQ(run.at, at) << s.name;
    EXPECT_EQ(run.end, text.size()) << s.name;
    // The same object for a run from each of many places, up to different ends.
    WordCache cache;
    MoveRun again;
    again.text = whole.data();
    again.any_number = true;
    for (std::size_t i = 0; i + 40 < at.size(); ++i) {
      again.at = at[i];
      again.end = at[i + 1 + i % 40];
      EXPECT_FALSE(s.scan.read_moves(again, cache));
      EXPECT_EQ(again.count, 1 + i % 40) << s.name << ' ' << i;
      EXPECT_EQ(again.at, again.end) << s.name << ' ' << i;
      again.count = 0;
    }
  }
}

TEST(WordCache, AnswersAsTheReaderWhateverCameBefore) {
  Texts texts;
  WordCache cache;
  std::size_t moves = 0;
  for (int round = 0; round < 200000; ++round) {
    std::string word = texts.random(1 + texts.below(9), "abcdefgh12345678NBRQKxO-+#=", 100000);
    for (char& c : word) {
      if (one_of(c, kSpaces) || one_of(c, "{}();$!?.")) c = 'x';
    }
    const auto length = static_cast<unsigned>(word.size());
    word += ' ';
    word.append(24, '\0');
    SanToken expected, token;
    const bool move = lex_canonical_san(word.data(), expected) == word.data() + length;
    EXPECT_EQ(cache.read(word.data(), length, token), move) << word;
    if (!move) continue;
    EXPECT_EQ(token.bits, expected.bits) << word;
    ++moves;
  }
  EXPECT_GT(moves, 2000u);
}

}  // namespace
}  // namespace cuarbiter
