// The main line and the variations of one game while it is read, and how they are laid out for the
// replay: the main line's tokens go straight to the batch, those of the variations wait in the
// order of the text and follow by segment.
#pragma once

#include <cstdint>
#include <vector>

#include "host/pgn/game_batch.hpp"

namespace cuarbiter {

// One object serves game after game of a batch.
class LineTree {
 public:
  explicit LineTree(GameBatch& batch) : batch_(batch) {}

  void begin_game();

  // Adds a move token, at a slab position, to the line that is open.
  void push(SanToken token, std::uint32_t at) {
    if (lines_.size() > 1) {
      push_to_variation(token, at);
      return;
    }
    batch_.replay.tokens.push_back(token);
    batch_.token_at.push_back(at);
    ++lines_.front().count;
  }

  // The same for a run of tokens, each with its position.
  void push(const SanToken* tokens, const std::uint32_t* at, std::size_t n);

  // The ply, from 1, of the next move of the open line.
  std::uint32_t next_ply() const { return lines_.back().ply + lines_.back().count + 1; }
  bool in_variation() const { return lines_.size() > 1; }
  bool line_is_empty() const { return lines_.back().count == 0; }

  // A variation on the last move of the open line (or on its first, when it has none yet).
  void open_variation(std::uint32_t at);
  void close_variation() { lines_.pop_back(); }

  // Calls f(at) for every variation still open, outermost first, and closes them.
  template <class F>
  void close_all(F&& f) {
    for (std::size_t i = 1; i < lines_.size(); ++i) f(lines_[i].at);
    lines_.resize(1);
  }

  // Adds the game to the replay batch; returns its number there.
  std::uint32_t store(std::uint32_t start);
  // Takes its tokens out of the batch again.
  void drop();

 private:
  struct OpenLine {
    std::uint32_t segment;  // of the game, 0 is the main line
    std::uint32_t ply;      // plies before its first token
    std::uint32_t count;    // tokens so far
    std::uint32_t at;       // its parenthesis
  };
  struct Variation {
    std::uint32_t parent, branch, ply, count;
  };

  void push_to_variation(SanToken token, std::uint32_t at);

  GameBatch& batch_;
  std::uint32_t main_begin_ = 0;
  std::vector<OpenLine> lines_;
  std::vector<Variation> variations_;
  std::vector<SanToken> tokens_;
  std::vector<std::uint32_t> token_at_, token_segment_, cursors_;
};

}  // namespace cuarbiter
