// Who can still win: guided play and the whole prover, one question after the other.
#include <benchmark/benchmark.h>

#include <array>
#include <string_view>

#include "host/notation/fen.hpp"
#include "host/play/guided_play.hpp"
#include "host/proof/prover.hpp"

namespace cuarbiter {
namespace {

// An opening, a middlegame, endings with a rook, with pawns alone and with a lone bishop.
constexpr std::array<std::string_view, 5> kFens{
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/5pk1/4p1p1/7p/3R3P/5PP1/r5K1/8 w - - 0 40", "8/8/2k5/p7/P2K4/1P6/8/8 w - - 0 50",
    "8/2k5/p7/2n5/8/3B4/4K3/8 w - - 0 50"};

std::array<Position, 5> positions() {
  std::array<Position, 5> out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = read_fen(kFens[i], {}).position;
  return out;
}

void guided_play(benchmark::State& state) {
  const Position position = positions()[static_cast<std::size_t>(state.range(0))];
  GuidedPlay play;
  for (auto _ : state) benchmark::DoNotOptimize(play.find(position, true, 200));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(guided_play)->DenseRange(0, 4);

void prove_both_sides(benchmark::State& state) {
  const auto all = positions();
  Prover prover;
  for (auto _ : state) {
    for (const Position& p : all) {
      for (const bool us : {true, false}) benchmark::DoNotOptimize(prover.prove(p, us));
    }
  }
  state.SetItemsProcessed(state.iterations() * 2 * static_cast<std::int64_t>(all.size()));
}
BENCHMARK(prove_both_sides);

}  // namespace
}  // namespace cuarbiter
