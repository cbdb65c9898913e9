// The passes over text of every instruction set against the same by single bytes; runs of moves and
// usual tag pairs at sight against the readers of every form.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "host/batch/instruction_set.hpp"
#include "host/pgn/block_index.hpp"
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

TEST(TextScan, MasksOfEveryByteValue) {
  std::string text;
  for (int c = 0; c < 256; ++c) text.push_back(static_cast<char>(c));
  for (const NamedScan& s : scans_here()) {
    BlockMasks masks[4];
    s.scan.mask_blocks(text.data(), 4, masks);
    for (std::size_t c = 0; c < 256; ++c) {
      const auto bit = [&](std::uint64_t mask) { return ((mask >> (c % 64)) & 1) != 0; };
      const BlockMasks& m = masks[c / 64];
      const char byte = text[c];
      EXPECT_EQ(bit(m.space), one_of(byte, kSpaces) || one_of(byte, "!?")) << s.name << ' ' << c;
      EXPECT_EQ(bit(m.dot), byte == '.') << s.name << ' ' << c;
      EXPECT_EQ(bit(m.stop), one_of(byte, "();$")) << s.name << ' ' << c;
      EXPECT_EQ(bit(m.digit), byte >= '0' && byte <= '9') << s.name << ' ' << c;
      EXPECT_EQ(bit(m.open), byte == '{') << s.name << ' ' << c;
      EXPECT_EQ(bit(m.close), byte == '}') << s.name << ' ' << c;
    }
  }
}

TEST(TextScan, BytesAndLineEnds) {
  Texts texts;
  for (int round = 0; round < 400; ++round) {
    const std::string text =
        texts.random(texts.below(300), "ab\n\r\r\n ", static_cast<unsigned>(1 + texts.below(1000)));
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
      if (line_end) {
        p.state.line_begin = i + 1;
        p.state.passed_line_end = true;
      }
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
      EXPECT_EQ(state.passed_line_end, first.passed_line_end) << s.name;
    }
    ASSERT_LE(first.at, text.size());
    const Passed expected = pass(text, start, first.at);
    EXPECT_TRUE(expected.plain) << text;
    EXPECT_EQ(first.in_comment, expected.state.in_comment);
    EXPECT_EQ(first.line_begin, expected.state.line_begin);
    EXPECT_EQ(first.passed_line_end, expected.state.passed_line_end);
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

// ---- usual tag pairs ----

TEST(UsualTagPair, ReadsWhatTheFullReaderReads) {
  Texts texts;
  std::size_t usual = 0;
  const auto compare = [&](std::string text) {
    const std::size_t size = text.size();
    text.append(64, '\0');
    if (!at_tag_pair(text.data(), text.data() + size)) return;
    TagPair quick;
    if (!read_usual_tag_pair(text.data(), quick)) return;
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

// ---- runs of moves ----

// The text as blocks with their masks, 0 behind it.
struct Blocks {
  explicit Blocks(std::string movetext) : size(movetext.size()), text(std::move(movetext)) {
    text.resize((size / kMaskBytes + 3) * kMaskBytes, '\0');
    masks.resize(text.size() / kMaskBytes - 1);
    text_scan_generic().mask_blocks(text.data(), masks.size(), masks.data());
  }
  unsigned in_block(std::size_t block) const {
    const std::size_t begin = block * kMaskBytes;
    return begin >= size ? 0 : static_cast<unsigned>(std::min<std::size_t>(size - begin, 64));
  }

  std::size_t size;
  std::string text;
  std::vector<BlockMasks> masks;
};

// What a run over all blocks has read.
struct WholeRun {
  std::vector<SanToken> tokens;
  std::vector<std::size_t> at;
  std::size_t end = 0;
  bool goes_on = false, in_comment = false;
};

WholeRun read_run(const Blocks& blocks, std::size_t from, bool in_comment, MoveNumbers numbers) {
  static WordCache cache;
  WholeRun whole;
  MoveBlock block;
  block.in_comment = in_comment;
  block.first = from % kMaskBytes;
  for (std::size_t number = from / kMaskBytes;; ++number) {
    block.text = blocks.text.data() + number * kMaskBytes;
    block.size = blocks.in_block(number);
    block.next_size = blocks.in_block(number + 1);
    MoveRun run;
    read_move_block(block, &blocks.masks[number], numbers, cache, run);
    for (unsigned i = 0; i < run.count; ++i) {
      whole.tokens.push_back(run.tokens[i]);
      whole.at.push_back(number * kMaskBytes + run.at[i]);
    }
    numbers.ply += run.count;
    whole.end = number * kMaskBytes + run.end;
    whole.goes_on = run.goes_on;
    whole.in_comment = run.in_comment;
    if (!run.goes_on || blocks.in_block(number + 1) == 0) return whole;
    block.first = 0;
    block.in_word = run.in_word;
    block.in_comment = run.in_comment;
  }
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
    const Blocks blocks(text);
    const WholeRun run = read_run(blocks, from, false, MoveNumbers{first_ply, 1, false});
    ASSERT_GE(run.end, from);
    ASSERT_LE(run.end, text.size()) << text;
    // Word by word: each is a number that fits, or a move that ends where a move may end.
    std::size_t found = 0, at = from;
    while (at < run.end) {
      const char c = blocks.text[at];
      if (one_of(c, kSpaces) || one_of(c, ".!?")) {
        ++at;
        continue;
      }
      if (c == '{') {
        const std::size_t close = text.find('}', at);
        ASSERT_TRUE(close < run.end || run.in_comment) << text;
        at = std::min(close, run.end - 1) + 1;
        continue;
      }
      if (c >= '0' && c <= '9') {
        std::size_t end = at;
        std::uint32_t number = 0;
        for (; blocks.text[end] >= '0' && blocks.text[end] <= '9'; ++end) {
          number = number * 10 + static_cast<std::uint32_t>(blocks.text[end] - '0');
        }
        ASSERT_TRUE(one_of(blocks.text[end], ".!?{}") || one_of(blocks.text[end], kSpaces)) << text;
        EXPECT_EQ(number, 1 + (first_ply + found) / 2) << text;
        at = end;
        continue;
      }
      SanToken token;
      const char* end = lex_canonical_san(blocks.text.data() + at, token);
      ASSERT_NE(end, nullptr) << text << " at " << at;
      ASSERT_LT(found, run.tokens.size()) << text;
      EXPECT_EQ(run.at[found], at) << text;
      EXPECT_EQ(run.tokens[found].bits, token.bits) << text;
      ++found;
      at = static_cast<std::size_t>(end - blocks.text.data());
    }
    EXPECT_EQ(found, run.tokens.size()) << text;
    moves += found;
    whole += run.end == text.size() ? 1 : 0;
  }
  EXPECT_GT(moves, 100000u);
  EXPECT_GT(whole, 1000u);
}

// A number that does not fit, a word that is no move and a mark end the run before them. At every
// place of the block border the same is read.
TEST(MoveRun, EndsWhereSomethingElseComes) {
  struct Case {
    const char* text;
    std::uint32_t ply;
    bool any_numbers, in_comment;
    unsigned moves, length;
    bool goes_on, ends_in_comment;
  };
  constexpr Case kCases[] = {
      {"1. e4 e5 2. Nf3 Nc6 ", 0, false, false, 4, 20, true, false},
      {"1. e4 e5 3. Nf3 ", 0, false, false, 2, 9, false, false},
      {"1. e4 e5 3. Nf3 ", 0, true, false, 3, 16, true, false},
      {"1. e4 {x} e5 ", 0, false, false, 2, 13, true, false},
      {"1. e4{x}e5{y} 2. d4", 0, false, false, 2, 17, false, false},
      {"1. e4! e5?? 2. d4 ", 0, false, false, 3, 18, true, false},
      {"1. e4 {x e5 ", 0, false, false, 1, 12, true, true},
      {"x} 1. e4 ", 0, false, true, 1, 9, true, false},
      {"x e4 d4 ", 0, false, true, 0, 8, true, true},
      {"1. e4 {a {b} c} e5 ", 0, false, false, 1, 6, false, false},
      {"1. e4 } e5 ", 0, false, false, 1, 6, false, false},
      {"1. e4 (1. d4 ", 0, false, false, 1, 6, false, false},
      {"1. e4 Ng9 ", 0, false, false, 1, 6, false, false},
      {"1. e4.e5 ", 0, false, false, 0, 3, false, false},
      {"7... Kd2 8. h3 ", 13, false, false, 2, 15, true, false},
      {"1-0 ", 0, false, false, 0, 0, false, false},
      {"0-0 ", 0, true, false, 0, 0, false, false},
      {"1000. e4 ", 1998, false, false, 0, 0, false, false},
      {"12", 22, false, false, 0, 0, false, false},
      {"12. ", 22, false, false, 0, 4, true, false},
      {"13. ", 22, false, false, 0, 0, false, false},
      {"e4 12", 23, false, false, 1, 3, false, false},
      {"{ e4 } e4 ", 0, false, false, 1, 10, true, false},
      {"e4 Averylongwordthatisnomoveatallandgoesonandonoverablockborderandmore ", 0, true, false, 1,
       3, false, false},
  };
  for (const Case& c : kCases) {
    for (std::size_t from = 0; from < 70; ++from) {
      std::string text(from, ' ');
      text += c.text;
      const Blocks blocks(text);
      const WholeRun run =
          read_run(blocks, from, c.in_comment, MoveNumbers{c.ply, 1, c.any_numbers});
      EXPECT_EQ(run.tokens.size(), c.moves) << c.text << " at " << from;
      // In a comment that turns out not to be plain, the run ends somewhere inside of it: what was
      // open is the caller's to find.
      if (!(run.in_comment && !c.ends_in_comment)) {
        EXPECT_EQ(run.end - from, c.length) << c.text << " at " << from;
        EXPECT_EQ(run.goes_on, c.goes_on) << c.text << " at " << from;
        EXPECT_EQ(run.in_comment, c.ends_in_comment) << c.text << " at " << from;
      }
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

// The masks of every block and of the one behind it, forwards and back.
TEST(BlockIndex, AnswersForEveryBlock) {
  Texts texts;
  Slab slab;
  slab.size = 20000;
  const std::string text = texts.random(slab.size, "abcdef12. \n{}(!", 400);
  slab.text.assign(text.begin(), text.end());
  slab.text.resize(slab.size + Slab::kPadding, 0);
  const std::size_t blocks = slab.text.size() / kMaskBytes;
  std::vector<BlockMasks> expected(blocks + 1);
  text_scan_generic().mask_blocks(slab.text.data(), blocks, expected.data());
  const auto same = [](const BlockMasks& x, const BlockMasks& y) {
    return x.space == y.space && x.dot == y.dot && x.stop == y.stop && x.digit == y.digit &&
           x.open == y.open && x.close == y.close;
  };
  BlockIndex index(slab);
  std::size_t number = 0;
  for (int round = 0; round < 3000; ++round) {
    const BlockMasks* masks = index.block(number);
    EXPECT_TRUE(same(masks[0], expected[number])) << number;
    EXPECT_TRUE(same(masks[1], expected[number + 1])) << number;
    number = round % 50 == 49 ? texts.below(blocks) : (number + texts.below(3)) % blocks;
  }
}

}  // namespace
}  // namespace cuarbiter
