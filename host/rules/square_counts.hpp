// Small numbers on all 64 squares at once, bit-sliced: plane i holds bit i of the number on each
// square. Adding a set adds one on each of its squares.
//
// Sets are taken in pairs (carry-save adders), so that adding n sets costs about 2 n operations.
// With a sequence of additions that is fixed at compile time, the bookkeeping is folded away. W as
// in bits.hpp.
#pragma once

#include "host/rules/bits.hpp"

CUARBITER_RULES_BEGIN

// x + y + carry-in, bit by bit: x becomes the sum, the carry is returned.
template <class W>
CUARBITER_HD_INLINE W full_add(W& x, W y, W z) {
  const W half = x ^ y;
  const W carry = (x & y) | (half & z);
  x = half ^ z;
  return carry;
}
template <class W>
CUARBITER_HD_INLINE W half_add(W& x, W y) {
  const W carry = x & y;
  x = x ^ y;
  return carry;
}

// Numbers from 0 to 31. No square may exceed that.
template <class W>
class SquareCounts {
 public:
  CUARBITER_HD_INLINE SquareCounts() {
    for (int i = 0; i < 5; ++i) plane_[i] = held_[i] = WordOps<W>::splat(0);
  }

  CUARBITER_HD_INLINE void add(W set) { put<0>(set); }

  // To be called once, after the last addition; then the planes are right.
  CUARBITER_HD_INLINE void close() {
    settle<0>();
    settle<1>();
    settle<2>();
    settle<3>();
    settle<4>();
  }

  CUARBITER_HD_INLINE W plane(int i) const { return plane_[i]; }

 private:
  template <int I>
  CUARBITER_HD_INLINE void put(W set) {
    if constexpr (I < 5) {
      if (!holds_[I]) {
        held_[I] = set;
        holds_[I] = true;
      } else {
        holds_[I] = false;
        put<I + 1>(full_add(plane_[I], held_[I], set));
      }
    }
  }
  template <int I>
  CUARBITER_HD_INLINE void settle() {
    if (holds_[I]) {
      holds_[I] = false;
      const W carry = half_add(plane_[I], held_[I]);
      if constexpr (I < 4) put<I + 1>(carry);
    }
  }

  W plane_[5];
  W held_[5];
  bool holds_[5] = {false, false, false, false, false};
};

CUARBITER_RULES_END
