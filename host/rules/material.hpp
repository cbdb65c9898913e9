// What stands on the board, without where it stands: numbers of men, and the class of an endgame.
//
// Rules texts and tournament rules speak of bare king, simple, complex and mixed endings without
// saying exactly what they are. Here an endgame is a position with at most four pieces besides
// kings and pawns (Minev's definition), and its class is the first of these that holds:
//
// - bare king: a side has nothing but its king;
// - complex: a side has two pieces or more besides king and pawns;
// - mixed: both sides have one piece, and they differ in kind, as rook against bishop;
// - simple: the rest: pawns alone, one piece against none, or one each of the same kind.
#pragma once

#include <cstdint>

#include "host/rules/position.hpp"

namespace cuarbiter {

enum class EndgameClass : std::uint8_t {
  none,  // no endgame
  bare_king,
  simple,
  complex,
  mixed,
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

// The class of a position with one king a side; pawns do not count, but a side with pawns is not
// bare.
CUARBITER_HD_INLINE EndgameClass endgame_class(const BoardView<Bitboard>& v) {
  constexpr int kMostPieces = 4;
  const Bitboard pieces = v.occupied & ~v.pawns() & ~v.kings();
  if (popcount(pieces) > kMostPieces) return EndgameClass::none;
  const Bitboard men = v.occupied & ~v.kings();
  if (!(men & v.us) || !(men & v.them)) return EndgameClass::bare_king;
  const Bitboard ours = pieces & v.us, theirs = pieces & v.them;
  if ((ours & (ours - 1)) | (theirs & (theirs - 1))) return EndgameClass::complex;
  if (!ours || !theirs) return EndgameClass::simple;
  const Bitboard kinds[] = {v.knights(), v.bishops(), v.rooks(), v.queens()};
  for (const Bitboard kind : kinds) {
    if ((kind & ours) && (kind & theirs)) return EndgameClass::simple;
  }
  return EndgameClass::mixed;
}

CUARBITER_RULES_END
