// Places where a text can be cut without knowing what came before: they are places where frames
// begin, the same for every reader, and a text read from one to the next gives the frames of the
// whole.
#include "host/pgn/game_border.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/io/memory_source.hpp"
#include "host/pgn/framer.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using test_support::Random;

struct PlacedFrame {
  std::uint64_t offset, line;
  std::string text;
  friend bool operator==(const PlacedFrame&, const PlacedFrame&) = default;
};

// The frames of a text of which `before` bytes and lines came before; 0 for a file's beginning.
std::vector<PlacedFrame> frames_of(const std::string& text, std::uint64_t offset,
                                   std::uint64_t line) {
  MemorySource source(text);
  FramerOptions options;
  options.slab_bytes = 300;
  Framer framer(source, 1, options);
  if (offset != 0) framer.start_at(offset, line);
  std::vector<PlacedFrame> out;
  Slab slab;
  while (framer.next(slab)) {
    Locator locator(slab);
    for (std::size_t i = 0; i < slab.frames.size(); ++i) {
      const Location where = locator.locate(slab.frames[i].begin);
      if (slab.frame_end(i) == slab.frames[i].begin) continue;
      out.push_back({where.offset, where.line,
                     std::string(slab.view(slab.frames[i].begin, slab.frame_end(i)))});
    }
    EXPECT_EQ(framer.line(), Locator(slab).locate(static_cast<std::uint32_t>(slab.size)).line);
  }
  return out;
}

std::optional<std::uint64_t> border(const std::string& text, std::uint64_t from,
                                    std::size_t most_per_read = SIZE_MAX) {
  MemorySource source(text.substr(from), "text", most_per_read);
  const auto found = find_game_border(source);
  return found ? std::optional(from + *found) : std::nullopt;
}

const std::string kGame = "[Event \"A\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n";

TEST(GameBorder, IsBehindTheFirstGameThatShows) {
  const std::string three = kGame + kGame + kGame;
  // What stands before the first byte is not known, so the first Event tag may be in anything.
  EXPECT_EQ(border(three, 0), 2 * kGame.size());
  EXPECT_EQ(border(three, 1), 2 * kGame.size());
  EXPECT_EQ(border(three, kGame.size()), std::nullopt);
  EXPECT_EQ(border("", 0), std::nullopt);
  EXPECT_EQ(border(kGame, 0), std::nullopt);
  EXPECT_EQ(border("1. e4 *\n\n1. d4 *\n\n1. c4 *\n", 0), std::nullopt);
}

TEST(GameBorder, IsNotInAComment) {
  // A whole archive inside one comment, then games.
  const std::string text =
      kGame + "1. e4 {\n\n" + kGame + kGame + kGame + "} *\n\n" + kGame + kGame + kGame + kGame;
  const std::vector<PlacedFrame> frames = frames_of(text, 0, 1);
  for (std::uint64_t from = 0; from <= text.size(); ++from) {
    const auto found = border(text, from);
    if (!found) continue;
    EXPECT_TRUE(std::any_of(frames.begin(), frames.end(),
                            [&](const PlacedFrame& f) { return f.offset == *found; }))
        << from << ' ' << *found;
  }
  EXPECT_EQ(border(text, kGame.size() + 20), text.size() - 3 * kGame.size());
}

TEST(GameBorder, AFarBraceClosesNothing) {
  const std::string filler((std::size_t{1} << 20) + 100, ' ');
  const std::string game = "[Event \"A\"]\n\n1. e4 *\n\n";
  const std::string text = "\n\n" + game + filler + "\n" + game + "}\n\n" + game + game;
  EXPECT_EQ(border(text, 0), frames_of(text, 0, 1)[1].offset);
}

std::string random_text(Random& random, std::size_t pieces) {
  const std::vector<std::string> words = {
      "[Event \"x\"]\n",
      "[Event \"x\"]",
      "[Site \"y\"]\n",
      "\n",
      "\n\n",
      "\r\n\r\n",
      "\r\r",
      "1. e4 e5 ",
      "{ a comment ",
      "} ",
      "{ short } ",
      "; to the end\n",
      "% escape [Event \"z\"]\n",
      "1-0\n",
      "*\n\n1. d4 *\n",
      "\xEF\xBB\xBF[Event \"bom\"]\n",
      "\n\n[Event \"in\"]\n[Site \"s\"]\n\n1. c4 ",
      "[White \"{\"]\n",
      "(1. d4) ",
      kGame,
      kGame,
      std::string("\0", 1),
      "[Event \"",
  };
  std::string text;
  for (std::size_t i = 0; i < pieces; ++i) text += words[random.below(words.size())];
  return text;
}

// Cut anywhere: pieces from border to border hold the frames of the whole.
TEST(GameBorder, PiecesMakeTheWhole) {
  Random random(20260102);
  std::size_t cuts = 0, braces = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    const std::string text = random_text(random, 5 + random.below(120));
    const std::vector<PlacedFrame> whole = frames_of(text, 0, 1);
    braces += static_cast<std::size_t>(std::count(text.begin(), text.end(), '{'));
    std::vector<std::uint64_t> starts = {0};
    std::vector<std::uint64_t> places;
    for (unsigned i = 0; i < 6; ++i) places.push_back(random.below(text.size() + 1));
    std::sort(places.begin(), places.end());
    for (const std::uint64_t place : places) {
      const auto found = border(text, place, 1 + random.below(50));
      EXPECT_EQ(found, border(text, place));
      starts.push_back(found.value_or(text.size()));
    }
    ASSERT_TRUE(std::is_sorted(starts.begin(), starts.end()));
    starts.push_back(text.size());
    std::vector<PlacedFrame> joined;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
      if (starts[i] == starts[i + 1]) continue;
      ++cuts;
      // The line is that of the frame, which is what this test is about.
      std::uint64_t line = 1;
      for (const PlacedFrame& frame : whole) {
        if (frame.offset == starts[i]) line = frame.line;
      }
      const auto piece =
          frames_of(text.substr(starts[i], starts[i + 1] - starts[i]), starts[i], line);
      joined.insert(joined.end(), piece.begin(), piece.end());
    }
    ASSERT_EQ(joined.size(), whole.size()) << round << "\n" << text;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      ASSERT_TRUE(joined[i] == whole[i]) << round << ' ' << i << "\n" << text;
    }
  }
  EXPECT_GT(cuts, 5000u);
  EXPECT_GT(braces, 1000u);
}

}  // namespace
}  // namespace cuarbiter
