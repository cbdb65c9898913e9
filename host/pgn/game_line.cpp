#include "host/pgn/game_line.hpp"

#include <algorithm>

#include "host/notation/fen.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint32_t kStride = 64;

}  // namespace

GameLine::GameLine(const GameBatch& batch, const GameRecord& game) : batch_(batch), game_(game) {
  const ReplayBatch& replay = batch.replay;
  const ReplayGame& entry = replay.games[game.replay];
  const ReplaySegment* segments = replay.segments.data() + entry.segment_begin;
  const ReplaySegment& last = segments[entry.segment_count - 1];
  begin_ = segments[0].token_begin;
  end_ = last.token_begin + last.token_count;
  const ReplayStart& start = replay.starts[entry.start];
  const std::uint32_t* judged = replay.plies_judged.data() + entry.segment_begin;
  std::size_t kept = 0;
  for (std::uint32_t s = 0; s < entry.segment_count; ++s) kept += judged[s] / kStride + 1;
  kept_.reserve(kept);
  play(segments[0], judged[0],
       LinePoint{start.position, start.halfmove_clock, 0, start.black != 0});
  for (std::uint32_t s = 1; s < entry.segment_count; ++s) {
    if (judged[s] == 0) continue;
    const ReplaySegment& parent = replay.segments[segments[s].parent];
    const LinePoint* from = before(parent.token_begin + segments[s].branch);
    if (from != nullptr) play(segments[s], judged[s], *from);
  }
}

// Plays a line through from its start; lines come by their tokens.
void GameLine::play(const ReplaySegment& segment, std::uint32_t judged, LinePoint point) {
  const std::uint32_t end = segment.token_begin + judged;
  for (std::uint32_t index = segment.token_begin; index < end; ++index) {
    if ((index - segment.token_begin) % kStride == 0) kept_.push_back({index, end, point});
    if (!step(point, index)) return;
  }
}

// Makes the move of a token; false when it has none.
bool GameLine::step(LinePoint& point, std::uint32_t index) const {
  const SanToken token = batch_.replay.tokens[index];
  if (token.piece() == SanToken::kSpecial && token.target() == SanToken::kNullMove) {
    point.position = flipped(point.position);
    ++point.halfmove_clock;
  } else {
    const Match m = match_san(point.position, token, point.black);
    if (m.status != MatchStatus::ok) return false;
    point.halfmove_clock = is_zeroing(point.position, m.move) ? 0 : point.halfmove_clock + 1;
    point.position = make_move(point.position, m.move);
  }
  ++point.ply;
  point.black = !point.black;
  return true;
}

const LinePoint* GameLine::before(std::uint32_t index) const {
  auto kept = std::upper_bound(kept_.begin(), kept_.end(), index,
                               [](std::uint32_t at, const Kept& k) { return at < k.index; });
  if (kept == kept_.begin() || index >= (--kept)->end) return nullptr;
  found_ = kept->point;
  for (std::uint32_t at = kept->index; at < index; ++at) {
    if (!step(found_, at)) return nullptr;
  }
  return &found_;
}

std::uint32_t GameLine::token_at(std::uint32_t at) const {
  for (std::uint32_t i = begin_; i < token_end(); ++i) {
    if (batch_.token_at[i] == at) return i;
  }
  return kNotReplayed;
}

std::string GameLine::fen(const LinePoint& point) const {
  const std::uint32_t half_moves = point.ply + (game_.black_first ? 1 : 0);
  return write_fen(point.position, point.black ? Color::black : Color::white, point.halfmove_clock,
                   game_.fullmove_number + half_moves / 2);
}

}  // namespace cuarbiter
