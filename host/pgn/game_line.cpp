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
  const std::uint32_t* judged = replay.plies_judged.data() + entry.segment_begin;
  lines_.reserve(entry.segment_count);
  for (std::uint32_t s = 0; s < entry.segment_count; ++s) {
    Line line;
    line.begin = line.front_at = segments[s].token_begin;
    line.end = line.begin + judged[s];
    lines_.push_back(std::move(line));
  }
  const ReplayStart& start = replay.starts[entry.start];
  lines_[0].started = true;
  lines_[0].front = LinePoint{start.position, start.halfmove_clock, 0, start.black != 0};
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

// The line in which a token was judged; null when it was not.
GameLine::Line* GameLine::line_of(std::uint32_t index) const {
  auto line = std::upper_bound(lines_.begin(), lines_.end(), index,
                               [](std::uint32_t at, const Line& x) { return at < x.begin; });
  return line == lines_.begin() || index >= (--line)->end ? nullptr : &*line;
}

// Finds out where a line begins, and those that it branches off from: there may be thousands.
bool GameLine::start(Line& line) const {
  const ReplayBatch& replay = batch_.replay;
  const std::uint32_t first = replay.games[game_.replay].segment_begin;
  std::vector<std::size_t> waiting;
  for (auto s = static_cast<std::size_t>(&line - lines_.data()); !lines_[s].started;
       s = replay.segments[first + s].parent - first) {
    waiting.push_back(s);
  }
  for (; !waiting.empty(); waiting.pop_back()) {
    const ReplaySegment& segment = replay.segments[first + waiting.back()];
    Line& parent = lines_[segment.parent - first];
    const LinePoint* const from = before(parent, parent.begin + segment.branch);
    if (from == nullptr) return false;
    lines_[waiting.back()].front = *from;
    lines_[waiting.back()].started = true;
  }
  return true;
}

const LinePoint* GameLine::before(std::uint32_t index) const {
  Line* const line = line_of(index);
  return line != nullptr && start(*line) ? before(*line, index) : nullptr;
}

// In a line that has been started.
const LinePoint* GameLine::before(Line& line, std::uint32_t index) const {
  if (index >= line.end) return nullptr;
  if (index < line.front_at) {
    const std::uint32_t kept = (index - line.begin) / kStride;
    found_ = line.kept[kept];
    for (std::uint32_t at = line.begin + kept * kStride; at < index; ++at) {
      if (!step(found_, at)) return nullptr;
    }
    return &found_;
  }
  for (; line.front_at < index; ++line.front_at) {
    if ((line.front_at - line.begin) % kStride == 0) line.kept.push_back(line.front);
    if (!step(line.front, line.front_at)) {
      line.end = line.front_at + 1;  // the move could not be made: nothing behind it was judged
      return nullptr;
    }
  }
  found_ = line.front;
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
