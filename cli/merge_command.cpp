// The merge command: the parts that --shard has written put together to what the whole run would
// have written.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/merge_parts.hpp"
#include "cli/output.hpp"
#include "cli/validate_command.hpp"
#include "cli/validate_part.hpp"
#include "host/io/source.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

struct MergeTyped {
  CommonTyped common;
  std::string report;
  std::vector<std::string> files;
};

struct MergeArguments {
  CommonArguments common;
  bool format_typed = false;
  std::string report;  // file for the HTML page; empty: none
  std::vector<std::string> files;
};

struct Part {
  std::string file;
  RunIdentity identity;
};

std::vector<Part> read_heads(const std::vector<std::string>& files) {
  std::vector<Part> parts;
  for (const std::string& file : files) {
    const std::unique_ptr<ByteSource> source = open_source(file);
    const RunFileReader reader(*source);
    if (reader.kind() != RunFileKind::part) {
      throw UsageError(fmt::format("{}: is a checkpoint, not a part", visible(file)));
    }
    parts.push_back(Part{file, reader.identity()});
  }
  return parts;
}

// Makes sure that the parts are all those of one run, each once, and puts them in order.
void check_parts(std::vector<Part>& parts) {
  const RunIdentity& first = parts.front().identity;
  for (const Part& part : parts) {
    std::string difference = identity_difference(first, part.identity);
    if (difference.empty() && part.identity.shard.count != first.shard.count) {
      difference = fmt::format("it is one of {} parts, not of {}", part.identity.shard.count,
                               first.shard.count);
    }
    if (!difference.empty()) {
      throw UsageError(fmt::format("{}: is a part of another run than {}: {}", visible(part.file),
                                   visible(parts.front().file), visible(difference)));
    }
  }
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return a.identity.shard.index < b.identity.shard.index;
  });
  std::string missing;
  const unsigned count = parts.front().identity.shard.count;
  unsigned next = 1, listed = 0;
  const auto miss = [&](unsigned until) {
    for (; next < until; ++next) {
      if (listed++ < 10) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", next);
    }
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const unsigned index = parts[i].identity.shard.index;
    if (i != 0 && index == parts[i - 1].identity.shard.index) {
      throw UsageError(fmt::format("part {} of {} is given twice: {} and {}", index, count,
                                   visible(parts[i - 1].file), visible(parts[i].file)));
    }
    miss(index);
    next = index + 1;
  }
  miss(count + 1);
  if (listed != 0) {
    throw UsageError(fmt::format("{} of {} parts {} missing: {}{}", listed, count,
                                 listed == 1 ? "is" : "are", missing, listed > 10 ? " ..." : ""));
  }
}

// Games are written where the parts hold games, and nothing else then.
void check_format(const RunIdentity& identity, MergeArguments& arguments) {
  const bool games = identity.find(kPartFormat) != nullptr;
  Format& format = arguments.common.format;
  if (games && arguments.format_typed && format != Format::pgn) {
    throw UsageError(
        fmt::format("the parts hold games: merge writes pgn of them, not {}", format_name(format)));
  }
  if (!games && format == Format::pgn) {
    throw UsageError("the parts hold no games: merge writes pgn of shards with --format pgn");
  }
  if (games) format = Format::pgn;
  if (!arguments.report.empty() && identity.find(kPartReport) == nullptr) {
    throw UsageError(
        "the parts do not hold what --report needs: it takes shards of validate with --report");
  }
}

std::unique_ptr<PartTaker> taker_for(const RunIdentity& identity, const MergeArguments& arguments,
                                     Output& output, RunStatus& status) {
  if (identity.command == "perft") return merge_perft(identity, arguments.common.format);
  if (identity.command == "validate") {
    return merge_validate(identity, arguments.common, arguments.report, output, status);
  }
  throw UsageError(
      fmt::format("parts of the command \"{}\" cannot be merged", visible(identity.command)));
}

// Reads each part to its end, so that damage shows before anything is written.
void check_whole(const std::vector<Part>& parts) {
  std::string record;
  for (const Part& part : parts) {
    const std::unique_ptr<ByteSource> source = open_source(part.file);
    RunFileReader reader(*source);
    while (reader.next(record)) {
    }
  }
}

void run_merge(MergeArguments arguments, RunStatus& status) {
  std::vector<Part> parts = read_heads(arguments.files);
  check_parts(parts);
  check_format(parts.front().identity, arguments);
  check_whole(parts);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  const std::unique_ptr<PartTaker> taker =
      taker_for(parts.front().identity, arguments, output, status);
  for (const Part& part : parts) {
    const std::unique_ptr<ByteSource> source = open_source(part.file);
    RunFileReader reader(*source);
    taker->begin_part(part.file);
    std::string record;
    while (reader.next(record)) taker->take(record);
  }
  taker->finish(output);
  output.commit();
  taker->write_report();
}

}  // namespace

void add_merge(CLI::App& root, Invocation& invocation) {
  const auto typed = std::make_shared<MergeTyped>();
  CLI::App& command = *root.add_subcommand("merge", "put the parts of a run with --shard together");
  command.footer(kMergeHelp);
  command.add_option("FILE", typed->files, "all parts of one run, in any order")
      ->type_name("FILE...")
      ->required();
  command
      .add_option("--report", typed->report,
                  "also write one self-contained HTML page about a run of validate")
      ->type_name("FILE.html");
  add_common_options(command, typed->common, "text|jsonl|csv|pgn");
  command
      .add_option("--memory", typed->common.memory,
                  "memory for the keys of validate --duplicates, such as 512M or 8GiB")
      ->type_name("SIZE");
  command.callback([typed, &invocation] {
    MergeArguments arguments;
    arguments.common =
        meant(typed->common, {Format::text, Format::jsonl, Format::csv, Format::pgn});
    arguments.format_typed = !typed->common.format.empty();
    arguments.report = typed->report;
    check_report(arguments.report, arguments.common);
    arguments.files = typed->files;
    invocation.exit_zero = arguments.common.exit_zero;
    invocation.color = arguments.common.habits.color;
    for (const std::string& file : typed->files) {
      if (file == "-")
        throw UsageError("merge reads each part more than once: standard input cannot be one");
    }
    invocation.run = [arguments](RunStatus& status) { run_merge(arguments, status); };
  });
}

}  // namespace cuarbiter
