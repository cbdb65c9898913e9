// A second proof that a side can never mate, for walls: the game of the kings and pawns alone, its
// reachable positions counted out, with everything that the other men might do allowed at any time.
//
// The pieces are taken off the board and become possibilities: their side may pass while it has a
// piece that moves at all, a piece may take wherever the fixpoint of mobility.hpp lets it, a pawn
// may take where a piece may stand, a piece may check or guard whatever it may ever attack. Every
// real game maps to a game of this skeleton, so a skeleton without a possible mate proves that none
// exists. What mobility alone cannot see is seen here: stalemates that come first, kings that
// cannot get away in time, pawns that run out of moves.
#pragma once

#include <cstdint>
#include <vector>

#include "host/proof/mobility.hpp"
#include "host/proof/position_pool.hpp"

namespace cuarbiter {

class SkeletonSearch {
 public:
  // True when it is proved, within `most` positions of the skeleton, that no series of legal moves
  // ends with the winner giving mate. `mobility` belongs to the same question. Memory is kept for
  // the next call. Not thread-safe.
  bool excludes_mate(const Position& position, bool us, const Mobility& mobility,
                     std::uint32_t most);
  // Positions looked at by the last call.
  std::uint64_t nodes() const { return pool_.size(); }

 private:
  struct Side {
    Bitboard stand = 0;     // where a piece may ever stand, as the winner sees the board
    Bitboard take = 0;      // where a piece may ever take
    bool may_pass = false;  // some piece may move
  };
  struct Checker {
    Bitboard reach, attacks, others;
    PieceType type;
  };

  void set_up(const Mobility& mobility);
  bool expand(std::uint32_t node, std::uint32_t most);
  bool mate_fits(const Position& p, Bitboard vacated) const;

  Side sides_[2];
  std::vector<Checker> checkers_;
  Bitboard attacked_ = 0;  // by any of the winner's pieces, ever
  Bitboard pass_ = 0;
  Bitboard walls_ = 0;          // pieces that stay for ever
  Bitboard kings_[2] = {0, 0};  // where the kings may ever stand
  PositionPool pool_;
};

}  // namespace cuarbiter
