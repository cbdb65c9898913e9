// One line that holds a position: FEN, EPD with operations (PGN standard 16.2), or either followed
// by perft counts. Which of them it is, its content decides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/notation/fen.hpp"
#include "host/rules/types.hpp"

namespace cuarbiter {

// One operation: `opcode operand ...;`
struct EpdOperation {
  std::string opcode;
  std::vector<std::string> operands;  // a string operand without its quotes
  std::vector<Move> moves;            // am, bm, pv, sm: the legal moves read, in order
  unsigned column = 1;                // of the opcode, 1-based
};

// A known count: `D4 197281`.
struct PerftCount {
  unsigned depth = 0;  // plies
  std::string nodes;   // decimal digits, may pass 2^64; no leading zeros
  unsigned column = 1;
};

struct PositionLine {
  FenResult fen;     // its defects hold those of the operations too
  bool epd = false;  // operations, or no counters: an EPD record; else a FEN
  std::vector<EpdOperation> operations;
  std::vector<PerftCount> counts;  // `;D1 20 ;D2 400`, `; D4 1274206`, or operations D1, D2 ...

  const EpdOperation* find(std::string_view opcode) const {
    for (const EpdOperation& operation : operations) {
      if (operation.opcode == opcode) return &operation;
    }
    return nullptr;
  }
};

// Reads a line of a FEN, EPD or perft suite file. Four fields alone are an EPD record without
// operations; a fifth field that starts with a digit makes it a FEN; `hmvc` and `fmvn` give an EPD
// record its counters. Operations after six fields are read as well, with a warning. The move
// operands of am, bm, pv and sm must be legal; UCI moves are read with a warning. No memory is
// allocated for a plain FEN without defects. Thread safe; throws only std::bad_alloc.
PositionLine read_position_line(std::string_view line, const FenOptions& options = {});
// The same into a result whose memory is used again.
void read_position_line(std::string_view line, const FenOptions& options, PositionLine& result);

// Reads an EPD record: like read_position_line, but a FEN's counters are an error (epd.opcode: an
// opcode starts with a letter).
PositionLine read_epd(std::string_view line, const FenOptions& options = {});

// True for lines that hold no record: nothing but blanks, or a comment that starts with '#'.
bool is_comment_or_blank(std::string_view line);

}  // namespace cuarbiter
