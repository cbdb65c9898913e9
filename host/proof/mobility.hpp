// The static proof that a side can never mate: an over-approximation of everything that can ever
// stand anywhere, which then holds no mate square.
//
// For each man the set of squares it may ever reach is grown to a least fixpoint that ignores the
// order of moves: a man passes over every square but those of men that can neither move nor be
// captured, a pawn captures wherever an enemy may ever stand, a king avoids only squares attacked
// for ever. Whatever a game can bring about is inside. FIDE 5.2.2 (dead position) is the use.
#pragma once

#include "host/play/scene.hpp"

namespace cuarbiter {

// How far two kings are from a pair of squares on which a mate is not excluded: steps of either
// king plus a charge for flights that need more men than the one that checks. For ordering a search
// only. Squares as the winner sees the board: [king to be mated][winner's king].
struct MateGoals {
  static constexpr std::uint8_t kFar = 100;
  std::uint8_t cost[64][64];
};

// Plain data and a value type; about 2.5 KiB. Nothing is allocated.
class Mobility {
 public:
  struct Man {
    Bitboard home = 0;   // where it stands
    Bitboard reach = 0;  // where it may ever stand; for a pawn, as a pawn
    Bitboard free = 0;   // of a pawn: after it has captured
    PieceType type = PieceType::none;
    Role role = kWinner;
    bool capturable = false;
    bool stays = false;             // proved (deepen: claimed) never to move
    bool safe = false;              // proved never to be captured
    bool taken_in_passing = false;  // it may be captured in passing at once
    Bitboard en_passant = 0;        // where it may capture in passing at once

    bool king() const { return type == PieceType::king; }
    // It stays where it is for ever.
    bool frozen() const { return reach == home && !capturable; }
    // A pawn that stays on its file, in the way of every pawn that comes straight down it.
    bool barrier() const {
      return type == PieceType::pawn && !capturable && !free && !(reach & (kRank1 | kRank8));
    }
  };

  // The fixpoint for a position with one king a side; `us`: the side to move is the winner.
  // Some microseconds.
  Mobility(const Position& position, bool us);

  // Sharpens the fixpoint, at the cost of a few more: finds the men that shut each other in.
  void deepen();

  // False when it is proved that no series of legal moves ends with the winner giving mate. True
  // proves nothing.
  bool mate_is_possible() const;

  // The distance of every pair of kings from those in which a mate is possible.
  void measure(MateGoals& goals) const;

  int count() const { return count_; }
  const Man& man(int i) const { return men_[i]; }
  // Where a promoted man may ever stand.
  Bitboard promoted(Role role) const { return promoted_[role]; }
  // The squares that the winner's sliders may pass over, now or later, the king to be mated aside.
  Bitboard checking_pass() const {
    return ~(frozen_[kWinner] | (frozen_[kLoser] & ~king(kLoser).home));
  }
  // The squares that any slider may pass over.
  Bitboard pass() const { return ~(frozen_[kWinner] | frozen_[kLoser]); }

 private:
  const Man& king(Role role) const { return men_[king_index_[role]]; }
  Man& king(Role role) { return men_[king_index_[role]]; }

  struct Attacks {
    Bitboard by[65];   // by man; the last of promoted men
    Bitboard all = 0;  // of any
    Bitboard several = 0;
  };
  Attacks attacks() const;
  void relax(MateGoals& goals) const;
  void seed_en_passant(Bitboard target, Role role);
  void saturate();
  Mobility restarted() const;
  Mobility probed() const;
  void claim();
  void hold();
  bool grow();
  bool still(const Man& man) const { return man.stays && claims_count_; }
  bool castle(Man& rook, Bitboard frozen);
  bool a_checker_fits(Bitboard king, Bitboard flights, const Attacks& attacks, Bitboard pass) const;
  bool blockers_suffice(Bitboard open) const;

  Man men_[64];
  int count_ = 0;
  bool claims_count_ = true;  // men that are claimed to stay do, and safe ones are not captured
  int king_index_[2] = {0, 0};
  Bitboard frozen_[2] = {0, 0};    // squares of men that stay for ever
  Bitboard present_[2] = {0, 0};   // where any man but the king may ever stand
  Bitboard promoted_[2] = {0, 0};  // where a promoted man may ever stand
};

}  // namespace cuarbiter
