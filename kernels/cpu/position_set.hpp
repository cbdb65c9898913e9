// A set of positions in memory of a fixed size, filled by all threads in one or more passes.
//
// A pass takes the positions whose keys lie in some range; every pass is given all positions, and
// together the passes take each of them once. Where a part of the set fills up during a pass its
// range is cut in half and what lies beyond is left to a later pass, so that nothing has to be
// known beforehand. Positions are compared whole: no answer depends on a key.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "host/rules/position.hpp"
#include "kernels/cpu/system_array.hpp"
#include "kernels/cpu/thread_team.hpp"

namespace cuarbiter {

class PositionSet {
 public:
  // Takes about `bytes` bytes; the members of `team`, which must outlive it, fill it. Throws
  // std::bad_alloc.
  PositionSet(std::uint64_t bytes, ThreadTeam& team);

  // The bytes in which so many positions fit.
  static std::uint64_t bytes_for(std::uint64_t positions) {
    return (positions + positions / 2 + kLeastSlots) * sizeof(Position);
  }

  // Before the first pass. `expected` is a guess of how many positions there are; 0 is no guess.
  void start(double expected);
  // Makes ready for the next pass; false when all passes are done.
  bool next_pass();
  // Takes those of n positions that belong to this pass; mixes are their unique_mix. Called by the
  // members of the team, each with its own number.
  void add(unsigned member, const Position* positions, const std::uint64_t* mixes, std::size_t n);
  // After the last add() of a pass.
  void end_pass();

  // Of a finished pass: how many positions it took, and them all, a span a part.
  std::uint64_t size() const;
  std::vector<std::span<const Position>> parts();
  // True when the only pass took everything.
  bool whole() const;
  // The positions of the pass in an array; the set cannot be used again.
  SystemArray<Position> take();

 private:
  // Keys are the 32 bits of a mix behind those that choose the part.
  static constexpr std::uint64_t kKeyEnd = std::uint64_t{1} << 32;
  static constexpr std::size_t kBuffered = 16;
  static constexpr std::size_t kLeastSlots = 1024;

  struct Part {
    std::mutex mutex;
    std::atomic<std::uint64_t> lower{0}, upper{kKeyEnd};
    std::uint32_t count = 0;
  };
  // What one thread has for a part.
  struct Buffer {
    Position positions[kBuffered];
    std::uint64_t mixes[kBuffered];
    std::size_t filled = 0;
  };

  std::size_t part_of(std::uint64_t mix) const { return part_bits_ ? mix >> (64 - part_bits_) : 0; }
  std::uint64_t key_of(std::uint64_t mix) const { return (mix << part_bits_) >> 32; }
  std::size_t slot_of(std::uint64_t mix) const;
  Position* slots_of(std::size_t part) { return slots_.data() + part * slots_per_part_; }
  void insert(std::size_t part, Buffer& buffer);
  bool put(std::size_t part, const Position& position, std::uint64_t mix);
  void halve(std::size_t part);

  ThreadTeam& team_;
  unsigned part_bits_ = 0;
  std::size_t slots_per_part_ = 0;
  std::uint32_t limit_ = 0;  // positions a part holds at most
  SystemArray<Position> slots_;
  std::unique_ptr<Part[]> parts_;
  std::vector<std::vector<Buffer>> buffers_;  // by member and part
  bool first_ = true;
  bool clean_ = true;  // all slots are empty
};

}  // namespace cuarbiter
