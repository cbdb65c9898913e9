// A position line read and reported: what classify, moves and perft have in common.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/position_lines.hpp"
#include "host/notation/epd.hpp"
#include "host/report/json.hpp"

namespace cuarbiter {

struct DefectHabits {
  bool strict = false;    // warnings count as findings
  bool warnings = false;  // show warnings on standard error
  bool color = false;
  bool use = false;  // positions are used, not validated: faults of their history are warnings
};

// Reads one line of a batch; a truncated one is a syntax error. False for blank lines and comments.
bool read_record(const LineBatch& batch, const LineBatch::Ref& ref, const FenOptions& options,
                 PositionLine& record);

// A batch with its lines read.
struct RecordJob : LineJob {
  std::vector<PositionLine> records;   // the first `count` are of this batch
  std::vector<std::uint32_t> line_of;  // index into lines, one a record
  std::vector<Position> positions;     // of the computable records, in order
};

// Reads all lines of the batch; sets records, line_of, positions and count.
void read_records(RecordJob& job, const FenOptions& options);

// True when the defects are findings: an error, or with `strict` a warning. `use`: as in
// DefectHabits.
bool has_findings(const FenResult& fen, bool strict, bool use = false);

// Appends one located message a defect.
void append_defects(std::string& out, std::string_view file, std::uint64_t line,
                    const FenResult& fen, const DefectHabits& habits);

// The field "defects": an array of objects with code, message, severity and column.
void append_defects(JsonObject& object, const FenResult& fen);

// The codes of the defects, each once, errors only unless `warnings`, with `separator` between
// them.
std::string defect_codes(const FenResult& fen, bool warnings, std::string_view separator);

// Appends the normal form.
void append_fen(std::string& out, const FenResult& fen);

inline std::string_view color_name(bool black) {
  return black ? "black" : "white";
}

}  // namespace cuarbiter
