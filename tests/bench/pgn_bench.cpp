// PGN text in memory, on one thread: cutting it into slabs, lexing, replaying, judging, each alone
// and all together. Bytes are bytes of text.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/backend.hpp"
#include "host/io/memory_source.hpp"
#include "host/pgn/framer.hpp"
#include "host/pgn/judge.hpp"
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

std::vector<Slab> slabs_of(const std::string& text) {
  std::vector<Slab> slabs;
  MemorySource source(text);
  Framer framer(source, 1);
  for (Slab slab; framer.next(slab); slab = Slab{}) slabs.push_back(std::move(slab));
  return slabs;
}

std::unique_ptr<Backend> one_thread() {
  CpuOptions options;
  options.threads = 1;
  return make_cpu_backend(options);
}

void count_bytes(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void frame(benchmark::State& state) {
  const std::string text = archive();
  Slab slab;
  for (auto _ : state) {
    MemorySource source(text);
    Framer framer(source, 1);
    while (framer.next(slab)) benchmark::DoNotOptimize(slab.size);
  }
  count_bytes(state, text);
}
BENCHMARK(frame);

void lex(benchmark::State& state) {
  const std::string text = archive();
  const std::vector<Slab> slabs = slabs_of(text);
  GameBatch batch;
  for (auto _ : state) {
    for (const Slab& slab : slabs) {
      batch.clear();
      lex_slab(slab, {}, batch);
      benchmark::DoNotOptimize(batch.games.size());
    }
  }
  count_bytes(state, text);
}
BENCHMARK(lex);

// Items are move tokens.
void replay(benchmark::State& state) {
  const std::string text = archive();
  const auto backend = one_thread();
  std::vector<GameBatch> batches;
  std::int64_t tokens = 0;
  for (const Slab& slab : slabs_of(text)) {
    lex_slab(slab, {}, batches.emplace_back());
    tokens += static_cast<std::int64_t>(batches.back().replay.tokens.size());
  }
  for (auto _ : state) {
    for (GameBatch& batch : batches) {
      backend->replay(batch.replay);
      benchmark::DoNotOptimize(batch.replay.game_verdicts.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * tokens);
  count_bytes(state, text);
}
BENCHMARK(replay)->UseRealTime();

// What a worker does to a slab: lexing, replay, judging.
void whole_slab(benchmark::State& state) {
  const std::string text = archive();
  const std::vector<Slab> slabs = slabs_of(text);
  const auto backend = one_thread();
  GameBatch batch;
  std::vector<Finding> findings;
  std::int64_t games = 0;
  for (auto _ : state) {
    for (const Slab& slab : slabs) {
      batch.clear();
      findings.clear();
      lex_slab(slab, {}, batch);
      backend->replay(batch.replay);
      judge_slab(slab, batch, kRulesProfiles[0], findings);
      games += static_cast<std::int64_t>(batch.games.size());
      if (!findings.empty()) std::abort();
    }
  }
  state.SetItemsProcessed(games);
  count_bytes(state, text);
}
BENCHMARK(whole_slab)->UseRealTime();

}  // namespace
}  // namespace cuarbiter
