// What has one right answer, and what has none.
#include <gtest/gtest.h>

#include <string>

#include "host/pgn/repair.hpp"
#include "host/rules/game_state.hpp"

namespace cuarbiter {
namespace {

using enum GameResult;

GameRecord record(GameResult marker, GameResult tag) {
  GameRecord game;
  game.marker = marker;
  game.result_tag = tag;
  return game;
}

void expect(const StatedResult& result, GameResult marker, GameResult tag) {
  EXPECT_EQ(result.marker, marker);
  EXPECT_EQ(result.tag, tag);
}

TEST(Repair, ResultAsStatedFillsGapsOnly) {
  expect(result_as_stated(record(white_wins, black_wins)), white_wins, other);
  expect(result_as_stated(record(GameResult::none, black_wins)), black_wins, other);
  expect(result_as_stated(record(draw, GameResult::none)), draw, draw);
  expect(result_as_stated(record(GameResult::none, GameResult::none)), unknown, unknown);
  expect(result_as_stated(record(GameResult::none, other)), unknown, other);
  expect(result_as_stated(record(other, other)), unknown, other);
}

TEST(Repair, TheMarkerDecidesUnlessItSaysNothing) {
  expect(right_result(record(white_wins, black_wins), nullptr), white_wins, white_wins);
  expect(right_result(record(white_wins, unknown), nullptr), white_wins, white_wins);
  expect(right_result(record(white_wins, other), nullptr), white_wins, white_wins);
  expect(right_result(record(unknown, draw), nullptr), draw, draw);
  expect(right_result(record(GameResult::none, draw), nullptr), draw, draw);
  expect(right_result(record(other, draw), nullptr), draw, draw);
  expect(right_result(record(unknown, other), nullptr), unknown, other);
  expect(right_result(record(GameResult::none, GameResult::none), nullptr), unknown, unknown);
}

TEST(Repair, MatesAndStalematesDecideBeforeAll) {
  GameVerdict v;
  v.state = static_cast<std::uint8_t>(GameState::checkmate);
  v.plies = 4;  // White is mated
  expect(right_result(record(white_wins, white_wins), &v), black_wins, black_wins);
  v.plies = 7;
  expect(right_result(record(unknown, draw), &v), white_wins, white_wins);
  GameRecord from_black = record(draw, draw);
  from_black.black_first = true;
  expect(right_result(from_black, &v), black_wins, black_wins);
  v.broken = 1;  // a faulty move stands behind the mate: the game is not over there
  expect(right_result(record(draw, draw), &v), draw, draw);
  v.broken = 0;
  v.state = static_cast<std::uint8_t>(GameState::stalemate);
  expect(right_result(record(white_wins, black_wins), &v), draw, draw);
  for (const GameState state : {GameState::ongoing, GameState::dead_position}) {
    v.state = static_cast<std::uint8_t>(state);
    expect(right_result(record(white_wins, black_wins), &v), white_wins, white_wins);
  }
}

std::string date(std::string text) {
  const std::string before = text;
  const bool changed = repair_date(text);
  EXPECT_EQ(changed, text != before);
  return text;
}

TEST(Repair, Dates) {
  EXPECT_EQ(date("2020.05.03"), "2020.05.03");
  EXPECT_EQ(date("2020-05-03"), "2020.05.03");
  EXPECT_EQ(date("2020/5/3"), "2020.05.03");
  EXPECT_EQ(date(" 2020.5.3 "), "2020.05.03");
  EXPECT_EQ(date("2020"), "2020.??.??");
  EXPECT_EQ(date("2020.12"), "2020.12.??");
  EXPECT_EQ(date("?.??.??"), "????.??.??");
  EXPECT_EQ(date("1999.?.?"), "1999.??.??");
  EXPECT_EQ(date(""), "????.??.??");
  EXPECT_EQ(date("2011.19.11"), "2011.11.19");
  EXPECT_EQ(date("2011/31/1"), "2011.01.31");
  // No order that is certain, or no date at all.
  for (const char* text : {"03.05.2020", "2020.13.13", "2020.32.01", "2020.13.??", "2020.13",
                           "2020.05.32", "2020.05-03", "2020.0.1", "20", "2020.05.03.01", "202005",
                           "May 2020", "2020.05.", "2020. 5. 3"}) {
    EXPECT_EQ(date(text), text);
  }
}

std::string encoded(std::string text) {
  const std::string before = text;
  const bool changed = repair_encoding(text);
  EXPECT_EQ(changed, text != before);
  return text;
}

TEST(Repair, Encoding) {
  EXPECT_EQ(encoded("plain"), "plain");
  EXPECT_EQ(encoded("H\xFC"
                    "bner \xBD"),
            "H\xC3\xBC"
            "bner \xC2\xBD");
  EXPECT_EQ(encoded("H\xC3\xBC"
                    "bner"),
            "H\xC3\xBC"
            "bner");
  // A byte without a letter in ISO 8859-1; both encodings in one text; a sequence of UTF-8.
  for (const char* text : {"\x93quoted\x94", "H\xFC \xC3\xBC", "\xE9\xC3\xA9", "\xE2\x82"}) {
    EXPECT_EQ(encoded(text), text);
  }
}

}  // namespace
}  // namespace cuarbiter
