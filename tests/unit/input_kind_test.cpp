// Position lines and PGN told apart, and never too early.
#include "cli/input_kind.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cuarbiter {
namespace {

constexpr InputKind kPositions = InputKind::positions;
constexpr InputKind kGames = InputKind::games;

TEST(InputKind, Games) {
  for (const char* text :
       {"[Event \"x\"]", "\xef\xbb\xbf[Event \"x\"]", "\n \r\n[Event \"x\"]", "{comment", "%escape",
        "; comment", "1. e4", "1.e4", "1 e4", "12...", "e4 e5", "Nf3", "O-O", "1-0", "*", "1/2-1/2",
        "# remark\n1. e4", "\xef\xbb\xbf# remark\r\r\n  {"}) {
    EXPECT_EQ(kind_of_text(text, true), kGames) << text;
  }
}

TEST(InputKind, Positions) {
  for (const char* text :
       {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/8/8/8/8/8/K1k5 w - -",
        "\xef\xbb\xbf"
        "8/8/8/8/8/8/8/K1k5 w - -",
        "# remark\n8/8/8/8/8/8/8/K1k5 w - -", "this is not a position", "nonsense", "", "\n\n",
        "# only a remark", "\xff\xfe[", "/", "k"}) {
    EXPECT_EQ(kind_of_text(text, true), kPositions) << text;
  }
  EXPECT_EQ(kind_of_text(std::string(100, '1'), false), kPositions);
}

// More text never changes an answer, and the whole text always has one.
TEST(InputKind, AnswersOnceThereIsEnough) {
  for (const std::string text :
       {"\xef\xbb\xbf# remark\n\n1. e4 e5", "8/8/8/8/8/8/8/K1k5 w - -", "[Event \"x\"]",
        "1/2-1/2 8/8", "# a\r# b\r\nnonsense follows", "e4 e5"}) {
    const auto whole = kind_of_text(text, true);
    ASSERT_TRUE(whole.has_value());
    for (std::size_t size = 0; size <= text.size(); ++size) {
      const auto part = kind_of_text(std::string_view(text).substr(0, size), false);
      if (part) {
        EXPECT_EQ(part, whole) << text.substr(0, size);
      }
      EXPECT_TRUE(kind_of_text(std::string_view(text).substr(0, size), true).has_value());
    }
    EXPECT_EQ(kind_of_text(text, false), whole) << text;
  }
}

}  // namespace
}  // namespace cuarbiter
