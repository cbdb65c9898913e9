#include "kernels/cuda/cuda_positions.hpp"

#include <algorithm>
#include <vector>

#include "kernels/cuda/bulk_kernel.hpp"
#include "kernels/cuda/shrinking_batches.hpp"
#include "kernels/ops/classify_op.hpp"
#include "kernels/ops/count_op.hpp"
#include "kernels/ops/moves_op.hpp"
#include "kernels/ops/rule_out_op.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kSlack = 8 * Arena::kAlignment;

std::uint64_t batch_of(const CudaContext& context, std::size_t item_bytes) {
  constexpr std::uint64_t kMostItems = 1u << 26;
  return std::clamp<std::uint64_t>(context.budget() / item_bytes, 1, kMostItems);
}

// Counts the legal moves of each position; ends[i] is the sum up to position i, from `before` on.
void count_ends(CudaContext& context, std::span<const Position> positions, std::uint64_t before,
                std::span<std::uint64_t> ends) {
  const std::size_t count = positions.size();
  std::vector<std::uint16_t> counts(count);
  Arena arena = context.arena(count * (sizeof(Position) + sizeof(std::uint16_t)) + kSlack);
  auto* d_positions = arena.allocate<Position>(count);
  auto* d_counts = arena.allocate<std::uint16_t>(count);
  copy_to_device(d_positions, positions.data(), count, context.stream());
  launch_bulk(count, CountOp<std::uint16_t>{d_positions, d_counts}, context.stream());
  copy_to_host(counts.data(), d_counts, count, context.stream());
  context.synchronize();
  for (std::size_t i = 0; i < count; ++i) ends[i] = before += counts[i];
}

// Lists the moves of each position; `ends` and `base` as in MovesOp.
void list_moves(CudaContext& context, std::span<const Position> positions,
                std::span<const std::uint64_t> ends, std::uint64_t base, MoveFacts* moves) {
  const std::size_t count = positions.size();
  const std::size_t total = ends.back() - base;
  Arena arena = context.arena(count * (sizeof(Position) + sizeof(std::uint64_t)) +
                              total * sizeof(MoveFacts) + kSlack);
  auto* d_positions = arena.allocate<Position>(count);
  auto* d_ends = arena.allocate<std::uint64_t>(count);
  auto* d_moves = arena.allocate<MoveFacts>(total);
  copy_to_device(d_positions, positions.data(), count, context.stream());
  copy_to_device(d_ends, ends.data(), count, context.stream());
  launch_bulk(count, MovesOp{d_positions, d_ends, base, d_moves}, context.stream());
  copy_to_host(moves, d_moves, total, context.stream());
  context.synchronize();
}

}  // namespace

void cuda_classify(CudaContext& context, std::span<const Position> positions,
                   std::span<PositionFacts> facts) {
  constexpr std::size_t kItemBytes = sizeof(Position) + sizeof(PositionFacts);
  DeviceScope scope(context.device());
  in_shrinking_batches(positions.size(), batch_of(context, kItemBytes),
                       [&](std::uint64_t first, std::uint64_t count) {
                         Arena arena = context.arena(count * kItemBytes + kSlack);
                         auto* d_positions = arena.allocate<Position>(count);
                         auto* d_facts = arena.allocate<PositionFacts>(count);
                         copy_to_device(d_positions, positions.data() + first, count,
                                        context.stream());
                         launch_bulk(count, ClassifyOp{d_positions, d_facts}, context.stream());
                         copy_to_host(facts.data() + first, d_facts, count, context.stream());
                         context.synchronize();
                       });
}

// A thread keeps the positions still to be looked at, some KiB, in local memory.
void cuda_rule_out(CudaContext& context, std::span<const Position> positions,
                   std::span<std::uint8_t> sides) {
  constexpr std::size_t kItemBytes = sizeof(Position) + sizeof(std::uint8_t);
  DeviceScope scope(context.device());
  in_shrinking_batches(positions.size(), batch_of(context, kItemBytes),
                       [&](std::uint64_t first, std::uint64_t count) {
                         Arena arena = context.arena(count * kItemBytes + kSlack);
                         auto* d_positions = arena.allocate<Position>(count);
                         auto* d_sides = arena.allocate<std::uint8_t>(count);
                         copy_to_device(d_positions, positions.data() + first, count,
                                        context.stream());
                         copy_to_device(d_sides, sides.data() + first, count, context.stream());
                         launch_bulk(count, RuleOutOp{d_positions, d_sides}, context.stream());
                         copy_to_host(sides.data() + first, d_sides, count, context.stream());
                         context.synchronize();
                       });
}

void cuda_moves(CudaContext& context, std::span<const Position> positions, MoveLists& lists) {
  DeviceScope scope(context.device());
  lists.offsets.assign(positions.size() + 1, 0);
  const std::span<std::uint64_t> ends = std::span(lists.offsets).subspan(1);
  in_shrinking_batches(positions.size(),
                       batch_of(context, sizeof(Position) + sizeof(std::uint16_t)),
                       [&](std::uint64_t first, std::uint64_t count) {
                         count_ends(context, positions.subspan(first, count), lists.offsets[first],
                                    ends.subspan(first, count));
                       });
  lists.moves.assign(lists.offsets.back(), MoveFacts{});
  // Sixty moves a position are more than almost any set of positions has on average.
  constexpr std::size_t kItemBytes = sizeof(Position) + 8 + 60 * sizeof(MoveFacts);
  in_shrinking_batches(positions.size(), batch_of(context, kItemBytes),
                       [&](std::uint64_t first, std::uint64_t count) {
                         const std::uint64_t base = lists.offsets[first];
                         list_moves(context, positions.subspan(first, count),
                                    ends.subspan(first, count), base, lists.moves.data() + base);
                       });
}

cudaError_t cuda_kernel_status() {
  cudaFuncAttributes attributes;
  const cudaError_t error = cudaFuncGetAttributes(&attributes, bulk_kernel<ClassifyOp>);
  cudaGetLastError();
  return error;
}

}  // namespace cuarbiter
