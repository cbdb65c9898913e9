#include "host/notation/material_text.hpp"

#include <array>
#include <cstring>

namespace cuarbiter {

namespace {

// King and pieces of a side that has at most three of each kind, by their numbers.
struct PiecesText {
  char text[15];
  std::uint8_t size;
};

constexpr unsigned kPawn = 0, kKnight = 1, kBishop = 2, kRook = 3, kQueen = 4, kKing = 5;
constexpr MenCounts kFewOfKind = 3;
constexpr char kLetters[] = "PNBRQK";  // by kind

// The index in the table: two bits a kind, knights lowest.
constexpr unsigned pieces_index(MenCounts side) {
  return men_of_kind(side, kKnight) | men_of_kind(side, kBishop) << 2 |
         men_of_kind(side, kRook) << 4 | men_of_kind(side, kQueen) << 6;
}

constexpr std::array<PiecesText, 256> make_pieces_texts() {
  std::array<PiecesText, 256> table{};
  for (unsigned index = 0; index < 256; ++index) {
    PiecesText& pieces = table[index];
    pieces.text[pieces.size++] = 'K';
    for (unsigned kind = kQueen; kind >= kKnight; --kind) {
      const unsigned number = (index >> (2 * (kind - kKnight))) & kFewOfKind;
      for (unsigned i = 0; i < number; ++i) pieces.text[pieces.size++] = kLetters[kind];
    }
  }
  return table;
}
constexpr std::array<PiecesText, 256> kPiecesTexts = make_pieces_texts();

// True when a side has one king, at most three pieces of each other kind and at most eight
// pawns.
constexpr bool has_few(MenCounts side) {
  constexpr MenCounts kMore = kMenCountMask & ~kFewOfKind;
  constexpr MenCounts kMany = kMore << (kMenCountBits * kKnight) |
                              kMore << (kMenCountBits * kBishop) |
                              kMore << (kMenCountBits * kRook) | kMore << (kMenCountBits * kQueen);
  return (side & kMany) == 0 && men_of_kind(side, kKing) == 1 && men_of_kind(side, kPawn) <= 8;
}

char* write_side(char* to, MenCounts side) {
  if (has_few(side)) {
    const PiecesText& pieces = kPiecesTexts[pieces_index(side)];
    std::memcpy(to, pieces.text, sizeof pieces.text);
    to += pieces.size;
    std::memcpy(to, "PPPPPPPP", 8);
    return to + men_of_kind(side, kPawn);
  }
  for (unsigned kind = kKing + 1; kind-- > kPawn;) {
    const unsigned number = men_of_kind(side, kind);
    std::memset(to, kLetters[kind], number);
    to += number;
  }
  return to;
}

}  // namespace

MaterialText::MaterialText(MenCounts men) {
  char* to = write_side(text_, men & kWhiteMen);
  *to++ = 'v';
  to = write_side(to, men >> kMenCountBlack);
  size_ = static_cast<std::size_t>(to - text_);
}

void append_material(std::string& out, const Position& position, Color side_to_move) {
  out += MaterialText(count_men(position, side_to_move == Color::black)).text();
}

std::string_view endgame_class_name(EndgameClass endgame) {
  switch (endgame) {
    case EndgameClass::bare_king:
      return "bare_king";
    case EndgameClass::simple:
      return "simple";
    case EndgameClass::complex:
      return "complex";
    case EndgameClass::mixed:
      return "mixed";
    case EndgameClass::none:
      break;
  }
  return "none";
}

}  // namespace cuarbiter
