// The flags of the validate command.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/rules_arguments.hpp"
#include "cli/validate_command.hpp"

namespace cuarbiter {
namespace {

struct ValidateTyped {
  CommonTyped common;
  RulesTyped rules;
  std::vector<std::string> files;
  std::string batch;
  bool games = false;
  bool strict = false;
  bool chess960 = false;
};

ValidateArguments meant(const ValidateTyped& typed) {
  ValidateArguments arguments;
  arguments.common = meant(typed.common, {Format::text, Format::jsonl, Format::csv});
  arguments.rules = meant(typed.rules);
  arguments.games = typed.games;
  arguments.strict = typed.strict;
  arguments.chess960 = typed.chess960;
  if (!typed.batch.empty()) {
    arguments.batch_bytes = whole_number(typed.batch, "--batch-size", 1, kMostBatch);
  }
  arguments.files = input_files(typed.files);
  return arguments;
}

}  // namespace

void add_validate(CLI::App& root, Invocation& invocation) {
  const auto typed = std::make_shared<ValidateTyped>();
  CLI::App& command =
      *root.add_subcommand("validate", "check PGN archives: text, tags, every move, every result");
  command.footer(kValidateHelp);
  command.add_option("FILE", typed->files, "PGN archives; none or - reads standard input")
      ->type_name("");
  command.add_flag("--games", typed->games, "one record a game besides the problems");
  command.add_flag("--strict", typed->strict, "warnings count as findings");
  command.add_flag("--chess960", typed->chess960,
                   "read castling in ambiguous FENs as Chess960 (a Variant tag decides otherwise)");
  add_rules_options(command, typed->rules);
  add_common_options(command, typed->common, "text|jsonl|csv");
  add_backend_options(command, typed->common);
  add_batch_option(command, typed->batch, "bytes of text");
  command.callback([typed, &invocation] {
    const ValidateArguments arguments = meant(*typed);
    invocation.exit_zero = arguments.common.exit_zero;
    invocation.color = arguments.common.habits.color;
    invocation.run = [arguments](RunStatus& status) { run_validate(arguments, status); };
  });
}

}  // namespace cuarbiter
