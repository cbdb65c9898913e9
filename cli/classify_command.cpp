// The classify command: the state of every FEN or EPD line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/position_lines.hpp"
#include "cli/position_state.hpp"
#include "cli/position_text.hpp"
#include "cli/rules_arguments.hpp"
#include "host/report/csv.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

struct ClassifyTyped {
  CommonTyped common;
  RulesTyped rules;
  std::vector<std::string> files;
  std::string batch;
  bool chess960 = false;
  bool strict = false;
};

struct ClassifyArguments {
  CommonArguments common;
  RulesProfile rules;
  std::vector<std::string> files;
  std::size_t batch_lines = 0;
  FenOptions fen;
  bool strict = false;
};

ClassifyArguments meant(const ClassifyTyped& typed) {
  ClassifyArguments arguments;
  arguments.common = meant(typed.common, {Format::text, Format::jsonl, Format::csv});
  arguments.rules = meant(typed.rules);
  arguments.fen.chess960 = typed.chess960;
  arguments.strict = typed.strict;
  if (!typed.batch.empty()) {
    arguments.batch_lines = whole_number(typed.batch, "--batch-size", 1, kMostBatch);
  }
  arguments.files = input_files(typed.files);
  return arguments;
}

struct ClassifyJob : RecordJob {
  std::vector<PositionFacts> facts;  // one a position
  std::string fen;                   // scratch
};

// Turns one record into text of the chosen format.
class ClassifyWriter {
 public:
  explicit ClassifyWriter(const ClassifyArguments& arguments) : arguments_(arguments) {}

  std::string header() const {
    if (arguments_.common.format != Format::csv) return {};
    return "line,input,valid,fen,side_to_move,legal_moves,in_check,checkers,state,draw,"
           "insufficient_material,dead_position,can_win_white,can_win_black,defects\n";
  }

  // `facts` is null when the position cannot be computed.
  void write(ClassifyJob& job, const LineBatch::Ref& ref, const PositionLine& record,
             const PositionFacts* facts) const {
    PositionState state;
    job.fen.clear();
    if (facts != nullptr) {
      state =
          position_state(*facts, record.fen.halfmove_clock, record.fen.black(), arguments_.rules);
      append_fen(job.fen, record.fen);
    }
    switch (arguments_.common.format) {
      case Format::jsonl:
        return write_json(job, ref, record, facts, state);
      case Format::csv:
        return write_csv(job, ref, record, facts, state);
      default:
        return write_text(job, ref, record, facts, state);
    }
  }

 private:
  void write_json(ClassifyJob& job, const LineBatch::Ref& ref, const PositionLine& record,
                  const PositionFacts* facts, const PositionState& state) const {
    JsonObject object(job.data);
    object.string("type", "position")
        .integer("line", ref.number)
        .string("input", job.line(ref))
        .boolean("valid", record.fen.valid());
    if (facts == nullptr) {
      for (const char* name :
           {"fen", "side_to_move", "legal_moves", "in_check", "checkers", "state", "draw",
            "insufficient_material", "dead_position", "can_win"}) {
        object.null(name);
      }
    } else {
      object.string("fen", job.fen)
          .string("side_to_move", color_name(record.fen.black()))
          .integer("legal_moves", facts->legal_moves)
          .boolean("in_check", facts->checkers != 0)
          .integer("checkers", facts->checkers)
          .string("state", state.name)
          .open_array("draw");
      if (!state.claim.empty()) object.string_item(state.claim);
      object.close_array()
          .boolean("insufficient_material", (facts->flags & kFlagInsufficientMaterial) != 0)
          .string("dead_position", answer_name(state.dead))
          .open_object("can_win")
          .string("white", answer_name(state.white_can_win))
          .string("black", answer_name(state.black_can_win))
          .close_object();
    }
    append_defects(object, record.fen);
    object.end_line();
  }

  void write_csv(ClassifyJob& job, const LineBatch::Ref& ref, const PositionLine& record,
                 const PositionFacts* facts, const PositionState& state) const {
    CsvRow row(job.data);
    row.field(ref.number).field(job.line(ref)).field(record.fen.valid());
    if (facts == nullptr) {
      for (int i = 0; i < 11; ++i) row.empty();
    } else {
      row.field(job.fen)
          .field(color_name(record.fen.black()))
          .field(facts->legal_moves)
          .field(facts->checkers != 0)
          .field(facts->checkers)
          .field(state.name)
          .field(state.claim)
          .field((facts->flags & kFlagInsufficientMaterial) != 0)
          .field(answer_name(state.dead))
          .field(answer_name(state.white_can_win))
          .field(answer_name(state.black_can_win));
    }
    row.field(defect_codes(record.fen, true, " "));
    row.end();
    report(job, ref, record);
  }

  void write_text(ClassifyJob& job, const LineBatch::Ref& ref, const PositionLine& record,
                  const PositionFacts* facts, const PositionState& state) const {
    std::string& out = job.data;
    append_visible(out, job.file);
    fmt::format_to(std::back_inserter(out), ":{}: ", ref.number);
    if (!record.fen.valid()) {
      fmt::format_to(std::back_inserter(out), "impossible ({}), ",
                     defect_codes(record.fen, false, ", "));
    }
    if (facts == nullptr) {
      out += "not computable: ";
      append_visible(out, job.line(ref));
    } else {
      fmt::format_to(std::back_inserter(out), "{}, {} to move, {} legal move{}", state.name,
                     color_name(record.fen.black()), facts->legal_moves,
                     facts->legal_moves == 1 ? "" : "s");
      if (facts->checkers > 1) {
        fmt::format_to(std::back_inserter(out), ", in check by {}", facts->checkers);
      } else if (facts->checkers == 1) {
        out += ", in check";
      }
      if (!state.claim.empty())
        fmt::format_to(std::back_inserter(out), ", can claim {}", state.claim);
      if (facts->flags & kFlagInsufficientMaterial) out += ", insufficient material";
      if (state.name == "ongoing") {
        if (state.white_can_win == Answer::no) out += ", white cannot win";
        if (state.black_can_win == Answer::no) out += ", black cannot win";
      }
      out += ": ";
      out += job.fen;
    }
    out += '\n';
    report(job, ref, record);
  }

  // jsonl has the defects in its records; the other formats leave the details to standard error.
  void report(ClassifyJob& job, const LineBatch::Ref& ref, const PositionLine& record) const {
    if (record.fen.defects.empty()) return;
    const Habits& habits = arguments_.common.habits;
    append_defects(job.messages, job.file, ref.number, record.fen,
                   {arguments_.strict, arguments_.strict || habits.verbose, habits.color});
  }

  const ClassifyArguments& arguments_;
};

void classify_batch(const ClassifyArguments& arguments, Backend& backend, ClassifyJob& job) {
  read_records(job, arguments.fen);
  job.facts.resize(job.positions.size());
  backend.classify(job.positions, job.facts);
  const ClassifyWriter writer(arguments);
  std::size_t at = 0;
  for (std::size_t i = 0; i < job.count; ++i) {
    const PositionLine& record = job.records[i];
    const PositionFacts* facts = record.fen.computable ? &job.facts[at++] : nullptr;
    if (has_findings(record.fen, arguments.strict)) job.findings = true;
    writer.write(job, job.lines[job.line_of[i]], record, facts);
  }
}

void run_classify(const ClassifyArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  output.write(ClassifyWriter(arguments).header());
  const LineRun run{arguments.files, arguments.batch_lines, chosen.threads,
                    arguments.common.habits};
  run_position_lines<ClassifyJob>(run, output, status, [&](ClassifyJob& job) {
    classify_batch(arguments, *chosen.backend, job);
  });
  output.commit();
}

}  // namespace

void add_classify(CLI::App& root, Invocation& invocation) {
  const auto typed = std::make_shared<ClassifyTyped>();
  CLI::App& command = *root.add_subcommand("classify", "the state of every FEN or EPD line");
  command.footer(kClassifyHelp);
  command.add_option("FILE", typed->files, "FEN or EPD files; none or - reads standard input")
      ->type_name("");
  command.add_flag("--chess960", typed->chess960,
                   "read KQkq as the outermost rooks, wherever king and rooks stand");
  command.add_flag("--strict", typed->strict, "warnings count as findings");
  add_rules_options(command, typed->rules);
  add_common_options(command, typed->common, "text|jsonl|csv");
  add_backend_options(command, typed->common);
  add_batch_option(command, typed->batch, "lines");
  command.callback([typed, &invocation] {
    const ClassifyArguments arguments = meant(*typed);
    invocation.exit_zero = arguments.common.exit_zero;
    invocation.color = arguments.common.habits.color;
    invocation.run = [arguments](RunStatus& status) { run_classify(arguments, status); };
  });
}

}  // namespace cuarbiter
