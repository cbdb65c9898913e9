// The classify command: the state of every FEN or EPD line and of every PGN game's end.
#include "cli/classify_command.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/classify_games.hpp"
#include "cli/classify_plies.hpp"
#include "cli/classify_positions.hpp"
#include "cli/command.hpp"
#include "cli/file_list.hpp"
#include "cli/help_text.hpp"
#include "cli/messages.hpp"
#include "cli/rules_arguments.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

struct ClassifyTyped {
  CommonTyped common;
  RulesTyped rules;
  ProofTyped proof;
  FilesTyped files;
  std::string input = "auto";
  std::string batch;
  bool chess960 = false;
  bool strict = false;
  bool every_ply = false;
};

std::optional<InputKind> input_kind(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "fen") return InputKind::positions;
  if (text == "pgn") return InputKind::games;
  throw UsageError(fmt::format("--input: \"{}\" is none of auto, fen, pgn", visible(text)));
}

ClassifyArguments meant(const ClassifyTyped& typed) {
  ClassifyArguments arguments;
  arguments.common = meant(typed.common, {Format::text, Format::jsonl, Format::csv});
  arguments.rules = meant(typed.rules);
  arguments.proof = meant(typed.proof);
  arguments.input = input_kind(typed.input);
  arguments.fen.chess960 = typed.chess960;
  arguments.strict = typed.strict;
  arguments.every_ply = typed.every_ply;
  if (typed.every_ply && arguments.proof.lines) {
    throw UsageError("--proof writes lines for positions and ends of games, not for --every-ply");
  }
  if (!typed.batch.empty()) {
    arguments.batch_size = whole_number(typed.batch, "--batch-size", 1, kMostBatch);
  }
  arguments.files = input_files(typed.files);
  return arguments;
}

// Runs of files of one kind, in the order given. In CSV each change of kind begins with a header.
class ClassifyRun {
 public:
  ClassifyRun(const ClassifyArguments& arguments, const ChosenBackend& chosen, Output& output,
              RunStatus& status)
      : arguments_(arguments),
        chosen_(chosen),
        output_(output),
        status_(status),
        files_(arguments.files, arguments.input, chosen.threads) {}

  void run() {
    while (const InputFile* file = files_.front()) {
      if (!file->source) {
        pass_over(*file);
        continue;
      }
      const InputKind kind = file->kind;
      header(kind);
      const auto classify = kind != InputKind::games ? classify_positions
                            : arguments_.every_ply   ? classify_plies
                                                     : classify_games;
      classify(arguments_, files_, *chosen_.backend, chosen_.threads, output_, status_);
    }
    if (!headed_) header(arguments_.input.value_or(InputKind::positions));
  }

 private:
  void header(InputKind kind) {
    if (headed_ == kind) return;
    headed_ = kind;
    if (arguments_.common.format != Format::csv) return;
    std::string header(kind != InputKind::games ? classify_positions_header()
                       : arguments_.every_ply   ? classify_plies_header()
                                                : classify_games_header());
    if (arguments_.proof.lines) header.replace(header.size() - 1, 1, ",proof_white,proof_black\n");
    output_.write(header);
  }

  void pass_over(const InputFile& file) {
    status_.raise(ExitStatus::input);
    std::string message;
    append_error(message, file.fault, arguments_.common.habits.color);
    say(message);
    files_.take(file.kind);
  }

  const ClassifyArguments& arguments_;
  const ChosenBackend& chosen_;
  Output& output_;
  RunStatus& status_;
  InputFiles files_;
  std::optional<InputKind> headed_;
};

void run_classify(const ClassifyArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  ClassifyRun(arguments, chosen, output, status).run();
  output.commit();
}

}  // namespace

void add_classify(CLI::App& root, Invocation& invocation) {
  const auto typed = std::make_shared<ClassifyTyped>();
  CLI::App& command = *root.add_subcommand(
      "classify", "the state of every FEN or EPD line, or of every PGN game's end");
  command.footer(kClassifyHelp);
  command
      .add_option("FILE", typed->files.named,
                  "FEN, EPD or PGN files; none or - reads standard input")
      ->type_name("");
  add_files_from(command, typed->files);
  command
      .add_option("--input", typed->input, "what the files hold; auto tells each by its content")
      ->type_name("auto|fen|pgn");
  command.add_flag("--every-ply", typed->every_ply,
                   "of PGN: one record a ply of the main line in place of one a game");
  command.add_flag("--chess960", typed->chess960,
                   "read KQkq as the outermost rooks, wherever king and rooks stand");
  command.add_flag("--strict", typed->strict, "warnings count as findings");
  add_proof_options(command, typed->proof);
  add_rules_options(command, typed->rules);
  add_common_options(command, typed->common, "text|jsonl|csv");
  add_backend_options(command, typed->common);
  add_batch_option(command, typed->batch, "lines, or bytes of PGN,");
  command.callback([typed, &invocation] {
    const ClassifyArguments arguments = meant(*typed);
    invocation.exit_zero = arguments.common.exit_zero;
    invocation.color = arguments.common.habits.color;
    invocation.run = [arguments](RunStatus& status) { run_classify(arguments, status); };
  });
}

}  // namespace cuarbiter
