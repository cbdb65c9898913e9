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
#include "host/io/source.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

struct MergeTyped {
  CommonTyped common;
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

std::unique_ptr<PartTaker> taker_for(const RunIdentity& identity, const CommonArguments& arguments,
                                     Output& output, RunStatus& status) {
  if (identity.command == "perft") return merge_perft(identity, arguments.format);
  if (identity.command == "validate") return merge_validate(identity, arguments, output, status);
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

void run_merge(const CommonArguments& arguments, const std::vector<std::string>& files,
               RunStatus& status) {
  std::vector<Part> parts = read_heads(files);
  check_parts(parts);
  check_whole(parts);
  Output output(arguments.output, status, arguments.exit_zero);
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
}

}  // namespace

void add_merge(CLI::App& root, Invocation& invocation) {
  const auto typed = std::make_shared<MergeTyped>();
  CLI::App& command = *root.add_subcommand("merge", "put the parts of a run with --shard together");
  command.footer(kMergeHelp);
  command.add_option("FILE", typed->files, "all parts of one run, in any order")
      ->type_name("FILE...")
      ->required();
  add_common_options(command, typed->common, "text|jsonl|csv");
  command
      .add_option("--memory", typed->common.memory,
                  "memory for the keys of validate --duplicates, such as 512M or 8GiB")
      ->type_name("SIZE");
  command.callback([typed, &invocation] {
    const CommonArguments arguments =
        meant(typed->common, {Format::text, Format::jsonl, Format::csv});
    invocation.exit_zero = arguments.exit_zero;
    invocation.color = arguments.habits.color;
    for (const std::string& file : typed->files) {
      if (file == "-")
        throw UsageError("merge reads each part more than once: standard input cannot be one");
    }
    invocation.run = [arguments, files = typed->files](RunStatus& status) {
      run_merge(arguments, files, status);
    };
  });
}

}  // namespace cuarbiter
