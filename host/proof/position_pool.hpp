// The positions that a search has met, each once, in the order in which they were met. Equality is
// that of all 32 bytes and of whose turn it is: no answer depends on a hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/rules/position.hpp"

namespace cuarbiter {

// Grows as it fills (41 bytes a position, 49 while it grows); clear() keeps the memory. Not
// thread-safe.
class PositionPool {
 public:
  static constexpr std::uint32_t kKnown = 0xFFFFFFFFu;

  void clear() {
    positions_.clear();
    winner_moves_.clear();
    table_.assign(kFirstTable, kKnown);
    mask_ = kFirstTable - 1;
  }

  std::size_t size() const { return positions_.size(); }
  const Position& position(std::uint32_t i) const { return positions_[i]; }
  // The side that would mate is to move.
  bool winner_moves(std::uint32_t i) const { return winner_moves_[i] != 0; }

  // The index of a position that is new, else kKnown.
  std::uint32_t add(const Position& p, bool winner_moves) {
    std::uint32_t at = slot(p, winner_moves);
    for (; table_[at] != kKnown; at = (at + 1) & mask_) {
      const std::uint32_t i = table_[at];
      if (this->winner_moves(i) == winner_moves && same_position(positions_[i], p)) return kKnown;
    }
    const auto index = static_cast<std::uint32_t>(positions_.size());
    table_[at] = index;
    positions_.push_back(p);
    winner_moves_.push_back(winner_moves ? 1 : 0);
    if (2 * positions_.size() > mask_) grow();
    return index;
  }

 private:
  static constexpr std::uint32_t kFirstTable = 1024;

  std::uint32_t slot(const Position& p, bool winner_moves) const {
    return static_cast<std::uint32_t>(position_mix(p) + (winner_moves ? 1 : 0)) & mask_;
  }
  void grow() {
    mask_ = 2 * mask_ + 1;
    table_.assign(std::size_t{mask_} + 1, kKnown);
    for (std::uint32_t i = 0; i < positions_.size(); ++i) {
      std::uint32_t at = slot(positions_[i], winner_moves(i));
      while (table_[at] != kKnown) at = (at + 1) & mask_;
      table_[at] = i;
    }
  }

  std::vector<Position> positions_;
  std::vector<std::uint8_t> winner_moves_;
  std::vector<std::uint32_t> table_;  // indices by the positions' mix, open addressing
  std::uint32_t mask_ = 0;
};

}  // namespace cuarbiter
