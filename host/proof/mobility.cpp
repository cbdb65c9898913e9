#include "host/proof/mobility.hpp"

#include <algorithm>
#include <initializer_list>

#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

// What a newly promoted man, whichever it is, attacks.
Bitboard any_piece_attacks(Bitboard from, Bitboard empty) {
  return slides(from, from, empty) | knight_attacks(from);
}
Bitboard file_of(Bitboard square) {
  return kFileA << (lowest_square(square) & 7);
}

}  // namespace

Mobility::Mobility(const Position& position, bool us) {
  const BoardView<Bitboard> given = view(position);
  const bool flip = !us;
  const BoardView<Bitboard> v = flip ? view(flipped(position)) : given;
  for (Bitboard rest = v.occupied; rest; rest &= rest - 1) {
    Man& man = men_[count_++];
    man.home = man.reach = rest & (0 - rest);
    man.type = code_at(position_of(v), lowest_square(rest));
    man.role = (man.home & v.us) != 0 ? kWinner : kLoser;
    if (man.king()) king_index_[man.role] = count_ - 1;
  }
  if (given.en_passant) {
    const Bitboard target = flip ? mirror_ranks(given.en_passant) : given.en_passant;
    seed_en_passant(target, flip ? kLoser : kWinner);
  }
  saturate();
}

void Mobility::saturate() {
  while (grow()) {
  }
}

void Mobility::deepen() {
  claim();
  hold();
}

// Claims that a man never moves and that it is never captured are made of all men at once, and
// those that the fixpoint under all claims does not bear out are dropped until none is left to
// drop. Suppose that a game breaks one of the rest, and look at the first move that does. Up to
// there all of them have held, so the fixpoint has everything that could happen, and one more round
// of it, in which no claim counts, has that move: the claim would have been dropped. Men that shut
// each other in are found so, which no man's claim alone would bear out.
void Mobility::claim() {
  for (int i = 0; i < count_; ++i) men_[i].stays = men_[i].safe = true;
  for (bool dropped = true; dropped;) {
    *this = restarted();
    saturate();
    const Mobility next = probed();
    dropped = false;
    for (int i = 0; i < count_; ++i) {
      Man& man = men_[i];
      const bool moves = next.men_[i].reach != man.home;
      const bool taken = moves || next.men_[i].capturable;
      dropped |= (moves && man.stays) || (taken && man.safe);
      man.stays = man.stays && !moves;
      man.safe = man.safe && !taken;
    }
  }
}

// For each man that is left the fixpoint is taken once more as if it stayed where it is. The first
// thing that happens to it happens out of what that allows: if it cannot move then, it never moves,
// and if it cannot be captured then either, it stays for ever.
void Mobility::hold() {
  for (bool learnt = true; learnt;) {
    learnt = false;
    for (int i = 0; i < count_; ++i) {
      if (men_[i].stays && men_[i].safe) continue;
      Mobility before = restarted();
      before.men_[i].stays = before.men_[i].safe = true;
      before.saturate();
      const Mobility next = before.probed();
      const bool stays = next.men_[i].reach == men_[i].home;
      const bool safe = stays && !next.men_[i].capturable;
      learnt |= (stays && !men_[i].stays) || (safe && !men_[i].safe);
      men_[i].stays |= stays;
      men_[i].safe |= safe;
    }
    if (!learnt) return;
    *this = restarted();
    saturate();
  }
}

// What may happen next where no claim counts.
Mobility Mobility::probed() const {
  Mobility next = *this;
  next.claims_count_ = false;
  next.grow();
  return next;
}

// The state before the fixpoint, with what has been learnt.
Mobility Mobility::restarted() const {
  Mobility fresh(*this);
  fresh.promoted_[kWinner] = fresh.promoted_[kLoser] = 0;
  for (int i = 0; i < count_; ++i) {
    Man& man = fresh.men_[i];
    man.reach = man.home | man.en_passant;
    man.free = man.en_passant;
    man.capturable = man.taken_in_passing;
  }
  return fresh;
}

Mobility::Attacks Mobility::attacks() const {
  const Bitboard pass = checking_pass();
  Attacks a;
  for (int i = 0; i < count_; ++i) {
    const Man& man = men_[i];
    const bool counts = man.role == kWinner && !man.king();
    a.by[i] = counts ? attacks_from(man.type, kWinner, man.reach, pass) : 0;
  }
  a.by[count_] = any_piece_attacks(promoted_[kWinner], pass);
  for (int i = 0; i <= count_; ++i) {
    a.several |= a.all & a.by[i];
    a.all |= a.by[i];
  }
  // A promoted man may be one of several.
  a.several |= a.by[count_];
  return a;
}

bool Mobility::mate_is_possible() const {
  const Bitboard pass = checking_pass();
  const Attacks a = attacks();
  for (Bitboard kings = king(kLoser).reach & a.all; kings; kings &= kings - 1) {
    const Bitboard at = kings & (0 - kings);
    const Bitboard next = king_attacks(at);
    for (Bitboard ours = king(kWinner).reach & ~next & ~at; ours; ours &= ours - 1) {
      const Bitboard flights = next & ~king_attacks(ours & (0 - ours));
      if (flights & ~a.all & ~present_[kLoser]) continue;
      if (a_checker_fits(at, flights, a, pass)) return true;
    }
  }
  return false;
}

void Mobility::measure(MateGoals& goals) const {
  for (auto& row : goals.cost) {
    for (auto& cost : row) cost = MateGoals::kFar;
  }
  const Bitboard pass = checking_pass();
  const Bitboard coverable = attacks().all;
  constexpr int kMostChecks = 256;
  Bitboard guarded = 0;
  for (int i = 0; i < count_; ++i) {
    const Man& man = men_[i];
    if (man.role == kWinner && man.frozen()) {
      guarded |= attacks_from(man.type, kWinner, man.home, 0);
    }
  }
  for (Bitboard kings = king(kLoser).reach; kings; kings &= kings - 1) {
    const Bitboard at_king = kings & (0 - kings);
    const Bitboard next = king_attacks(at_king);
    Bitboard covers[kMostChecks];
    int checks = 0;
    for (int i = 0; i <= count_; ++i) {
      const bool extra = i == count_;
      const PieceType type = extra ? PieceType::queen : men_[i].type;
      if (!extra && (men_[i].role != kWinner || men_[i].king())) continue;
      for (Bitboard from = (extra ? promoted_[kWinner] : men_[i].reach) & ~at_king; from;
           from &= from - 1) {
        const Bitboard at = from & (0 - from);
        const Bitboard covered = attacks_from(type, kWinner, at, pass);
        if (!(covered & at_king) || checks == kMostChecks) continue;
        covers[checks++] = covered & ~at;
      }
    }
    if (checks == 0) continue;
    for (Bitboard ours = king(kWinner).reach & ~next & ~at_king; ours; ours &= ours - 1) {
      const Bitboard flights = next & ~king_attacks(ours & (0 - ours)) & ~guarded;
      if (flights & ~coverable & ~present_[kLoser]) continue;
      int open = 8;
      for (int c = 0; c < checks; ++c) {
        const int left = popcount(flights & ~covers[c]);
        if (left < open) open = left;
      }
      goals.cost[lowest_square(at_king)][lowest_square(ours)] = static_cast<std::uint8_t>(2 * open);
    }
  }
  relax(goals);
}

void Mobility::relax(MateGoals& goals) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (Bitboard x = king(kLoser).reach; x; x &= x - 1) {
      const int from = lowest_square(x);
      const Bitboard steps = king_attacks(x & (0 - x)) & king(kLoser).reach;
      for (Bitboard y = king(kWinner).reach; y; y &= y - 1) {
        const int at = lowest_square(y);
        int best = goals.cost[from][at];
        for (Bitboard s = steps; s; s &= s - 1) {
          best = std::min(best, goals.cost[lowest_square(s)][at] + 1);
        }
        const Bitboard turns = king_attacks(y & (0 - y)) & king(kWinner).reach;
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

void Mobility::seed_en_passant(Bitboard target, Role role) {
  const Bitboard victim = role == kWinner ? target >> 8 : target << 8;
  const Bitboard from = shift<kEast>(victim) | shift<kWest>(victim);
  for (int i = 0; i < count_; ++i) {
    Man& man = men_[i];
    if (man.home == victim) man.capturable = man.taken_in_passing = true;
    if (man.role == role && man.type == PieceType::pawn && (man.home & from)) {
      man.en_passant = target;
      man.free |= target;
      man.reach |= target;
    }
  }
}

// One round of the fixpoint; false when nothing has changed.
bool Mobility::grow() {
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
    const Role other = opponent(man.role);
    const Bitboard before = man.reach;
    if (still(man)) {
      captures[man.role] |= attacks_from(man.type, man.role, man.reach, pass);
    } else if (man.type == PieceType::pawn) {
      const auto ahead = [&](Bitboard x) { return man.role == kWinner ? x << 8 : x >> 8; };
      const Bitboard aside = pawn_aside(man.reach, man.role);
      const Bitboard straight = man.reach & ~man.free & file_of(man.home);
      captures[man.role] |= aside;
      man.free |= (aside & present_[other]) | (ahead(man.free) & pass);
      man.reach |= man.free | (ahead(straight) & pass & ~barriers[other]);
      const Bitboard last = man.role == kWinner ? kRank8 : kRank1;
      promoted_[man.role] |= man.reach & last;
    } else {
      Bitboard landing = attacks_from(man.type, man.role, man.reach, pass) & ~frozen_[man.role] &
                         ~(frozen_[other] & king(other).home);
      if (man.king()) landing &= ~permanent[other];
      captures[man.role] |= landing;
      man.reach |= landing;
      if (man.type == PieceType::castling_rook) changed |= castle(man, frozen);
    }
    changed |= man.reach != before;
  }
  for (const Role role : {kWinner, kLoser}) {
    const Role other = opponent(role);
    const Bitboard landing = any_piece_attacks(promoted_[role], pass) & ~frozen_[role] &
                             ~(frozen_[other] & king(other).home);
    captures[role] |= landing;
    changed |= (landing & ~promoted_[role]) != 0;
    promoted_[role] |= landing;
  }
  for (int i = 0; i < count_; ++i) {
    Man& man = men_[i];
    if (man.king() || man.capturable || (man.safe && claims_count_)) continue;
    const Role other = opponent(man.role);
    man.capturable = (captures[other] & man.reach) != 0;
    changed |= man.capturable;
  }
  return changed;
}

// Castling, unless a man that stays for ever stands between. True when it is news for the king.
bool Mobility::castle(Man& rook, Bitboard frozen) {
  Man& owner = king(rook.role);
  if (still(owner)) return false;
  const Bitboard low = rook.home < owner.home ? rook.home : owner.home;
  const Bitboard high = rook.home < owner.home ? owner.home : rook.home;
  if ((high - low) & ~low & frozen) return false;
  const int up = rook.role == kWinner ? 0 : 56;
  const bool right = rook.home > owner.home;
  const Bitboard before = owner.reach;
  owner.reach |= (right ? kG1 : kC1) << up;
  rook.reach |= (right ? kF1 : kD1) << up;
  return owner.reach != before;
}

// True when some man may give the check, others or the losing side's own men seeing to the flights
// that are left.
bool Mobility::a_checker_fits(Bitboard king, Bitboard flights, const Attacks& attacks,
                              Bitboard pass) const {
  if (attacks.by[count_] & king) return true;  // a promoted man
  for (int i = 0; i < count_; ++i) {
    if (!(attacks.by[i] & king)) continue;
    const Man& man = men_[i];
    const Bitboard others = (attacks.several & attacks.by[i]) | (attacks.all & ~attacks.by[i]);
    for (Bitboard from = man.reach & ~king; from; from &= from - 1) {
      const Bitboard at = from & (0 - from);
      const Bitboard covered = attacks_from(man.type, kWinner, at, pass);
      if (!(covered & king)) continue;
      // Nobody stands on the checker's own square, so somebody must guard it.
      const Bitboard open = flights & ~covered & ~others;
      if ((open & (at | ~present_[kLoser])) == 0 && blockers_suffice(open)) return true;
    }
  }
  return false;
}

// Each open flight needs a man of its own.
bool Mobility::blockers_suffice(Bitboard open) const {
  if (open == 0 || promoted_[kLoser]) return true;
  int need = popcount(open);
  for (int i = 0; i < count_ && need > 0; ++i) {
    const Man& man = men_[i];
    if (man.role == kLoser && !man.king() && (man.reach & open)) --need;
  }
  return need <= 0;
}

}  // namespace cuarbiter
