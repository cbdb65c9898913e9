// The CPU backend on one thread: perft with and without merging of equal positions, and facts of
// positions in batches.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "host/backend.hpp"
#include "host/notation/fen.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

constexpr std::string_view kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr std::string_view kKiwipete =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

std::unique_ptr<Backend> one_thread() {
  CpuOptions options;
  options.threads = 1;
  return make_cpu_backend(options);
}

// Items are move paths; `nodes` is their known number.
void perft(benchmark::State& state, std::string_view fen, unsigned depth, std::uint64_t nodes,
           bool merge) {
  const auto backend = one_thread();
  const Position root = read_fen(fen, {}).position;
  PerftOptions options;
  options.merge = merge;
  Uint128 counted;
  for (auto _ : state) {
    backend->perft({&root, 1}, depth, options, {&counted, 1});
    if (!(counted == Uint128{nodes, 0})) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(nodes));
}
BENCHMARK_CAPTURE(perft, start_5_raw, kStart, 5, 4865609, false)->UseRealTime();
BENCHMARK_CAPTURE(perft, start_5_merged, kStart, 5, 4865609, true)->UseRealTime();
BENCHMARK_CAPTURE(perft, kiwipete_4_raw, kKiwipete, 4, 4085603, false)->UseRealTime();
BENCHMARK_CAPTURE(perft, kiwipete_4_merged, kKiwipete, 4, 4085603, true)->UseRealTime();

// All positions two plies from Kiwipete.
std::vector<Position> many_positions() {
  std::vector<Position> out;
  for_each_child(read_fen(kKiwipete, {}).position, [&](const Position& child) {
    for_each_child(child, [&](const Position& grandchild) { out.push_back(grandchild); });
  });
  return out;
}

void classify(benchmark::State& state) {
  const auto backend = one_thread();
  const std::vector<Position> positions = many_positions();
  std::vector<PositionFacts> facts(positions.size());
  for (auto _ : state) {
    backend->classify(positions, facts);
    benchmark::DoNotOptimize(facts.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(positions.size()));
}
BENCHMARK(classify)->UseRealTime();

void list_moves(benchmark::State& state) {
  const auto backend = one_thread();
  const std::vector<Position> positions = many_positions();
  MoveLists lists;
  for (auto _ : state) {
    backend->moves(positions, lists);
    benchmark::DoNotOptimize(lists.moves.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(positions.size()));
}
BENCHMARK(list_moves)->UseRealTime();

}  // namespace
}  // namespace cuarbiter
