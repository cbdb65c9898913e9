// Guided play for many positions at once, one thread a position. A thread keeps its board and its
// line, some KiB, in local memory.
#include <algorithm>

#include "kernels/cuda/bulk_kernel.hpp"
#include "kernels/cuda/cuda_positions.hpp"
#include "kernels/cuda/shrinking_batches.hpp"
#include "kernels/ops/mates_op.hpp"

namespace cuarbiter {

void cuda_find_mates(CudaContext& context, std::span<const Position> positions,
                     std::span<std::uint8_t> sides) {
  constexpr std::size_t kItemBytes = sizeof(Position) + sizeof(std::uint8_t);
  constexpr std::size_t kSlack = 4 * Arena::kAlignment;
  constexpr std::uint64_t kMostItems = 1u << 22;
  const auto batch = std::clamp<std::uint64_t>(context.budget() / kItemBytes, 1, kMostItems);
  DeviceScope scope(context.device());
  in_shrinking_batches(positions.size(), batch, [&](std::uint64_t first, std::uint64_t count) {
    Arena arena = context.arena(count * kItemBytes + kSlack);
    auto* d_positions = arena.allocate<Position>(count);
    auto* d_sides = arena.allocate<std::uint8_t>(count);
    copy_to_device(d_positions, positions.data() + first, count, context.stream());
    copy_to_device(d_sides, sides.data() + first, count, context.stream());
    launch_bulk(count, MatesOp{d_positions, d_sides}, context.stream());
    copy_to_host(sides.data() + first, d_sides, count, context.stream());
    context.synchronize();
  });
}

}  // namespace cuarbiter
