// Which men become shadows (shadows.hpp): the choice is made again and again, led by what went
// wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "host/proof/shadows.hpp"

namespace cuarbiter {

// Begins with every piece a shadow that has room to move, and every pawn of the loser with nothing
// in front of it. Where that fails at a position that may be a mate, a man whose shadow had a part
// in it goes back to the board, the one with the least room first: it costs the fewest positions.
// One choice leads to the next in this way until a game gets too large; from then on the choice
// with the smallest game comes first.
class ShadowProof {
 public:
  // As ShadowSearch, with at most `most` positions a game and `total` in all games but the last.
  bool excludes_mate(const Position& position, bool us, const Mobility& mobility,
                     std::uint32_t most, std::uint64_t total);
  // Positions looked at by the last call.
  std::uint64_t nodes() const { return nodes_; }

 private:
  struct Candidate {
    Bitboard home;
    double room;  // squares that it has to itself where all others stand still
  };
  struct Choice {
    Bitboard shadows;
    double size;  // the product of the rooms of those on the board
  };

  void find_candidates(const Position& position, bool us, const Mobility& mobility);
  void offer(Bitboard shadows);

  std::vector<Candidate> candidates_;  // least room first
  std::vector<Choice> choices_;        // tried or not, each once
  std::vector<std::size_t> open_;      // not tried
  ShadowSearch search_;
  std::uint64_t nodes_ = 0;
};

}  // namespace cuarbiter
