// Scratch of one thread for an engine's depth-first counting.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/cpu/engine.hpp"

namespace cuarbiter {

class LevelStack {
 public:
  // At least `depth` levels of kLevelRows rows each.
  void reserve(unsigned depth) {
    while (levels_.size() < depth) {
      planes_.push_back(std::make_unique<std::uint64_t[]>(4 * kLevelRows));
      tags_.push_back(std::make_unique<std::uint32_t[]>(kLevelRows));
      std::uint64_t* p = planes_.back().get();
      levels_.push_back(PerftLevel{p, p + kLevelRows, p + 2 * kLevelRows, p + 3 * kLevelRows,
                                   tags_.back().get()});
    }
  }
  const PerftLevel* levels() const { return levels_.data(); }

 private:
  std::vector<std::unique_ptr<std::uint64_t[]>> planes_;
  std::vector<std::unique_ptr<std::uint32_t[]>> tags_;
  std::vector<PerftLevel> levels_;
};

}  // namespace cuarbiter
