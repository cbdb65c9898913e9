// Framer, slabs and tag pairs: where games are cut, and that this depends on the text alone.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "host/pgn/tag_pair.hpp"
#include "tests/support/pgn_run.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using namespace test;
using test_support::Random;

// Where a byte of the text is, by counting from the front.
Location place_of(std::string_view text, std::size_t offset) {
  Location where;
  where.offset = offset;
  where.line = 1;
  std::size_t start = 0;
  for (std::size_t i = 0; i < offset; ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) {
      ++where.line;
      start = i + 1;
    }
  }
  where.column = offset - start + 1;
  return where;
}

std::vector<std::size_t> frame_offsets(const PgnRun& run) {
  std::vector<std::size_t> out;
  for (const PgnFrame& frame : run.frames) out.push_back(frame.offset);
  return out;
}

void expect_same(const PgnRun& x, const PgnRun& y, std::string_view what) {
  ASSERT_EQ(x.frames.size(), y.frames.size()) << what;
  for (std::size_t i = 0; i < x.frames.size(); ++i) ASSERT_EQ(x.frames[i], y.frames[i]) << what;
  ASSERT_EQ(x.places(), y.places()) << what;
  for (std::size_t i = 0; i < x.findings.size(); ++i) {
    ASSERT_EQ(x.findings[i], y.findings[i]) << what;
  }
  ASSERT_EQ(x.games.size(), y.games.size()) << what;
  for (std::size_t i = 0; i < x.games.size(); ++i) {
    ASSERT_EQ(x.games[i].offset, y.games[i].offset) << what;
    ASSERT_EQ(x.games[i].line, y.games[i].line) << what;
    ASSERT_EQ(x.games[i].fen, y.games[i].fen) << what;
    ASSERT_EQ(x.games[i].plies(), y.games[i].plies()) << what;
    ASSERT_EQ(x.games[i].record.marker, y.games[i].record.marker) << what;
  }
}

// The run of a text, after checking that slab and read sizes do not matter and that every frame is
// where it is said to be.
PgnRun run_in_all_sizes(const std::string& text, PgnOptions options = {}) {
  const PgnRun whole = run_pgn(text, options);
  for (const std::size_t slab : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{64},
                                 std::size_t{1000}, std::size_t{1} << 20}) {
    for (const std::size_t read : {std::size_t{1}, std::size_t{2}, std::size_t{13}, SIZE_MAX}) {
      if (text.size() > 50000 && (read < 1000 || slab < 1000)) continue;
      options.slab_bytes = slab;
      options.most_per_read = read;
      expect_same(run_pgn(text, options), whole,
                  "slab " + std::to_string(slab) + " read " + std::to_string(read));
    }
  }
  for (const PgnFrame& frame : whole.frames) {
    const Location where = place_of(text, frame.offset);
    EXPECT_EQ(frame.line, where.line);
  }
  return whole;
}

const std::string kGame = "[Event \"A\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n";

TEST(Framer, NothingAtAll) {
  EXPECT_EQ(run_in_all_sizes("").games.size(), 0u);
  EXPECT_EQ(run_in_all_sizes("").findings.size(), 0u);
  for (const char* text : {"\n", "\r\n\r\n", "  \t\n", "% escape\n", "; comment\n"}) {
    EXPECT_EQ(run_in_all_sizes(text).games.size(), 0u) << text;
    EXPECT_EQ(run_in_all_sizes(text).findings.size(), 0u) << text;
  }
}

TEST(Framer, OneFrameAGame) {
  const PgnRun run = run_in_all_sizes(kGame + kGame + kGame);
  EXPECT_EQ(frame_offsets(run), (std::vector<std::size_t>{0, kGame.size(), 2 * kGame.size()}));
  EXPECT_EQ(run.frames[1].text, kGame);
  EXPECT_EQ(run.frames[2].line, 11u);
  EXPECT_EQ(run.games.size(), 3u);
}

TEST(Framer, SlabsGrowOnlyAsAsked) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += kGame;
  PgnOptions options;
  options.most_per_read = 10;
  options.slab_bytes = 10 * kGame.size();
  const PgnRun small = run_pgn(text, options);
  options.slab_bytes = 1 << 20;
  const PgnRun large = run_pgn(text, options);
  EXPECT_GE(small.slabs, 9u);
  EXPECT_EQ(large.slabs, 1u);
}

TEST(Framer, SlabsHoldSoManyFramesAndNoMore) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += i % 7 == 3 ? "[Event \"lost\"]\n\n1. e4 {\n\n" : kGame;
  const PgnRun whole = run_pgn(text);
  EXPECT_EQ(whole.slabs, 1u);
  for (const std::size_t frames : {1u, 2u, 3u, 39u, 40u, 41u}) {
    PgnOptions options;
    options.max_frames = frames;
    EXPECT_GE(run_pgn(text, options).slabs, (40 + frames - 1) / frames);
    expect_same(run_in_all_sizes(text, options), whole, std::to_string(frames));
  }
  // Frames cut for their length, down to less than their tags.
  PgnOptions options;
  options.max_frame_bytes = 20;
  const PgnRun cut = run_pgn(text, options);
  for (const std::size_t frames : {1u, 2u, 5u}) {
    options.max_frames = frames;
    expect_same(run_in_all_sizes(text, options), cut, std::to_string(frames));
  }
}

TEST(Framer, ABlankLineInMovetextIsNoNewGame) {
  const PgnRun run = run_in_all_sizes("[Event \"A\"]\n\n1. e4\n\ne5\n\n\n2. Nf3 *\n" + kGame);
  EXPECT_EQ(run.games.size(), 2u);
  EXPECT_EQ(run.games[0].plies(), 3u);
}

TEST(Framer, NoBlankLineBetweenGames) {
  const PgnRun run = run_in_all_sizes("[Event \"A\"]\n1. d4 d5 *\n[Event \"B\"]\n1. e4 c5 2. c3 *");
  ASSERT_EQ(run.games.size(), 2u);
  EXPECT_EQ(run.games[0].plies(), 2u);
  EXPECT_EQ(run.games[1].plies(), 3u);
  EXPECT_EQ(run.games[1].line, 3u);
}

TEST(Framer, ABlankLineBetweenTags) {
  const PgnRun run =
      run_in_all_sizes("[Event \"A\"]\n\n[White \"W\"]\n[Result \"*\"]\n\n1. e4 *\n");
  ASSERT_EQ(run.games.size(), 1u);
  EXPECT_EQ(run.frames.size(), 1u);
}

TEST(Framer, AGameOfTagsAloneDoesNotVanish) {
  const PgnRun run =
      run_in_all_sizes("[Event \"A\"]\n[PlyCount \"0\"]\n\n\n[Event \"B\"]\n\n1. e4 *\n");
  ASSERT_EQ(run.games.size(), 2u);
  EXPECT_EQ(run.games[0].plies(), 0u);
  EXPECT_EQ(run.games[1].line, 5u);
}

TEST(Framer, AnEventTagInACommentBeginsNothing) {
  for (const std::string inner :
       {"{ [Event \"X\"] }", "{\n[Event \"X\"]\n}", "{ a\n\n[Event \"X\"]\n\n1. d4 d5 *\n\n}"}) {
    const PgnRun run = run_in_all_sizes("[Event \"A\"]\n\n1. e4 " + inner + " e5 *\n\n" + kGame);
    ASSERT_EQ(run.games.size(), 2u) << inner;
    EXPECT_EQ(run.games[0].plies(), 2u) << inner;
    EXPECT_FALSE(run.has("pgn.unterminated-comment")) << inner;
  }
  // Rest-of-line comments and escape lines hide braces and tags alike.
  const PgnRun run =
      run_in_all_sizes("[Event \"A\"]\n\n1. e4 ; {\ne5\n%{ [Event \"X\"]\n2. Nf3 *\n" + kGame);
  ASSERT_EQ(run.games.size(), 2u);
  EXPECT_EQ(run.games[0].plies(), 3u);
}

TEST(Framer, AnUnterminatedCommentCostsOneGame) {
  const std::string broken = "[Event \"A\"]\n[Result \"*\"]\n\n1. e4 e5 { no end 2. Nf3 *\n\n";
  // Another comment follows, none does, many games follow.
  for (const std::string& after :
       {kGame, kGame + "[Event \"C\"]\n\n1. e4 { x } e5 *\n", kGame + kGame + kGame}) {
    const PgnRun run = run_in_all_sizes(broken + after);
    EXPECT_EQ(run.games.size(), 1 + run_pgn(after).games.size());
    const PgnFinding* finding = run.find("pgn.unterminated-comment");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->game, 1u);
    EXPECT_EQ(finding->line, 4u);
    EXPECT_EQ(finding->column, 10u);
    EXPECT_EQ(run.games[0].plies(), 2u);
    EXPECT_EQ(run.games[1].offset, broken.size());
  }
  // The last game's.
  const PgnRun last = run_in_all_sizes(kGame + "[Event \"B\"]\n\n1. e4 { no end");
  EXPECT_EQ(last.games.size(), 2u);
  EXPECT_EQ(last.count("pgn.unterminated-comment"), 1u);
}

TEST(Framer, AnUnterminatedCommentBeforeManyGamesWithComments) {
  std::string text = "[Event \"A\"]\n\n1. e4 { no end\n\n";
  const std::string commented = "[Event \"B\"]\n\n1. e4 {good} e5 {also [Event \"X\"] good} *\n\n";
  for (int i = 0; i < 50; ++i) text += commented;
  const PgnRun run = run_in_all_sizes(text);
  EXPECT_EQ(run.games.size(), 51u);
  EXPECT_EQ(run.count("pgn.unterminated-comment"), 1u);
}

TEST(Framer, LineEndsOfAllKinds) {
  const std::string text = kGame + "[Event \"B\"]\n\n1. e4 e5 2. Ke3 *\n\n" + kGame;
  const PgnRun plain = run_in_all_sizes(text);
  for (const std::string_view end : {"\r\n", "\r"}) {
    std::string other;
    for (const char c : text) {
      if (c == '\n') {
        other += end;
      } else {
        other += c;
      }
    }
    const PgnRun run = run_in_all_sizes(other);
    EXPECT_EQ(run.places(), plain.places());
    EXPECT_EQ(run.games.size(), 3u);
    for (std::size_t i = 0; i < run.frames.size(); ++i) {
      EXPECT_EQ(run.frames[i].line, plain.frames[i].line);
      EXPECT_EQ(run.frames[i].offset, other.find("[Event", run.frames[i].offset));
    }
  }
}

TEST(Framer, GamesWithoutTags) {
  const PgnRun run = run_in_all_sizes("1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. c4 *\n");
  ASSERT_EQ(run.games.size(), 3u);
  EXPECT_EQ(run.games[2].line, 5u);
  EXPECT_EQ(run.games[2].plies(), 1u);
}

TEST(Framer, AByteOrderMark) {
  const PgnRun run = run_in_all_sizes("\xEF\xBB\xBF" + kGame);
  ASSERT_EQ(run.games.size(), 1u);
  EXPECT_EQ(run.count("pgn.encoding"), 1u);
  EXPECT_EQ(run.games[0].offset, 3u);
  EXPECT_EQ(run.games[0].line, 1u);
  // Joined files have one before a game of their middle too: alone on a line or right before a tag.
  for (const std::string mark : {"\xEF\xBB\xBF\n", "\xEF\xBB\xBF"}) {
    const PgnRun joined = run_in_all_sizes(kGame + mark + kGame);
    EXPECT_EQ(joined.games.size(), 2u);
    EXPECT_EQ(joined.count("pgn.encoding"), 1u);
    EXPECT_FALSE(joined.has("pgn.unexpected-token"));
    EXPECT_FALSE(joined.has("pgn.tag-missing") != run.has("pgn.tag-missing"));
  }
}

TEST(Framer, Utf16IsNamedAndNotRead) {
  const std::string text = kGame + kGame;
  for (const bool big : {false, true}) {
    for (const bool mark : {false, true}) {
      std::string wide = !mark ? "" : big ? "\xFE\xFF" : "\xFF\xFE";
      for (const char c : text) {
        wide += big ? std::string{'\0', c} : std::string{c, '\0'};
      }
      const PgnRun run = run_in_all_sizes(wide);
      EXPECT_EQ(run.games.size(), 0u);
      ASSERT_EQ(run.codes(), std::vector<std::string>{"pgn.encoding"});
      EXPECT_TRUE(run.findings[0].error);
    }
  }
}

TEST(Framer, NulBytes) {
  const std::string nul(1, '\0');
  const std::string text = "[Event \"A" + nul + "\"]\n\n1. e4 " + nul + "e5 {x" + nul + nul + nul +
                           "} 2. Nf3 *\n\n" + kGame;
  const PgnRun run = run_in_all_sizes(text);
  EXPECT_EQ(run.games.size(), 2u);
  EXPECT_EQ(run.games[0].plies(), 3u);
  EXPECT_EQ(run.count("pgn.nul-byte"), 3u);
  for (const PgnFinding& f : run.findings) {
    if (f.code != "pgn.nul-byte") continue;
    EXPECT_EQ(text[f.offset], '\0');
  }
}

// Comments of many lengths around the limits; the line ends in them change.
TEST(Framer, LongCommentsLoseTheirMiddleButNoPlaces) {
  for (const std::string_view line :
       {"a line of text\n", "a line of text\r\n", "x\r", "\n", "no end", "\r\r\n\n\r"}) {
    for (const std::size_t length :
         {std::size_t{65530}, std::size_t{131060}, std::size_t{131073}, std::size_t{262144},
          std::size_t{300001}, std::size_t{1300000}}) {
      std::string text = kGame + "[Event \"B\"]\n[Result \"*\"]\n\n1. e4 {";
      while (text.size() < length) text += line;
      text += "} e5 2. Ke3 *\n\n";
      const std::size_t second = text.size();
      text += "[Event \"C\"]\n\n1. Ke2 *\n\n" + kGame;
      const PgnRun run = run_in_all_sizes(text);
      ASSERT_EQ(run.games.size(), 4u);
      EXPECT_EQ(run.games[2].offset, second);
      ASSERT_EQ(run.count("move.illegal"), 2u);
      for (const PgnFinding& f : run.findings) {
        if (f.code != "move.illegal") continue;
        const std::size_t at = text.find(f.move);
        const Location where = place_of(text, at);
        EXPECT_EQ(f.offset, at) << length;
        EXPECT_EQ(f.line, where.line) << length;
        EXPECT_EQ(f.column, where.column) << length << " " << line.size();
      }
      EXPECT_EQ(run.games[3].offset, text.size() - kGame.size());
      EXPECT_EQ(run.games[3].line, place_of(text, text.size() - kGame.size()).line);
    }
  }
}

// One long comment, handed out as it is asked for, never held.
class Endless : public ByteSource {
 public:
  std::size_t read(std::span<char> into) override {
    constexpr std::string_view kHead = "[Event \"A\"]\n\n1. e4 {";
    constexpr std::string_view kTail = "} e5 *\n";
    const std::size_t size = kHead.size() + kMiddle + kTail.size();
    std::size_t n = 0;
    for (; n < into.size() && at_ < size; ++n, ++at_) {
      into[n] = at_ < kHead.size()             ? kHead[at_]
                : at_ < kHead.size() + kMiddle ? (at_ % 80 ? 'c' : '\n')
                                               : kTail[at_ - kHead.size() - kMiddle];
    }
    return n;
  }
  const std::string& name() const override { return name_; }
  std::optional<std::uint64_t> size_bytes() const override { return std::nullopt; }
  std::uint64_t consumed_bytes() const override { return at_; }
  static constexpr std::size_t kMiddle = 20000000;

 private:
  std::string name_ = "<endless>";
  std::size_t at_ = 0;
};

TEST(Framer, ALongCommentTakesLittleMemory) {
  Endless source;
  Framer framer(source, 1);
  Slab slab;
  std::size_t most = 0, games = 0;
  while (framer.next(slab)) {
    most = std::max(most, slab.text.size());
    GameBatch batch;
    lex_slab(slab, {}, batch);
    games += batch.games.size();
  }
  EXPECT_EQ(games, 1u);
  EXPECT_LT(most, std::size_t{8} << 20);
}

TEST(Framer, NulBytesInWhatIsLeftOutAreReported) {
  std::string text = "[Event \"A\"]\n\n1. e4 {";
  text.append(100000, 'x');
  const std::size_t first = text.size();
  text += '\0';
  text.append(50000, '\n');
  const std::size_t other = text.size();
  text += '\0';
  text.append(100000, 'y');
  text += "} e5 *\n\n" + kGame;
  const PgnRun run = run_in_all_sizes(text);
  ASSERT_EQ(run.count("pgn.nul-byte"), 2u);
  std::vector<std::string> messages;
  for (const PgnFinding& f : run.findings) {
    if (f.code == "pgn.nul-byte") messages.push_back(f.message);
  }
  const auto told = [&](std::size_t at) {
    return "a NUL byte in text left out, at byte " + std::to_string(at) + ", line " +
           std::to_string(place_of(text, at).line);
  };
  EXPECT_EQ(messages, (std::vector<std::string>{told(first), told(other)}));
}

TEST(Framer, AFrameThatIsTooLongIsCutAndTheNextGameFound) {
  PgnOptions options;
  options.max_frame_bytes = 200;
  std::string longer = "[Event \"A\"]\n[Result \"*\"]\n\n";
  for (int i = 1; i <= 60; ++i) {
    longer += std::to_string(2 * i - 1) + ". Nf3 Nf6 " + std::to_string(2 * i) + ". Ng1 Ng8\n";
  }
  const std::string text = kGame + longer + "*\n\n" + kGame + kGame;
  const PgnRun run = run_in_all_sizes(text, options);
  ASSERT_EQ(run.games.size(), 4u);
  EXPECT_EQ(run.count("pgn.game-too-long"), 1u);
  EXPECT_EQ(run.find("pgn.game-too-long")->game, 2u);
  EXPECT_TRUE(run.frames[1].too_long);
  EXPECT_FALSE(run.frames[0].too_long);
  EXPECT_EQ(run.games[2].offset, kGame.size() + longer.size() + 3);
  EXPECT_EQ(run.games[2].line, place_of(text, run.games[2].offset).line);
  EXPECT_GT(run.games[1].plies(), 5u);
  // Nothing of this kind at the ordinary limit.
  EXPECT_FALSE(run_pgn(text).has("pgn.game-too-long"));
  EXPECT_EQ(run_pgn(text).games[1].plies(), 240u);
}

TEST(Framer, OneEndlessLine) {
  PgnOptions options;
  options.max_frame_bytes = 100000;
  std::string text = kGame + "[Event \"B\"]\n\n1. e4 e5 ";
  while (text.size() < 1000000) text += "xyzzy ";
  text += "\n\n" + kGame;
  const PgnRun run = run_in_all_sizes(text, options);
  EXPECT_EQ(run.games.size(), 3u);
  EXPECT_EQ(run.count("pgn.game-too-long"), 1u);
  EXPECT_EQ(run.games.back().line, place_of(text, text.size() - kGame.size()).line);
}

TEST(Framer, ASourceThatFails) {
  class Failing : public MemorySource {
   public:
    using MemorySource::MemorySource;
    std::size_t read(std::span<char> into) override {
      const std::size_t n = MemorySource::read(into);
      if (n == 0) throw std::runtime_error("broken");
      return n;
    }
  };
  for (const std::size_t slab_bytes : {std::size_t{1}, std::size_t{1} << 20}) {
    Failing source(kGame + kGame + "[Event \"C\"]\n\n1. d4", "<failing>", 5);
    Framer framer(source, 1, FramerOptions{slab_bytes});
    Slab slab;
    std::size_t games = 0;
    const auto drain = [&] {
      while (framer.next(slab)) {
        GameBatch batch;
        lex_slab(slab, {}, batch);
        games += batch.games.size();
      }
    };
    EXPECT_THROW(drain(), std::runtime_error);
    EXPECT_EQ(games, 3u);
  }
}

// Texts put together from pieces that mean something to a framer.
TEST(Framer, RandomTextsDoNotDependOnSizes) {
  const std::vector<std::string> pieces = {"[Event \"A\"]",
                                           "[Event \"B\"]\n",
                                           "\n[Event \"C\"]\n",
                                           "[White \"W\"]\n",
                                           "[Bad tag]\n",
                                           "[Open \"value\n",
                                           "[",
                                           "]",
                                           "\"",
                                           "{",
                                           "}",
                                           "{ x }",
                                           "(",
                                           ")",
                                           ";",
                                           "%",
                                           "\n%",
                                           "\n",
                                           "\n\n",
                                           "\r\n",
                                           "\r",
                                           " ",
                                           "\t",
                                           "1. ",
                                           "1.",
                                           "1... ",
                                           "2.",
                                           "e4 ",
                                           "e5 ",
                                           "Nf3 ",
                                           "Nf6 ",
                                           "O-O ",
                                           "Qxf7# ",
                                           "e4e5 ",
                                           "*",
                                           "1-0",
                                           "0-1\n",
                                           "1/2-1/2\n\n",
                                           " 1-0 \n",
                                           "\n\n1. d4 ",
                                           "$1",
                                           "!?",
                                           "--",
                                           "<x>",
                                           "\xC3\xBC",
                                           "\xFC",
                                           std::string(1, '\0'),
                                           "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n",
                                           "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n",
                                           "[Result \"1-0\"]\n",
                                           "\n\n[Event \"D\"]\n\n",
                                           "[Variant \"Atomic\"]\n",
                                           "text ",
                                           "0-0 ",
                                           "e.p.",
                                           ".",
                                           "1e4"};
  Random random(20260101);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    const unsigned count = 1 + random.below(round % 10 == 0 ? 200 : 30);
    for (unsigned i = 0; i < count; ++i) {
      text += pieces[random.below(static_cast<unsigned>(pieces.size()))];
    }
    PgnOptions options;
    if (round % 4 == 3) options.max_frame_bytes = 20 + random.below(60);
    const PgnRun whole = run_pgn(text, options);
    EXPECT_TRUE(whole.sorted);
    for (int i = 0; i < 4; ++i) {
      options.slab_bytes = 1 + random.below(i == 0 ? 4 : 100);
      options.most_per_read = 1 + random.below(i < 2 ? 3 : 50);
      expect_same(run_pgn(text, options), whole,
                  "text " + testing::PrintToString(text) + " slab " +
                      std::to_string(options.slab_bytes) + " read " +
                      std::to_string(options.most_per_read) + " frame " +
                      std::to_string(options.max_frame_bytes));
      if (HasFatalFailure()) return;
    }
    for (const PgnFrame& frame : whole.frames) {
      const Location where = place_of(text, frame.offset);
      ASSERT_EQ(frame.line, where.line) << testing::PrintToString(text);
      if (frame.offset == text.size() || frame.text.empty()) continue;
      ASSERT_EQ(text.compare(frame.offset, std::min<std::size_t>(frame.text.size(), 8), frame.text,
                             0, std::min<std::size_t>(frame.text.size(), 8)),
                0)
          << testing::PrintToString(text);
    }
    // Places of findings, counted the plain way.
    if (options.max_frame_bytes > 1000) {
      for (const PgnFinding& f : whole.findings) {
        const Location where = place_of(text, f.offset);
        ASSERT_EQ(f.line, where.line) << f.code << testing::PrintToString(text);
        ASSERT_EQ(f.column, where.column) << f.code << testing::PrintToString(text);
      }
    }
  }
}

TEST(Framer, RandomLongCommentsDoNotDependOnSizes) {
  Random random(7);
  const std::vector<std::string> lines = {"\r", "\n", "\r\n", "word ", "[Event \"X\"]", "x"};
  for (int round = 0; round < 40; ++round) {
    std::string text = kGame + "[Event \"L\"]\n\n1. e4 {";
    const std::size_t length = 120000 + random.below(300000);
    while (text.size() < length) text += lines[random.below(static_cast<unsigned>(lines.size()))];
    text += "} Ke7 *\n\n" + kGame;
    const PgnRun whole = run_pgn(text);
    for (int i = 0; i < 3; ++i) {
      PgnOptions options;
      options.slab_bytes = 1000 + random.below(200000);
      options.most_per_read = 100 + random.below(100000);
      expect_same(run_pgn(text, options), whole, "round " + std::to_string(round));
      if (HasFatalFailure()) return;
    }
    const std::size_t last = text.size() - kGame.size();
    if (whole.games.size() == 3) {
      EXPECT_EQ(whole.games[2].offset, last);
      EXPECT_EQ(whole.games[2].line, place_of(text, last).line) << round;
    }
  }
}

// What a line is must not depend on how much of it was read when it is looked at.
TEST(Framer, LongLinesOfTagsAndOfNothing) {
  const std::string far(400000, ' '), near(60000, ' ');
  for (const std::string& gap : {far, near}) {
    for (const std::string& text : {
             kGame + "[Event \"B\"]" + gap + "Site \"?\"]\n[White \"W\"]\n\n1. d4 *\n\n" + kGame,
             kGame + "[Event \"B\"]" + gap + "[Site \"?\"]\n[White \"W\"]\n\n1. d4 *\n\n" + kGame,
             kGame + "[Event \"B" + gap + "\"] { [White \"W\"]\n\n1. d4 *\n\n" + kGame,
             kGame + "[Event" + gap + "\"B\"]\n[White \"W\"]\n\n1. d4 *\n\n" + kGame,
             kGame + gap + "[Event \"B\"]\n[Event \"C\"]\n\n1. d4 *\n\n" + kGame,
             kGame + gap + "\n1. d4 *\n" + gap + "\n\n1. c4 *\n\n" + kGame,
             kGame + gap,
         }) {
      EXPECT_GE(run_in_all_sizes(text).games.size(), 1u);
      if (HasFatalFailure()) return;
    }
  }
}

// What is kept of a comment that never closes, or that a game's start ends, depends on the text
// alone.
TEST(Framer, LongCommentsThatLostTheirBrace) {
  for (const std::size_t length : {std::size_t{100000}, std::size_t{200000}, std::size_t{500000}}) {
    const std::string open = kGame + "[Event \"L\"]\n\n1. e4 {" + std::string(length, 'x');
    for (const std::string& text :
         {open, open + "\n\n" + kGame, open + "\n\n" + kGame + "{ " + std::string(length, 'y')}) {
      PgnOptions options;
      options.slab_bytes = options.most_per_read = text.size();
      const PgnRun whole = run_pgn(text, options);
      EXPECT_EQ(whole.count("pgn.unterminated-comment"), text.back() == 'y' ? 2u : 1u);
      for (const PgnFrame& frame : whole.frames) EXPECT_LT(frame.text.size(), 132000u);
      for (const std::size_t most : {std::size_t{5000}, std::size_t{70000}, std::size_t{300000}}) {
        options.slab_bytes = options.most_per_read = most;
        expect_same(run_pgn(text, options), whole, std::to_string(length));
      }
    }
  }
}

TEST(Slab, LineEndsAreCountedOnce) {
  EXPECT_EQ(count_line_ends(""), 0u);
  EXPECT_EQ(count_line_ends("\n"), 1u);
  EXPECT_EQ(count_line_ends("\r"), 1u);
  EXPECT_EQ(count_line_ends("\r\n"), 1u);
  EXPECT_EQ(count_line_ends("\n\r"), 2u);
  EXPECT_EQ(count_line_ends("\r\r\n\n"), 3u);
  EXPECT_EQ(count_line_ends("a\rb\nc\r\nd"), 3u);
}

TEST(Slab, LocatorGoesBothWays) {
  const std::string text = "ab\ncd\r\nef\rgh\n\n\r\n\r\rx";
  Slab slab;
  slab.size = text.size();
  slab.pad();
  std::copy(text.begin(), text.end(), slab.text.data());
  Locator locator(slab);
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const std::uint32_t at = random.below(static_cast<unsigned>(text.size()) + 1);
    const Location got = locator.locate(at);
    const Location expected = place_of(text, at);
    ASSERT_EQ(got.line, expected.line) << at;
    ASSERT_EQ(got.column, expected.column) << at;
    ASSERT_EQ(got.offset, expected.offset) << at;
  }
}

struct TagCase {
  std::string_view text, name, value;
  TagFault fault;
  std::string_view rest;
};

TEST(TagPairs, GoodAndBadOnes) {
  const TagCase cases[] = {
      {"[Event \"A b\"]", "Event", "A b", TagFault::none, ""},
      {"[ Event  \"A\" ] x", "Event", "A", TagFault::none, " x"},
      {"[A \"\"][B \"c\"]", "A", "", TagFault::none, "[B \"c\"]"},
      {"[Black \"[=0040.34h5a4]\"]", "Black", "[=0040.34h5a4]", TagFault::none, ""},
      {"[Event \"a \\\"b\\\" \\\\\"]", "Event", "a \\\"b\\\" \\\\", TagFault::none, ""},
      {"[Event Nobody]", "Event", "Nobody", TagFault::syntax, ""},
      {"[FEN 4k3/8 w - - 0 1]", "FEN", "4k3/8 w - - 0 1", TagFault::syntax, ""},
      {"[Event]", "Event", "", TagFault::syntax, ""},
      {"[Event \"A \"quoted\" b\"]", "Event", "A \"quoted\" b", TagFault::syntax, ""},
      {"[Event \"A\" x]", "Event", "A", TagFault::syntax, ""},
      {"[Event \"A", "Event", "A", TagFault::unterminated, ""},
      {"[Event \"A]", "Event", "A", TagFault::unterminated, ""},
      {"[Event \"A\"", "Event", "A", TagFault::unterminated, ""},
      {"[Event \"A\n\"]", "Event", "A", TagFault::unterminated, "\n\"]"},
      {"[Event A", "Event", "A", TagFault::unterminated, ""},
      {"[Event", "Event", "", TagFault::unterminated, ""},
  };
  for (const TagCase& c : cases) {
    const char* end = c.text.data() + c.text.size();
    ASSERT_TRUE(at_tag_pair(c.text.data(), end)) << c.text;
    const TagPair tag = read_tag_pair(c.text.data(), end);
    EXPECT_EQ(tag.name, c.name) << c.text;
    EXPECT_EQ(tag.value, c.value) << c.text;
    EXPECT_EQ(static_cast<int>(tag.fault), static_cast<int>(c.fault)) << c.text;
    EXPECT_EQ(std::string_view(tag.next, static_cast<std::size_t>(end - tag.next)), c.rest)
        << c.text;
  }
  for (const std::string_view text : {"", "[", "x", "[%clk 1]", "[\"A\"]", "[]", "[=1]"}) {
    EXPECT_FALSE(at_tag_pair(text.data(), text.data() + text.size())) << text;
  }
}

TEST(TagPairs, EscapesAreResolved) {
  EXPECT_EQ(unescape_tag_value("a \\\"b\\\" \\\\ c"), "a \"b\" \\ c");
  EXPECT_EQ(unescape_tag_value("it\\'s"), "it\\'s");
  EXPECT_EQ(unescape_tag_value("end\\"), "end\\");
  const std::string_view text = "[Event \"Let\\'s play\"]";
  EXPECT_TRUE(read_tag_pair(text.data(), text.data() + text.size()).bad_escape);
}

}  // namespace
}  // namespace cuarbiter
