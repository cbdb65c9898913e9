// Lines of suites put together to positions with counts.
#include "cli/perft_suite_reader.hpp"

#include "cli/position_lines.hpp"
#include "cli/position_text.hpp"
#include "host/notation/perft_block.hpp"

namespace cuarbiter {
namespace {

// Reads the lines of one file after the other and hands whole entries to the taker.
class SuiteReader {
 public:
  SuiteReader(const PerftArguments& arguments, SuiteTaker& taker, RunStatus& status)
      : arguments_(arguments), taker_(taker), status_(status) {}

  // False when the run is to stop.
  bool read(const LineBatch& batch) {
    if (batch.file_number != file_number_) {
      if (!finish()) return false;
      file_ = batch.file;
      file_number_ = batch.file_number;
    }
    for (const LineBatch::Ref& ref : batch.lines) {
      if (!read_line(batch, ref)) return false;
    }
    return true;
  }

  bool finish() {
    blocks_.finish();
    const bool go_on = take_block();
    blocks_ = PerftBlockReader();
    return go_on;
  }

 private:
  bool read_line(const LineBatch& batch, LineBatch::Ref ref) {
    // Old suites end their lines in NUL bytes.
    while (ref.length != 0 && batch.text[ref.begin + ref.length - 1] == '\0') --ref.length;
    if (!ref.truncated) {
      switch (blocks_.read(batch.line(ref), ref.number)) {
        case PerftBlockReader::Line::taken:
          return take_block();
        case PerftBlockReader::Line::broken:
          if (!take_block()) return false;
          broken(batch.file, ref.number);
          return true;
        case PerftBlockReader::Line::other_form:
          break;
      }
    }
    blocks_.finish();
    if (!take_block()) return false;
    if (!read_record(batch, ref, arguments_.fen_options, record_)) return true;
    return taker_.add(batch.file, ref.number, record_.fen, record_.counts);
  }

  // A line that is neither a position nor part of a block.
  void broken(const std::string& file, std::uint64_t line) {
    status_.raise(ExitStatus::findings);
    std::string messages;
    append_located(messages, file, line, 1, true,
                   "no \"perft DEPTH NODES\" line that belongs to a position",
                   fen_fault_code(FenFault::syntax), arguments_.common.habits.color);
    say(messages);
  }

  bool take_block() {
    if (!blocks_.ready()) return true;
    const PerftBlock block = blocks_.take();
    read_position_line(block.position, arguments_.fen_options, record_);
    for (FenDefect& defect : record_.fen.defects) defect.column += block.column - 1;
    return taker_.add(file_, block.line, record_.fen, block.counts);
  }

  const PerftArguments& arguments_;
  SuiteTaker& taker_;
  RunStatus& status_;
  PerftBlockReader blocks_;
  PositionLine record_;
  std::string file_;
  std::size_t file_number_ = 0;
};

}  // namespace

bool read_suite(const PerftArguments& arguments, SuiteTaker& taker, RunStatus& status) {
  SuiteReader reader(arguments, taker, status);
  InputFiles files(arguments.files, InputKind::positions);
  PositionLines lines(files, 0);
  LineBatch batch;
  while (lines.next(batch)) {
    if (!reader.read(batch)) return false;
    report_fault(batch, arguments.common.habits, status);
  }
  return reader.finish();
}

}  // namespace cuarbiter
