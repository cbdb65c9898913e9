// The bench command: perft, classify, replay and proofs of fixed work, timed, each with a signature
// that must not change.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>

#include "cli/arguments.hpp"
#include "cli/bench_games.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/output.hpp"
#include "cli/position_proof.hpp"
#include "cli/progress.hpp"
#include "host/batch/ordered_pipeline.hpp"
#include "host/batch/uint128_text.hpp"
#include "host/notation/fen.hpp"
#include "host/proof/prover.hpp"
#include "host/report/csv.hpp"
#include "host/report/json.hpp"

namespace cuarbiter {
namespace {

struct BenchArguments {
  CommonArguments common;
  bool quick = false;
};

// Positions with many kinds of moves; the depths of a full run.
struct PerftWork {
  const char* fen;
  unsigned depth;
};
constexpr PerftWork kPerftWork[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5},
    {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5},
};

// What the parts must come to, in a full run and in a quick one.
struct Signatures {
  const char* perft;
  const char* classify;
  const char* replay;
  const char* proofs;
};
constexpr Signatures kFull{"593631134", "40a9bab28b016673", "6cf1f0ae85c847c5", "8f77beb597a72b58"};
constexpr Signatures kQuick{"500117", "9b0e1b71d717d0b4", "5d65226440d50f48", "69b709a008282c25"};

constexpr unsigned kFullGames = 4096, kQuickGames = 256;
constexpr unsigned kFullRounds = 40, kQuickRounds = 4;

struct PartResult {
  std::string name;
  std::string what;  // the unit of `amount`
  double amount = 0;
  double seconds = 0;
  std::string signature;
  std::string expected;
};

double timed(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// FNV-1a over 64-bit words.
void mix(std::uint64_t& hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x100000001B3u;
}
constexpr std::uint64_t kHashStart = 0xCBF29CE484222325u;

PartResult bench_perft(Backend& backend, bool merge, bool quick) {
  PartResult part;
  part.name = merge ? "perft" : "perft-no-merge";
  part.what = "nodes";
  part.expected = (quick ? kQuick : kFull).perft;
  Uint128 total{};
  part.seconds = timed([&] {
    for (const PerftWork& work : kPerftWork) {
      const Position root = read_fen(work.fen).position;
      PerftOptions options;
      options.merge = merge;
      Uint128 nodes{};
      backend.perft({&root, 1}, quick ? work.depth - 2 : work.depth, options, {&nodes, 1});
      total += nodes;
    }
  });
  part.amount = to_double(total);
  part.signature = to_string(total);
  return part;
}

// Runs `rounds` equal pieces of work on the threads of this run; `work(worker)` gives a piece's
// signature. All pieces must agree.
template <class Work>
std::string rounds_of(unsigned threads, unsigned rounds, Work&& work) {
  std::uint64_t signature = 0;
  bool first = true, agree = true;
  unsigned left = rounds;
  run_ordered_pipeline<std::uint64_t>(
      PipelineOptions{threads, 0}, [&](std::uint64_t&) { return left-- != 0; },
      [&](std::uint64_t& answer, unsigned worker) { answer = work(worker); },
      [&](std::uint64_t& answer) {
        agree = agree && (first || answer == signature);
        signature = answer;
        first = false;
      });
  return agree ? fmt::format("{:016x}", signature) : "rounds disagree";
}

PartResult bench_classify(const ChosenBackend& chosen, const BenchGames& games, bool quick) {
  PartResult part;
  part.name = "classify";
  part.what = "positions";
  part.expected = (quick ? kQuick : kFull).classify;
  const unsigned rounds = quick ? kQuickRounds : kFullRounds;
  std::vector<std::vector<PositionFacts>> facts(chosen.threads);
  for (auto& each : facts) each.resize(games.positions.size());
  part.seconds = timed([&] {
    part.signature = rounds_of(chosen.threads, rounds, [&](unsigned worker) {
      chosen.backend->classify(games.positions, facts[worker]);
      std::uint64_t hash = kHashStart;
      for (const PositionFacts& f : facts[worker]) {
        mix(hash,
            f.legal_moves | (std::uint64_t{f.checkers} << 16) | (std::uint64_t{f.flags} << 24));
      }
      return hash;
    });
  });
  part.amount = static_cast<double>(games.positions.size()) * rounds;
  return part;
}

PartResult bench_replay(const ChosenBackend& chosen, const BenchGames& games, bool quick) {
  PartResult part;
  part.name = "replay";
  part.what = "plies";
  part.expected = (quick ? kQuick : kFull).replay;
  const unsigned rounds = quick ? kQuickRounds : kFullRounds;
  std::vector<ReplayBatch> batches(chosen.threads, games.batch);
  part.seconds = timed([&] {
    part.signature = rounds_of(chosen.threads, rounds, [&](unsigned worker) {
      ReplayBatch& batch = batches[worker];
      chosen.backend->replay(batch);
      std::uint64_t hash = kHashStart;
      for (const GameVerdict& verdict : batch.game_verdicts) {
        mix(hash, position_mix(verdict.final_position));
        mix(hash, verdict.plies | (std::uint64_t{verdict.halfmove_clock} << 16) |
                      (std::uint64_t{verdict.state} << 32) |
                      (std::uint64_t{verdict.max_repetitions} << 40) |
                      (std::uint64_t{verdict.noted} << 56));
      }
      return hash;
    });
  });
  part.amount = static_cast<double>(games.batch.tokens.size()) * rounds;
  return part;
}

// Who can still win, in positions spread over the games. The signature is made of the answers,
// which are proved: it is the same for any prover.
PartResult bench_proofs(const ChosenBackend& chosen, const BenchGames& games, bool quick) {
  constexpr std::size_t kEvery = 61;
  PartResult part;
  part.name = "who-can-win";
  part.what = "questions";
  part.expected = (quick ? kQuick : kFull).proofs;
  const unsigned rounds = chosen.threads;
  part.seconds = timed([&] {
    part.signature = rounds_of(chosen.threads, rounds, [&](unsigned) {
      Prover& prover = thread_prover({kDefaultProofNodes});
      std::uint64_t hash = kHashStart;
      for (std::size_t i = 0; i < games.positions.size(); i += kEvery) {
        for (const bool us : {true, false}) {
          mix(hash, static_cast<std::uint64_t>(prover.prove(games.positions[i], us)));
        }
      }
      return hash;
    });
  });
  part.amount = 2.0 * static_cast<double>((games.positions.size() + kEvery - 1) / kEvery) * rounds;
  return part;
}

void append_part(std::string& out, Format format, const std::string& backend,
                 const PartResult& part) {
  const double speed = part.amount / (part.seconds > 0 ? part.seconds : 1e-9);
  const bool ok = part.signature == part.expected;
  switch (format) {
    case Format::jsonl:
      JsonObject(out)
          .string("type", "bench")
          .string("part", part.name)
          .string("backend", backend)
          .string("unit", part.what)
          .string("amount", fmt::format("{:.0f}", part.amount))
          .raw("seconds", fmt::format("{:.6f}", part.seconds))
          .raw("per_second", fmt::format("{:.0f}", speed))
          .string("signature", part.signature)
          .boolean("ok", ok)
          .end_line();
      break;
    case Format::csv:
      CsvRow(out)
          .field(part.name)
          .field(backend)
          .field(part.what)
          .field(fmt::format("{:.0f}", part.amount))
          .field(fmt::format("{:.6f}", part.seconds))
          .field(fmt::format("{:.0f}", speed))
          .field(part.signature)
          .field(ok)
          .end();
      break;
    default: {
      double shown = speed;
      const std::string_view unit = scaled_unit(shown);
      fmt::format_to(std::back_inserter(out),
                     "{:<16}{:>14.0f} {:<10}{:>9.3f} s {:>9.2f} {}/s  {} {}\n", part.name,
                     part.amount, part.what, part.seconds, shown, unit, part.signature,
                     ok ? "ok" : "WRONG, expected " + part.expected);
      break;
    }
  }
}

void run_bench(const BenchArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  const std::string name = chosen.backend->info().name;
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  if (arguments.common.format == Format::csv) {
    output.write("part,backend,unit,amount,seconds,per_second,signature,ok\n");
  }
  const bool quick = arguments.quick;
  const BenchGames games = make_bench_games(quick ? kQuickGames : kFullGames);
  bool all_ok = true;
  const auto part = [&](const PartResult& result) {
    std::string out;
    append_part(out, arguments.common.format, name, result);
    output.write(out);
    output.flush();
    all_ok = all_ok && result.signature == result.expected;
  };
  part(bench_perft(*chosen.backend, true, quick));
  part(bench_perft(*chosen.backend, false, quick));
  part(bench_classify(chosen, games, quick));
  part(bench_replay(chosen, games, quick));
  part(bench_proofs(chosen, games, quick));
  output.commit();
  if (!all_ok) throw std::logic_error("a signature is wrong: this build must not be trusted");
}

}  // namespace

void add_bench(CLI::App& root, Invocation& invocation) {
  struct BenchTyped {
    CommonTyped common;
    bool quick = false;
  };
  const auto typed = std::make_shared<BenchTyped>();
  CLI::App& command = *root.add_subcommand("bench", "self-measurement with a fixed signature");
  command.footer(kBenchHelp);
  command.add_flag("--quick", typed->quick, "a hundredth of the work");
  add_common_options(command, typed->common, "text|jsonl|csv");
  add_backend_options(command, typed->common);
  command.callback([typed, &invocation] {
    BenchArguments arguments;
    arguments.common = meant(typed->common, {Format::text, Format::jsonl, Format::csv});
    arguments.quick = typed->quick;
    invocation.exit_zero = arguments.common.exit_zero;
    invocation.color = arguments.common.habits.color;
    invocation.run = [arguments](RunStatus& status) { run_bench(arguments, status); };
  });
}

}  // namespace cuarbiter
