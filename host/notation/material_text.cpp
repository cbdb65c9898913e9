#include "host/notation/material_text.hpp"

#include <cstddef>

namespace cuarbiter {

void append_material(std::string& out, const Position& position, Color side_to_move) {
  const BoardView<Bitboard> v = view(position);
  const bool white_moves = side_to_move == Color::white;
  char text[2 * 64 + 1];
  char* to = text;
  const auto side = [&](Bitboard men) {
    const auto run = [&](Bitboard kind, char letter) {
      for (Bitboard rest = kind & men; rest; rest &= rest - 1) *to++ = letter;
    };
    run(v.kings(), 'K');
    run(v.queens(), 'Q');
    run(v.rooks(), 'R');
    run(v.bishops(), 'B');
    run(v.knights(), 'N');
    run(v.pawns(), 'P');
  };
  side(white_moves ? v.us : v.them);
  *to++ = 'v';
  side(white_moves ? v.them : v.us);
  out.append(text, static_cast<std::size_t>(to - text));
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
