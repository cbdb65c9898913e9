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

// One replayed game of a batch. Valid as long as the batch. Lines are played as far as somebody
// asks, and one point in 64 is kept, so that a game of a million plies takes little memory. Not
// thread-safe.
class GameLine {
 public:
  GameLine(const GameBatch& batch, const GameRecord& game);

  // The point before token `index` of the replay batch, valid until the next call; null when it was
  // not judged.
  const LinePoint* before(std::uint32_t index) const;
  // Calls visit(point) for the points before the tokens `index` to `end` - 1 of one line, in order,
  // as far as they were judged: one pass.
  template <class Visit>
  void walk(std::uint32_t index, std::uint32_t end, Visit&& visit) const {
    const LinePoint* const first = before(index);
    if (first == nullptr) return;
    LinePoint point = *first;
    while (index < end) {
      visit(static_cast<const LinePoint&>(point));
      if (++index == end || !step(point, index - 1)) return;
    }
  }
  // The token of this game at a slab position; kNotReplayed when there is none.
  std::uint32_t token_at(std::uint32_t at) const;
  // The FEN of a point.
  std::string fen(const LinePoint& point) const;

  std::uint32_t token_begin() const { return begin_; }
  std::uint32_t token_end() const { return end_; }

 private:
  // A line, that of the segment with its index, by the tokens that were judged in it.
  struct Line {
    std::uint32_t begin = 0, end = 0;
    bool started = false;        // what follows is known
    std::uint32_t front_at = 0;  // the token before which play stands
    LinePoint front;
    std::vector<LinePoint> kept = {};  // before begin, begin + 64 ...
  };

  Line* line_of(std::uint32_t index) const;
  bool start(Line& line) const;
  const LinePoint* before(Line& line, std::uint32_t index) const;
  bool step(LinePoint& point, std::uint32_t index) const;

  const GameBatch& batch_;
  const GameRecord& game_;
  std::uint32_t begin_ = 0, end_ = 0;
  mutable std::vector<Line> lines_;  // by token
  mutable LinePoint found_;          // what before() has given out
};

}  // namespace cuarbiter
