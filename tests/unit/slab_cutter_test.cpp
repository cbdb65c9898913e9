// SlabCutter: text that comes in blocks, each looked at by itself before it is cut. Where it is cut
// depends on the text alone; a look only saves work.
#include "host/pgn/slab_cutter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using test_support::Random;

struct Piece {
  std::uint64_t offset = 0, line = 0;
  std::string text;
  bool too_long = false;
  friend bool operator==(const Piece&, const Piece&) = default;
};

// Puts text into slabs block by block and keeps what comes out.
class Cutting {
 public:
  explicit Cutting(const FramerOptions& options = {}) : cutter_(1, options) {}

  bool looks = true;           // as made; otherwise none is used
  std::size_t looks_used = 0;  // that knew something
  std::size_t tags_seen = 0, plain_slabs = 0;

  // `change` may alter a look before it is used.
  template <class Change>
  void add(std::string_view text, bool last, Change&& change) {
    drain();
    Slab slab;
    TextBlock block;
    block.bytes = text.size();
    block.last = last;
    const std::span<char> room = SlabCutter::room(slab, text.size());
    std::copy(text.begin(), text.end(), room.begin());
    cutter_.look(slab, block);
    if (!looks) block.look.frames.clear();
    if (!block.look.frames.empty()) ++looks_used;
    change(block.look);
    cutter_.cut(slab, block);
    keep(slab);
    if (last) drain();
  }
  void add(std::string_view text, bool last) {
    add(text, last, [](FrameLook&) {});
  }

  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  void drain() {
    while (cutter_.behind()) {
      Slab slab;
      cutter_.cut(slab, {});
      keep(slab);
    }
  }
  void keep(const Slab& slab) {
    Locator locator(slab);
    for (std::size_t i = 0; i < slab.frames.size(); ++i) {
      const Location where = locator.locate(slab.frames[i].begin);
      pieces_.push_back({where.offset, where.line,
                         std::string(slab.view(slab.frames[i].begin, slab.frame_end(i))),
                         slab.frames[i].too_long});
    }
    if (slab.frames.empty()) return;
    // What was seen on the way is there.
    for (const SlabTag& tag : slab.tags) {
      if (tag.at + Slab::kPadding > slab.size) continue;
      const UsualTag quotes = text_scan().usual_tag(slab.text.data() + tag.at);
      ASSERT_EQ(quotes.open, tag.open);
      ASSERT_EQ(quotes.close, tag.close);
      ++tags_seen;
    }
    const std::string_view all = slab.view(0, static_cast<std::uint32_t>(slab.size));
    const bool plain = std::all_of(all.begin(), all.end(), [](char c) { return c > 0; });
    ASSERT_TRUE(plain || !slab.plain_ascii);
    plain_slabs += plain && slab.plain_ascii ? 1 : 0;
    for (std::size_t i = slab.size; i < slab.size + Slab::kPadding; ++i) {
      ASSERT_EQ(slab.text[i], 0);
    }
  }

  SlabCutter cutter_;
  std::vector<Piece> pieces_;
};

std::vector<std::string_view> in_blocks(std::string_view text, Random& random, unsigned most) {
  std::vector<std::string_view> blocks;
  while (!text.empty()) {
    const std::size_t n = std::min<std::size_t>(1 + random.below(most), text.size());
    blocks.push_back(text.substr(0, n));
    text.remove_prefix(n);
  }
  if (blocks.empty()) blocks.push_back(text);
  return blocks;
}

struct Used {
  std::size_t looks = 0, tags = 0, plain = 0;
};

std::vector<Piece> cut(const std::vector<std::string_view>& blocks, const FramerOptions& options,
                       bool looks, Used* used = nullptr) {
  Cutting cutting(options);
  cutting.looks = looks;
  for (std::size_t i = 0; i < blocks.size(); ++i) cutting.add(blocks[i], i + 1 == blocks.size());
  if (used) {
    used->looks += cutting.looks_used;
    used->tags += cutting.tags_seen;
    used->plain += cutting.plain_slabs;
  }
  return cutting.pieces();
}

std::string random_archive(Random& random) {
  static const std::vector<std::string> parts = {
      "[Event \"A\"]\n[White \"W\"]\n\n1. e4 e5 2. Nf3 1-0\n\n",
      "[Event \"B\"]\n\n1. d4 {[%clk 0:01:00]} d5 { long\nlines\n} *\n\n",
      "[Event \"C\"]\r\n[Result \"*\"]\r\n\r\n1. c4 *\r\n\r\n",
      "\n[Event \"not the first\"]\n",
      "[Site \"x\"]\n[Event \"second\"]\n\n*\n",
      "1. e4 { open\n\n[Event \"inside\"]\n\n",
      "1. e4 { open\n\n[Event \"inside\"]\n\n } *\n\n",
      "{ a comment of some length, longer than what is kept of a short one ................ }\n",
      "; [Event \"x\"]\n",
      "% {\n",
      "}",
      "{",
      "\n\n",
      "1-0\n\n1. e4 e5 *\n\n",
      "{ \xC3\xBC }\n",
      "[Event \"D \\\" quoted\"] [Site \"same line\"]\n\n1. e4 *\n\n",
  };
  std::string text;
  const unsigned count = 1 + random.below(40);
  for (unsigned i = 0; i < count; ++i) {
    // Mostly whole games.
    const unsigned kinds = random.below(3) == 0 ? static_cast<unsigned>(parts.size()) : 3;
    text += parts[random.below(kinds)];
  }
  return text;
}

TEST(SlabCutter, LooksChangeNothing) {
  Random random(20261130);
  Used used;
  for (int round = 0; round < 4000; ++round) {
    const std::string text = (round % 50 == 0 ? "\xEF\xBB\xBF" : "") + random_archive(random);
    FramerOptions options;
    if (round % 3 == 1) options.max_frame_bytes = 30 + random.below(100);
    if (round % 4 == 1) options.max_frames = 1 + random.below(4);
    const std::vector<Piece> whole = cut({text}, options, false);
    for (const unsigned most : {20u, 300u, 2000u}) {
      const std::vector<std::string_view> blocks = in_blocks(text, random, most);
      ASSERT_EQ(cut(blocks, options, false), whole) << testing::PrintToString(text);
      ASSERT_EQ(cut(blocks, options, true, &used), whole) << testing::PrintToString(text);
    }
  }
  EXPECT_GT(used.looks, 10000u);
  EXPECT_GT(used.tags, 10000u);
  EXPECT_GT(used.plain, 10000u);
}

TEST(SlabCutter, LooksChangeNothingInLongComments) {
  Random random(5);
  FramerOptions options;
  for (int round = 0; round < 60; ++round) {
    std::string text = random_archive(random) + "\n\n[Event \"L\"]\n\n1. e4 {";
    const std::size_t length = text.size() + 100000 + random.below(200000);
    while (text.size() < length) {
      text += random.below(40) == 0 ? "\n\n[Event \"X\"]\n" : "some words\n";
    }
    text += (random.below(2) != 0 ? "} *\n\n" : "\n\n") + random_archive(random);
    const std::vector<Piece> whole = cut({text}, options, false);
    const std::vector<std::string_view> blocks = in_blocks(text, random, 150000);
    ASSERT_EQ(cut(blocks, options, false), whole) << round;
    ASSERT_EQ(cut(blocks, options, true), whole) << round;
  }
}

const std::string kGame = "[Event \"A\"]\n\n1. e4 e5 *\n\n";

// A look that tells a frame too many shows whether it was taken.
bool takes_look(const std::string& before, const std::string& block) {
  Cutting cutting;
  bool known = false;
  if (!before.empty()) cutting.add(before, false);
  cutting.add(block, true, [&](FrameLook& look) {
    if (look.frames.empty()) return;
    known = true;
    look.frames.push_back(Frame{look.frames.back().begin + 1, false});
  });
  EXPECT_TRUE(known);
  const std::string text = before + block;
  const std::vector<Piece> plain = cut({text}, {}, false);
  if (cutting.pieces().size() == plain.size()) {
    EXPECT_EQ(cutting.pieces(), plain);
    return false;
  }
  EXPECT_EQ(cutting.pieces().size(), plain.size() + 1);
  return true;
}

TEST(SlabCutter, TakesALookWhereAFrameBegins) {
  EXPECT_TRUE(takes_look("", kGame + kGame + kGame));
  EXPECT_TRUE(takes_look(kGame, kGame + kGame));
  EXPECT_TRUE(takes_look(kGame + "[Event \"B\"]\n\n1. d4 { a comment", " }\n\n" + kGame + kGame));
  EXPECT_TRUE(takes_look("", "\xEF\xBB\xBF" + kGame + kGame + kGame));
  EXPECT_TRUE(takes_look("\xEF\xBB\xBF" + kGame, kGame + kGame));
  // A comment that has lost its brace ends where the game begins.
  EXPECT_TRUE(
      takes_look(kGame + "[Event \"B\"]\n\n1. d4 { lost", "\n\n" + kGame + "{ x }\n\n" + kGame));
}

TEST(SlabCutter, LeavesALookWhereNoneBegins) {
  // Inside a comment.
  EXPECT_FALSE(takes_look(kGame + "[Event \"B\"]\n\n1. d4 { a comment",
                          "\n\n[Event \"no game\"]\n\n } d5 *\n\n"));
  // Behind a first tag that is none of Event's: the frame begins before.
  EXPECT_FALSE(takes_look(kGame, "[Site \"S\"]\n\n[Event \"B\"]\n\n1. d4 *\n\n"));
}

TEST(SlabCutter, GivesManyFramesInSeveralSlabs) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += kGame;
  FramerOptions options;
  options.max_frames = 7;
  Random random(1);
  const std::vector<Piece> whole = cut({text}, {}, false);
  ASSERT_EQ(whole.size(), 1000u);
  EXPECT_EQ(cut({text}, options, true), whole);
  EXPECT_EQ(cut(in_blocks(text, random, 3000), options, true), whole);
}

TEST(SlabCutter, HoldsWhatHasNoWholeFrame) {
  SlabCutter cutter(1);
  Slab slab;
  const std::string begin = "[Event \"A\"]\n\n1. e4 ";
  for (const std::string& text : {begin, std::string("e5 2. Nf3"), std::string(" *\n")}) {
    TextBlock block;
    block.bytes = text.size();
    const std::span<char> room = SlabCutter::room(slab, text.size());
    std::copy(text.begin(), text.end(), room.begin());
    cutter.look(slab, block);
    cutter.cut(slab, block);
    EXPECT_TRUE(slab.frames.empty());
    EXPECT_EQ(slab.size, 0u);
    EXPECT_EQ(cutter.offset(), 0u);
  }
  TextBlock end;
  end.last = true;
  cutter.cut(slab, end);
  ASSERT_EQ(slab.frames.size(), 1u);
  EXPECT_EQ(slab.view(0, static_cast<std::uint32_t>(slab.size)), begin + "e5 2. Nf3 *\n");
  EXPECT_TRUE(slab.starts_file);
  EXPECT_TRUE(cutter.done());
}

}  // namespace
}  // namespace cuarbiter
