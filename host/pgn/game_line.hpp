// The positions of a game, played through again on the host for messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/pgn/game_batch.hpp"
#include "host/rules/san_match.hpp"

namespace cuarbiter {

// Where play stands before a token.
struct LinePoint {
  Position position;
  std::uint32_t halfmove_clock = 0;
  std::uint32_t ply = 0;  // plies since the game's start
  bool black = false;
};

// One replayed game of a batch. Valid as long as the batch.
class GameLine {
 public:
  GameLine(const GameBatch& batch, const GameRecord& game);

  // The point before token `index` of the replay batch; null when it was not judged.
  const LinePoint* before(std::uint32_t index) const;
  // The token of this game at a slab position; kNotReplayed when there is none.
  std::uint32_t token_at(std::uint32_t at) const;
  // The FEN of a point.
  std::string fen(const LinePoint& point) const;

  std::uint32_t token_begin() const { return begin_; }
  std::uint32_t token_end() const { return begin_ + static_cast<std::uint32_t>(points_.size()); }

 private:
  void play(const ReplaySegment& segment, std::uint32_t judged, const LinePoint& from);

  const GameBatch& batch_;
  const GameRecord& game_;
  std::uint32_t begin_ = 0;
  std::vector<LinePoint> points_;
  std::vector<bool> known_;
};

}  // namespace cuarbiter
