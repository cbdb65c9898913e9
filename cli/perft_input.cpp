// Reading the roots of a perft.
#include "cli/perft_input.hpp"

#include "cli/messages.hpp"
#include "cli/position_lines.hpp"
#include "cli/position_text.hpp"

namespace cuarbiter {
namespace {

// A suite is about counts. What can be counted is: a position that no game can reach, or that was
// read in the only way it can be, is worth a warning, and a mismatch if that was wrong.
void append_suite_defects(std::string& messages, const Habits& habits, const std::string& file,
                          std::uint64_t line, const FenResult& fen) {
  if (habits.quiet) return;
  for (const FenDefect& defect : fen.defects) {
    if (!fen_fault_is_error(defect.fault) && !habits.verbose) continue;
    append_located(messages, file, line, defect.column, false, defect.message,
                   fen_fault_code(defect.fault), habits.color);
  }
}

}  // namespace

bool take_defects(const PerftArguments& arguments, RunStatus& status, const std::string& file,
                  std::uint64_t line, const FenResult& fen) {
  const Habits& habits = arguments.common.habits;
  std::string messages;
  if (arguments.suite && fen.computable) {
    append_suite_defects(messages, habits, file, line, fen);
  } else {
    if (!fen.computable || has_findings(fen, false, true)) status.raise(ExitStatus::findings);
    append_defects(messages, file, line, fen, {false, habits.verbose, habits.color, true});
  }
  say(messages);
  return fen.computable;
}

void read_perft_roots(const PerftArguments& arguments, RunStatus& status,
                      const std::function<void(PerftRoot)>& take) {
  const auto use = [&](const std::string& file, std::uint64_t line, const FenResult& fen) {
    if (!take_defects(arguments, status, file, line, fen)) return;
    take(make_root(fen, line, arguments.fen_options.chess960));
  };
  if (!arguments.reads_files) {
    const std::string text = arguments.fen ? *arguments.fen : std::string(kStartFen);
    use("--fen", 1, read_position_line(text, arguments.fen_options).fen);
    return;
  }
  InputFiles files(arguments.files, InputKind::positions);
  PositionLines lines(files, arguments.batch_positions);
  LineBatch batch;
  PositionLine record;
  while (lines.next(batch)) {
    for (const LineBatch::Ref& ref : batch.lines) {
      if (!read_record(batch, ref, arguments.fen_options, record)) continue;
      use(batch.file, ref.number, record.fen);
    }
    report_fault(batch, arguments.common.habits, status);
  }
}

}  // namespace cuarbiter
