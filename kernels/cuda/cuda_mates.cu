// Guided play for many positions at once, one thread a question. A thread keeps its board and its
// line, some KiB, in local memory.
//
// Most questions are answered by the plans alone. The rest, for which chance moves many times, goes
// into a launch of its own: threads of one warp are about as long at work, and few wait for others.
#include <algorithm>
#include <vector>

#include "kernels/cuda/bulk_kernel.hpp"
#include "kernels/cuda/cuda_positions.hpp"
#include "kernels/cuda/shrinking_batches.hpp"
#include "kernels/ops/mates_op.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kItemBytes = sizeof(Position) + 3 * sizeof(std::uint8_t);

// One launch; `sides` as Backend::find_mates has them.
void find_in_rounds(CudaContext& context, std::span<const Position> positions,
                    std::span<std::uint8_t> sides, unsigned rounds) {
  constexpr std::size_t kSlack = 6 * Arena::kAlignment;
  const std::size_t count = positions.size();
  Arena arena = context.arena(count * kItemBytes + kSlack);
  auto* d_positions = arena.allocate<Position>(count);
  auto* d_sides = arena.allocate<std::uint8_t>(count);
  auto* d_found = arena.allocate<std::uint8_t>(2 * count);
  std::vector<std::uint8_t> found(2 * count);
  copy_to_device(d_positions, positions.data(), count, context.stream());
  copy_to_device(d_sides, sides.data(), count, context.stream());
  launch_bulk(2 * count, MatesOp{d_positions, d_sides, d_found, rounds}, context.stream());
  copy_to_host(found.data(), d_found, 2 * count, context.stream());
  context.synchronize();
  for (std::size_t i = 0; i < count; ++i) {
    sides[i] = static_cast<std::uint8_t>(found[2 * i] * kSideUs + found[2 * i + 1] * kSideThem);
  }
}

}  // namespace

void cuda_find_mates(CudaContext& context, std::span<const Position> positions,
                     std::span<std::uint8_t> sides) {
  constexpr std::uint64_t kMostItems = 1u << 22;
  const auto batch = std::clamp<std::uint64_t>(context.budget() / kItemBytes, 1, kMostItems);
  DeviceScope scope(context.device());
  in_shrinking_batches(positions.size(), batch, [&](std::uint64_t first, std::uint64_t count) {
    const std::span<const Position> all = positions.subspan(first, count);
    const std::span<std::uint8_t> answers = sides.subspan(first, count);
    const std::vector<std::uint8_t> asked(answers.begin(), answers.end());
    // After a failure the same batch may be begun anew: the questions are overwritten last.
    std::vector<std::uint8_t> planned = asked;
    find_in_rounds(context, all, planned, 0);
    std::vector<std::size_t> rest;
    std::vector<Position> positions_left;
    std::vector<std::uint8_t> sides_left;
    for (std::size_t i = 0; i < count; ++i) {
      const auto left = static_cast<std::uint8_t>(asked[i] & ~planned[i]);
      if (left == 0) continue;
      rest.push_back(i);
      positions_left.push_back(all[i]);
      sides_left.push_back(left);
    }
    if (!rest.empty()) find_in_rounds(context, positions_left, sides_left, kGuidedRounds);
    for (std::size_t i = 0; i < rest.size(); ++i) planned[rest[i]] |= sides_left[i];
    std::copy(planned.begin(), planned.end(), answers.begin());
  });
}

}  // namespace cuarbiter
