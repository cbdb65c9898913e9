#include "host/proof/estimate.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "host/rules/game_state.hpp"

namespace cuarbiter {
namespace {

// Steps of a king between two squares of an empty board.
int distance(int x, int y) {
  const int files = (x & 7) - (y & 7), ranks = (x >> 3) - (y >> 3);
  return std::max(std::abs(files), std::abs(ranks));
}

Bitboard straight_slides(Bitboard from, Bitboard empty) {
  if (!from) return 0;
  return slide<kNorth>(from, propagator<kNorth>(empty)) |
         slide<kSouth>(from, propagator<kSouth>(empty)) |
         slide<kEast>(from, propagator<kEast>(empty)) |
         slide<kWest>(from, propagator<kWest>(empty));
}
Bitboard diagonal_slides(Bitboard from, Bitboard empty) {
  if (!from) return 0;
  return slide<kNorthEast>(from, propagator<kNorthEast>(empty)) |
         slide<kSouthEast>(from, propagator<kSouthEast>(empty)) |
         slide<kSouthWest>(from, propagator<kSouthWest>(empty)) |
         slide<kNorthWest>(from, propagator<kNorthWest>(empty));
}

// A position by role. `up`: the winner's pawns move up; it is the winner's turn.
struct Roles {
  BoardView<Bitboard> v;
  Bitboard winner, loser;
  bool up;

  Roles(const Position& position, bool winner_moves)
      : v(view(position)),
        winner(winner_moves ? v.us : v.them),
        loser(winner_moves ? v.them : v.us),
        up(winner_moves) {}

  Bitboard king() const { return v.kings() & loser; }
};

// Squares that men attack, pieces and not pawns, through the square `through`.
Bitboard piece_attacks(const BoardView<Bitboard>& v, Bitboard men, Bitboard through) {
  const Bitboard empty = ~v.occupied | through;
  return knight_attacks(v.knights() & men) | king_attacks(v.kings() & men) |
         straight_slides(v.orthogonal_sliders() & men, empty) |
         diagonal_slides(v.diagonal_sliders() & men, empty);
}

Bitboard pawn_attacks(Bitboard pawns, bool up) {
  return up ? shift<kNorthEast>(pawns) | shift<kNorthWest>(pawns)
            : shift<kSouthEast>(pawns) | shift<kSouthWest>(pawns);
}

// The cost of bringing a pawn of `side` to promotion, the least of all; `up`: its pawns move up.
// Steps, and more where something is in the way or must come to be taken.
int promotion_cost(const BoardView<Bitboard>& v, Bitboard side, bool up) {
  constexpr int kNoPawn = 60, kPawnAhead = 6, kManAhead = 2, kVictimComes = 3, kNoVictim = 8;
  const auto turn = [&](Bitboard x) { return up ? x : mirror_ranks(x); };
  const Bitboard own = turn(side), all = turn(v.occupied), pawns = turn(v.pawns());
  const Bitboard others = all & ~own, victims = others & ~turn(v.kings());
  const int no_victim = (victims & ~pawns) != 0 ? kVictimComes : kNoVictim;
  int next[8] = {0, 0, 0, 0, 0, 0, 0, 0};  // from the rank ahead
  int best = kNoPawn;
  for (int rank = 6; rank >= 1; --rank) {
    int here[8];
    for (int file = 0; file < 8; ++file) {
      const Bitboard ahead = square_bit(8 * (rank + 1) + file);
      int cost = 1 + next[file];
      if (others & pawns & ahead) {
        cost += kPawnAhead;
      } else if (all & ahead) {
        cost += kManAhead;
      }
      if (file > 0)
        cost = std::min(cost, 1 + next[file - 1] + (victims & ahead >> 1 ? 0 : no_victim));
      if (file < 7)
        cost = std::min(cost, 1 + next[file + 1] + (victims & ahead << 1 ? 0 : no_victim));
      here[file] = cost;
      if (own & pawns & ahead >> 8) best = std::min(best, cost);
    }
    std::copy(here, here + 8, next);
  }
  return best;
}

// The steps of both kings to the pattern in which a lone piece mates: the one in a corner, the
// other a knight's jump away. Bishops of one colour alone need a corner of theirs.
int corner_cost(const Roles& r, const EstimateWeights& k) {
  const BoardView<Bitboard>& v = r.v;
  // Colours as White or Black would have them do not matter, but both kings' squares must be seen
  // from the same side as the bishops'.
  const int loser = lowest_square(r.king()), winner = lowest_square(v.kings() & r.winner);
  const Bitboard bishops = v.bishops() & r.winner;
  const bool light = (bishops & kLightSquares) != 0, dark = (bishops & ~kLightSquares) != 0;
  const bool any = (r.winner & ~v.kings() & ~bishops) != 0 || (light && dark);
  int best = 99;
  for (const int corner : {0, 7, 56, 63}) {
    const bool is_light = corner == 7 || corner == 56;
    if (!any && !(is_light ? light : dark)) continue;
    const int beside = std::min(distance(winner, corner ^ 17), distance(winner, corner ^ 10));
    best = std::min(best, k.corner * distance(loser, corner) + k.king * beside);
  }
  return best;
}

// Steps until some man can give check: 0 when one can at once.
int check_cost(const Roles& r, const EstimateWeights& k) {
  const BoardView<Bitboard>& v = r.v;
  const int king = lowest_square(r.king());
  const Bitboard empty = ~v.occupied, free = empty | r.loser;
  const Bitboard straight = v.orthogonal_sliders() & r.winner;
  const Bitboard diagonal = v.diagonal_sliders() & r.winner;
  const Bitboard jumps = masks_of(king).knight;
  if ((straight_slides(straight, empty) & rook_attacks(king, v.occupied) & free) ||
      (diagonal_slides(diagonal, empty) & bishop_attacks(king, v.occupied) & free)) {
    return 0;
  }
  Bitboard reach = v.knights() & r.winner;
  if (knight_attacks(reach) & jumps & free) return 0;
  int cost = k.check;
  if (!straight && !diagonal) {
    for (int i = 0; reach && i < 5 && !(reach & jumps); ++i, ++cost) reach |= knight_attacks(reach);
  }
  return cost;
}

}  // namespace

Estimate estimate(const Position& position, bool winner_moves, const EstimateWeights& k,
                  const MateGoals* goals) {
  const Roles r(position, winner_moves);
  const BoardView<Bitboard>& v = r.v;
  const Bitboard king = r.king();
  const Bitboard attacked =
      piece_attacks(v, r.winner, king) | pawn_attacks(v.pawns() & r.winner, r.up);
  const Bitboard flights = king_attacks(king) & ~r.loser & ~attacked;
  int kings = 0;
  if (goals) {
    const int turn = r.up ? 0 : 56;
    kings = k.corner *
            goals->cost[lowest_square(king) ^ turn][lowest_square(v.kings() & r.winner) ^ turn];
  } else {
    kings = corner_cost(r, k);
  }
  int near = 2 * (kings <= k.near ? popcount(flights) : k.far);
  if (flights && kings <= 4 * k.corner) {
    // A flight that a man of its own can step on is half closed.
    const Bitboard pawns = v.pawns() & r.loser, helpers = r.loser & ~king & ~pawns;
    const Bitboard steps = (r.up ? pawns >> 8 : pawns << 8) & ~v.occupied;
    near -= popcount(flights & (piece_attacks(v, helpers, 0) | steps));
  }
  Estimate e;
  e.mate = k.flights * near + kings;
  if (!(attacked & king)) e.mate += check_cost(r, k);
  if (!(v.orthogonal_sliders() & r.winner)) {
    if (v.pawns() & r.winner) {
      e.gain = 3 + promotion_cost(v, r.winner, r.up);
    } else if (v.pawns() & r.loser) {
      // Minor pieces need the help of more men on the other side.
      e.gain = promotion_cost(v, r.loser, !r.up);
    }
  }
  return e;
}

}  // namespace cuarbiter
