// Whether a side can still win: a search for a helpmate that also proves there is none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/proof/mobility.hpp"
#include "host/proof/skeleton.hpp"
#include "host/rules/position.hpp"
#include "host/rules/types.hpp"

namespace cuarbiter {

enum class Winnable : std::uint8_t { no, yes, open };

struct ProverOptions {
  std::uint64_t nodes = 1'000'000;  // positions kept for one question
};

class Prover {
 public:
  explicit Prover(const ProverOptions& options = {});

  Winnable prove(const Position& position, bool us);
  const std::vector<Move>& line() const { return line_; }
  std::uint64_t nodes() const { return spent_; }
  int stage = 0;

 private:
  bool expand(std::uint32_t node);
  bool add(const Position& child, std::uint32_t parent, bool winner_moves, int h);
  void grow_table();
  void clear();
  void trace(std::uint32_t node, const Position& mate);

  ProverOptions options_;
  std::vector<Position> positions_;
  std::vector<std::uint32_t> parents_;
  static constexpr int kQueues = 3;
  int rank(const Position& p, bool winner_moves, int h);
  std::vector<std::array<std::uint64_t, 12>> seen_h_, seen_kings_;
  void push(int q, std::uint32_t index, int h);
  std::uint32_t pop(int q);
  std::vector<std::uint16_t> depths_;
  std::vector<std::uint32_t> next_[kQueues], heads_[kQueues], tails_[kQueues];
  std::uint64_t open_ = 0;
  std::vector<std::uint32_t> table_;
  std::vector<Move> line_;
  std::uint32_t mask_ = 0;
  int best_[kQueues] = {};
  std::uint64_t expanded_ = 0;
  bool full_ = false, checked_ = false, measured_ = false;
  MateGoals goals_;
  SkeletonSearch skeleton_;
  int phase_ = 0;
  std::uint64_t limit_ = 0, spent_ = 0;
  Winnable search(const Position& position, bool us);
};

}  // namespace cuarbiter
