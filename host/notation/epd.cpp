// Reading one line that holds a position: FEN, EPD (PGN standard 16.2) or a perft suite's line.
#include "host/notation/epd.hpp"

#include <algorithm>

#include "host/notation/fen_fields.hpp"
#include "host/notation/san_text.hpp"
#include "host/rules/make_move.hpp"
#include "host/rules/san_match.hpp"

namespace cuarbiter {

using namespace fen_detail;

namespace {

constexpr std::size_t kLongestOpcode = 15;  // 16.2.4: letter, then up to 14 letters, digits, _

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

unsigned column_of(std::size_t offset) {
  return static_cast<unsigned>(offset) + 1;
}

// Reads operations, `opcode operand ...;` each, from an offset to the end of the line.
class OperationReader {
 public:
  OperationReader(std::string_view line, std::size_t at, PositionLine& result)
      : line_(line), at_(at), result_(result) {}

  void read() {
    for (;;) {
      while (at_ < line_.size() && (is_blank(line_[at_]) || line_[at_] == ';')) ++at_;
      if (at_ >= line_.size()) return;
      read_operation();
    }
  }

 private:
  void read_operation() {
    const std::size_t begin = at_;
    while (at_ < line_.size() && !is_blank(line_[at_]) && line_[at_] != ';') ++at_;
    const std::string_view opcode = line_.substr(begin, at_ - begin);
    const bool good = is_letter(opcode[0]) && opcode.size() <= kLongestOpcode &&
                      std::all_of(opcode.begin(), opcode.end(),
                                  [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
    if (!good) {
      add_defect(result_.fen.defects, FenFault::epd_opcode, false, column_of(begin),
                 "an opcode is a letter and up to 14 letters, digits and underscores, not " +
                     quoted(opcode));
    }
    EpdOperation operation;
    operation.opcode = opcode;
    operation.column = column_of(begin);
    while (read_operand(operation)) {
    }
    const bool closed = at_ < line_.size();
    if (closed) ++at_;  // the semicolon
    if (!good || take_count(operation)) return;
    if (!closed) {
      add_defect(result_.fen.defects, FenFault::normalised, false, column_of(line_.size()),
                 "an operation ends with a semicolon");
    }
    result_.operations.push_back(std::move(operation));
  }

  // False at the operation's end.
  bool read_operand(EpdOperation& operation) {
    at_ = skip_blanks(line_, at_);
    if (at_ >= line_.size() || line_[at_] == ';') return false;
    const std::size_t begin = at_;
    if (line_[begin] == '"') {
      const std::size_t end = line_.find('"', begin + 1);
      if (end == std::string_view::npos) {
        add_defect(result_.fen.defects, FenFault::epd_operand, false, column_of(begin),
                   "a string is not closed");
        operation.operands.emplace_back(line_.substr(begin + 1));
        at_ = line_.size();
      } else {
        operation.operands.emplace_back(line_.substr(begin + 1, end - begin - 1));
        at_ = end + 1;
      }
      return true;
    }
    while (at_ < line_.size() && !is_blank(line_[at_]) && line_[at_] != ';') ++at_;
    operation.operands.emplace_back(line_.substr(begin, at_ - begin));
    return true;
  }

  // `D4 197281` is a perft count, in whatever place it stands.
  bool take_count(const EpdOperation& operation) {
    const std::string_view opcode = operation.opcode;
    if (opcode.size() < 2 || opcode.size() > 4 || (opcode[0] != 'D' && opcode[0] != 'd') ||
        !is_number(opcode.substr(1)) || operation.operands.size() != 1) {
      return false;
    }
    std::string_view nodes = operation.operands[0];
    if (!is_number(nodes)) {
      add_defect(result_.fen.defects, FenFault::epd_operand, false, operation.column,
                 "the count of " + quoted(opcode) + " is not a number: " + quoted(nodes));
      return true;
    }
    nodes.remove_prefix(std::min(nodes.find_first_not_of('0'), nodes.size() - 1));
    unsigned depth = 0;
    for (char c : opcode.substr(1)) depth = depth * 10 + static_cast<unsigned>(c - '0');
    result_.counts.push_back(PerftCount{depth, std::string(nodes), operation.column});
    return true;
  }

  std::string_view line_;
  std::size_t at_;
  PositionLine& result_;
};

// hmvc and fmvn, 16.2.5. True when both are there and good.
void take_counters(const PositionLine& result, FenCounters& counters,
                   std::vector<FenDefect>& defects) {
  bool halfmove_read = false, fullmove_read = false;
  for (const EpdOperation& operation : result.operations) {
    const bool halfmove = operation.opcode == "hmvc";
    if (!halfmove && operation.opcode != "fmvn") continue;
    const std::string_view text =
        operation.operands.size() == 1 ? std::string_view(operation.operands[0]) : "";
    if (!is_number(text) || text.size() > 9) {
      add_defect(defects, FenFault::epd_operand, false, operation.column,
                 operation.opcode + " takes one number of at most nine digits");
      continue;
    }
    std::uint32_t value = 0;
    for (char c : text) value = value * 10 + static_cast<std::uint32_t>(c - '0');
    (halfmove ? halfmove_read : fullmove_read) = true;
    (halfmove ? counters.halfmove : counters.fullmove) = value;
    Field& field = halfmove ? counters.halfmove_field : counters.fullmove_field;
    field = Field{{}, operation.column - 1};
  }
  counters.both_read = halfmove_read && fullmove_read;
}

// Reads the moves of one operation: each from the position, or one after the other.
void resolve_moves(const FenResult& fen, EpdOperation& operation, bool sequence,
                   std::vector<FenDefect>& defects) {
  Position position = fen.position;
  bool black = fen.black();
  for (const std::string& text : operation.operands) {
    const SanToken token = read_san(text);
    const Match match = match_san(position, token, black);
    if (match.status != MatchStatus::ok) {
      const bool unreadable = token == SanToken::special(SanToken::kUnreadable);
      const char* why = unreadable                               ? " is not a move"
                        : match.status == MatchStatus::ambiguous ? " is ambiguous"
                                                                 : " is not a legal move";
      add_defect(defects, FenFault::epd_operand, false, operation.column,
                 operation.opcode + ": " + quoted(text) + why);
      if (sequence) return;
      continue;
    }
    if (token.style()) {
      add_defect(defects, FenFault::epd_move, false, operation.column,
                 operation.opcode + ": " + quoted(text) + " is " +
                     san_text(position, match.move, black) + " in SAN");
    }
    operation.moves.push_back(match.move);
    if (sequence) {
      position = make_move(position, match.move);
      black = !black;
    }
  }
}

void resolve_operations(PositionLine& result) {
  if (!result.fen.computable) return;
  for (EpdOperation& operation : result.operations) {
    const bool sequence = operation.opcode == "pv";
    if (sequence || operation.opcode == "bm" || operation.opcode == "am" ||
        operation.opcode == "sm") {
      resolve_moves(result.fen, operation, sequence, result.fen.defects);
    }
  }
}

// True when what stands at the offset can only be a counter of a FEN: 16.2.4, no opcode starts so.
bool starts_counter(std::string_view line, std::size_t at) {
  return at < line.size() && !is_letter(line[at]) && line[at] != ';';
}

// What stands behind six fields: operations, if the first has a name and a semicolon ends it.
bool starts_operation(std::string_view line, std::size_t at) {
  return line[at] == ';' || (is_letter(line[at]) && line.find(';', at) != std::string_view::npos);
}

void read_line(std::string_view line, const FenOptions& options, bool epd_only,
               PositionLine& result) {
  start_result(result.fen);
  result.epd = false;
  result.operations.clear();
  result.counts.clear();
  FenFields fields;
  FenCounters counters;
  if (!epd_only && read_plain_fields(line, fields, counters)) {
    complete_position(fields, &counters, options, result.fen);
    return;
  }
  counters = FenCounters{};
  read_fields(line, fields, result.fen.defects);
  if (fields.count == 4) {
    std::size_t at = skip_blanks(line, fields.end);
    result.epd = epd_only || !starts_counter(line, at);
    if (!result.epd) {
      at = skip_blanks(line, read_counters(fields, counters, result.fen.defects));
      if (at < line.size() && !starts_operation(line, at)) {
        add_defect(result.fen.defects, FenFault::fields, true, column_of(at),
                   "a FEN has six fields; what follows is " + quoted(line.substr(at)));
        at = line.size();
      } else if (at < line.size() && line[at] != ';') {
        add_defect(result.fen.defects, FenFault::normalised, false, column_of(at),
                   "an EPD record has operations in place of the counters");
      }
    }
    if (at < line.size()) OperationReader(line, at, result).read();
    if (result.epd) take_counters(result, counters, result.fen.defects);
  }
  complete_position(fields, &counters, options, result.fen);
  if (!result.operations.empty()) resolve_operations(result);
}

}  // namespace

void read_position_line(std::string_view line, const FenOptions& options, PositionLine& result) {
  read_line(line, options, false, result);
}

PositionLine read_position_line(std::string_view line, const FenOptions& options) {
  PositionLine result;
  read_line(line, options, false, result);
  return result;
}

PositionLine read_epd(std::string_view line, const FenOptions& options) {
  PositionLine result;
  read_line(line, options, true, result);
  return result;
}

bool is_comment_or_blank(std::string_view line) {
  const std::size_t at = skip_blanks(line, 0);
  return at == line.size() || line[at] == '#';
}

}  // namespace cuarbiter
