// A board by role for play that follows a plan: bit sets that a move changes in place, seen by the
// winner, whose pawns move up.
//
// No castling and no captures in passing: what is played here never uses them, and a line of moves
// without them is legal whatever rights there are.
#pragma once

#include "host/proof/mobility.hpp"
#include "host/rules/attacks.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

// The lowest of some squares, as a set.
inline Bitboard first_of(Bitboard squares) {
  return squares & (0 - squares);
}

// What the pawns of a side attack.
inline Bitboard pawn_aside(Bitboard from, Role role) {
  return role == kWinner ? shift<kNorthEast>(from) | shift<kNorthWest>(from)
                         : shift<kSouthEast>(from) | shift<kSouthWest>(from);
}

inline Bitboard pawn_ahead(Bitboard from, Role role) {
  return role == kWinner ? from << 8 : from >> 8;
}

// The rank that a pawn's first step leads to.
constexpr Bitboard first_step(Role role) {
  return role == kWinner ? kRank3 : kRank3 << 24;
}

// What one piece on a square attacks; not for pawns.
inline Bitboard piece_attacks(PieceType type, int square, Bitboard occupied) {
  switch (type) {
    case PieceType::knight:
      return masks_of(square).knight;
    case PieceType::bishop:
      return bishop_attacks(square, occupied);
    case PieceType::rook:
      return rook_attacks(square, occupied);
    case PieceType::queen:
      return rook_attacks(square, occupied) | bishop_attacks(square, occupied);
    default:
      return masks_of(square).king;
  }
}

// What rooks and bishops on sets of squares attack over the squares `empty`.
inline Bitboard slides(Bitboard straight, Bitboard diagonal, Bitboard empty) {
  Bitboard squares = 0;
  if (straight) {
    squares |= slide<kNorth>(straight, propagator<kNorth>(empty)) |
               slide<kSouth>(straight, propagator<kSouth>(empty)) |
               slide<kEast>(straight, propagator<kEast>(empty)) |
               slide<kWest>(straight, propagator<kWest>(empty));
  }
  if (diagonal) {
    squares |= slide<kNorthEast>(diagonal, propagator<kNorthEast>(empty)) |
               slide<kSouthEast>(diagonal, propagator<kSouthEast>(empty)) |
               slide<kSouthWest>(diagonal, propagator<kSouthWest>(empty)) |
               slide<kNorthWest>(diagonal, propagator<kNorthWest>(empty));
  }
  return squares;
}

struct Scene {
  Bitboard men[7] = {};   // both sides', by piece type; a castling rook is a rook; [0] is not used
  Bitboard side[2] = {};  // by role

  Scene() = default;
  // `us`: the side to move is the winner.
  Scene(const Position& position, bool us) {
    const BoardView<Bitboard> v = view(us ? position : flipped(position));
    men[1] = v.pawns();
    men[2] = v.knights();
    men[3] = v.bishops();
    men[4] = v.rooks() | v.castling_rooks();
    men[5] = v.queens();
    men[6] = v.kings();
    side[kWinner] = v.us;
    side[kLoser] = v.them;
  }

  // Without castling rights, seen by the side to move.
  Position position(Role turn) const {
    Position p;
    p.a = men[1] | men[3] | men[5];
    p.b = men[2] | men[3] | men[6];
    p.c = men[4] | men[5] | men[6];
    p.d = side[kLoser];
    return turn == kWinner ? p : flipped(p);
  }

  Bitboard occupied() const { return side[kWinner] | side[kLoser]; }
  Bitboard of(PieceType type) const { return men[static_cast<int>(type)]; }
  Bitboard of(PieceType type, Role role) const { return of(type) & side[role]; }
  int king(Role role) const { return lowest_square(of(PieceType::king, role)); }

  PieceType type_at(Bitboard square) const {
    int i = 1;
    while (i < 7 && !(men[i] & square)) ++i;
    return i == 7 ? PieceType::none : static_cast<PieceType>(i);
  }

  // The men of a side that attack a square over a board occupied as given.
  Bitboard attackers(int square, Bitboard occupied, Role by) const {
    const SquareMasks m = masks_of(square);
    const Bitboard own = side[by];
    const Bitboard pawns = pawn_aside(square_bit(square), opponent(by));
    Bitboard found = (m.knight & men[2]) | (m.king & men[6]) | (pawns & men[1]);
    const Bitboard straight = (m.rank | m.file) & (men[4] | men[5]) & own;
    const Bitboard diagonal = (m.diagonal | m.anti) & (men[3] | men[5]) & own;
    if (straight) found |= rook_attacks(square, occupied) & straight;
    if (diagonal) found |= bishop_attacks(square, occupied) & diagonal;
    return found & own;
  }
  bool checked(Role role) const { return attackers(king(role), occupied(), opponent(role)) != 0; }

  // Everything that a side attacks but for the men `without`, through the squares `through`.
  Bitboard attacked(Role by, Bitboard without, Bitboard through) const {
    const Bitboard own = side[by] & ~without;
    const Bitboard empty = ~occupied() | without | through;
    return pawn_aside(men[1] & own, by) | knight_attacks(men[2] & own) |
           king_attacks(men[6] & own) |
           slides((men[4] | men[5]) & own, (men[3] | men[5]) & own, empty);
  }

  // Moves a man, taking what stands on its target; nothing is checked.
  void move(PieceType type, Bitboard from, Bitboard to, Role role, PieceType becomes) {
    if (side[opponent(role)] & to) {
      for (int i = 1; i <= 5; ++i) men[i] &= ~to;
      side[opponent(role)] ^= to;
    }
    men[static_cast<int>(type)] ^= from;
    men[static_cast<int>(becomes)] ^= to;
    side[role] ^= from | to;
  }
};

}  // namespace cuarbiter
