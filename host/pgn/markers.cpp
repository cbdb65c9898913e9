#include "host/pgn/markers.hpp"

#include "host/pgn/char_class.hpp"

namespace cuarbiter {
namespace {

struct Spelling {
  std::string_view text;
  GameResult result;
  bool standard;
};

// Longer spellings before their beginnings.
constexpr Spelling kSpellings[] = {
    {"1-0", GameResult::white_wins, true},
    {"0-1", GameResult::black_wins, true},
    {"1/2-1/2", GameResult::draw, true},
    {"*", GameResult::unknown, true},
    {"1:0", GameResult::white_wins, false},
    {"0:1", GameResult::black_wins, false},
    {"1/2:1/2", GameResult::draw, false},
    {"1/2", GameResult::draw, false},
    {"0.5-0.5", GameResult::draw, false},
    {"1\xE2\x80\x93"
     "0",
     GameResult::white_wins, false},  // en dash
    {"0\xE2\x80\x93"
     "1",
     GameResult::black_wins, false},
    {"1/2\xE2\x80\x93"
     "1/2",
     GameResult::draw, false},
    {"\xC2\xBD-\xC2\xBD", GameResult::draw, false},  // vulgar fraction one half
    {"\xC2\xBD:\xC2\xBD", GameResult::draw, false},
    {"\xC2\xBD\xE2\x80\x93\xC2\xBD", GameResult::draw, false},
    {"\xC2\xBD", GameResult::draw, false},
    {"\xBD-\xBD", GameResult::draw, false},  // the same in Latin-1
};

}  // namespace

const char* game_result_text(GameResult result) {
  switch (result) {
    case GameResult::white_wins:
      return "1-0";
    case GameResult::black_wins:
      return "0-1";
    case GameResult::draw:
      return "1/2-1/2";
    case GameResult::unknown:
      return "*";
    default:
      return "";
  }
}

Marker read_marker(std::string_view text) {
  for (const Spelling& s : kSpellings) {
    if (text.substr(0, s.text.size()) != s.text) continue;
    if (text.size() > s.text.size() && s.text != "*" &&
        !is_char(text[s.text.size()], kCharEndsMove))
      continue;
    return Marker{s.result, s.text.size(), s.standard};
  }
  return Marker{};
}

Marker read_result_value(std::string_view value) {
  const Marker m = read_marker(value);
  if (m.result != GameResult::none && m.length == value.size()) return m;
  return Marker{GameResult::other, value.size(), false};
}

}  // namespace cuarbiter
