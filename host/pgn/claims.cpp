#include "host/pgn/claims.hpp"

#include <algorithm>
#include <vector>

#include "host/pgn/game_line.hpp"
#include "host/rules/repetition.hpp"

namespace cuarbiter {
namespace {

// Some move from the final position leads to one that has stood on the board twice.
bool third_time_ahead(const GameBatch& batch, const GameRecord& game, const GameVerdict& v) {
  // A position comes again after four plies at the earliest: with the move it has stood three plies
  // back and seven.
  constexpr std::uint32_t kLeast = 7;
  const std::uint32_t reach = std::min({v.plies, v.halfmove_clock, kRepetitionReach});
  if (reach < kLeast) return false;
  const GameLine line(batch, game);
  const std::uint32_t end = line.token_begin() + v.plies;
  std::vector<Position> positions;
  line.walk(end - reach, end, [&](const LinePoint& point) { positions.push_back(point.position); });
  positions.push_back(v.final_position);
  return third_time_ahead(&positions.back(), static_cast<std::uint32_t>(positions.size() - 1),
                          [](std::uint32_t) { return true; });
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
