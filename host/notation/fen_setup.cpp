// What a FEN says beyond the men themselves: castling rights (PGN standard 16.1.3.3, X-FEN,
// Shredder-FEN) and the en passant square (16.1.3.4; FIDE 3.7.3).
#include <string>

#include "host/notation/fen.hpp"
#include "host/notation/fen_fields.hpp"
#include "host/rules/make_move.hpp"

namespace cuarbiter {

namespace {

constexpr int kFileE = 4;

// The dashes that web pages and word processors make of "-": U+2010..U+2015 and U+2212.
bool is_typographic_dash(std::string_view text) {
  if (text.size() != 3 || text[0] != '\xE2') return false;
  const unsigned char last = static_cast<unsigned char>(text[2]);
  return (text[1] == '\x80' && last >= 0x90 && last <= 0x95) || (text[1] == '\x88' && last == 0x92);
}

// One right as asked for: the rook's square unless there is none, and what it lacks.
struct Right {
  int rook = -1;
  const char* needs = "";
};

std::string side_name(bool black) {
  return black ? "Black" : "White";
}

// The men of one side, seen by White.
Bitboard men_of(const BoardView<Bitboard>& v, bool black) {
  return black ? v.them : v.us;
}

// Where the king of a side stands. Of several kings the one on the e-file of the first rank counts;
// without that, or without any, -1.
int king_square(const BoardView<Bitboard>& v, bool black) {
  const Bitboard kings = v.kings() & men_of(v, black);
  if (popcount(kings) == 1) return lowest_square(kings);
  const int home = kFileE + (black ? 56 : 0);
  return kings & square_bit(home) ? home : -1;
}

Right find_right(const BoardView<Bitboard>& v, bool black, int king, char letter, bool chess960) {
  Right right;
  const int home = black ? 56 : 0;
  const int king_file = king < 0 ? -1 : king - home;  // 0..7 only on the first rank
  const Bitboard rooks = v.rooks() & men_of(v, black) & (kRank1 << home);
  const char upper = static_cast<char>(letter & ~0x20);
  const bool by_side = upper == 'K' || upper == 'Q';
  if (by_side && !chess960) {
    const int corner = home + (upper == 'K' ? 7 : 0);
    if (king_file != kFileE) {
      right.needs = "the king on the e-file of its first rank";
    } else if (!(rooks & square_bit(corner))) {
      right.needs = "a rook in the corner";
    } else {
      right.rook = corner;
    }
    return right;
  }
  if (king_file < 0 || king_file > 7) {
    right.needs = "the king on its first rank";
    return right;
  }
  // In every Chess960 start position the king stands between its rooks. From a corner no king has a
  // right, yet what castling would be is clear, so it is told and played.
  if (king_file == 0 || king_file == 7) right.needs = "the king between its rooks, not in a corner";
  if (by_side) {
    const Bitboard king_bit = square_bit(king);
    const Bitboard beyond = rooks & (upper == 'K' ? ~(king_bit | (king_bit - 1)) : king_bit - 1);
    if (!beyond) {
      right.needs = "a rook on that side of the king";
    } else {
      right.rook = upper == 'K' ? highest_square(beyond) : lowest_square(beyond);
    }
    return right;
  }
  const int square = home + upper - 'A';
  if (rooks & square_bit(square)) {
    right.rook = square;
  } else {
    right.needs = "a rook on that file of the first rank";
  }
  return right;
}

// Order of the letters in the normal form: K Q k q; file letters by side only.
int letter_order(char letter) {
  switch (letter) {
    case 'K':
      return 0;
    case 'Q':
      return 1;
    case 'k':
      return 2;
    case 'q':
      return 3;
    default:
      return letter >= 'a' ? 2 : 0;
  }
}

bool is_right_letter(char c) {
  return (c >= 'A' && c <= 'H') || (c >= 'a' && c <= 'h') || c == 'K' || c == 'Q' || c == 'k' ||
         c == 'q';
}

}  // namespace

namespace fen_detail {

void read_castling(const FenFields& fields, const FenOptions& options, Position& board,
                   std::vector<FenDefect>& defects) {
  const std::string_view text = fields.castling.text;
  if (text == "-" || text.empty()) return;
  const unsigned column = fields.castling.column();
  if (is_typographic_dash(text)) {
    add_defect(defects, FenFault::normalised, false, column,
               "no castling rights are written with an ASCII \"-\"");
    return;
  }
  const BoardView<Bitboard> v = view(board);
  const int kings[2] = {king_square(v, false), king_square(v, true)};
  // A file letter says that the whole field is of Chess960: the normal form writes one where K or Q
  // would name another rook.
  const bool chess960 = options.chess960 || names_rook_files(text);
  Bitboard rights = 0;
  int last_order = -1;
  bool junk = false, out_of_order = false, twice = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    const unsigned here = column + static_cast<unsigned>(i);
    if (!is_right_letter(letter)) {
      if (!junk) {
        add_defect(defects, FenFault::castling, false, here,
                   "castling rights are -, letters of KQkq or file letters, not " + quoted(text));
      }
      junk = true;
      continue;
    }
    out_of_order |= letter_order(letter) < last_order;
    last_order = letter_order(letter);
    const bool black = letter >= 'a';
    if (!fields.placement_read) continue;
    const int king = kings[black ? 1 : 0];
    const Right right = find_right(v, black, king, letter, chess960);
    if (*right.needs) {
      add_defect(defects, FenFault::castling_impossible, false, here,
                 std::string("the right ") + letter + " needs " + right.needs);
    }
    if (right.rook < 0) continue;
    const Bitboard rook = square_bit(right.rook);
    const Bitboard beyond = right.rook > king ? ~(square_bit(king) - 1) : square_bit(king) - 1;
    const Bitboard same_side = rights & beyond & (black ? ~Bitboard{0} << 56 : kRank1);
    if (rights & rook) {
      twice = true;
    } else if (same_side) {
      add_defect(defects, FenFault::castling_impossible, false, here,
                 side_name(black) + " can have one right only on each side of the king");
    } else {
      rights |= rook;
    }
  }
  board.a |= rights;
  board.b |= rights;
  if (twice) {
    add_defect(defects, FenFault::normalised, false, column, "a castling right is given twice");
  }
  if (out_of_order) {
    add_defect(defects, FenFault::normalised, false, column,
               "castling rights are written in the order KQkq");
  }
}

int read_en_passant_square(const FenFields& fields, std::vector<FenDefect>& defects) {
  const std::string_view text = fields.en_passant.text;
  if (text == "-" || text.empty()) return kNoSquare;
  const unsigned column = fields.en_passant.column();
  const auto defect = [&](FenFault fault, std::string message) {
    add_defect(defects, fault, false, column, std::move(message));
    return kNoSquare;
  };
  if (is_typographic_dash(text)) {
    return defect(FenFault::normalised, "no en passant square is written with an ASCII \"-\"");
  }
  const char file_letter = static_cast<char>(text[0] | 0x20);
  if (text.size() != 2 || file_letter < 'a' || file_letter > 'h' || text[1] < '1' ||
      text[1] > '8') {
    return defect(FenFault::en_passant,
                  "the en passant field is - or a square, not " + quoted(text));
  }
  if (!fields.side_read) return kNoSquare;
  const bool black = fields.side.text == "b";
  const char rank = black ? '3' : '6';
  if (text[1] != rank) {
    const bool pawn_square = text[1] == (black ? '4' : '5');
    return defect(FenFault::en_passant,
                  (pawn_square ? std::string("the en passant square is the one passed over, ") +
                                     file_letter + rank
                               : std::string("the en passant square is on rank ") + rank) +
                      ", not " + quoted(text));
  }
  if (text[0] != file_letter) {
    defect(FenFault::normalised, "the en passant square is written in lower case");
  }
  return 40 + (file_letter - 'a');
}

bool set_en_passant(int square, unsigned column, bool kings, Color side_to_move, Position& position,
                    std::vector<FenDefect>& defects) {
  const auto impossible = [&](std::string message) {
    add_defect(defects, FenFault::en_passant_impossible, false, column, std::move(message));
    return false;
  };
  const BoardView<Bitboard> v = view(position);
  const Bitboard target = square_bit(square);
  const Bitboard pawn = target >> 8;
  const Bitboard origin = target << 8;
  if (!(v.pawns() & v.them & pawn)) {
    return impossible("no pawn stands in front of the en passant square");
  }
  if (v.occupied & target) return impossible("the en passant square is occupied");
  if (v.occupied & origin) {
    return impossible("the square from which the pawn made its double step is occupied");
  }
  if (!kings) return false;
  bool possible = true;
  Position before = position;
  before.a = (before.a & ~pawn) | origin;
  before.d = (before.d & ~pawn) | origin;
  if (in_check(before)) {
    possible = impossible(side_name(side_to_move == Color::black) +
                          " would have been in check before the double step");
  }
  if (en_passant_is_legal(position, target)) position.d |= target;
  return possible;
}

}  // namespace fen_detail

bool needs_chess960(const Position& position) {
  const BoardView<Bitboard> v = view(position);
  const Bitboard rooks = v.castling_rooks();
  if (!rooks) return false;
  if (rooks & ~Bitboard{0x8100000000000081u}) return true;
  return ((rooks & kRank1) && !(v.kings() & v.us & square_bit(kFileE))) ||
         ((rooks & kRank8) && !(v.kings() & v.them & square_bit(56 + kFileE)));
}

}  // namespace cuarbiter
