// Repetitions in many games at once, one thread a position.
#include <algorithm>

#include "kernels/cuda/bulk_kernel.hpp"
#include "kernels/cuda/cuda_positions.hpp"
#include "kernels/cuda/shrinking_batches.hpp"
#include "kernels/ops/repetition_op.hpp"

namespace cuarbiter {
namespace {

// How many positions before the first of a batch its positions may equal.
std::uint64_t lead_of(std::span<const std::uint32_t> reach) {
  std::uint64_t lead = 0;
  const std::size_t near = std::min<std::size_t>(reach.size(), kRepetitionReach);
  for (std::size_t i = 0; i < near; ++i) {
    const std::uint64_t back = std::min(reach[i], kRepetitionReach);
    if (back > i) lead = std::max(lead, back - i);
  }
  return lead;
}

}  // namespace

void cuda_repetitions(CudaContext& context, std::span<const Position> positions,
                      std::span<const std::uint32_t> reach, std::span<RepetitionFacts> facts) {
  constexpr std::size_t kItemBytes =
      sizeof(Position) + sizeof(std::uint32_t) + sizeof(RepetitionFacts);
  constexpr std::size_t kSlack = 6 * Arena::kAlignment;
  constexpr std::uint64_t kMostItems = 1u << 26;
  const auto batch = std::clamp<std::uint64_t>(context.budget() / kItemBytes, 1, kMostItems);
  DeviceScope scope(context.device());
  in_shrinking_batches(positions.size(), batch, [&](std::uint64_t first, std::uint64_t count) {
    // The positions that lead to a batch come along; they have been counted by then.
    const std::uint64_t lead = lead_of(reach.subspan(first, count));
    const std::uint64_t begin = first - lead, all = lead + count;
    Arena arena = context.arena(all * kItemBytes + kSlack);
    auto* d_positions = arena.allocate<Position>(all);
    auto* d_reach = arena.allocate<std::uint32_t>(count);
    auto* d_facts = arena.allocate<RepetitionFacts>(all);
    copy_to_device(d_positions, positions.data() + begin, all, context.stream());
    copy_to_device(d_reach, reach.data() + first, count, context.stream());
    copy_to_device(d_facts, facts.data() + begin, lead, context.stream());
    const RepetitionView view{d_positions + lead, d_reach, d_facts + lead};
    launch_bulk(count, RepetitionsOp{view}, context.stream());
    launch_bulk(count, ThirdTimeOp{view}, context.stream());
    copy_to_host(facts.data() + first, view.facts, count, context.stream());
    context.synchronize();
  });
}

}  // namespace cuarbiter
