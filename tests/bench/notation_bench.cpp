// Text of single positions and moves: reading and writing FEN and SAN.
#include <benchmark/benchmark.h>

#include <string>
#include <string_view>
#include <vector>

#include "host/notation/fen.hpp"
#include "host/notation/san_text.hpp"
#include "host/rules/movegen.hpp"

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

// All moves of one position. Items are moves.
void san_write(benchmark::State& state) {
  const Position position = read_fen(kFen, {}).position;
  std::vector<Move> moves;
  for_each_legal_move(position, [&](Move move) { moves.push_back(move); });
  for (auto _ : state) {
    for (const Move move : moves) benchmark::DoNotOptimize(san_text(position, move, false));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(moves.size()));
}
BENCHMARK(san_write);

}  // namespace
}  // namespace cuarbiter
