// The perft command: its arguments as meant, and the ways of running it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/exit_status.hpp"
#include "cli/long_run.hpp"
#include "host/batch/uint128.hpp"
#include "host/notation/fen.hpp"

namespace cuarbiter {

// The largest depth that is accepted, in plies.
inline constexpr unsigned kMostDepth = 99;

struct PerftArguments {
  CommonArguments common;
  unsigned depth = 0;               // without a suite
  std::optional<std::string> fen;   // --fen
  bool reads_files = false;         // or the position of --fen, or the start position
  std::vector<std::string> files;   // "-" is standard input
  std::size_t batch_positions = 0;  // 0: the default
  FenOptions fen_options;
  bool suite = false;
  bool merge = true;
  bool divide = false;
  bool stats = false;                   // what the leaf moves are, too
  bool unique = false;                  // distinct positions instead of paths
  bool fail_fast = false;               // suite: stop after the first mismatch
  std::optional<Uint128> max_nodes;     // suite: skip larger counts
  std::optional<unsigned> depth_limit;  // suite: skip deeper counts
  std::string against;                  // an engine's command; empty: none
  unsigned against_seconds = 0;         // how long one of its answers may take
  LongRunArguments long_run;
};

// Counts the positions given. Positions that cannot be read go to standard error and `status`.
void run_perft(const PerftArguments& arguments, RunStatus& status);

// The same with --stats.
void run_perft_stats(const PerftArguments& arguments, RunStatus& status);

// The same in pieces: with --checkpoint, or the part that --shard says.
void run_perft_long(const PerftArguments& arguments, RunStatus& status);

// Counts the distinct positions at each ply.
void run_perft_unique(const PerftArguments& arguments, RunStatus& status);

// Checks the positions of a suite against its counts.
void run_perft_suite(const PerftArguments& arguments, RunStatus& status);

// Compares the counts of the positions given, or of a suite's, with those of another engine.
void run_perft_against(const PerftArguments& arguments, RunStatus& status);

}  // namespace cuarbiter
