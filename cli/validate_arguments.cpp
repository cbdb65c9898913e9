// The flags of the validate command.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/file_list.hpp"
#include "cli/help_text.hpp"
#include "cli/rules_arguments.hpp"
#include "cli/validate_command.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

struct ValidateTyped {
  CommonTyped common;
  RulesTyped rules;
  FilesTyped files;
  std::string batch;
  bool games = false;
  bool strict = false;
  bool chess960 = false;
  bool fail_fast = false;
  bool fix = false;
  bool duplicates = false;
  std::string report;
  std::string max_errors;
  std::string keep;
  std::vector<std::string> only, ignore;
  LongRunTyped long_run;
};

constexpr unsigned kMostErrors = 4000000000u;

Keep meant_keep(const std::string& typed) {
  if (typed == "good") return Keep::good;
  if (typed == "faulty") return Keep::faulty;
  if (typed == "all" || typed.empty()) return Keep::all;
  throw UsageError("--keep: \"" + visible(typed) + "\" is none of all, good, faulty");
}

// What a state does not hold goes with neither flag; what a part does not hold, not with --shard.
void long_run_meant(const ValidateTyped& typed, ValidateArguments& arguments) {
  arguments.long_run = meant(typed.long_run);
  if (!arguments.long_run.any()) return;
  if (!arguments.long_run.shard) {
    if (!typed.report.empty()) {
      throw UsageError(
          "--report with --checkpoint takes a part: --shard 1/1, then merge with --report");
    }
    if (typed.duplicates) {
      throw UsageError("--duplicates with --checkpoint takes a part: --shard 1/1, then merge");
    }
    return;
  }
  if (arguments.max_errors != 0) {
    throw UsageError(
        "--max-errors and --fail-fast do not go with --shard: no part knows the errors of the "
        "others");
  }
  if (arguments.pgn && typed.common.format.empty()) {
    throw UsageError(
        "--shard writes a part, whatever the suffix of -o; with --format pgn it holds games for "
        "merge to write");
  }
  if (!typed.common.format.empty() && !arguments.pgn && arguments.common.format != Format::jsonl) {
    throw UsageError("--shard writes a part, which is JSON Lines; merge takes --format");
  }
  if (arguments.keep != Keep::all && arguments.strict && arguments.wants_duplicates()) {
    throw UsageError(
        "--keep with --strict and --duplicates does not go with --shard: no part knows the games "
        "of the others; merge with --keep all, then validate what it writes");
  }
  arguments.common.format = Format::jsonl;
}

ValidateArguments meant(const ValidateTyped& typed) {
  ValidateArguments arguments;
  arguments.common = meant(typed.common, {Format::text, Format::jsonl, Format::csv, Format::pgn});
  arguments.rules = meant(typed.rules);
  arguments.games = typed.games;
  arguments.strict = typed.strict;
  arguments.chess960 = typed.chess960;
  arguments.codes = CodeFilter(typed.only, typed.ignore);
  if (!typed.max_errors.empty()) {
    arguments.max_errors = whole_number(typed.max_errors, "--max-errors", 1, kMostErrors);
  }
  if (typed.fail_fast) arguments.max_errors = 1;
  arguments.pgn = arguments.common.format == Format::pgn;
  arguments.keep = meant_keep(typed.keep);
  arguments.fix = typed.fix;
  arguments.duplicates = typed.duplicates;
  arguments.report = typed.report;
  check_report(arguments.report, arguments.common);
  if (!arguments.pgn && (typed.fix || !typed.keep.empty())) {
    throw UsageError("--keep and --fix are about --format pgn (or -o FILE.pgn)");
  }
  if (!typed.batch.empty()) {
    arguments.batch_bytes = whole_number(typed.batch, "--batch-size", 1, kMostBatch);
  }
  arguments.files = input_files(typed.files);
  long_run_meant(typed, arguments);
  return arguments;
}

}  // namespace

void check_report(const std::string& report, const CommonArguments& common) {
  if (report == "-") {
    throw UsageError("--report: - is no file; the page does not go to standard output");
  }
  if (!report.empty() && report == common.output) {
    throw UsageError("--report and -o name the same file");
  }
}

void add_validate(CLI::App& root, Invocation& invocation) {
  const auto typed = std::make_shared<ValidateTyped>();
  CLI::App& command =
      *root.add_subcommand("validate", "check PGN archives: text, tags, every move, every result");
  command.footer(kValidateHelp);
  command.add_option("FILE", typed->files.named, "PGN archives; none or - reads standard input")
      ->type_name("");
  add_files_from(command, typed->files);
  command.add_flag("--games", typed->games, "one record a game besides the problems");
  command
      .add_option("--report", typed->report,
                  "also write one self-contained HTML page about the run")
      ->type_name("FILE.html");
  const std::string problems = "Problems";
  command
      .add_flag("--duplicates", typed->duplicates,
                "look for games with the same players and moves as one before, over all files")
      ->group(problems);
  command.add_option("--only", typed->only, "report these codes or groups of codes and no others")
      ->type_name("CODE,...")
      ->allow_extra_args(false)
      ->group(problems);
  command.add_option("--ignore", typed->ignore, "leave out these codes or groups, such as san")
      ->type_name("CODE,...")
      ->allow_extra_args(false)
      ->group(problems);
  command
      .add_option("--max-errors", typed->max_errors,
                  "stop after N errors (with --strict, warnings count too)")
      ->type_name("N")
      ->group(problems);
  command.add_flag("--strict", typed->strict, "warnings count as findings")->group(problems);
  command.add_flag("--fail-fast", typed->fail_fast, "stop after the first error")->group(problems);
  command.add_flag("--chess960", typed->chess960,
                   "read castling in ambiguous FENs as Chess960 (a Variant tag decides otherwise)");
  const std::string games = "Writing games (--format pgn)";
  command
      .add_option("--keep", typed->keep,
                  "which games to write: all, or those without or with errors")
      ->type_name("all|good|faulty")
      ->group(games);
  command
      .add_flag("--fix", typed->fix, "repair results, tags and encoding where one answer is right")
      ->group(games);
  add_rules_options(command, typed->rules);
  add_common_options(command, typed->common, "text|jsonl|csv|pgn");
  add_long_run_options(command, typed->long_run);
  add_backend_options(command, typed->common);
  add_batch_option(command, typed->batch, "bytes of text");
  command.callback([typed, &invocation] {
    const ValidateArguments arguments = meant(*typed);
    invocation.exit_zero = arguments.common.exit_zero;
    invocation.color = arguments.common.habits.color;
    invocation.run = [arguments](RunStatus& status) {
      if (arguments.long_run.any()) {
        run_validate_long(arguments, status);
      } else {
        run_validate(arguments, status);
      }
    };
  });
}

}  // namespace cuarbiter
