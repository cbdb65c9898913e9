// Inside of notation: the fields of a FEN as text, before the position is judged. FEN and EPD share
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/notation/fen.hpp"

namespace cuarbiter::fen_detail {

// Part of a line; offset counts bytes from the line's start.
struct Field {
  std::string_view text;
  std::size_t offset = 0;

  unsigned column() const { return static_cast<unsigned>(offset) + 1; }
};

// The first four fields. The planes see the board as White does: bit of plane d for black men.
struct FenFields {
  std::string_view line;
  Position board;
  Field placement, side, castling, en_passant;
  bool placement_read = false;
  bool side_read = false;
  unsigned count = 0;   // 0..4 fields found
  std::size_t end = 0;  // offset behind the last of them

  bool plain = false;        // read by read_plain_fields, which also gives:
  MenCounts men = 0;         // the men on the board
  bool rights_read = false;  // the castling field is judged, and nothing is wrong with it:
  Bitboard rights = 0;       // the rooks that may castle, seen by White
};

struct FenCounters {
  Field halfmove_field, fullmove_field;  // empty when not given
  std::uint32_t halfmove = 0;
  std::uint32_t fullmove = 1;
  bool both_read = false;  // both are given and numbers
};

// NUL counts as a blank: files padded with it occur.
constexpr bool is_blank(char c) {
  return c == '\0' || c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\n';
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// True when the rights are given, in part at least, by the files of the rooks: the position is then
// one of Chess960.
constexpr bool names_rook_files(std::string_view castling) {
  return castling.find_first_of("ABCDEFGHabcdefgh") != std::string_view::npos;
}

// The offset of the first byte at or behind `at` that is not blank.
std::size_t skip_blanks(std::string_view line, std::size_t at);

// The next field at or behind `at`: up to a blank, a semicolon or the end. Empty at the end.
Field next_field(std::string_view line, std::size_t at);

// Text from the input, cut short, in quotes, with everything but printing ASCII as \xNN.
std::string quoted(std::string_view text);

void add_defect(std::vector<FenDefect>& defects, FenFault fault, bool fatal, unsigned column,
                std::string message);

// An empty result that keeps its memory.
inline void start_result(FenResult& result) {
  std::vector<FenDefect> defects = std::move(result.defects);
  defects.clear();
  result = FenResult{};
  result.defects = std::move(defects);
}

// Reads the first four fields and reports what their text alone shows, missing fields too.
void read_fields(std::string_view line, FenFields& fields, std::vector<FenDefect>& defects);

// Reads a line that is a FEN of at most 32 men with one space between its fields and nothing to say
// of their text, the castling field perhaps aside. False for all other lines, whose fields are then
// undefined. `fields` and `counters` come empty.
bool read_plain_fields(std::string_view line, FenFields& fields, FenCounters& counters);

// Reads a counter; false (with a defect) when it is not a number of at most nine digits.
bool read_counter(const Field& field, FenFault fault, std::uint32_t& value,
                  std::vector<FenDefect>& defects);

// Reads the two counters behind the four fields, as far as they are there. Returns the offset
// behind what was read.
std::size_t read_counters(const FenFields& fields, FenCounters& counters,
                          std::vector<FenDefect>& defects);

// Turns the fields into the position of `result`, whose defects hold those of the text already.
// `counters` null: the record has none.
void complete_position(const FenFields& fields, const FenCounters* counters,
                       const FenOptions& options, FenResult& result);

// Sets the castling rights that the field names in `board` (seen by White). Without a readable
// placement only the text is judged.
void read_castling(const FenFields& fields, const FenOptions& options, Position& board,
                   std::vector<FenDefect>& defects);

// The en passant square that the field names, seen by the mover (on the sixth rank), or kNoSquare.
int read_en_passant_square(const FenFields& fields, std::vector<FenDefect>& defects);

// Judges an en passant square of a position seen by the mover, and sets the mark where a capture is
// legal. `kings`: either side has one king. Returns true when the double step can just have been
// made.
bool set_en_passant(int square, unsigned column, bool kings, Color side_to_move, Position& position,
                    std::vector<FenDefect>& defects);

// True when some last move of the side not to move can have given the check (or there is none).
// Both sides have one king.
bool check_is_possible(const Position& position);

// How many more men than `at_start` there are, without counting where there are no more.
inline int men_above(Bitboard men, int at_start) {
  for (; men && at_start > 0; --at_start) men &= men - 1;
  return men ? popcount(men) : 0;
}

// Appends what can be proved impossible of the game that led to a position, in which
// find_placement_defects finds nothing: pieces shut in, pawns, promotions. `chess960`: pieces may
// have started anywhere on the first rank.
void find_history_defects(const Position& position, Color side_to_move, bool chess960,
                          unsigned column, std::vector<FenDefect>& defects);

// True only when neither find_placement_defects nor find_history_defects has anything to say of a
// board, seen by White without an en passant mark, whose men are as counted; a cheap test that
// holds for nearly all positions of games.
bool is_ordinary(const Position& board, MenCounts men, bool chess960);

// As find_position_defects, but for the checks and the history.
bool find_placement_defects(const Position& position, Color side_to_move, unsigned column,
                            std::vector<FenDefect>& defects);

}  // namespace cuarbiter::fen_detail
