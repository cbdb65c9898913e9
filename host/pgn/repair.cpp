#include "host/pgn/repair.hpp"

#include <cstddef>
#include <utility>

#include "host/report/utf8.hpp"
#include "host/rules/game_state.hpp"

namespace cuarbiter {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_known(GameResult result) {
  return result != GameResult::none && result != GameResult::other;
}

bool is_definite(GameResult result) {
  return is_known(result) && result != GameResult::unknown;
}

// The result that the final position alone decides; none when it does not.
GameResult result_on_board(const GameRecord& game, const GameVerdict& v) {
  const bool black_to_move = ((v.plies & 1) != 0) != game.black_first;
  switch (static_cast<GameState>(v.state)) {
    case GameState::checkmate:
      return black_to_move ? GameResult::white_wins : GameResult::black_wins;
    case GameState::stalemate:
      return GameResult::draw;
    default:
      return GameResult::none;
  }
}

// A number of at most so many digits (of all four for a year), or as many question marks, at the
// front of `rest`: appended with zeros in front, or as all question marks. False when there is
// neither, or the number is out of range.
bool take_part(std::string_view& rest, std::size_t digits, int least, int most, std::string& out) {
  std::size_t n = 0;
  int value = 0;
  while (n < rest.size() && n < digits && is_digit(rest[n])) value = value * 10 + (rest[n++] - '0');
  if (n != 0) {
    if (value < least || value > most || (digits == 4 && n != 4)) return false;
    out.append(digits - n, '0').append(rest.substr(0, n));
  } else {
    while (n < rest.size() && n < digits && rest[n] == '?') ++n;
    if (n == 0) return false;
    out.append(digits, '?');
  }
  rest.remove_prefix(n);
  return true;
}

// Two digits of a date of the form YYYY.MM.DD, or -1 for question marks.
int part_of(const std::string& date, std::size_t at) {
  return is_digit(date[at]) ? (date[at] - '0') * 10 + (date[at + 1] - '0') : -1;
}

// A month past 12 before a day that can be a month: the two stand in the other order.
void swap_day_and_month(std::string& date) {
  const int day = part_of(date, 8);
  if (part_of(date, 5) > 12 && day >= 1 && day <= 12) {
    std::swap(date[5], date[8]);
    std::swap(date[6], date[9]);
  }
}

}  // namespace

StatedResult result_as_stated(const GameRecord& game) {
  StatedResult result;
  if (is_known(game.marker)) {
    result.marker = game.marker;
  } else if (is_known(game.result_tag)) {
    result.marker = game.result_tag;
  }
  if (game.result_tag == GameResult::none) result.tag = result.marker;
  return result;
}

StatedResult right_result(const GameRecord& game, const GameVerdict* verdict) {
  if (verdict && !verdict->broken) {
    const GameResult board = result_on_board(game, *verdict);
    if (board != GameResult::none) return {board, board};
  }
  if (is_definite(game.marker)) return {game.marker, game.marker};
  if (is_definite(game.result_tag)) return {game.result_tag, game.result_tag};
  // A tag that says something else, such as "0-0", knows more than "*".
  if (game.result_tag == GameResult::other) return {GameResult::unknown, GameResult::other};
  return {GameResult::unknown, GameResult::unknown};
}

bool repair_date(std::string& date) {
  std::string_view rest = date;
  while (!rest.empty() && rest.back() == ' ') rest.remove_suffix(1);
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  std::string out;
  if (rest.empty()) {
    out = "????.??.??";
  } else {
    if (!take_part(rest, 4, 0, 9999, out)) return false;
    char separator = 0;
    for (int part = 0; part < 2; ++part) {
      out += '.';
      if (rest.empty()) {
        out += "??";
        continue;
      }
      const char c = rest.front();
      if ((c != '.' && c != '-' && c != '/') || (separator && c != separator)) return false;
      separator = c;
      rest.remove_prefix(1);
      if (!take_part(rest, 2, 1, 31, out)) return false;
    }
    if (!rest.empty()) return false;
  }
  swap_day_and_month(out);
  if (out == date || part_of(out, 5) > 12) return false;
  date = std::move(out);
  return true;
}

bool repair_encoding(std::string& text) {
  const std::size_t plain = ascii_prefix(text);
  if (plain == text.size()) return false;
  for (std::size_t at = plain; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) continue;
    if (byte < 0xA0 || utf8_sequence(std::string_view(text).substr(at)) != 0) return false;
  }
  text = latin1_to_utf8(text);
  return true;
}

}  // namespace cuarbiter
