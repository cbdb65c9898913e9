#include "host/pgn/claims.hpp"

#include <algorithm>
#include <vector>

#include "host/pgn/game_line.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

// Some move from the final position leads to one that has stood on the board twice.
bool third_time_ahead(const GameBatch& batch, const GameRecord& game, const GameVerdict& v) {
  constexpr std::uint32_t kReach = 1024;  // as the replay counts repetitions
  // A position comes again after four plies at the earliest: with the move it has stood three plies
  // back and seven.
  constexpr std::uint32_t kLeast = 7;
  const std::uint32_t reach = std::min({v.plies, v.halfmove_clock, kReach});
  if (reach < kLeast) return false;
  const GameLine line(batch, game);
  const std::uint32_t end = line.token_begin() + v.plies;
  // With the same side to move as after the move: an odd number of plies back.
  std::vector<Position> past, twice;
  std::uint32_t back = reach;
  line.walk(end - reach, end, [&](const LinePoint& point) {
    if (back % 2 == 1) past.push_back(point.position);
    --back;
  });
  for (std::size_t i = 0; i < past.size(); ++i) {
    const auto same = [&](const Position& other) { return same_position(past[i], other); };
    const auto first = past.begin(), here = first + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(first, here, same)) twice.push_back(past[i]);
  }
  if (twice.empty()) return false;
  bool found = false;
  for_each_legal_move(v.final_position, [&](Move m) {
    if (found || is_zeroing(v.final_position, m)) return;
    const Position child = make_move(v.final_position, m);
    found = std::any_of(twice.begin(), twice.end(),
                        [&](const Position& position) { return same_position(position, child); });
  });
  return found;
}

}  // namespace

bool has_quiet_move(const Position& position) {
  bool quiet = false;
  for_each_legal_move(position, [&](Move m) { quiet = quiet || !is_zeroing(position, m); });
  return quiet;
}

MoveClaims claims_with_move(const GameBatch& batch, const GameRecord& game,
                            const RulesProfile& rules) {
  MoveClaims claims;
  const GameVerdict& v = batch.replay.game_verdicts[game.replay];
  const GameState state = static_cast<GameState>(v.state);
  const bool over = state != GameState::ongoing &&
                    (state != GameState::fivefold_repetition || rules.automatic_fivefold);
  if (over) return claims;
  // A position can only come for the third time where some position has come for the second.
  claims.threefold =
      rules.claim_threefold && v.max_repetitions >= 2 && third_time_ahead(batch, game, v);
  claims.move_count = rules.claim_clock != 0 && v.halfmove_clock + 1 >= rules.claim_clock &&
                      has_quiet_move(v.final_position);
  return claims;
}

}  // namespace cuarbiter
