// Parts of a piece of work.
#include "host/batch/shard.hpp"

#include <algorithm>
#include <charconv>

#include "host/batch/uint128.hpp"

namespace cuarbiter {
namespace {

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Shard> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = number(text.substr(0, slash)), count = number(text.substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count || *count > kMostShards) {
    return std::nullopt;
  }
  return Shard{*index, *count};
}

Shard slurm_shard(const std::function<const char*(const char*)>& get) {
  const auto read = [&](const char* name) {
    const char* const text = get(name);
    const auto value = number(text == nullptr ? "" : text);
    if (!value) {
      throw ShardError(std::string(name) + (text == nullptr ? " is not set" : " is no number"));
    }
    return std::uint64_t{*value};
  };
  std::uint64_t index = 0, count = 1;
  const bool array = get("SLURM_ARRAY_TASK_ID") != nullptr;
  if (array) {
    const std::uint64_t id = read("SLURM_ARRAY_TASK_ID"), least = read("SLURM_ARRAY_TASK_MIN"),
                        most = read("SLURM_ARRAY_TASK_MAX"), tasks = read("SLURM_ARRAY_TASK_COUNT");
    const std::uint64_t step =
        get("SLURM_ARRAY_TASK_STEP") == nullptr ? 1 : read("SLURM_ARRAY_TASK_STEP");
    if (step == 0 || tasks == 0 || id < least || id > most || (id - least) % step != 0 ||
        (most - least) / step + 1 != tasks) {
      throw ShardError("the job array's numbers have no regular steps; use --shard I/N");
    }
    index = (id - least) / step;
    count = tasks;
  }
  if (!array || get("SLURM_NTASKS") != nullptr) {
    const std::uint64_t tasks = read("SLURM_NTASKS");
    if (tasks > 1) {
      const std::uint64_t task = read("SLURM_PROCID");
      if (task >= tasks) throw ShardError("SLURM_PROCID is not below SLURM_NTASKS");
      index = index * tasks + task;
      count *= tasks;
    }
  }
  if (count > kMostShards) throw ShardError("more parts than there can be");
  return Shard{static_cast<unsigned>(index + 1), static_cast<unsigned>(count)};
}

ItemRange shard_items(std::span<const std::uint64_t> work, const Shard& shard) {
  std::uint64_t total = 0;
  for (const std::uint64_t w : work) total += std::max<std::uint64_t>(w, 1);
  // An item belongs to the part in which the middle of its work lies: part i (from 0) of n holds
  // the middles from total * i / n on.
  ItemRange range{work.size(), work.size()};
  std::uint64_t before = 0;
  const auto starts = [&](std::uint64_t twice_middle, unsigned part) {
    return product(twice_middle, shard.count) >= product(2 * total, part);
  };
  for (std::size_t i = 0; i < work.size(); ++i) {
    const std::uint64_t own = std::max<std::uint64_t>(work[i], 1);
    const std::uint64_t twice_middle = 2 * before + own;
    if (range.begin == work.size() && starts(twice_middle, shard.index - 1)) range.begin = i;
    if (range.end == work.size() && starts(twice_middle, shard.index)) {
      range.end = i;
      break;
    }
    before += own;
  }
  range.begin = std::min(range.begin, range.end);
  return range;
}

}  // namespace cuarbiter
