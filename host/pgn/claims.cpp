#include "host/pgn/claims.hpp"

#include <algorithm>

#include "host/pgn/game_line.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

// Some move from the final position leads to one that has stood on the board twice.
bool third_time_ahead(const GameBatch& batch, const GameRecord& game, const GameVerdict& v) {
  const GameLine line(batch, game);
  constexpr std::uint32_t kReach = 1024;  // as the replay counts repetitions
  const std::uint32_t reach = std::min({v.plies, v.halfmove_clock, kReach});
  bool found = false;
  for_each_legal_move(v.final_position, [&](Move m) {
    if (found || is_zeroing(v.final_position, m)) return;
    const Position child = make_move(v.final_position, m);
    unsigned before = 0;
    // Positions with the same side to move: an odd number of plies back.
    for (std::uint32_t back = 3; back <= reach; back += 2) {
      const LinePoint* point = line.before(line.token_begin() + v.plies - back);
      if (point && same_position(point->position, child)) ++before;
    }
    found = before >= 2;
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
