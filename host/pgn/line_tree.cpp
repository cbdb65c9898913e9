#include "host/pgn/line_tree.hpp"

namespace cuarbiter {

void LineTree::begin_game() {
  lines_.assign(1, OpenLine{0, 0, 0, 0});
  variations_.clear();
  tokens_.clear();
  token_at_.clear();
  token_segment_.clear();
  main_begin_ = static_cast<std::uint32_t>(batch_.replay.tokens.size());
}

void LineTree::push_to_variation(SanToken token, std::uint32_t at) {
  OpenLine& line = lines_.back();
  tokens_.push_back(token);
  token_at_.push_back(at);
  token_segment_.push_back(line.segment);
  ++variations_[line.segment - 1].count;
  ++line.count;
}

void LineTree::push(const SanToken* tokens, const std::uint32_t* at, std::size_t n) {
  if (in_variation()) {
    for (std::size_t i = 0; i < n; ++i) push_to_variation(tokens[i], at[i]);
    return;
  }
  batch_.replay.tokens.insert(batch_.replay.tokens.end(), tokens, tokens + n);
  batch_.token_at.insert(batch_.token_at.end(), at, at + n);
  lines_.front().count += static_cast<std::uint32_t>(n);
}

void LineTree::open_variation(std::uint32_t at) {
  const OpenLine& parent = lines_.back();
  const std::uint32_t branch = parent.count ? parent.count - 1 : 0;
  const std::uint32_t ply = parent.ply + branch;
  variations_.push_back(Variation{parent.segment, branch, ply, 0});
  lines_.push_back(OpenLine{static_cast<std::uint32_t>(variations_.size()), ply, 0, at});
}

void LineTree::drop() {
  batch_.replay.tokens.resize(main_begin_);
  batch_.token_at.resize(main_begin_);
}

std::uint32_t LineTree::store(std::uint32_t start) {
  ReplayBatch& replay = batch_.replay;
  const auto main_count = static_cast<std::uint32_t>(replay.tokens.size()) - main_begin_;
  ReplayGame game;
  game.segment_begin = static_cast<std::uint32_t>(replay.segments.size());
  game.segment_count = 1 + static_cast<std::uint32_t>(variations_.size());
  game.start = start;
  replay.segments.push_back(ReplaySegment{main_begin_, main_count, 0, 0, 0});
  if (!variations_.empty()) {
    std::uint32_t begin = main_begin_ + main_count;
    cursors_.clear();
    for (const Variation& v : variations_) {
      replay.segments.push_back(
          ReplaySegment{begin, v.count, game.segment_begin + v.parent, v.branch, v.ply});
      cursors_.push_back(begin);
      begin += v.count;
    }
    replay.tokens.resize(begin);
    batch_.token_at.resize(begin);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::uint32_t at = cursors_[token_segment_[i] - 1]++;
      replay.tokens[at] = tokens_[i];
      batch_.token_at[at] = token_at_[i];
    }
  }
  replay.games.push_back(game);
  return static_cast<std::uint32_t>(replay.games.size()) - 1;
}

}  // namespace cuarbiter
