// PGN text in memory: cutting it into slabs, and lexing them, without the replay.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "host/io/memory_source.hpp"
#include "host/pgn/framer.hpp"
#include "host/pgn/lexer.hpp"

namespace cuarbiter {
namespace {

// The sample games until they make about 4 MB.
std::string archive() {
  std::ifstream file(CUARBITER_DATA "/games/history.pgn", std::ios::binary);
  const std::string games{std::istreambuf_iterator<char>(file), {}};
  if (games.empty()) std::abort();
  std::string text;
  while (text.size() < (std::size_t{4} << 20)) text += games + "\n";
  return text;
}

void frame(benchmark::State& state) {
  const std::string text = archive();
  Slab slab;
  for (auto _ : state) {
    MemorySource source(text);
    Framer framer(source, 1);
    while (framer.next(slab)) benchmark::DoNotOptimize(slab.size);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(frame);

void lex(benchmark::State& state) {
  const std::string text = archive();
  std::vector<Slab> slabs;
  {
    MemorySource source(text);
    Framer framer(source, 1);
    for (Slab slab; framer.next(slab); slab = Slab{}) slabs.push_back(std::move(slab));
  }
  GameBatch batch;
  for (auto _ : state) {
    for (const Slab& slab : slabs) {
      batch.clear();
      lex_slab(slab, {}, batch);
      benchmark::DoNotOptimize(batch.games.size());
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(lex);

}  // namespace
}  // namespace cuarbiter
