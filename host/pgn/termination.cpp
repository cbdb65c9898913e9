#include "host/pgn/termination.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace cuarbiter {
namespace {

constexpr std::array<std::string_view, 6> kTimeWords = {"time forfeit", "on time",   "timeout",
                                                        "time out",     "timed out", "flag"};
constexpr std::array<std::string_view, 9> kOtherWords = {"abandon",   "adjudicat",  "death",
                                                         "emergency", "infraction", "unterminated",
                                                         "illegal",   "stall",      "disconnect"};

Termination termination_in(std::string_view text) {
  constexpr std::size_t kMost = 255;
  std::string words(text.substr(0, kMost));
  for (char& c : words) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto says = [&](std::string_view word) { return words.find(word) != words.npos; };
  if (std::any_of(kTimeWords.begin(), kTimeWords.end(), says)) return Termination::time_forfeit;
  if (std::any_of(kOtherWords.begin(), kOtherWords.end(), says)) return Termination::elsewhere;
  return Termination::on_the_board;
}

}  // namespace

Termination termination_of(const Slab& slab, const GameRecord& game) {
  for (const TextSpan span : {game.termination, game.termination_details}) {
    if (span.empty()) continue;
    const Termination found = termination_in(slab.view(span.begin, span.end));
    if (found != Termination::on_the_board) return found;
  }
  return Termination::on_the_board;
}

std::uint32_t move_at_end(const GameRecord& game, std::uint32_t plies) {
  return (plies + (game.black_first ? 1 : 0)) / 2 + 1;
}

}  // namespace cuarbiter
