// The rules core, one position at a time in 64-bit words: counting and expanding.
#include <benchmark/benchmark.h>

#include <array>
#include <string_view>

#include "host/notation/fen.hpp"
#include "host/rules/count.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

constexpr std::array<std::string_view, 4> kFens{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"};

std::array<Position, 4> positions() {
  std::array<Position, 4> out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = read_fen(kFens[i], {}).position;
  return out;
}

void count_moves(benchmark::State& state) {
  const auto all = positions();
  for (auto _ : state) {
    for (const Position& p : all) benchmark::DoNotOptimize(count_legal_moves(p));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
}
BENCHMARK(count_moves);

void expand_children(benchmark::State& state) {
  const auto all = positions();
  std::int64_t children = 0;
  for (auto _ : state) {
    for (const Position& p : all) {
      for_each_child(p, [&](const Position& child) {
        benchmark::DoNotOptimize(child);
        ++children;
      });
    }
  }
  state.SetItemsProcessed(children);
}
BENCHMARK(expand_children);

}  // namespace
}  // namespace cuarbiter
