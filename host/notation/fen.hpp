// FEN to position and back: PGN standard 16.1, with X-FEN and Shredder-FEN castling fields.
//
// One step turns a setup (anything a FEN can say) into a position fit to generate moves. Every
// defect found is listed, not only the first; what can be repaired or played on is computed all the
// same. The text is never changed in silence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/notation/men_counts.hpp"
#include "host/rules/position.hpp"
#include "host/rules/types.hpp"

namespace cuarbiter {

// What can be wrong with a FEN or EPD record.
enum class FenFault : std::uint8_t {
  syntax,
  fields,
  placement,
  side,
  castling,
  en_passant,
  halfmove,
  fullmove,
  counters,
  normalised,
  kings,
  pawn_rank,
  too_many,
  opponent_in_check,
  impossible_check,
  castling_impossible,
  en_passant_impossible,
  shut_in,
  pawn_structure,
  promotions,
  epd_opcode,
  epd_operand,
  epd_move,
};
inline constexpr unsigned kFenFaultCount = 23;

// The stable code of a fault: "fen.placement", "epd.opcode" ... A static string.
const char* fen_fault_code(FenFault fault);

// False for the faults that are only warnings: counters, normalised, epd_move.
bool fen_fault_is_error(FenFault fault);

// True for the faults that take a proof about the game that led here: shut_in, pawn_structure,
// promotions. The position is well formed and can be used; only validating it makes them errors.
bool fen_fault_is_of_history(FenFault fault);

struct FenDefect {
  FenFault fault;
  bool fatal;           // no legal moves can be computed because of it
  std::string message;  // one line of plain ASCII English but for quoted input, no full stop
  unsigned column;      // 1-based byte column in the input
};

struct FenOptions {
  // Read K, Q, k, q as the outermost rook on the king's side of the first rank (X-FEN). Without it
  // they mean the king on the e-file and the rook on the h- or a-file. A file letter among the
  // rights has the same effect as this option.
  bool chess960 = false;
};

struct FenResult {
  Position position;                  // seen by the side to move; all zero when the placement
                                      // or the side to move cannot be read
  Color side_to_move = Color::white;  //
  std::uint32_t halfmove_clock = 0;   // plies since the last capture or pawn move
  std::uint32_t fullmove_number = 1;  // >= 1
  bool chess960 = false;              // a castling right that standard chess cannot have
  bool computable = false;            // fit to generate moves; false when a defect is fatal
  bool normal = false;                // found to be in normal form: append_fen gives the line again
                                      // (false where that was not looked at)
  MenCounts men = 0;                  // on the board; 0 where they were not counted
  std::vector<FenDefect> defects;     // in the order found: text first, then the position

  bool black() const { return side_to_move == Color::black; }
  // No defect that is an error. Warnings do not count.
  bool valid() const {
    for (const FenDefect& d : defects) {
      if (fen_fault_is_error(d.fault)) return false;
    }
    return true;
  }
};

// Reads one FEN: six fields, or four or five (the counters missing are 0 and 1, with a warning),
// any blanks between them. `line` has no line end but may have blanks at either end. More fields
// are an error. No memory is allocated for a record without defects. Thread safe; throws only
// std::bad_alloc.
FenResult read_fen(std::string_view line, const FenOptions& options = {});
// The same into a result whose memory is used again.
void read_fen(std::string_view line, const FenOptions& options, FenResult& result);

// What is possible in a game: appends the defects of a position that was put together by hand, as
// read_fen does after reading (kings, pawn ranks, numbers, checks, pawn structure as far as it
// holds in Chess960). Returns true when none of them is fatal. `column` is what the defects will
// name.
bool find_position_defects(const Position& position, Color side_to_move, unsigned column,
                           std::vector<FenDefect>& defects);

struct FenWriteOptions {
  bool shredder = false;  // castling rights as file letters always
};

// The normal form: six fields, one space between them, KQkq where the rook is the outermost on its
// side and the file letter where it is not, the en passant square only when a capture on it is
// legal.
std::string write_fen(const Position& position, Color side_to_move, std::uint32_t halfmove_clock,
                      std::uint32_t fullmove_number, const FenWriteOptions& options = {});
void append_fen(std::string& out, const Position& position, Color side_to_move,
                std::uint32_t halfmove_clock, std::uint32_t fullmove_number,
                const FenWriteOptions& options = {});
// The four fields of EPD: no counters.
void append_epd_fields(std::string& out, const Position& position, Color side_to_move,
                       const FenWriteOptions& options = {});

// The start position, seen by White.
Position start_position();
inline constexpr std::string_view kStartFen =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// True when a castling right stands where standard chess has none (the king not on the e-file, or a
// rook on neither the a- nor the h-file): castling must then be written as king takes rook in UCI.
bool needs_chess960(const Position& position);

}  // namespace cuarbiter
