// Reading and reporting single position lines.
#include "cli/position_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/messages.hpp"

namespace cuarbiter {

bool read_record(const LineBatch& batch, const LineBatch::Ref& ref, const FenOptions& options,
                 PositionLine& record) {
  const std::string_view text = batch.line(ref);
  if (ref.truncated) {
    record = PositionLine{};
    record.fen.defects.push_back({FenFault::syntax, true,
                                  fmt::format("the line is longer than {} bytes", kMaxPositionLine),
                                  static_cast<unsigned>(text.size() + 1)});
    return true;
  }
  if (is_comment_or_blank(text)) return false;
  read_position_line(text, options, record);
  return true;
}

void read_records(RecordJob& job, const FenOptions& options) {
  job.line_of.clear();
  job.positions.clear();
  std::size_t used = 0;
  for (std::uint32_t i = 0; i < job.lines.size(); ++i) {
    if (used == job.records.size()) job.records.emplace_back();
    PositionLine& record = job.records[used];
    if (!read_record(job, job.lines[i], options, record)) continue;
    ++used;
    job.line_of.push_back(i);
    if (record.fen.computable) job.positions.push_back(record.fen.position);
  }
  job.count = used;
}

bool has_findings(const FenResult& fen, bool strict, bool use) {
  if (strict) return !fen.defects.empty();
  return std::any_of(fen.defects.begin(), fen.defects.end(), [&](const FenDefect& defect) {
    return fen_fault_is_error(defect.fault) && !(use && fen_fault_is_of_history(defect.fault));
  });
}

void append_defects(std::string& out, std::string_view file, std::uint64_t line,
                    const FenResult& fen, const DefectHabits& habits) {
  for (const FenDefect& defect : fen.defects) {
    const bool fault = fen_fault_is_error(defect.fault);
    if (!fault && !habits.warnings) continue;
    const bool is_error = fault && !(habits.use && fen_fault_is_of_history(defect.fault));
    append_located(out, file, line, defect.column, is_error, defect.message,
                   fen_fault_code(defect.fault), habits.color);
  }
}

void append_defects(JsonObject& object, const FenResult& fen) {
  object.open_array("defects");
  for (const FenDefect& defect : fen.defects) {
    object.open_object_item()
        .string("code", fen_fault_code(defect.fault))
        .string("message", defect.message)
        .string("severity", fen_fault_is_error(defect.fault) ? "error" : "warning")
        .integer("column", defect.column)
        .close_object();
  }
  object.close_array();
}

std::string defect_codes(const FenResult& fen, bool warnings, std::string_view separator) {
  static_assert(kFenFaultCount <= 32);
  std::string out;
  std::uint32_t seen = 0;
  for (const FenDefect& defect : fen.defects) {
    if (!warnings && !fen_fault_is_error(defect.fault)) continue;
    const std::uint32_t bit = std::uint32_t{1} << static_cast<unsigned>(defect.fault);
    if ((seen & bit) != 0) continue;
    seen |= bit;
    if (!out.empty()) out += separator;
    out += fen_fault_code(defect.fault);
  }
  return out;
}

void append_fen(std::string& out, const FenResult& fen) {
  append_fen(out, fen.position, fen.side_to_move, fen.halfmove_clock, fen.fullmove_number);
}

}  // namespace cuarbiter
