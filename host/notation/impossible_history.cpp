// Positions that no game can have led to, proved from what the men must have done since the start
// position: captures count, pawns never go back, and what has not moved has always been in the way.
//
// Every captured man is missing from the board, so each side has made exactly as many captures as
// the other has men missing. A pawn changes its file by captures only, one file and one rank at a
// time (FIDE 3.7.3). A pawn on its first rank has never moved, nor has a king or a rook that may
// castle; round them, pieces can be shut in for good. What is found is certain; what is not found
// may be impossible all the same.
//
// Where pieces start is known in standard chess only; what holds for pawns holds in Chess960, too.
#include <array>
#include <cstdint>
#include <string>

#include "host/notation/fen.hpp"
#include "host/notation/fen_fields.hpp"
#include "host/rules/attacks.hpp"
#include "host/rules/game_state.hpp"

namespace cuarbiter::fen_detail {

namespace {

constexpr int kMen = 16;
constexpr int kPawns = 8;
constexpr int kNever = 1000;  // more captures than there are
constexpr Bitboard kRank2 = kRank1 << 8, kRank7 = kRank8 >> 8;
constexpr int kQueensRook = 0, kQueensBishop = 2, kQueen = 3, kKing = 4, kKingsBishop = 5,
              kKingsRook = 7;  // home squares, standard chess

constexpr bool has(Bitboard set, int square) {
  return (set >> square) & 1;
}

// Of the two squares in front of a bishop at home, both hold pawns that have never moved.
constexpr bool is_shut_in(Bitboard unmoved, int bishop) {
  return has(unmoved, bishop + 7) && has(unmoved, bishop + 9);
}

// One side seen by itself: its men are "us" and move up.
class Side {
 public:
  Side(const BoardView<Bitboard>& v, bool standard)
      : v_(v),
        unmoved_(v.pawns() & v.us & kRank2),
        their_unmoved_(v.pawns() & v.them & kRank7),
        shut_queens_(standard && is_shut_in(unmoved_, kQueensBishop)),
        shut_kings_(standard && is_shut_in(unmoved_, kKingsBishop)) {}

  int missing() const { return kMen - popcount(v_.us); }
  int pawns() const { return popcount(v_.pawns() & v_.us); }

  // Bishops that were taken at home, where no pawn can take.
  int taken_at_home() const {
    return (shut_queens_ && !bishop_on(kQueensBishop)) + (shut_kings_ && !bishop_on(kKingsBishop));
  }

  // Men that have certainly never moved, pawns included.
  Bitboard unmoved_men() const {
    Bitboard men = unmoved_ | (v_.castling_rooks() & v_.us);
    if (v_.castling_rooks() & v_.us) men |= v_.kings() & v_.us;
    if (shut_queens_ && bishop_on(kQueensBishop)) men |= square_bit(kQueensBishop);
    if (shut_kings_ && bishop_on(kKingsBishop)) men |= square_bit(kKingsBishop);
    return men;
  }

  // The least number of men on the board that were promoted. `unmoved`: of both sides.
  int promoted(Bitboard unmoved) const {
    return promoted_knights() + promoted_bishops() + promoted_rooks(unmoved) +
           promoted_queens(unmoved);
  }

  // The king stands outside of what it can have reached.
  bool king_got_out(Bitboard unmoved) const {
    const Bitboard king = v_.kings() & v_.us;
    return has_cage() && !(king & square_bit(kKing)) && !(king & reach<true, true>(kKing, unmoved));
  }

  // The least number of captures by pawns: those that stand on the board came from different files,
  // and so did `promoted` others that reached the seventh rank. kNever when there is no way.
  // `they_captured`: the other side has made any capture.
  int pawn_captures(int promoted, bool they_captured, int enough) const {
    const Bitboard men = v_.pawns() & v_.us;
    std::array<Cost, kPawns> costs;
    int count = 0;
    const bool doubled = (men & ahead_of(men)) != 0;
    if (!doubled && promoted == 0 && (they_captured || !passed(men))) return 0;
    for (Bitboard rest = men; rest; rest &= rest - 1) {
      const int square = lowest_square(rest);
      costs[static_cast<std::size_t>(count++)] = cost_of(square, they_captured);
    }
    const Cost way_up = cost_of_promotion();
    for (int i = 0; i < promoted; ++i) costs[static_cast<std::size_t>(count++)] = way_up;
    const int some = some_assignment(costs, count);
    return some <= enough ? some : best_assignment(costs, count);
  }

 private:
  using Cost = std::array<int, kPawns>;  // captures, by the file from which a pawn came

  bool bishop_on(int square) const { return has(v_.bishops() & v_.us, square); }
  // Without a bishop shut in no other piece is.
  bool has_cage() const { return shut_queens_ || shut_kings_; }

  int promoted_knights() const { return men_above(v_.knights() & v_.us, 2); }

  // Each side starts with a bishop on either colour; one that is shut in is at home or gone.
  int promoted_bishops() const {
    const Bitboard bishops = v_.bishops() & v_.us;
    const auto of_colour = [&](Bitboard colour, bool shut, int home) {
      return men_above(bishops & colour, shut && !has(bishops, home) ? 0 : 1);
    };
    return of_colour(~kLightSquares, shut_queens_, kQueensBishop) +
           of_colour(kLightSquares, shut_kings_, kKingsBishop);
  }

  int promoted_rooks(Bitboard unmoved) const {
    const Bitboard rooks = v_.rooks() & v_.us;
    const Bitboard home = square_bit(kQueensRook) | square_bit(kKingsRook);
    if (!has_cage() || !(rooks & ~home)) return men_above(rooks, 2);
    const Bitboard queens = rooks & reach<true, false>(kQueensRook, unmoved);
    const Bitboard kings = rooks & reach<true, false>(kKingsRook, unmoved);
    int original = (queens != 0) + (kings != 0);
    if (original == 2 && popcount(queens | kings) == 1) original = 1;
    return popcount(rooks) - original;
  }

  int promoted_queens(Bitboard unmoved) const {
    const Bitboard queens = v_.queens() & v_.us;
    if (!has_cage() || !(queens & ~square_bit(kQueen))) return men_above(queens, 1);
    return popcount(queens) - (queens & reach<true, true>(kQueen, unmoved) ? 1 : 0);
  }

  // The squares that a piece can have reached from its home, were everything that has moved out of
  // its way. Castling takes kings and rooks nowhere else.
  template <bool Straight, bool Diagonal>
  static Bitboard reach(int home, Bitboard unmoved) {
    const Bitboard open = ~unmoved;
    Bitboard reached = square_bit(home);
    for (Bitboard before = 0; before != reached;) {
      before = reached;
      if constexpr (Straight) {
        reached |= open & (shift<kNorth>(before) | shift<kSouth>(before) | shift<kEast>(before) |
                           shift<kWest>(before));
      }
      if constexpr (Diagonal) {
        reached |= open & (shift<kNorthEast>(before) | shift<kNorthWest>(before) |
                           shift<kSouthEast>(before) | shift<kSouthWest>(before));
      }
    }
    return reached;
  }

  // Pawns of theirs stand behind ours on a file.
  bool passed(Bitboard men) const { return (ahead_of(v_.pawns() & v_.them) & men) != 0; }

  // The squares in front of some men, up to the last rank.
  static Bitboard ahead_of(Bitboard men) {
    men <<= 8;
    men |= men << 8;
    men |= men << 16;
    return men | men << 32;
  }

  // A pawn has advanced a rank with each capture. One that stands beyond a pawn of theirs on its
  // file, which without captures has never left it, has left it and come back if it started there.
  Cost cost_of(int square, bool they_captured) const {
    Cost cost;
    const int file = square & 7, advanced = (square >> 3) - 1;
    for (int from = 0; from < kPawns; ++from) {
      int captures = from < file ? file - from : from - file;
      if (captures == 0 && !they_captured && passed(square_bit(square))) captures = 2;
      cost[static_cast<std::size_t>(from)] = captures <= advanced ? captures : kNever;
    }
    return cost;
  }

  // To promote, a pawn first stands on the seventh rank, beside pawns of theirs that have never
  // moved from there.
  Cost cost_of_promotion() const {
    Cost cost;
    for (int from = 0; from < kPawns; ++from) {
      int nearest = kNever;
      for (int file = 0; file < kPawns; ++file) {
        const int captures = from < file ? file - from : from - file;
        if (captures <= 5 && captures < nearest && !has(their_unmoved_, 48 + file)) {
          nearest = captures;
        }
      }
      cost[static_cast<std::size_t>(from)] = nearest;
    }
    return cost;
  }

  // Some assignment of pawns to files: each takes the cheapest that is left.
  static int some_assignment(const std::array<Cost, kPawns>& costs, int count) {
    unsigned taken = 0;
    int sum = 0;
    for (int i = 0; i < count; ++i) {
      const Cost& cost = costs[static_cast<std::size_t>(i)];
      int best = kNever;
      unsigned best_bit = 0;
      for (unsigned file = 0; file < kPawns; ++file) {
        if (!((taken >> file) & 1) && cost[file] < best) {
          best = cost[file];
          best_bit = 1u << file;
        }
      }
      if (best == kNever) return kNever;
      taken |= best_bit;
      sum += best;
    }
    return sum;
  }

  // The cheapest assignment, over all sets of files.
  static int best_assignment(const std::array<Cost, kPawns>& costs, int count) {
    std::array<int, 256> best;
    best.fill(kNever);
    best[0] = 0;
    int cheapest = kNever;
    for (unsigned taken = 0; taken < 256; ++taken) {
      if (best[taken] >= kNever) continue;
      const int next = popcount(taken);
      if (next == count) {
        if (best[taken] < cheapest) cheapest = best[taken];
        continue;
      }
      const Cost& cost = costs[static_cast<std::size_t>(next)];
      for (unsigned file = 0; file < kPawns; ++file) {
        if ((taken >> file) & 1) continue;
        int& then = best[taken | (1u << file)];
        if (best[taken] + cost[file] < then) then = best[taken] + cost[file];
      }
    }
    return cheapest;
  }

  BoardView<Bitboard> v_;
  Bitboard unmoved_, their_unmoved_;  // pawns
  bool shut_queens_, shut_kings_;     // the queen's and the king's bishop have never left
};

std::string counted(int count, const char* one, const char* many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

}  // namespace

void find_history_defects(const Position& position, Color side_to_move, bool chess960,
                          unsigned column, std::vector<FenDefect>& defects) {
  const bool white_moves = side_to_move == Color::white;
  const Position other = flipped(position);
  const Side sides[2] = {Side(view(white_moves ? position : other), !chess960),
                         Side(view(white_moves ? other : position), !chess960)};
  const char* const names[2] = {"White", "Black"};
  const Bitboard seen_by_white = sides[0].unmoved_men() | mirror_ranks(sides[1].unmoved_men());
  const Bitboard unmoved[2] = {seen_by_white, mirror_ranks(seen_by_white)};
  int promoted[2];
  for (int s = 0; s < 2; ++s) {
    const Side& side = sides[s];
    promoted[s] = side.promoted(unmoved[s]);
    if (promoted[s] && promoted[s] > kPawns - side.pawns()) {
      add_defect(defects, FenFault::shut_in, false, column,
                 std::string(names[s]) + " has " + counted(promoted[s], "piece", "pieces") +
                     " more than can have come past pawns that have never moved, and " +
                     counted(side.pawns(), "pawn", "pawns"));
      return;
    }
    if (side.king_got_out(unmoved[s])) {
      add_defect(defects, FenFault::shut_in, false, column,
                 std::string(names[s]) + "'s king cannot have come past men that have never moved");
    }
  }
  for (int s = 0; s < 2; ++s) {
    const int captures = sides[1 - s].missing() - sides[1 - s].taken_at_home();
    const int needed = sides[s].pawn_captures(promoted[s], sides[s].missing() > 0, captures);
    if (needed <= captures) continue;
    add_defect(
        defects, FenFault::pawn_structure, false, column,
        std::string(names[s]) + "'s pawns cannot have come to stand so" +
            (needed < kNever ? " without " + counted(needed, "capture", "captures") +
                                   ", and can have made no more than " + std::to_string(captures)
                             : std::string()));
  }
  // A pawn passes the one on its file when either of them captures or is captured. A capture of a
  // pawn by a pawn lets up to three others pass, of a piece by a pawn two, of a pawn by a piece
  // one.
  if (!promoted[0] && !promoted[1]) return;
  const int captures = sides[0].missing() + sides[1].missing();
  const int all = promoted[0] + promoted[1];
  const int pawns_taken = 2 * kPawns - sides[0].pawns() - sides[1].pawns() - all;
  const int one_side = captures + (pawns_taken < captures ? pawns_taken : captures);
  const bool too_many =
      all > 2 * captures + pawns_taken || promoted[0] > one_side || promoted[1] > one_side;
  if (!too_many) return;
  add_defect(defects, FenFault::promotions, false, column,
             counted(all, "promoted piece", "promoted pieces") + " after " +
                 counted(captures, "capture", "captures") +
                 ": so many pawns cannot have passed each other");
}

}  // namespace cuarbiter::fen_detail
