// What no game can lead to: numbers of men (FIDE 2.2, 3.7.3.3), kings, pawns on the end ranks.
#include <string>

#include "host/notation/fen.hpp"
#include "host/notation/fen_fields.hpp"
#include "host/rules/game_state.hpp"

namespace cuarbiter {

namespace {

constexpr int kPawns = 8;
constexpr int kMen = 16;

// Men that only promotion can have made. Bishops count by the colour of their squares, for each
// side starts with one on either.
int promoted_men(const BoardView<Bitboard>& v, Bitboard men) {
  using fen_detail::men_above;
  return men_above(v.knights() & men, 2) + men_above(v.bishops() & men & kLightSquares, 1) +
         men_above(v.bishops() & men & ~kLightSquares, 1) + men_above(v.rooks() & men, 2) +
         men_above(v.queens() & men, 1);
}

// What is wrong with the numbers of one side; empty when nothing is.
std::string too_many(const BoardView<Bitboard>& v, Bitboard men) {
  const int pawns = popcount(v.pawns() & men);
  if (popcount(men) > kMen) return std::to_string(popcount(men)) + " men";
  if (pawns > kPawns) return std::to_string(pawns) + " pawns";
  const int promoted = promoted_men(v, men);
  if (promoted > kPawns - pawns) {
    return std::to_string(promoted) + (promoted == 1 ? " promoted piece" : " promoted pieces") +
           " and " + std::to_string(pawns) + (pawns == 1 ? " pawn" : " pawns");
  }
  return {};
}

}  // namespace

namespace fen_detail {

bool find_placement_defects(const Position& position, Color side_to_move, unsigned column,
                            std::vector<FenDefect>& defects) {
  const BoardView<Bitboard> v = view(position);
  const bool white_moves = side_to_move == Color::white;
  const Bitboard sides[2] = {white_moves ? v.us : v.them, white_moves ? v.them : v.us};
  const char* const names[2] = {"White", "Black"};
  bool good = true;
  for (int side = 0; side < 2; ++side) {
    const int kings = popcount(v.kings() & sides[side]);
    if (kings != 1) {
      add_defect(defects, FenFault::kings, true, column,
                 std::string(names[side]) + " has " + (kings ? std::to_string(kings) : "no") +
                     (kings ? " kings" : " king"));
      good = false;
    }
  }
  if (v.pawns() & (kRank1 | kRank8)) {
    add_defect(defects, FenFault::pawn_rank, true, column,
               "a pawn stands on the first or the last rank");
    good = false;
  }
  const bool crowded = popcount(v.occupied) > 2 * kMen;
  for (int side = 0; side < 2; ++side) {
    const std::string what = too_many(v, sides[side]);
    if (what.empty()) continue;
    add_defect(defects, FenFault::too_many, crowded, column,
               std::string(names[side]) + " has " + what);
    good &= !crowded;
  }
  return good;
}

}  // namespace fen_detail

bool find_position_defects(const Position& position, Color side_to_move, unsigned column,
                           std::vector<FenDefect>& defects) {
  const BoardView<Bitboard> v = view(position);
  const std::size_t before = defects.size();
  bool good = fen_detail::find_placement_defects(position, side_to_move, column, defects);
  if (defects.size() == before) {
    fen_detail::find_history_defects(position, side_to_move, true, column, defects);
  }
  if (popcount(v.kings() & v.us) != 1 || popcount(v.kings() & v.them) != 1) return good;
  if (opponent_in_check(position)) {
    fen_detail::add_defect(defects, FenFault::opponent_in_check, true, column,
                           std::string(side_to_move == Color::white ? "Black" : "White") +
                               ", not to move, is in check");
    good = false;
  }
  if (!v.en_passant && !fen_detail::check_is_possible(position)) {
    fen_detail::add_defect(defects, FenFault::impossible_check, false, column,
                           "no last move can have given this check");
  }
  return good;
}

}  // namespace cuarbiter
