#include "host/proof/mobility.hpp"

#include <algorithm>
#include <initializer_list>

#include "host/rules/attacks.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

// Sides by role, not colour: the one that would mate and the one that would be mated. The board is
// seen by the winner, whose pawns move up.
enum Role : int { kWinner, kLoser };

struct Man {
  Bitboard home = 0;   // where it stands
  Bitboard reach = 0;  // where it may ever stand; for a pawn, as a pawn
  Bitboard free = 0;   // of a pawn: after it has captured
  PieceType type = PieceType::none;
  Role role = kWinner;
  bool capturable = false;

  bool king() const { return type == PieceType::king; }
  // It stays where it is for ever.
  bool frozen() const { return reach == home && !capturable; }
  // A pawn that stays on its file, in the way of every pawn that comes straight down it.
  bool barrier() const {
    return type == PieceType::pawn && !capturable && !free && !(reach & (kRank1 | kRank8));
  }
};

Bitboard rook_slides(Bitboard from, Bitboard empty) {
  return slide<kNorth>(from, propagator<kNorth>(empty)) |
         slide<kSouth>(from, propagator<kSouth>(empty)) |
         slide<kEast>(from, propagator<kEast>(empty)) |
         slide<kWest>(from, propagator<kWest>(empty));
}
Bitboard bishop_slides(Bitboard from, Bitboard empty) {
  return slide<kNorthEast>(from, propagator<kNorthEast>(empty)) |
         slide<kSouthEast>(from, propagator<kSouthEast>(empty)) |
         slide<kSouthWest>(from, propagator<kSouthWest>(empty)) |
         slide<kNorthWest>(from, propagator<kNorthWest>(empty));
}
// What a newly promoted man, whichever it is, attacks.
Bitboard any_piece_attacks(Bitboard from, Bitboard empty) {
  return rook_slides(from, empty) | bishop_slides(from, empty) | knight_attacks(from);
}
Bitboard pawn_attacks(Bitboard from, Role role) {
  return role == kWinner ? shift<kNorthEast>(from) | shift<kNorthWest>(from)
                         : shift<kSouthEast>(from) | shift<kSouthWest>(from);
}
Bitboard attacks_from(PieceType type, Role role, Bitboard from, Bitboard empty) {
  switch (type) {
    case PieceType::pawn:
      return pawn_attacks(from, role);
    case PieceType::knight:
      return knight_attacks(from);
    case PieceType::bishop:
      return bishop_slides(from, empty);
    case PieceType::rook:
    case PieceType::castling_rook:
      return rook_slides(from, empty);
    case PieceType::queen:
      return rook_slides(from, empty) | bishop_slides(from, empty);
    case PieceType::king:
      return king_attacks(from);
    default:
      return 0;
  }
}

Bitboard file_of(Bitboard square) {
  return kFileA << (lowest_square(square) & 7);
}

class Mobility {
 public:
  Mobility(const Position& position, bool us) {
    const BoardView<Bitboard> given = view(position);
    const bool flip = !us;
    const BoardView<Bitboard> v = flip ? view(flipped(position)) : given;
    for (Bitboard rest = v.occupied; rest; rest &= rest - 1) {
      Man& man = men_[count_++];
      man.home = man.reach = rest & (0 - rest);
      man.type = code_at(position_of(v), lowest_square(rest));
      man.role = (man.home & v.us) != 0 ? kWinner : kLoser;
      if (man.king()) king_[man.role] = &man;
    }
    if (given.en_passant) {
      const Bitboard target = flip ? mirror_ranks(given.en_passant) : given.en_passant;
      seed_en_passant(target, flip ? kLoser : kWinner);
    }
    while (grow()) {
    }
  }

  bool mate_is_possible() {
    const Bitboard pass = ~(frozen_[kWinner] | (frozen_[kLoser] & ~king_[kLoser]->home));
    Bitboard attacks[65];
    int sources = 0;
    for (int i = 0; i < count_; ++i) {
      const Man& man = men_[i];
      attacks[i] = man.role == kWinner && !man.king()
                       ? attacks_from(man.type, kWinner, man.reach, pass)
                       : 0;
      sources = i + 1;
    }
    attacks[sources] = any_piece_attacks(promoted_[kWinner], pass);
    Bitboard all = 0, several = 0;
    for (int i = 0; i <= sources; ++i) {
      several |= all & attacks[i];
      all |= attacks[i];
    }
    covered_ = all;
    // A promoted man may be one of several.
    several |= attacks[sources];
    for (Bitboard kings = king_[kLoser]->reach & all; kings; kings &= kings - 1) {
      const Bitboard king = kings & (0 - kings);
      const Bitboard next = king_attacks(king);
      for (Bitboard ours = king_[kWinner]->reach & ~next & ~king; ours; ours &= ours - 1) {
        const Bitboard flights = next & ~king_attacks(ours & (0 - ours));
        if (flights & ~all & ~present_[kLoser]) continue;
        if (a_checker_fits(king, flights, attacks, sources, all, several, pass)) return true;
      }
    }
    return false;
  }

  // The distance of every pair of kings from those in which a mate is possible.
  void measure(MateGoals& goals) const {
    for (auto& row : goals.cost) {
      for (auto& cost : row) cost = MateGoals::kFar;
    }
    const Bitboard pass = ~(frozen_[kWinner] | (frozen_[kLoser] & ~king_[kLoser]->home));
    constexpr int kMostChecks = 256;
    Bitboard guarded = 0;
    for (int i = 0; i < count_; ++i) {
      const Man& man = men_[i];
      if (man.role == kWinner && man.frozen()) {
        guarded |= attacks_from(man.type, kWinner, man.home, 0);
      }
    }
    for (Bitboard kings = king_[kLoser]->reach; kings; kings &= kings - 1) {
      const Bitboard king = kings & (0 - kings);
      const Bitboard next = king_attacks(king);
      Bitboard covers[kMostChecks];
      int checks = 0;
      for (int i = 0; i <= count_; ++i) {
        const bool extra = i == count_;
        const PieceType type = extra ? PieceType::queen : men_[i].type;
        if (!extra && (men_[i].role != kWinner || men_[i].king())) continue;
        for (Bitboard from = (extra ? promoted_[kWinner] : men_[i].reach) & ~king; from;
             from &= from - 1) {
          const Bitboard at = from & (0 - from);
          const Bitboard covered = attacks_from(type, kWinner, at, pass);
          if (!(covered & king) || checks == kMostChecks) continue;
          covers[checks++] = covered & ~at;
        }
      }
      if (checks == 0) continue;
      for (Bitboard ours = king_[kWinner]->reach & ~next & ~king; ours; ours &= ours - 1) {
        const Bitboard flights = next & ~king_attacks(ours & (0 - ours)) & ~guarded;
        if (flights & ~covered_ & ~present_[kLoser]) continue;
        int open = 8;
        for (int c = 0; c < checks; ++c) {
          const int left = popcount(flights & ~covers[c]);
          if (left < open) open = left;
        }
        goals.cost[lowest_square(king)][lowest_square(ours)] = static_cast<std::uint8_t>(2 * open);
      }
    }
    relax(goals);
  }

 private:
  // Shortest ways over the squares that the kings may reach, one step of either king at a time.
  void relax(MateGoals& goals) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (Bitboard x = king_[kLoser]->reach; x; x &= x - 1) {
        const int from = lowest_square(x);
        const Bitboard steps = king_attacks(x & (0 - x)) & king_[kLoser]->reach;
        for (Bitboard y = king_[kWinner]->reach; y; y &= y - 1) {
          const int at = lowest_square(y);
          int best = goals.cost[from][at];
          for (Bitboard s = steps; s; s &= s - 1) {
            best = std::min(best, goals.cost[lowest_square(s)][at] + 1);
          }
          const Bitboard turns = king_attacks(y & (0 - y)) & king_[kWinner]->reach;
          for (Bitboard s = turns; s; s &= s - 1) {
            best = std::min(best, goals.cost[from][lowest_square(s)] + 1);
          }
          if (best < goals.cost[from][at]) {
            goals.cost[from][at] = static_cast<std::uint8_t>(best);
            changed = true;
          }
        }
      }
    }
  }

  void seed_en_passant(Bitboard target, Role role) {
    const Bitboard victim = role == kWinner ? target >> 8 : target << 8;
    const Bitboard from = shift<kEast>(victim) | shift<kWest>(victim);
    for (int i = 0; i < count_; ++i) {
      Man& man = men_[i];
      if (man.home == victim) man.capturable = true;
      if (man.role == role && man.type == PieceType::pawn && (man.home & from)) {
        man.free |= target;
        man.reach |= target;
      }
    }
  }

  // One round of the fixpoint; false when nothing has changed.
  bool grow() {
    Bitboard permanent[2] = {0, 0};  // squares attacked for ever
    frozen_[kWinner] = frozen_[kLoser] = 0;
    Bitboard barriers[2] = {0, 0};
    present_[kWinner] = promoted_[kWinner];
    present_[kLoser] = promoted_[kLoser];
    for (int i = 0; i < count_; ++i) {
      const Man& man = men_[i];
      if (!man.king()) present_[man.role] |= man.reach;
      if (man.barrier()) barriers[man.role] |= man.home;
      if (!man.frozen()) continue;
      frozen_[man.role] |= man.home;
      // Of a slider only the squares beside it: further ones may be shielded.
      permanent[man.role] |= attacks_from(man.type, man.role, man.home, 0);
    }
    const Bitboard frozen = frozen_[kWinner] | frozen_[kLoser];
    const Bitboard pass = ~frozen;
    Bitboard captures[2] = {0, 0};
    bool changed = false;
    for (int i = 0; i < count_; ++i) {
      Man& man = men_[i];
      const Role other = man.role == kWinner ? kLoser : kWinner;
      const Bitboard before = man.reach;
      if (man.type == PieceType::pawn) {
        const auto ahead = [&](Bitboard x) { return man.role == kWinner ? x << 8 : x >> 8; };
        const Bitboard aside = pawn_attacks(man.reach, man.role);
        const Bitboard straight = man.reach & ~man.free & file_of(man.home);
        captures[man.role] |= aside;
        man.free |= (aside & present_[other]) | (ahead(man.free) & pass);
        man.reach |= man.free | (ahead(straight) & pass & ~barriers[other]);
        const Bitboard last = man.role == kWinner ? kRank8 : kRank1;
        promoted_[man.role] |= man.reach & last;
      } else {
        Bitboard landing = attacks_from(man.type, man.role, man.reach, pass) &
                           ~frozen_[man.role] & ~(frozen_[other] & king_[other]->home);
        if (man.king()) landing &= ~permanent[other];
        captures[man.role] |= landing;
        man.reach |= landing;
        if (man.type == PieceType::castling_rook) changed |= castle(man, frozen);
      }
      changed |= man.reach != before;
    }
    for (const Role role : {kWinner, kLoser}) {
      const Role other = role == kWinner ? kLoser : kWinner;
      const Bitboard landing = any_piece_attacks(promoted_[role], pass) & ~frozen_[role] &
                               ~(frozen_[other] & king_[other]->home);
      captures[role] |= landing;
      changed |= (landing & ~promoted_[role]) != 0;
      promoted_[role] |= landing;
    }
    for (int i = 0; i < count_; ++i) {
      Man& man = men_[i];
      if (man.king() || man.capturable) continue;
      const Role other = man.role == kWinner ? kLoser : kWinner;
      man.capturable = (captures[other] & man.reach) != 0;
      changed |= man.capturable;
    }
    return changed;
  }

  // Castling, unless a man that stays for ever stands between. True when it is news for the king.
  bool castle(Man& rook, Bitboard frozen) {
    Man& king = *king_[rook.role];
    const Bitboard low = rook.home < king.home ? rook.home : king.home;
    const Bitboard high = rook.home < king.home ? king.home : rook.home;
    if ((high - low) & ~low & frozen) return false;
    const int up = rook.role == kWinner ? 0 : 56;
    const bool right = rook.home > king.home;
    const Bitboard before = king.reach;
    king.reach |= (right ? kG1 : kC1) << up;
    rook.reach |= (right ? kF1 : kD1) << up;
    return king.reach != before;
  }

  // True when some man may give the check, others or the losing side's own men seeing to the
  // flights that are left.
  bool a_checker_fits(Bitboard king, Bitboard flights, const Bitboard* attacks, int sources,
                      Bitboard all, Bitboard several, Bitboard pass) const {
    for (int i = 0; i <= sources; ++i) {
      if (!(attacks[i] & king)) continue;
      if (i == sources) return true;  // a promoted man
      const Man& man = men_[i];
      const Bitboard others = (several & attacks[i]) | (all & ~attacks[i]);
      for (Bitboard from = man.reach & ~king; from; from &= from - 1) {
        const Bitboard at = from & (0 - from);
        const Bitboard covered = attacks_from(man.type, kWinner, at, pass);
        if (!(covered & king)) continue;
        const Bitboard open = flights & ~covered & ~others;
        if ((open & ~present_[kLoser]) == 0 && blockers_suffice(open & ~at, open)) return true;
      }
    }
    return false;
  }

  // Each open flight needs a man of its own.
  bool blockers_suffice(Bitboard wanted, Bitboard open) const {
    if (open == 0) return true;
    if (open != wanted) return false;  // the checker's own square, which nobody guards
    if (promoted_[kLoser]) return true;
    int need = popcount(open);
    for (int i = 0; i < count_ && need > 0; ++i) {
      const Man& man = men_[i];
      if (man.role == kLoser && !man.king() && (man.reach & open)) --need;
    }
    return need <= 0;
  }

  Bitboard covered_ = 0;  // what the winner's men but the king may ever attack
  Man men_[64];
  int count_ = 0;
  Man* king_[2] = {nullptr, nullptr};
  Bitboard frozen_[2] = {0, 0};    // squares of men that stay for ever
  Bitboard present_[2] = {0, 0};   // where any man but the king may ever stand
  Bitboard promoted_[2] = {0, 0};  // where a promoted man may ever stand
};

}  // namespace

bool mobility_excludes_mate(const Position& position, bool us, MateGoals* goals) {
  Mobility mobility(position, us);
  if (!mobility.mate_is_possible()) return true;
  if (goals) mobility.measure(*goals);
  return false;
}

}  // namespace cuarbiter
