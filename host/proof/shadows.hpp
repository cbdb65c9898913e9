// A proof that a side can never mate, out of a smaller game: some men stay on the board, the others
// become shadows.
//
// A shadow is not anywhere; it may do, at any time, whatever the fixpoint of mobility.hpp does not
// exclude for it: its side may pass, it may take a man on the board where it may ever take, it may
// stand in its own king's way, be taken, check or guard wherever it may ever do so. Every real game
// maps to a game with shadows, so when no position that the smaller game can reach may be a mate
// there is none. With kings and pawns alone on the board this sees stalemates that come first,
// kings that cannot get away in time, pawns that run out of moves; with men that are locked up
// together it counts out what they can do to each other, however many free men roam elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "host/proof/mobility.hpp"
#include "host/proof/position_pool.hpp"

namespace cuarbiter {

class ShadowSearch {
 public:
  // True when it is proved, within `most` positions of the smaller game, that no series of legal
  // moves ends with the winner giving mate. `mobility` belongs to the same question; `shadows`, as
  // the winner sees the board, holds no king. Memory is kept for the next call. Not thread-safe.
  bool excludes_mate(const Position& position, bool us, const Mobility& mobility, Bitboard shadows,
                     std::uint32_t most);
  // Positions looked at by the last call.
  std::uint64_t nodes() const { return pool_.size(); }
  // After a call that has met a position that may be a mate: the homes of the shadows that have
  // taken, been taken, checked, guarded or stood in the way; when there are none, of those whose
  // side has passed. With one of them on the board the next call may see more. Empty otherwise.
  Bitboard blamed() const { return blamed_; }

 private:
  // All squares are as the winner sees the board, whoever is to move.
  struct Shadow {
    Bitboard home = 0;
    Bitboard reach = 0;    // where it may ever stand
    Bitboard attacks = 0;  // what it may ever attack
    Bitboard passing = 0;  // where it may ever capture in passing
    bool moves = false;
  };
  struct Side {
    std::vector<Shadow> shadows;
    Bitboard stand = 0, attacks = 0, passing = 0;  // of any shadow
    bool may_pass = false;
    Bitboard reach[8] = {};  // where a man of a type that is on the board may ever stand
  };
  // A way in which a shadow of the winner may give check.
  struct Checker {
    Bitboard reach, attacks, others;
    PieceType type;
  };
  enum class Deed : std::uint8_t { none, pass, takes, taken };
  // How a position of the pool was first come to.
  struct Step {
    std::uint32_t parent;
    Deed deed;            // of a shadow
    std::uint8_t square;  // where it took or was taken
  };
  struct Child {
    Position position;
    std::uint64_t mix;  // as the pool has it
    Step step;
  };

  void set_up(const Mobility& mobility, Bitboard shadows);
  void add_checker(PieceType type, Bitboard reach, Bitboard& several);
  void expand(std::uint32_t node);
  void move_pieces(const Position& p, Role role);
  void move_pawns(const Position& p, Role role);
  void move_shadows(const Position& p, Role role);
  void child(const Position& next, Role mover, Bitboard vacated, Deed deed, Bitboard square);
  bool cannot_win(const BoardView<Bitboard>& v) const;
  bool safe(const Position& p, Role role, Bitboard obstacles) const;
  bool mate_fits(const Position& p, Bitboard vacated) const;
  bool shadow_mate_fits(const BoardView<Bitboard>& v, Bitboard flights, Bitboard vacated) const;
  bool has_certain_reply(const Position& p) const;
  bool blockers_suffice(Bitboard open) const;
  void blame(const Position& mate, Step last);

  Side sides_[2];
  std::vector<Checker> checkers_;
  Bitboard attacked_ = 0;  // by any of the winner's shadows, ever
  Bitboard pass_ = 0;      // what the winner's sliders may pass over
  Bitboard walls_ = 0;     // shadows that stay for ever
  Bitboard clutter_ = 0;   // where any shadow may ever stand
  Bitboard frozen_ = 0;    // men that stay for ever
  PositionPool pool_;
  std::vector<Step> steps_;
  std::vector<Child> children_;  // of the position in hand
  std::uint32_t node_ = 0;       // whose children are made
  std::uint32_t most_ = 0;
  Bitboard blamed_ = 0;
  bool failed_ = false;
};

}  // namespace cuarbiter
