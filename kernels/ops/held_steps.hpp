// Steps of a replay at which positions may have come again, kept until the end of their lines.
// Whether a step is one of them is beyond prediction, and so it is noted without a branch; what is
// to be found out about it has time.
#pragma once

#include "host/rules/bits.hpp"

CUARBITER_RULES_BEGIN

// For lanes that go in step.
template <class W>
class HeldSteps {
 public:
  static constexpr int kLanes = sizeof(W) / sizeof(Bitboard);

  // Notes a step and what is `told` of it in each lane, for lanes that are not 0 here (maybe none).
  // True: there is no room for more. All lanes have to take theirs, then clear() makes room.
  CUARBITER_HD_INLINE bool add(std::uint64_t step, W lanes, W told) {
    Step& next = steps_[count_];
    next.step = step;
    next.lanes = WordOps<W>::lanes(lanes);
    store_lanes(next.told, told);
    count_ += next.lanes ? 1 : 0;
    return count_ == kMost;
  }

  // Calls f(step, told) for the lane's steps since it last took some or began, in their order.
  template <class F>
  CUARBITER_HD_INLINE void take(int lane, F&& f) {
    for (unsigned i = taken_[lane]; i < count_; ++i) {
      if ((steps_[i].lanes >> lane) & 1) f(steps_[i].step, steps_[i].told[lane]);
    }
    taken_[lane] = count_;
  }

  // The lane has none.
  CUARBITER_HD_INLINE void begin(int lane) { taken_[lane] = count_; }

  CUARBITER_HD_INLINE void clear() {
    count_ = 0;
    for (int l = 0; l < kLanes; ++l) taken_[l] = 0;
  }

 private:
  static constexpr unsigned kMost = 64;
  struct Step {
    alignas(sizeof(W)) std::uint64_t told[kLanes];
    std::uint64_t step;
    unsigned lanes;
  };

  Step steps_[kMost];
  unsigned count_ = 0;
  unsigned taken_[kLanes] = {};
};

// One lane alone finds out at once.
template <>
class HeldSteps<Bitboard> {};

CUARBITER_RULES_END
