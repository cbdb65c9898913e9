#include "host/pgn/game_plies.hpp"

#include <algorithm>
#include <utility>

#include "host/notation/san_text.hpp"
#include "host/rules/movegen.hpp"
#include "host/rules/san_match.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint32_t kRepetitionReach = 1024;

// Positions of one game in the order of play, the start position first.
class Line {
 public:
  explicit Line(const Position& start) : positions_{start} {}

  void add(const Position& position) { positions_.push_back(position); }

  // How often `position` stood `first`, first + 2 ... plies before the last one, not more than
  // `reach` back.
  std::uint32_t count(const Position& position, std::uint32_t first, std::uint32_t reach) const {
    const std::uint32_t last = static_cast<std::uint32_t>(positions_.size()) - 1;
    std::uint32_t found = 0;
    for (std::uint32_t back = first; back <= std::min({reach, last, kRepetitionReach}); back += 2) {
      found += same_position(positions_[last - back], position) ? 1 : 0;
    }
    return found;
  }

 private:
  std::vector<Position> positions_;
};

bool third_time_ahead(const Line& line, const Position& position, std::uint32_t reversible) {
  bool found = false;
  for_each_legal_move(position, [&](Move m) {
    if (found || is_zeroing(position, m)) return;
    found = line.count(make_move(position, m), 3, reversible) >= 2;
  });
  return found;
}

}  // namespace

void append_plies(std::vector<GamePly>& plies, const GameBatch& batch, const GameRecord& game,
                  bool claims) {
  const ReplayBatch& replay = batch.replay;
  const ReplayGame& entry = replay.games[game.replay];
  const ReplayStart& start = replay.starts[entry.start];
  const std::uint32_t first = replay.segments[entry.segment_begin].token_begin;
  const std::uint32_t count = replay.game_verdicts[game.replay].plies;
  Line line(start.position);
  Position position = start.position;
  bool black = start.black != 0;
  std::uint32_t clock = start.halfmove_clock, reversible = 0, most_in_reach = 1;
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
    line.add(position);
    const bool checks = in_check(position);
    runs[black] = checks ? runs[black] + 1 : 0;
    sums[black] += checks ? 1 : 0;
    ply.check_run = runs[black];
    ply.check_sum = std::max(sums[0], sums[1]);
    black = !black;
    ply.position = position;
    ply.ply = i + 1;
    ply.halfmove_clock = clock;
    ply.black = black;
    ply.repetitions = 1 + line.count(position, 4, reversible);
    // A position can only come for the third time where some position has come for the second.
    most_in_reach = zeroing ? 1 : std::max(most_in_reach, ply.repetitions);
    ply.third_time_ahead =
        claims && most_in_reach >= 2 && third_time_ahead(line, position, reversible);
    plies.push_back(std::move(ply));
  }
}

}  // namespace cuarbiter
