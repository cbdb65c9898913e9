// A quick look at what nearly every position of a game has: no more men of a kind than a side
// starts with, pieces that nothing shuts in, pawns that stand as few captures explain. What it lets
// pass, the full tests of position_defects.cpp and impossible_history.cpp would.
#include "host/notation/fen_fields.hpp"
#include "host/rules/attacks.hpp"
#include "host/rules/game_state.hpp"

namespace cuarbiter::fen_detail {

namespace {

constexpr int kMen = 16;
constexpr Bitboard kRank2 = kRank1 << 8;

// A field for both sides' men of a kind.
constexpr MenCounts of_both(unsigned kind, MenCounts number) {
  return number << (kMenCountBits * kind) | number << (kMenCountBits * kind + kMenCountBlack);
}

// True when each side has one king and, but for the colours of bishops, no more men of another kind
// than at the start.
bool as_at_start(MenCounts men) {
  constexpr MenCounts kSixteens = of_both(0, 16) | of_both(1, 16) | of_both(2, 16) |
                                  of_both(3, 16) | of_both(4, 16) | of_both(5, 16);
  // One man more than there may be makes 16.
  constexpr MenCounts kRoom = of_both(0, 15 - 8) | of_both(1, 15 - 2) | of_both(2, 15 - 2) |
                              of_both(3, 15 - 2) | of_both(4, 15 - 1) | of_both(5, 15 - 1);
  constexpr MenCounts kKings = of_both(5, kMenCountMask), kOneKing = of_both(5, 1);
  return ((men | (men + kRoom)) & kSixteens) == 0 && (men & kKings) == kOneKing;
}

// The men of a side, at most 16: the sum of the digits of a number, taken modulo its base less one.
int men_of_side(MenCounts men, bool black) {
  const MenCounts side = (men >> (black ? kMenCountBlack : 0)) & ((MenCounts{1} << 30) - 1);
  return static_cast<int>(side % kMenCountMask);
}

constexpr Bitboard above(Bitboard men) {
  men <<= 8;
  men |= men << 8;
  men |= men << 16;
  return men | men << 32;
}
constexpr Bitboard below(Bitboard men) {
  men >>= 8;
  men |= men >> 8;
  men |= men >> 16;
  return men | men >> 32;
}

// The files on which some men stand, a bit each.
constexpr unsigned files_of(Bitboard men) {
  men |= men >> 32;
  men |= men >> 16;
  men |= men >> 8;
  return static_cast<unsigned>(men & 0xFF);
}

// True when pawns behind which others of their side stand on the file (`advanced`) can each have
// come from the next file with one of `captures` captures, to the left if no pawn stands there,
// else to the right.
bool few_captures_explain(Bitboard pawns, Bitboard advanced, int captures) {
  const unsigned files = files_of(advanced);
  const unsigned free = ~files_of(pawns) & 0xFF;
  const unsigned from_left = (files >> 1) & free;
  const unsigned rest = files & ~(from_left << 1);
  const unsigned from_right = (rest << 1) & free & ~from_left;
  return (rest & ~(from_right >> 1)) == 0 && popcount(files) <= captures;
}

// True when a bishop's home at c1 or f1 (square 2 or 5 of `pawns`, whose lowest rank is the second)
// has pawns on both squares before it that have not moved.
constexpr bool is_shut(Bitboard second_rank, int home) {
  return (second_rank >> (home - 1) & 5) == 5;
}

// True when nothing of a side can be said to have come past unmoved pawns: no bishop is shut in, or
// one is, at home, and king, queen and rooks are at home or gone. `v` sees the side as us, on the
// first rank.
bool nothing_shut_in(const BoardView<Bitboard>& v) {
  const Bitboard second = (v.pawns() & v.us & kRank2) >> 8;
  const bool queens = is_shut(second, 2), kings = is_shut(second, 5);
  if (!queens && !kings) return true;
  constexpr Bitboard kA1 = 1, kE1 = 0x10, kH1 = 0x80;
  const Bitboard bishops = v.bishops() & v.us;
  if ((queens && !(bishops & kC1)) || (kings && !(bishops & kF1))) return false;
  const Bitboard abroad = (v.kings() & ~kE1) | (v.queens() & ~kD1) | (v.rooks() & ~(kA1 | kH1));
  return !(abroad & v.us);
}

}  // namespace

bool is_ordinary(const Position& board, MenCounts men, bool chess960) {
  if (!as_at_start(men)) return false;
  const BoardView<Bitboard> v = view(board);
  const Bitboard pawns = v.pawns(), bishops = v.bishops();
  if (pawns & (kRank1 | kRank8)) return false;
  const Bitboard light = bishops & kLightSquares, dark = bishops & ~kLightSquares;
  for (const Bitboard of_colour : {light & v.us, light & v.them, dark & v.us, dark & v.them}) {
    if (of_colour & (of_colour - 1)) return false;
  }
  if (!chess960 && !(nothing_shut_in(v) && nothing_shut_in(view(flipped(board))))) return false;
  // Pawns that a pawn of their own side follows; pawns that have passed one of the other side, for
  // which either side must have captured.
  const Bitboard white = pawns & v.us, black = pawns & v.them;
  const Bitboard white_advanced = white & above(white), black_advanced = black & below(black);
  const bool passed = (white & above(black)) != 0;
  if (!white_advanced && !black_advanced && !passed) return true;
  const int whites = men_of_side(men, false), blacks = men_of_side(men, true);
  if (passed && (whites == kMen || blacks == kMen)) return false;
  if ((white_advanced & above(white_advanced)) | (black_advanced & below(black_advanced))) {
    return false;
  }
  return few_captures_explain(white, white_advanced, kMen - blacks) &&
         few_captures_explain(black, black_advanced, kMen - whites);
}

}  // namespace cuarbiter::fen_detail
