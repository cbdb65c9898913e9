#include "host/pgn/game_line.hpp"

#include "host/notation/fen.hpp"

namespace cuarbiter {

GameLine::GameLine(const GameBatch& batch, const GameRecord& game) : batch_(batch), game_(game) {
  const ReplayBatch& replay = batch.replay;
  const ReplayGame& entry = replay.games[game.replay];
  const ReplaySegment* segments = replay.segments.data() + entry.segment_begin;
  const ReplaySegment& last = segments[entry.segment_count - 1];
  begin_ = segments[0].token_begin;
  points_.resize(last.token_begin + last.token_count - begin_);
  known_.resize(points_.size());
  const ReplayStart& start = replay.starts[entry.start];
  const std::uint32_t* judged = replay.plies_judged.data() + entry.segment_begin;
  play(segments[0], judged[0],
       LinePoint{start.position, start.halfmove_clock, 0, start.black != 0});
  for (std::uint32_t s = 1; s < entry.segment_count; ++s) {
    if (judged[s] == 0) continue;
    const ReplaySegment& parent = replay.segments[segments[s].parent];
    play(segments[s], judged[s], points_[parent.token_begin + segments[s].branch - begin_]);
  }
}

void GameLine::play(const ReplaySegment& segment, std::uint32_t judged, const LinePoint& from) {
  LinePoint point = from;
  for (std::uint32_t i = 0; i < judged; ++i) {
    const std::uint32_t index = segment.token_begin + i;
    points_[index - begin_] = point;
    known_[index - begin_] = true;
    const SanToken token = batch_.replay.tokens[index];
    if (token.piece() == SanToken::kSpecial && token.target() == SanToken::kNullMove) {
      point.position = flipped(point.position);
      ++point.halfmove_clock;
    } else {
      const Match m = match_san(point.position, token, point.black);
      if (m.status != MatchStatus::ok) return;
      point.halfmove_clock = is_zeroing(point.position, m.move) ? 0 : point.halfmove_clock + 1;
      point.position = make_move(point.position, m.move);
    }
    ++point.ply;
    point.black = !point.black;
  }
}

const LinePoint* GameLine::before(std::uint32_t index) const {
  if (index < begin_ || index >= token_end() || !known_[index - begin_]) return nullptr;
  return &points_[index - begin_];
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
