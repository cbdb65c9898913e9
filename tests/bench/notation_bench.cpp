// Text of single positions and moves: reading and writing FEN, reading SAN.
#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

#include "host/notation/fen.hpp"
#include "host/notation/san_text.hpp"

namespace cuarbiter {
namespace {

constexpr std::string_view kFen =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

void fen_read(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(read_fen(kFen, {}));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(fen_read);

void fen_write(benchmark::State& state) {
  const FenResult fen = read_fen(kFen, {});
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        write_fen(fen.position, fen.side_to_move, fen.halfmove_clock, fen.fullmove_number));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(fen_write);

void san_read(benchmark::State& state) {
  for (auto _ : state) {
    for (const std::string_view move :
         {"e4", "Nbd7", "O-O-O", "exd8=Q+", "R1xa3#", "0-0", "e2e4"}) {
      benchmark::DoNotOptimize(read_san(move));
    }
  }
  state.SetItemsProcessed(state.iterations() * 7);
}
BENCHMARK(san_read);

}  // namespace
}  // namespace cuarbiter
