#include "kernels/cuda/cuda_replay.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/cuda/bulk_kernel.hpp"
#include "kernels/cuda/shrinking_batches.hpp"
#include "kernels/ops/replay_op.hpp"

CUARBITER_RULES_BEGIN

// The games in a given order.
struct OrderedReplayOp {
  ReplayOp replay;
  const std::uint32_t* order;

  CUARBITER_HD_INLINE void operator()(std::uint64_t i) const { replay(order[i]); }
};

CUARBITER_RULES_END

namespace cuarbiter {
namespace {

// A half-open range of indices that grows to hold others.
struct Range {
  std::uint32_t begin = ~std::uint32_t{0};
  std::uint32_t end = 0;

  void include(std::uint32_t first, std::uint32_t count) {
    begin = std::min(begin, first);
    end = std::max(end, first + count);
  }
  std::size_t size() const { return begin < end ? end - begin : 0; }
};

// The parts of a batch's arrays that some games use.
struct Extent {
  Range tokens, segments, starts;

  void include(const ReplayBatch& batch, const ReplayGame& game) {
    segments.include(game.segment_begin, game.segment_count);
    starts.include(game.start, 1);
    for (std::uint32_t s = 0; s < game.segment_count; ++s) {
      const ReplaySegment& segment = batch.segments[game.segment_begin + s];
      tokens.include(segment.token_begin, segment.token_count);
    }
  }
  std::size_t bytes(std::size_t games) const {
    return tokens.size() * (sizeof(SanToken) + sizeof(Position) + 1) +
           segments.size() * (sizeof(ReplaySegment) + sizeof(std::uint32_t)) +
           starts.size() * sizeof(ReplayStart) +
           games * (sizeof(ReplayGame) + sizeof(GameVerdict) + sizeof(std::uint32_t));
  }
};

// The part of a host array that belongs to a range, on the device. at(d) is a pointer that takes
// the host's indices.
template <class T>
struct DevicePart {
  T* data = nullptr;
  Range range;

  DevicePart(Arena& arena, const Range& part) : range(part) {
    data = arena.allocate<T>(range.size());
  }
  void send(const std::vector<T>& host, cudaStream_t stream) {
    if (range.size()) copy_to_device(data, host.data() + range.begin, range.size(), stream);
  }
  void fetch(std::vector<T>& host, cudaStream_t stream) const {
    if (range.size()) copy_to_host(host.data() + range.begin, data, range.size(), stream);
  }
  // Only elements of the range may be used; the arithmetic is on addresses, as the pointer itself
  // can lie outside of the array.
  T* indexed() const {
    if (!range.size()) return nullptr;
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(data) - range.begin * sizeof(T));
  }
};

// Numbers of the games from `first` on, long ones first, so that the games of a warp are alike and
// no long one comes last.
std::vector<std::uint32_t> by_length(const ReplayBatch& batch, std::uint32_t first,
                                     std::uint32_t count) {
  constexpr std::uint32_t kLongest = 1023;
  std::vector<std::uint16_t> lengths(count);
  std::vector<std::uint32_t> places(kLongest + 2, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const ReplayGame& game = batch.games[first + i];
    std::uint64_t tokens = 0;
    for (std::uint32_t s = 0; s < game.segment_count; ++s) {
      tokens += batch.segments[game.segment_begin + s].token_count;
    }
    const auto rank =
        static_cast<std::uint16_t>(kLongest - std::min<std::uint64_t>(tokens, kLongest));
    lengths[i] = rank;
    ++places[rank + 1u];
  }
  for (std::uint32_t rank = 1; rank < places.size(); ++rank) places[rank] += places[rank - 1];
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[places[lengths[i]]++] = first + i;
  return order;
}

void replay_games(CudaContext& context, ReplayBatch& batch, std::uint32_t first,
                  std::uint32_t count) {
  Extent extent;
  for (std::uint32_t i = 0; i < count; ++i) extent.include(batch, batch.games[first + i]);
  Range games;
  games.include(first, count);
  const cudaStream_t stream = context.stream();
  Arena arena = context.arena(extent.bytes(count) + 16 * Arena::kAlignment);
  DevicePart<SanToken> tokens(arena, extent.tokens);
  DevicePart<ReplaySegment> segments(arena, extent.segments);
  DevicePart<ReplayStart> starts(arena, extent.starts);
  DevicePart<ReplayGame> game_list(arena, games);
  DevicePart<std::uint8_t> verdicts(arena, extent.tokens);
  DevicePart<std::uint32_t> judged(arena, extent.segments);
  DevicePart<GameVerdict> game_verdicts(arena, games);
  auto* slots = arena.allocate<Position>(extent.tokens.size());
  auto* d_order = arena.allocate<std::uint32_t>(count);
  const std::vector<std::uint32_t> order = by_length(batch, first, count);
  tokens.send(batch.tokens, stream);
  segments.send(batch.segments, stream);
  starts.send(batch.starts, stream);
  game_list.send(batch.games, stream);
  // The answers of games outside of this run may lie between those of this one: they are kept.
  verdicts.send(batch.verdicts, stream);
  judged.send(batch.plies_judged, stream);
  copy_to_device(d_order, order.data(), count, stream);
  ReplayView view;
  view.tokens = tokens.indexed();
  view.segments = segments.indexed();
  view.games = game_list.indexed();
  view.starts = starts.indexed();
  view.slots = slots;
  view.slot_base = extent.tokens.size() ? extent.tokens.begin : 0;
  view.verdicts = verdicts.indexed();
  view.plies_judged = judged.indexed();
  view.game_verdicts = game_verdicts.indexed();
  view.rules = batch.rules;
  launch_bulk(count, OrderedReplayOp{ReplayOp{view}, d_order}, stream);
  verdicts.fetch(batch.verdicts, stream);
  judged.fetch(batch.plies_judged, stream);
  game_verdicts.fetch(batch.game_verdicts, stream);
  context.synchronize();
}

// The number of games from `first` on that fit the memory, at least 1, at most `most`.
std::uint32_t games_that_fit(const CudaContext& context, const ReplayBatch& batch,
                             std::uint32_t first, std::uint32_t most) {
  Extent extent;
  std::uint32_t count = 0;
  while (count < most) {
    extent.include(batch, batch.games[first + count]);
    if (count != 0 && extent.bytes(count + 1) > context.budget()) break;
    ++count;
  }
  return count;
}

}  // namespace

void cuda_replay(CudaContext& context, ReplayBatch& batch) {
  DeviceScope scope(context.device());
  batch.verdicts.assign(batch.tokens.size(), 0);
  batch.plies_judged.assign(batch.segments.size(), 0);
  batch.game_verdicts.assign(batch.games.size(), GameVerdict{});
  const auto size = static_cast<std::uint32_t>(batch.games.size());
  std::uint32_t first = 0;
  while (first < size) {
    const std::uint32_t count = games_that_fit(context, batch, first, size - first);
    in_shrinking_batches(count, count, [&](std::uint64_t begin, std::uint64_t games) {
      replay_games(context, batch, first + static_cast<std::uint32_t>(begin),
                   static_cast<std::uint32_t>(games));
    });
    first += count;
  }
}

}  // namespace cuarbiter
