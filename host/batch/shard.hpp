// One of N parts of a piece of work, for runs that are spread over machines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cuarbiter {

// Part `index` of `count`, both from 1. The default is the whole.
struct Shard {
  unsigned index = 1;
  unsigned count = 1;

  friend bool operator==(const Shard&, const Shard&) = default;
};

// The most parts there can be.
inline constexpr unsigned kMostShards = 1000000;

// "3/8": the third of eight. Nothing when the text is no such thing.
std::optional<Shard> parse_shard(std::string_view text);

// The environment does not say which part this is: the message tells what is missing.
class ShardError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The part of this task of a Slurm job: the index in its job array (SLURM_ARRAY_TASK_ID between
// _MIN and _MAX by _STEP, where there is an array), and within that the task of the job
// (SLURM_PROCID of SLURM_NTASKS, where there is more than one). `get` is like std::getenv. Throws
// ShardError outside of Slurm, for an array whose numbers have no regular steps, and for values
// that make no sense.
Shard slurm_shard(const std::function<const char*(const char*)>& get);

// The items of a part: begin .. end, of items in a fixed order with known work (in any unit). The
// parts of a count are disjoint, cover all items, and have about the same work each; some are empty
// when there are fewer items than parts. The sum of the work must be below 2^63.
struct ItemRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};
ItemRange shard_items(std::span<const std::uint64_t> work, const Shard& shard);

}  // namespace cuarbiter
