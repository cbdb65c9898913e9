// Reading FEN, PGN standard 16.1.3: the text of the fields, and the one step that makes a position
// of them.
#include <algorithm>
#include <array>

#include "host/notation/fen.hpp"
#include "host/notation/fen_fields.hpp"
#include "host/rules/make_move.hpp"

namespace cuarbiter {

namespace fen_detail {

namespace {

constexpr std::uint8_t kNothing = 0xFF;
constexpr std::uint8_t kGap = 0x80;  // a digit: the number of empty squares in the low bits
constexpr std::uint8_t kBlackMan = 0x08;

constexpr std::array<std::uint8_t, 256> make_placement_table() {
  std::array<std::uint8_t, 256> table{};
  table.fill(kNothing);
  constexpr char kLetters[] = "pnbrqk";
  for (std::uint8_t i = 0; i < 6; ++i) {
    const unsigned char c = static_cast<unsigned char>(kLetters[i]);
    table[c] = static_cast<std::uint8_t>((i + 1) | kBlackMan);
    table[c - 32u] = static_cast<std::uint8_t>(i + 1);
  }
  for (unsigned char c = '1'; c <= '8'; ++c) {
    table[c] = static_cast<std::uint8_t>(kGap | (c - '0'));
  }
  return table;
}
constexpr std::array<std::uint8_t, 256> kPlacementTable = make_placement_table();

// 16.1.3.1: eight ranks from the eighth down, a slash between them, each of eight squares; letters
// for men, a digit for that many empty squares.
void read_placement(FenFields& fields, std::vector<FenDefect>& defects) {
  const std::string_view text = fields.placement.text;
  const unsigned column = fields.placement.column();
  Position board;
  bool good = true;
  bool neighbours = false;
  unsigned ranks = 0;
  std::size_t at = 0;
  for (;;) {
    const std::size_t rank_start = at;
    const unsigned first_square = ranks < 8 ? 56 - 8 * ranks : 0;
    unsigned file = 0;
    bool readable = true;
    bool gap_before = false;
    for (; at < text.size() && text[at] != '/'; ++at) {
      const std::uint8_t code = kPlacementTable[static_cast<unsigned char>(text[at])];
      if (code == kNothing) {
        add_defect(defects, FenFault::placement, true, column + static_cast<unsigned>(at),
                   quoted(text.substr(at, 1)) + " is neither a piece letter nor a digit 1 to 8");
        readable = false;
        at = std::min(text.find('/', at), text.size());
        break;
      }
      if (code & kGap) {
        file += code & 15u;
        neighbours |= gap_before;
        gap_before = true;
        continue;
      }
      gap_before = false;
      const unsigned shift = (first_square + file) & 63;
      const Bitboard man = code;
      board.a |= (man & 1) << shift;
      board.b |= ((man >> 1) & 1) << shift;
      board.c |= ((man >> 2) & 1) << shift;
      board.d |= (man >> 3) << shift;
      ++file;
    }
    if (!readable) {
      good = false;
    } else if (file != 8 && ranks < 8) {
      add_defect(defects, FenFault::placement, true, column + static_cast<unsigned>(rank_start),
                 "rank " + std::to_string(8 - ranks) + " has " + std::to_string(file) +
                     " squares instead of 8");
      good = false;
    }
    ++ranks;
    if (at >= text.size()) break;
    ++at;
  }
  if (ranks != 8) {
    add_defect(defects, FenFault::placement, true, column,
               "the placement has " + std::to_string(ranks) + " ranks instead of 8");
    good = false;
  }
  if (neighbours) {
    add_defect(defects, FenFault::normalised, false, column,
               "empty squares that follow each other are one digit");
  }
  fields.placement_read = good;
  if (good) fields.board = board;
}

void note_blanks(std::vector<FenDefect>& defects, std::size_t at) {
  for (const FenDefect& d : defects) {
    if (d.fault == FenFault::normalised && d.message.starts_with("fields")) return;
  }
  add_defect(defects, FenFault::normalised, false, static_cast<unsigned>(at) + 1,
             "fields are separated by one space");
}

// Reports anything but one space between the end of a field and the next.
void check_blanks(const FenFields& fields, std::size_t from, std::size_t to,
                  std::vector<FenDefect>& defects) {
  if (to == from + 1 && fields.line[from] == ' ') return;
  if (to > from) note_blanks(defects, from);
}

}  // namespace

std::size_t skip_blanks(std::string_view line, std::size_t at) {
  while (at < line.size() && is_blank(line[at])) ++at;
  return at;
}

Field next_field(std::string_view line, std::size_t at) {
  const std::size_t begin = skip_blanks(line, at);
  std::size_t end = begin;
  while (end < line.size() && !is_blank(line[end]) && line[end] != ';') ++end;
  return Field{line.substr(begin, end - begin), begin};
}

void read_fields(std::string_view line, FenFields& fields, std::vector<FenDefect>& defects) {
  fields = FenFields{};
  fields.line = line;
  Field* const order[] = {&fields.placement, &fields.side, &fields.castling, &fields.en_passant};
  std::size_t at = 0;
  for (Field* field : order) {
    const Field next = next_field(line, at);
    if (next.text.empty()) break;
    if (fields.count > 0) check_blanks(fields, at, next.offset, defects);
    *field = next;
    at = next.offset + next.text.size();
    ++fields.count;
  }
  fields.end = at;
  if (fields.count == 0) {
    add_defect(defects, FenFault::syntax, true, 1, "the line holds no position");
    return;
  }
  read_placement(fields, defects);
  const std::string_view side = fields.side.text;
  fields.side_read = side == "w" || side == "b";
  if (fields.count > 1 && !fields.side_read) {
    add_defect(defects, FenFault::side, true, fields.side.column(),
               "the side to move is w or b, not " + quoted(side));
  }
  if (fields.count < 4) {
    add_defect(defects, FenFault::fields, true, static_cast<unsigned>(at) + 1,
               "a position needs at least four fields: placement, side to move, castling rights, "
               "en passant square");
  }
}

bool read_counter(const Field& field, FenFault fault, std::uint32_t& value,
                  std::vector<FenDefect>& defects) {
  constexpr std::size_t kMostDigits = 9;
  const std::string_view text = field.text;
  const char* name = fault == FenFault::halfmove ? "halfmove clock" : "fullmove number";
  std::uint32_t number = 0;
  bool good = !text.empty() && text.size() <= kMostDigits;
  for (std::size_t i = 0; good && i < text.size(); ++i) {
    good = is_digit(text[i]);
    number = number * 10 + static_cast<std::uint32_t>(text[i] - '0');
  }
  if (!good) {
    add_defect(
        defects, fault, false, field.column(),
        std::string("the ") + name + " is not a number of at most nine digits: " + quoted(text));
    return false;
  }
  if (text.size() > 1 && text[0] == '0') {
    add_defect(defects, FenFault::normalised, false, field.column(),
               std::string("the ") + name + " has leading zeros");
  }
  value = number;
  return true;
}

std::size_t read_counters(const FenFields& fields, FenCounters& counters,
                          std::vector<FenDefect>& defects) {
  std::size_t at = fields.end;
  const Field halfmove = next_field(fields.line, at);
  if (halfmove.text.empty()) return at;
  check_blanks(fields, at, halfmove.offset, defects);
  counters.halfmove_field = halfmove;
  at = halfmove.offset + halfmove.text.size();
  const bool halfmove_read = read_counter(halfmove, FenFault::halfmove, counters.halfmove, defects);
  const Field fullmove = next_field(fields.line, at);
  if (fullmove.text.empty()) {
    add_defect(defects, FenFault::normalised, false, static_cast<unsigned>(at) + 1,
               "the fullmove number is missing: 1 taken");
    return at;
  }
  check_blanks(fields, at, fullmove.offset, defects);
  counters.fullmove_field = fullmove;
  const bool fullmove_read = read_counter(fullmove, FenFault::fullmove, counters.fullmove, defects);
  counters.both_read = halfmove_read && fullmove_read;
  return fullmove.offset + fullmove.text.size();
}

namespace {

void check_counters(const FenCounters& counters, bool black, bool just_doubled,
                    const FenFields& fields, FenResult& result) {
  result.halfmove_clock = counters.halfmove;
  result.fullmove_number = counters.fullmove;
  if (counters.fullmove == 0) {
    result.fullmove_number = 1;
    add_defect(result.defects, FenFault::counters, false, counters.fullmove_field.column(),
               "the fullmove number starts at 1, not 0");
  }
  const std::uint64_t plies =
      2 * (static_cast<std::uint64_t>(result.fullmove_number) - 1) + (black ? 1 : 0);
  if (counters.both_read && result.halfmove_clock > plies) {
    add_defect(result.defects, FenFault::counters, false, counters.halfmove_field.column(),
               "the halfmove clock is " + std::to_string(result.halfmove_clock) + " after " +
                   std::to_string(plies) + " plies");
  } else if (just_doubled && result.halfmove_clock != 0) {
    add_defect(result.defects, FenFault::counters, false, fields.en_passant.column(),
               "after a double step of a pawn the halfmove clock is 0");
  }
}

}  // namespace

void complete_position(const FenFields& fields, const FenCounters* counters,
                       const FenOptions& options, FenResult& result) {
  std::vector<FenDefect>& defects = result.defects;
  const bool black = fields.side.text == "b";
  result.side_to_move = black ? Color::black : Color::white;
  Position board = fields.board;
  if (fields.rights_read) {
    board.a |= fields.rights;
    board.b |= fields.rights;
  } else {
    read_castling(fields, options, board, defects);
  }
  const bool chess960 =
      options.chess960 || (!fields.rights_read && names_rook_files(fields.castling.text));
  const int en_passant = read_en_passant_square(fields, defects);
  bool just_doubled = false;
  if (fields.placement_read) {
    const Position seen[2] = {board, flipped(board)};  // no branch on who moves
    Position position = seen[black ? 1 : 0];
    const unsigned column = fields.placement.column();
    const bool ordinary = fields.plain && is_ordinary(board, fields.men, chess960);
    if (!ordinary) {
      const std::size_t before = defects.size();
      find_placement_defects(position, result.side_to_move, column, defects);
      if (defects.size() == before) {
        find_history_defects(position, result.side_to_move, chess960, column, defects);
      }
    }
    const BoardView<Bitboard> v = view(position);
    const bool kings =
        ordinary || (popcount(v.kings() & v.us) == 1 && popcount(v.kings() & v.them) == 1);
    if (kings && fields.side_read && opponent_in_check(position)) {
      add_defect(defects, FenFault::opponent_in_check, true, column,
                 std::string(black ? "White" : "Black") + ", not to move, is in check");
    }
    if (en_passant != kNoSquare) {
      just_doubled = set_en_passant(en_passant, fields.en_passant.column(), kings,
                                    result.side_to_move, position, defects);
    }
    if (kings && fields.side_read && !just_doubled && !check_is_possible(position)) {
      add_defect(defects, FenFault::impossible_check, false, column,
                 "no last move can have given this check");
    }
    result.chess960 = !fields.rights_read && needs_chess960(position);
    if (fields.side_read) result.position = position;
  }
  if (counters) check_counters(*counters, black, just_doubled, fields, result);
  result.computable = std::none_of(result.defects.begin(), result.defects.end(),
                                   [](const FenDefect& d) { return d.fatal; });
  result.men = fields.men;
  // The normal form names no en passant square without a capture, and rooks by side where it can.
  result.normal = fields.plain && result.defects.empty() &&
                  (en_passant == kNoSquare || view(result.position).en_passant) &&
                  (fields.rights_read || !names_rook_files(fields.castling.text));
}

}  // namespace fen_detail

void read_fen(std::string_view line, const FenOptions& options, FenResult& result) {
  using namespace fen_detail;
  start_result(result);
  FenFields fields;
  FenCounters counters;
  if (read_plain_fields(line, fields, counters)) {
    complete_position(fields, &counters, options, result);
    return;
  }
  counters = FenCounters{};
  read_fields(line, fields, result.defects);
  if (fields.count == 4) {
    const std::size_t end = read_counters(fields, counters, result.defects);
    const std::size_t rest = skip_blanks(line, end);
    if (rest < line.size()) {
      add_defect(result.defects, FenFault::fields, true, static_cast<unsigned>(rest) + 1,
                 "a FEN has six fields; what follows is " + quoted(line.substr(rest)));
    } else if (counters.halfmove_field.text.empty()) {
      add_defect(result.defects, FenFault::normalised, false, static_cast<unsigned>(end) + 1,
                 "the halfmove clock and the fullmove number are missing: 0 and 1 taken");
    }
  }
  complete_position(fields, &counters, options, result);
}

FenResult read_fen(std::string_view line, const FenOptions& options) {
  FenResult result;
  read_fen(line, options, result);
  return result;
}

}  // namespace cuarbiter
