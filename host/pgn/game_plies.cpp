#include "host/pgn/game_plies.hpp"

#include <algorithm>
#include <utility>

#include "host/notation/san_text.hpp"
#include "host/rules/san_match.hpp"

namespace cuarbiter {

void GamePlies::clear() {
  plies.clear();
  positions.clear();
  reach.clear();
}

void append_plies(GamePlies& out, const GameBatch& batch, const GameRecord& game) {
  const ReplayBatch& replay = batch.replay;
  const ReplayGame& entry = replay.games[game.replay];
  const ReplayStart& start = replay.starts[entry.start];
  const std::uint32_t first = replay.segments[entry.segment_begin].token_begin;
  const std::uint32_t count = replay.game_verdicts[game.replay].plies;
  if (count == 0) return;
  Position position = start.position;
  out.positions.push_back(position);
  out.reach.push_back(0);
  bool black = start.black != 0;
  std::uint32_t clock = start.halfmove_clock, reversible = 0;
  std::uint32_t runs[2] = {0, 0}, sums[2] = {0, 0};  // checks by White, by Black
  for (std::uint32_t i = 0; i < count; ++i) {
    const Match m = match_san(position, replay.tokens[first + i], black);
    if (m.status != MatchStatus::ok) return;
    GamePly ply;
    append_san(ply.san, position, m.move, black);
    const bool zeroing = is_zeroing(position, m.move);
    clock = zeroing ? 0 : clock + 1;
    reversible = zeroing ? 0 : reversible + 1;
    position = make_move(position, m.move);
    const bool checks = in_check(position);
    runs[black] = checks ? runs[black] + 1 : 0;
    sums[black] += checks ? 1 : 0;
    ply.check_run = runs[black];
    ply.check_sum = std::max(sums[0], sums[1]);
    black = !black;
    ply.ply = i + 1;
    ply.halfmove_clock = clock;
    ply.black = black;
    ply.place = out.positions.size();
    out.positions.push_back(position);
    out.reach.push_back(reversible);
    out.plies.push_back(std::move(ply));
  }
}

}  // namespace cuarbiter
