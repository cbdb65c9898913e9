// Reading a move as written: SAN by PGN standard 8.2.3 and the import repairs of 8.2.3.7, long
// algebraic notation, FIDE Laws appendix C, UCI moves.
//
// The token is copied into a small buffer of plain letters (figurines and dashes mapped), its tail
// is taken off from the right (glyphs, suffix, "e.p.", promotion), and what is left must be one of
// few forms.
#include <array>
#include <cstddef>

#include "host/notation/san_text.hpp"

namespace cuarbiter {

namespace {

constexpr std::size_t kLongestMove = 40;  // bytes of the mapped token

constexpr SanToken unreadable() {
  return SanToken::special(SanToken::kUnreadable);
}

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}
constexpr bool is_file(char c) {
  return c >= 'a' && c <= 'h';
}
constexpr bool is_rank(char c) {
  return c >= '1' && c <= '8';
}

// The piece of an upper-case SAN letter; none for other letters.
constexpr PieceType piece_of(char letter) {
  switch (letter) {
    case 'P':
      return PieceType::pawn;
    case 'N':
      return PieceType::knight;
    case 'B':
      return PieceType::bishop;
    case 'R':
      return PieceType::rook;
    case 'Q':
      return PieceType::queen;
    case 'K':
      return PieceType::king;
    default:
      return PieceType::none;
  }
}

// A view of the mapped token that is eaten from the right.
struct Text {
  std::array<char, kLongestMove> bytes{};
  std::size_t size = 0;
  std::uint32_t style = 0;
  bool odd_dash = false;  // a dash that is not ASCII's

  std::string_view view() const { return {bytes.data(), size}; }
  bool push(char c) {
    if (size == bytes.size()) return false;
    bytes[size++] = c;
    return true;
  }
  // Takes `tail` off the end, in any case of its letters.
  bool eat(std::string_view tail) {
    if (size < tail.size()) return false;
    for (std::size_t i = 0; i < tail.size(); ++i) {
      if (lower(bytes[size - tail.size() + i]) != tail[i]) return false;
    }
    size -= tail.size();
    return true;
  }
  void eat_blanks() {
    while (size && bytes[size - 1] == ' ') --size;
  }
};

// Copies the token, Unicode forms mapped to ASCII: chess symbols U+2654..265F to piece letters,
// variation selectors dropped, dashes to '-', daggers to '+' and '#'. False when something else is
// not ASCII or the token is too long.
bool map_token(std::string_view token, Text& text) {
  constexpr char kSymbols[] = "KQRBNP";
  for (std::size_t i = 0; i < token.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(token[i]);
    if (c < 0x80) {
      if (!text.push(token[i])) return false;
      continue;
    }
    if (i + 2 >= token.size()) return false;
    const unsigned second = static_cast<unsigned char>(token[i + 1]);
    const unsigned third = static_cast<unsigned char>(token[i + 2]);
    const unsigned code = ((c & 15u) << 12) | ((second & 63u) << 6) | (third & 63u);
    if ((c & 0xF0) != 0xE0 || (second & 0xC0) != 0x80 || (third & 0xC0) != 0x80) return false;
    i += 2;
    if (code >= 0x2654 && code <= 0x265F) {
      text.style |= kStyleFigurine;
      if (!text.push(kSymbols[(code - 0x2654) % 6])) return false;
    } else if (code == 0xFE0E || code == 0xFE0F) {
      continue;
    } else if ((code >= 0x2010 && code <= 0x2015) || code == 0x2212) {
      text.odd_dash = true;
      if (!text.push('-')) return false;
    } else if (code == 0x2020 || code == 0x2021) {
      text.style |= kStyleMate;
      if (!text.push(code == 0x2020 ? '+' : '#')) return false;
    } else {
      return false;
    }
  }
  return true;
}

// The check or mate suffix; kNoSuffix when there is none.
unsigned take_suffix(Text& text) {
  if (text.eat("#")) {
    if (text.eat("+")) text.style |= kStyleMate;
    return SanToken::kMateSuffix;
  }
  if (text.eat("++")) {
    text.style |= kStyleMate;
    return SanToken::kDoublePlus;
  }
  if (text.eat("+")) return SanToken::kCheckSuffix;
  if (text.eat("mate")) {
    text.style |= kStyleMate;
    text.eat_blanks();
    return SanToken::kMateSuffix;
  }
  if (text.eat("ch.") || text.eat("ch")) {
    text.style |= kStyleMate;
    text.eat_blanks();
    return SanToken::kCheckSuffix;
  }
  return SanToken::kNoSuffix;
}

bool take_en_passant(Text& text) {
  for (std::string_view form : {"e.p.", "e.p", "ep.", "ep"}) {
    // "ep" must stand behind a square.
    if (text.size <= form.size() + 2 || !text.eat(form)) continue;
    text.eat_blanks();
    text.style |= kStyleEnPassant;
    return true;
  }
  return false;
}

// Takes the promotion piece: "=Q", "Q", "(Q)", "/Q", the letter in either case, "=(Q)" too. False
// when there is a promotion mark without a piece to promote to.
bool take_promotion(Text& text, PieceType& promotion, bool& bare_lower) {
  promotion = PieceType::none;
  bare_lower = false;
  const bool bracket = text.size && text.bytes[text.size - 1] == ')';
  std::size_t at = text.size - (bracket ? 1 : 0);
  if (at < 3) return true;
  const char letter = text.bytes[at - 1];
  const char upper = static_cast<char>(letter & ~0x20);
  std::size_t rest = at - 1;
  const bool opened = rest && text.bytes[rest - 1] == '(';
  if (bracket != opened) return false;
  if (opened) --rest;
  const char mark = rest ? text.bytes[rest - 1] : ' ';
  const bool marked = mark == '=' || mark == '/';
  if (marked) --rest;
  if (!marked && !bracket && !(rest && is_rank(text.bytes[rest - 1]))) return true;
  const PieceType piece = piece_of(upper);
  if (is_rank(letter) && !marked && !bracket) return true;
  if (piece == PieceType::none || piece == PieceType::pawn || piece == PieceType::king) {
    return false;
  }
  promotion = piece;
  bare_lower = letter != upper && !marked && !bracket;
  if (bracket || mark != '=' || letter != upper) text.style |= kStylePromotion;
  text.size = rest;
  return true;
}

// O-O and O-O-O with letters or digits, all hyphens or none: 2 or 3 circles, else 0.
unsigned castling_length(std::string_view text, bool& canonical) {
  const bool hyphens = text.size() > 1 && text[1] == '-';
  const std::size_t step = hyphens ? 2 : 1;
  canonical = hyphens;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (i % step == 1) {
      if (c != '-') return 0;
    } else if (c == 'O' || c == 'o' || c == '0') {
      canonical &= c == 'O';
    } else {
      return 0;
    }
  }
  const std::size_t circles = (text.size() + step - 1) / step;
  const bool whole = !hyphens || text.size() % 2 == 1;
  return whole && (circles == 2 || circles == 3) ? static_cast<unsigned>(circles) : 0;
}

bool is_null_move(std::string_view text) {
  if (text == "--" || text == "@@@@" || text == "0000" || text == "<>") return true;
  char small[4] = {};
  if (text.size() == 2 || text.size() == 4) {
    for (std::size_t i = 0; i < text.size(); ++i) small[i] = lower(text[i]);
    const std::string_view word(small, text.size());
    return word == "z0" || word == "null" || word == "pass";
  }
  return false;
}

// The core of a move: [piece] [file] [rank] [x | -] file rank, or a short pawn capture.
struct Core {
  char piece = 0;  // as written
  char from_file = 0, from_rank = 0;
  char mark = 0;
  char to_file = 0, to_rank = 0;
};

// Reads `text` behind its piece letter. Files in either case.
bool read_squares(std::string_view text, Core& core, std::uint32_t& style) {
  std::size_t end = text.size();
  const auto file_at = [&](std::size_t at) { return is_file(lower(text[at])); };
  const auto take_file = [&](std::size_t at) {
    if (text[at] != lower(text[at])) style |= kStyleCase;
    return lower(text[at]);
  };
  if (end >= 2 && is_rank(text[end - 1]) && file_at(end - 2)) {
    core.to_rank = text[end - 1];
    core.to_file = take_file(end - 2);
    end -= 2;
  } else if (end >= 2 && file_at(end - 1)) {
    core.to_file = take_file(end - 1);
    end -= 1;
  } else {
    return false;
  }
  if (end && (text[end - 1] == 'x' || text[end - 1] == 'X' || text[end - 1] == ':' ||
              text[end - 1] == '-')) {
    core.mark = lower(text[end - 1]);
    if (text[end - 1] == 'X') style |= kStyleCase;
    --end;
  }
  if (end && is_rank(text[end - 1])) {
    core.from_rank = text[end - 1];
    --end;
  }
  if (end && file_at(end - 1)) {
    core.from_file = take_file(end - 1);
    --end;
  }
  return end == 0;
}

SanToken make_token(const Core& core, PieceType piece, PieceType promotion) {
  SanToken token;
  const unsigned to_file = static_cast<unsigned>(core.to_file - 'a');
  const unsigned to_rank = core.to_rank ? static_cast<unsigned>(core.to_rank - '1') : 0;
  token.set_target(8 * to_rank + to_file);
  token.set_piece(static_cast<unsigned>(piece));
  token.set_origin(core.from_file ? static_cast<unsigned>(core.from_file - 'a' + 1) : 0,
                   core.from_rank ? static_cast<unsigned>(core.from_rank - '1' + 1) : 0);
  token.set_promotion(promotion);
  if (core.mark == 'x') token.add(SanToken::kCaptureBit);
  if (core.mark == '-') token.add(kStyleLong);
  return token;
}

// A move without a piece letter: a pawn's, or two squares. One capital file before a small one is
// another language's piece ("De5"), not a pawn.
SanToken read_bare_move(std::string_view text, PieceType promotion, std::uint32_t style) {
  Core core;
  const char first = text.empty() ? ' ' : text[0];
  const bool capital = is_file(lower(first)) && first != lower(first);
  if (!read_squares(text, core, style)) return unreadable();
  if (core.from_rank && !core.from_file) return unreadable();
  if (capital && core.from_file && text.find(core.to_file, 1) != std::string_view::npos) {
    return unreadable();
  }
  if (core.from_rank) {
    if (!core.to_rank) return unreadable();
    return make_token(core, PieceType::none, promotion).add(style | kStyleLong);
  }
  if (!core.from_file) {
    // "e4"; a mark or a single file needs an origin.
    if (core.mark || !core.to_rank) return unreadable();
    return make_token(core, PieceType::pawn, promotion).add(style);
  }
  if (core.mark == '-') return unreadable();
  const int step = core.to_file - core.from_file;
  if (!core.to_rank) {
    // "ed", "exd": both files, no rank. The capture mark would be right only with the rank.
    if (step != 1 && step != -1) return unreadable();
    core.mark = 0;
    return make_token(core, PieceType::pawn, promotion).add(style | SanToken::kShortCaptureBit);
  }
  if (step == 0) return unreadable();  // "ee4", "exe5"
  return make_token(core, PieceType::pawn, promotion).add(style);
}

// A move of a named piece, the letter taken off.
SanToken read_piece_move(std::string_view rest, PieceType piece, PieceType promotion,
                         std::uint32_t style) {
  if (piece == PieceType::pawn) {
    SanToken token = read_bare_move(rest, promotion, style | kStylePawnLetter);
    if (token.piece() == SanToken::kAnyPiece) {
      token.set_piece(static_cast<unsigned>(PieceType::pawn));
    }
    return token;
  }
  Core core;
  if (!read_squares(rest, core, style) || !core.to_rank || promotion != PieceType::none ||
      (style & kStyleEnPassant)) {
    return unreadable();
  }
  return make_token(core, piece, promotion).add(style);
}

// True when a lower-case b starts a pawn's move: "b4", "bc4", "bxc4", "b2b4", "bc".
bool b_is_pawn(SanToken token) {
  if (token == unreadable()) return false;
  if (token.piece() == SanToken::kAnyPiece) return true;
  const unsigned from = token.origin_file();
  if (from == 0) return true;
  const unsigned to = (token.target() & 7) + 1;
  return from + 1 == to || to + 1 == from;
}

SanToken read_core(std::string_view text, PieceType promotion, bool bare_lower,
                   std::uint32_t style) {
  if (text.size() < 2) return unreadable();
  const char first = text[0];
  const std::string_view rest = text.substr(1);
  const PieceType named = piece_of(first);
  if (named != PieceType::none) {
    const SanToken token = read_piece_move(rest, named, promotion, style);
    // "B4" in capitals is a pawn's move.
    if (token != unreadable() || first != 'B' || !is_rank(text[1])) return token;
  }
  SanToken bare = read_bare_move(text, promotion, style);
  if (bare != unreadable()) {
    // e7e8q is the UCI form; in any other form the bare small letter is a deviation of its own.
    const bool uci = bare.piece() == SanToken::kAnyPiece && !(bare.style() & kStyleCase);
    if (bare_lower && uci) bare.bits &= ~static_cast<std::uint32_t>(kStylePromotion);
    if (first != 'b' || b_is_pawn(bare)) return bare;
  }
  const PieceType small = piece_of(static_cast<char>(first & ~0x20));
  if (first >= 'a' && small != PieceType::none) {
    const SanToken token = read_piece_move(rest, small, promotion, style | kStyleCase);
    if (token != unreadable()) return token;
  }
  return bare;
}

}  // namespace

SanToken read_san(std::string_view token, unsigned* glyph) {
  std::size_t end = token.size();
  while (end && (token[end - 1] == '!' || token[end - 1] == '?')) --end;
  if (glyph) *glyph = static_cast<unsigned>(token.size() - end);
  token = token.substr(0, end);
  Text text;
  if (token.empty() || !map_token(token, text)) return unreadable();
  if (is_null_move(text.view())) return SanToken::special(SanToken::kNullMove);

  unsigned suffix = take_suffix(text);
  text.eat_blanks();
  if (take_en_passant(text) && suffix == SanToken::kNoSuffix) suffix = take_suffix(text);

  bool canonical = true;
  const unsigned circles = castling_length(text.view(), canonical);
  SanToken move;
  if (circles) {
    if (text.style & (kStyleEnPassant | kStyleFigurine)) return unreadable();
    move = SanToken::special(circles == 2 ? SanToken::kCastleKingside : SanToken::kCastleQueenside);
    move.add(text.style | (canonical && !text.odd_dash ? 0u : std::uint32_t{kStyleCastling}));
  } else {
    PieceType promotion;
    bool bare_lower;
    if (!take_promotion(text, promotion, bare_lower)) return unreadable();
    move = read_core(text.view(), promotion, bare_lower, text.style);
    if (move == unreadable()) return move;
  }
  return move.set_suffix(suffix);
}

}  // namespace cuarbiter
