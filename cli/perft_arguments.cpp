// The flags of the perft command.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "cli/command.hpp"
#include "cli/file_list.hpp"
#include "cli/help_text.hpp"
#include "cli/perft_command.hpp"
#include "host/batch/uint128_text.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

// Seconds that another engine may take to answer: by default, and at most.
constexpr unsigned kEnginePatience = 3600;
constexpr unsigned kMostPatience = 100u * 24 * 3600;

struct PerftTyped {
  CommonTyped common;
  FilesTyped files;  // named: DEPTH and files, or files of a suite
  std::string fen;
  std::string max_nodes;
  std::string depth_limit;
  std::string batch;
  std::string against;
  std::string against_seconds;
  LongRunTyped long_run;
  bool suite = false;
  bool divide = false;
  bool stats = false;
  bool unique = false;
  bool fail_fast = false;
  bool merge = true;
  bool chess960 = false;
};

void suite_meant(const PerftTyped& typed, PerftArguments& arguments) {
  if (typed.divide) throw UsageError("--divide does not go with --suite");
  if (typed.stats) throw UsageError("--stats does not go with --suite");
  if (!typed.fen.empty()) throw UsageError("--fen does not go with --suite");
  arguments.fail_fast = typed.fail_fast;
  arguments.fen_options.chess960 = true;
  if (!typed.max_nodes.empty()) {
    arguments.max_nodes = parse_uint128(typed.max_nodes);
    if (!arguments.max_nodes) {
      throw UsageError(
          fmt::format("--max-nodes: \"{}\" is no count of nodes", visible(typed.max_nodes)));
    }
  }
  if (!typed.depth_limit.empty()) {
    arguments.depth_limit = whole_number(typed.depth_limit, "--depth-limit", 0, kMostDepth);
  }
  arguments.files = input_files(typed.files);
  arguments.reads_files = true;
}

void count_meant(const PerftTyped& typed, PerftArguments& arguments) {
  if (!typed.max_nodes.empty()) throw UsageError("--max-nodes goes with --suite only");
  if (!typed.depth_limit.empty()) throw UsageError("--depth-limit goes with --suite only");
  if (typed.fail_fast) throw UsageError("--fail-fast goes with --suite only");
  FilesTyped files = typed.files;
  if (files.named.empty()) throw UsageError("perft needs a DEPTH, or --suite and files");
  arguments.depth = whole_number(files.named.front(), "DEPTH", 0, kMostDepth);
  files.named.erase(files.named.begin());
  arguments.divide = typed.divide;
  arguments.reads_files = files.null_separated || !files.named.empty() || !files.list.empty();
  if (arguments.reads_files) arguments.files = input_files(files);
  arguments.stats = typed.stats;
  arguments.unique = typed.unique;
  if (!typed.fen.empty()) {
    if (arguments.reads_files) throw UsageError("--fen and FILE do not go together");
    arguments.fen = typed.fen;
  }
}

void against_meant(const PerftTyped& typed, PerftArguments& arguments) {
  if (typed.against.empty()) {
    if (!typed.against_seconds.empty()) throw UsageError("--against-timeout goes with --against");
    return;
  }
  if (typed.divide) throw UsageError("--divide does not go with --against, which compares it");
  if (typed.stats) throw UsageError("--stats does not go with --against");
  arguments.against = typed.against;
  arguments.against_seconds =
      typed.against_seconds.empty()
          ? kEnginePatience
          : whole_number(typed.against_seconds, "--against-timeout", 1, kMostPatience);
}

// After the format and --against.
void long_run_meant(const PerftTyped& typed, PerftArguments& arguments) {
  LongRunArguments& long_run = arguments.long_run;
  long_run = meant(typed.long_run);
  if (long_run.any() && !arguments.against.empty()) {
    throw UsageError("--shard and --checkpoint do not go with --against");
  }
  if (long_run.any() && typed.stats) {
    throw UsageError("--shard and --checkpoint do not go with --stats");
  }
  if (long_run.any() && typed.unique) {
    throw UsageError("--shard and --checkpoint do not go with --unique");
  }
  if (long_run.any() && typed.suite && typed.fail_fast) {
    throw UsageError(
        "--fail-fast does not go with --checkpoint, which counts all before it reports");
  }
  if (!long_run.shard) return;
  if (typed.suite) {
    throw UsageError("--shard does not go with --suite: give each task a suite of its own");
  }
  if (!typed.common.format.empty() && arguments.common.format != Format::jsonl) {
    throw UsageError("--shard writes a part, which is JSON Lines; merge takes --format");
  }
  arguments.common.format = Format::jsonl;
}

// Positions are counted once each, so nothing that tells paths apart goes with --unique.
void unique_meant(const PerftTyped& typed) {
  if (!typed.unique) return;
  const std::pair<bool, const char*> others[] = {{typed.suite, "--suite"},
                                                 {typed.divide, "--divide"},
                                                 {typed.stats, "--stats"},
                                                 {!typed.merge, "--no-merge"},
                                                 {!typed.against.empty(), "--against"}};
  for (const auto& [given, name] : others) {
    if (given) throw UsageError(fmt::format("{} does not go with --unique", name));
  }
}

PerftArguments meant(const PerftTyped& typed) {
  PerftArguments arguments;
  arguments.common = meant(typed.common, {Format::text, Format::jsonl, Format::csv});
  arguments.fen_options.chess960 = typed.chess960;
  arguments.merge = typed.merge;
  arguments.suite = typed.suite;
  unique_meant(typed);
  against_meant(typed, arguments);
  long_run_meant(typed, arguments);
  if (!typed.batch.empty()) {
    arguments.batch_positions = whole_number(typed.batch, "--batch-size", 1, kMostBatch);
  }
  if (typed.suite) {
    suite_meant(typed, arguments);
  } else {
    count_meant(typed, arguments);
    if (!typed.against.empty() && arguments.depth == 0) {
      throw UsageError("--against compares moves: DEPTH must be at least 1");
    }
  }
  return arguments;
}

}  // namespace

void add_perft(CLI::App& root, Invocation& invocation) {
  const auto typed = std::make_shared<PerftTyped>();
  CLI::App& command = *root.add_subcommand("perft", "count move paths");
  command.footer(kPerftHelp);
  command
      .add_option("DEPTH", typed->files.named,
                  "plies, then FEN or EPD files (- is standard input); with --suite files only")
      ->type_name("[FILE...]");
  add_files_from(command, typed->files);
  command.add_option("--fen", typed->fen, "the position to start from")->type_name("FEN");
  command.add_flag("--divide", typed->divide, "the count of each first move too");
  command.add_flag("--stats", typed->stats,
                   "what the leaf moves are: captures, castles, checks, checkmates ...");
  command.add_flag("--unique", typed->unique, "the number of different positions at each ply");
  command.add_flag("--suite", typed->suite, "check positions with known counts");
  command.add_option("--max-nodes", typed->max_nodes, "suite: skip counts larger than N")
      ->type_name("N");
  command.add_option("--depth-limit", typed->depth_limit, "suite: skip depths larger than D")
      ->type_name("D");
  command.add_flag("--fail-fast", typed->fail_fast, "suite: stop after the first mismatch");
  command
      .add_option("--against", typed->against,
                  "compare with another UCI engine's \"go perft\", down to the first difference")
      ->type_name("COMMAND");
  command
      .add_option("--against-timeout", typed->against_seconds,
                  "how long an answer of that engine may take (default 3600)")
      ->type_name("SECONDS");
  command.add_flag("--merge,!--no-merge", typed->merge,
                   "merge equal positions (default), or count every path; the counts are the same");
  command.add_flag("--chess960", typed->chess960,
                   "read KQkq as the outermost rooks, wherever king and rooks stand");
  add_common_options(command, typed->common, "text|jsonl|csv");
  add_long_run_options(command, typed->long_run);
  add_backend_options(command, typed->common);
  add_batch_option(command, typed->batch, "positions");
  command.callback([typed, &invocation] {
    const PerftArguments arguments = meant(*typed);
    invocation.exit_zero = arguments.common.exit_zero;
    invocation.color = arguments.common.habits.color;
    invocation.run = [arguments](RunStatus& status) {
      if (!arguments.against.empty()) {
        run_perft_against(arguments, status);
      } else if (arguments.suite) {
        run_perft_suite(arguments, status);
      } else if (arguments.unique) {
        run_perft_unique(arguments, status);
      } else if (arguments.stats) {
        run_perft_stats(arguments, status);
      } else if (arguments.long_run.any()) {
        run_perft_long(arguments, status);
      } else {
        run_perft(arguments, status);
      }
    };
  });
}

}  // namespace cuarbiter
