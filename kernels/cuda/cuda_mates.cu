// Guided play for many positions at once, one thread a question. A thread keeps its board and its
// line, some KiB, in local memory.
#include <algorithm>
#include <vector>

#include "kernels/cuda/bulk_kernel.hpp"
#include "kernels/cuda/cuda_positions.hpp"
#include "kernels/cuda/shrinking_batches.hpp"
#include "kernels/ops/mates_op.hpp"

namespace cuarbiter {

void cuda_find_mates(CudaContext& context, std::span<const Position> positions,
                     std::span<std::uint8_t> sides) {
  constexpr std::size_t kItemBytes = sizeof(Position) + 3 * sizeof(std::uint8_t);
  constexpr std::size_t kSlack = 6 * Arena::kAlignment;
  constexpr std::uint64_t kMostItems = 1u << 22;
  const auto batch = std::clamp<std::uint64_t>(context.budget() / kItemBytes, 1, kMostItems);
  DeviceScope scope(context.device());
  std::vector<std::uint8_t> found;
  in_shrinking_batches(positions.size(), batch, [&](std::uint64_t first, std::uint64_t count) {
    Arena arena = context.arena(count * kItemBytes + kSlack);
    auto* d_positions = arena.allocate<Position>(count);
    auto* d_sides = arena.allocate<std::uint8_t>(count);
    auto* d_found = arena.allocate<std::uint8_t>(2 * count);
    found.resize(2 * count);
    copy_to_device(d_positions, positions.data() + first, count, context.stream());
    copy_to_device(d_sides, sides.data() + first, count, context.stream());
    launch_bulk(2 * count, MatesOp{d_positions, d_sides, d_found}, context.stream());
    copy_to_host(found.data(), d_found, 2 * count, context.stream());
    context.synchronize();
    for (std::uint64_t i = 0; i < count; ++i) {
      sides[first + i] =
          static_cast<std::uint8_t>(found[2 * i] * kSideUs + found[2 * i + 1] * kSideThem);
    }
  });
}

}  // namespace cuarbiter
