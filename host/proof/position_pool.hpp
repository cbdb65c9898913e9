// The positions that a search has met, each once, in the order in which they were met. Equality is
// that of all 32 bytes and of whose turn it is: no answer depends on a hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/rules/position.hpp"

namespace cuarbiter {

// Grows as it fills (41 bytes a position, 49 while it grows); clear() keeps the memory. Holds fewer
// than 2^27 positions. Not thread-safe.
class PositionPool {
 public:
  static constexpr std::uint32_t kKnown = 0xFFFFFFFFu, kAbsent = 0xFFFFFFFFu;

  void clear() {
    positions_.clear();
    winner_moves_.clear();
    table_.assign(kFirstTable, kNone);
    mask_ = kFirstTable - 1;
  }

  std::size_t size() const { return positions_.size(); }
  const Position& position(std::uint32_t i) const { return positions_[i]; }
  // The side that would mate is to move.
  bool winner_moves(std::uint32_t i) const { return winner_moves_[i] != 0; }

  static std::uint64_t mix(const Position& p, bool winner_moves) {
    return position_mix(p) + (winner_moves ? 0x9E3779B97F4A7C15u : 0);
  }
  // Memory is far: what add() will look at is asked for beforehand, the table first, then the
  // position that the table names. They only save time.
  void prefetch_slot(std::uint64_t mix) const { __builtin_prefetch(&table_[mix & mask_]); }
  void prefetch_position(std::uint64_t mix) const {
    const std::uint32_t entry = table_[mix & mask_];
    if (entry != kNone && tag_of(entry) == tag(mix)) {
      __builtin_prefetch(&positions_[entry & kIndex]);
    }
  }

  // The index of a position that is new, else kKnown. `mix`: as above.
  std::uint32_t add(const Position& p, bool winner_moves, std::uint64_t mix) {
    std::uint32_t at = slot(mix);
    for (; table_[at] != kNone; at = (at + 1) & mask_) {
      if (tag_of(table_[at]) != tag(mix)) continue;
      const std::uint32_t i = table_[at] & kIndex;
      if (same_position(positions_[i], p) && this->winner_moves(i) == winner_moves) return kKnown;
    }
    const auto index = static_cast<std::uint32_t>(positions_.size());
    table_[at] = index | tag(mix);
    positions_.push_back(p);
    winner_moves_.push_back(winner_moves ? 1 : 0);
    if (2 * positions_.size() > mask_) grow();
    return index;
  }
  // The index of a position that has been added, else kAbsent.
  std::uint32_t find(const Position& p, bool winner_moves) const {
    const std::uint64_t m = mix(p, winner_moves);
    for (std::uint32_t at = slot(m); table_[at] != kNone; at = (at + 1) & mask_) {
      const std::uint32_t i = table_[at] & kIndex;
      if (same_position(positions_[i], p) && this->winner_moves(i) == winner_moves) return i;
    }
    return kAbsent;
  }
  std::uint32_t add(const Position& p, bool winner_moves) {
    return add(p, winner_moves, mix(p, winner_moves));
  }

 private:
  static constexpr std::uint32_t kFirstTable = 1024;
  static constexpr std::uint32_t kIndex = (1u << 27) - 1;
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  // Five more bits of the mix stand above the index in the table.
  static std::uint32_t tag(std::uint64_t mix) {
    return static_cast<std::uint32_t>(mix >> 32) & ~kIndex;
  }
  static std::uint32_t tag_of(std::uint32_t entry) { return entry & ~kIndex; }
  std::uint32_t slot(std::uint64_t mix) const { return static_cast<std::uint32_t>(mix) & mask_; }

  void grow() {
    mask_ = 2 * mask_ + 1;
    table_.assign(std::size_t{mask_} + 1, kNone);
    for (std::uint32_t i = 0; i < positions_.size(); ++i) {
      const std::uint64_t m = mix(positions_[i], winner_moves(i));
      std::uint32_t at = slot(m);
      while (table_[at] != kNone) at = (at + 1) & mask_;
      table_[at] = i | tag(m);
    }
  }

  std::vector<Position> positions_;
  std::vector<std::uint8_t> winner_moves_;
  std::vector<std::uint32_t> table_;  // indices by the positions' mix, open addressing
  std::uint32_t mask_ = 0;
};

}  // namespace cuarbiter
