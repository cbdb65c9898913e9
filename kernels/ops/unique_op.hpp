// Distinct positions of a ply: the mix that orders them, and the operations around a sort by it.
#pragma once

#include <cstdint>

#include "host/rules/position.hpp"

CUARBITER_RULES_BEGIN

// Its high bits choose the range of a pass, so they come from a multiplication of their own. The
// same for every backend and instruction set.
CUARBITER_HD_INLINE std::uint64_t unique_mix(const Position& p) {
  return position_mix(p) * 0x9E3779B97F4A7C15u;
}

// True for the positions whose keys, the high 32 bits of the mix, lie from `lower` to below
// `upper`, or outside of that.
struct InKeyRange {
  std::uint64_t lower, upper;
  CUARBITER_HD_INLINE bool operator()(const Position& p) const {
    const std::uint64_t key = unique_mix(p) >> 32;
    return key >= lower && key < upper;
  }
};
struct OutsideKeyRange {
  InKeyRange inside;
  CUARBITER_HD_INLINE bool operator()(const Position& p) const { return !inside(p); }
};

// 1: the mix of each position, and the identity permutation.
struct UniqueKeyOp {
  const Position* positions;
  std::uint64_t* mixes;
  std::uint32_t* order;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    mixes[i] = unique_mix(positions[i]);
    order[i] = static_cast<std::uint32_t>(i);
  }
};

// 2: after the sort of `order` by mix: 1 for the first of equal positions. Different ones with
// one mix may stand between equal ones, so all before with that mix are looked at.
struct UniqueHeadOp {
  const Position* positions;
  const std::uint64_t* mixes;
  const std::uint32_t* order;
  std::uint64_t* heads;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const Position p = positions[order[i]];
    std::uint64_t head = 1;
    for (std::uint64_t k = i; head && k != 0 && mixes[k - 1] == mixes[i]; --k) {
      if (same_position(positions[order[k - 1]], p)) head = 0;
    }
    heads[i] = head;
  }
};

// 3: after an inclusive scan of `heads`: the first ones, in the order of their mixes.
struct UniqueCompactOp {
  const Position* positions;
  const std::uint32_t* order;
  const std::uint64_t* heads;
  Position* out;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const {
    const std::uint64_t before = i == 0 ? 0 : heads[i - 1];
    if (heads[i] != before) out[before] = positions[order[i]];
  }
};

CUARBITER_RULES_END
