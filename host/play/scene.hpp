// A board by role for play that follows a plan: bit sets that a move changes in place, seen by the
// winner, whose pawns move up.
//
// No castling and no captures in passing: what is played here never uses them, and a line of moves
// without them is legal whatever rights there are.
#pragma once

#include "host/rules/attacks.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

// Sides by role, not colour: the one that would mate and the one that would be mated. The board is
// seen by the winner, whose pawns move up.
enum Role : int { kWinner, kLoser };

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

CUARBITER_HD_INLINE constexpr Role opponent(Role role) {
  return role == kWinner ? kLoser : kWinner;
}

// The lowest of some squares, as a set.
CUARBITER_HD_INLINE Bitboard first_of(Bitboard squares) {
  return squares & (0 - squares);
}

// What the pawns of a side attack.
CUARBITER_HD_INLINE Bitboard pawn_aside(Bitboard from, Role role) {
  return role == kWinner ? shift<kNorthEast>(from) | shift<kNorthWest>(from)
                         : shift<kSouthEast>(from) | shift<kSouthWest>(from);
}

CUARBITER_HD_INLINE Bitboard pawn_ahead(Bitboard from, Role role) {
  return role == kWinner ? from << 8 : from >> 8;
}

// The rank that a pawn's first step leads to.
CUARBITER_HD_INLINE constexpr Bitboard first_step(Role role) {
  return role == kWinner ? kRank3 : kRank3 << 24;
}

// What rooks and bishops on sets of squares attack over the squares `empty`.
CUARBITER_HD Bitboard slides(Bitboard straight, Bitboard diagonal, Bitboard empty) {
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

// What men of a type attack from the squares `from`, over the squares `empty`.
CUARBITER_HD Bitboard attacks_from(PieceType type, Role role, Bitboard from, Bitboard empty) {
  switch (type) {
    case PieceType::pawn:
      return pawn_aside(from, role);
    case PieceType::knight:
      return knight_attacks(from);
    case PieceType::bishop:
      return slides(0, from, empty);
    case PieceType::rook:
    case PieceType::castling_rook:
      return slides(from, 0, empty);
    case PieceType::queen:
      return slides(from, from, empty);
    case PieceType::king:
      return king_attacks(from);
    default:
      return 0;
  }
}

// Up to 9 bits, counted without an instruction that the machine may lack.
CUARBITER_HD_INLINE int few(Bitboard x) {
  int n = 0;
  for (; x; x &= x - 1) ++n;
  return n;
}

CUARBITER_HD_INLINE Square square_of(Bitboard bit) {
  return static_cast<Square>(lowest_square(bit));
}

// Steps of a king from one square to another on an empty board.
CUARBITER_HD_INLINE int king_steps(int x, int y) {
  const int files = (x & 7) - (y & 7), ranks = (x >> 3) - (y >> 3);
  const int across = files < 0 ? -files : files, along = ranks < 0 ? -ranks : ranks;
  return across > along ? across : along;
}

CUARBITER_HD_INLINE Bitboard lines_through(const SquareMasks& m) {
  return m.rank | m.file | m.diagonal | m.anti;
}

struct Scene {
  Bitboard men[7] = {};   // both sides', by piece type; a castling rook is a rook; [0] is not used
  Bitboard side[2] = {};  // by role

  Scene() = default;
  // `us`: the side to move is the winner.
  CUARBITER_HD Scene(const Position& position, bool us) {
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
  CUARBITER_HD Position position(Role turn) const {
    Position p;
    p.a = men[1] | men[3] | men[5];
    p.b = men[2] | men[3] | men[6];
    p.c = men[4] | men[5] | men[6];
    p.d = side[kLoser];
    return turn == kWinner ? p : flipped(p);
  }

  CUARBITER_HD Bitboard occupied() const { return side[kWinner] | side[kLoser]; }
  CUARBITER_HD Bitboard of(PieceType type) const { return men[static_cast<int>(type)]; }
  CUARBITER_HD Bitboard of(PieceType type, Role role) const { return of(type) & side[role]; }
  CUARBITER_HD int king(Role role) const { return lowest_square(of(PieceType::king, role)); }

  CUARBITER_HD PieceType type_at(Bitboard square) const {
    int i = 1;
    while (i < 7 && !(men[i] & square)) ++i;
    return i == 7 ? PieceType::none : static_cast<PieceType>(i);
  }

  // The men of a side that attack a square over a board occupied as given.
  CUARBITER_HD Bitboard attackers(int square, Bitboard occupied, Role by) const {
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
  // False when a man that leaves a square cannot open a line of the other side's, `by`, to the king
  // on `king`: none of its sliders stands on the same lines.
  CUARBITER_HD_INLINE bool may_open(const SquareMasks& king, Bitboard from, Role by) const {
    const Bitboard straight = king.rank | king.file, diagonal = king.diagonal | king.anti;
    const Bitboard sliders = straight & from   ? straight & (men[4] | men[5])
                             : diagonal & from ? diagonal & (men[3] | men[5])
                                               : 0;
    return (sliders & side[by] & ~from) != 0;
  }
  CUARBITER_HD bool checked(Role role) const {
    return attackers(king(role), occupied(), opponent(role)) != 0;
  }

  // Everything that a side attacks but for the men `without`, through the squares `through`.
  CUARBITER_HD Bitboard attacked(Role by, Bitboard without, Bitboard through) const {
    const Bitboard own = side[by] & ~without;
    const Bitboard empty = ~occupied() | without | through;
    return pawn_aside(men[1] & own, by) | knight_attacks(men[2] & own) |
           king_attacks(men[6] & own) |
           slides((men[4] | men[5]) & own, (men[3] | men[5]) & own, empty);
  }

  // Moves a man, taking what stands on its target; nothing is checked.
  CUARBITER_HD void move(PieceType type, Bitboard from, Bitboard to, Role role, PieceType becomes) {
    if (side[opponent(role)] & to) {
      for (int i = 1; i <= 5; ++i) men[i] &= ~to;
      side[opponent(role)] ^= to;
    }
    men[static_cast<int>(type)] ^= from;
    men[static_cast<int>(becomes)] ^= to;
    side[role] ^= from | to;
  }
};

CUARBITER_RULES_END
