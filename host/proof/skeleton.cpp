#include "host/proof/skeleton.hpp"

#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

// Kings and pawns, with the en passant mark.
Position skeleton_of(const Position& position) {
  const BoardView<Bitboard> v = view(position);
  const Bitboard keep = v.pawns() | v.kings();
  Position p;
  p.a = position.a & keep;
  p.b = position.b & keep;
  p.c = position.c & keep;
  p.d = position.d & (keep | ~v.occupied);
  return p;
}

}  // namespace

void SkeletonSearch::set_up(const Mobility& mobility) {
  sides_[kWinner] = sides_[kLoser] = Side{};
  checkers_.clear();
  attacked_ = walls_ = 0;
  pass_ = mobility.checking_pass();
  Bitboard several = 0;
  for (int i = 0; i < mobility.count(); ++i) {
    const Mobility::Man& man = mobility.man(i);
    if (man.king()) kings_[man.role] = man.reach;
    if (man.king() || man.type == PieceType::pawn) continue;
    if (man.frozen()) walls_ |= man.home;
    Side& side = sides_[man.role];
    side.stand |= man.reach;
    side.take |= attacks_from(man.type, man.role, man.reach, mobility.pass());
    side.may_pass |= man.reach != man.home;
    if (man.role == kLoser) continue;
    const Bitboard attacks = attacks_from(man.type, kWinner, man.reach, pass_);
    several |= attacked_ & attacks;
    attacked_ |= attacks;
    checkers_.push_back({man.reach, attacks, 0, man.type});
  }
  for (Checker& checker : checkers_) {
    checker.others = (several & checker.attacks) | (attacked_ & ~checker.attacks);
  }
}

bool SkeletonSearch::excludes_mate(const Position& position, bool us, const Mobility& mobility,
                                   std::uint32_t most) {
  pool_.clear();
  // A castling king has no counterpart in the skeleton.
  if (view(position).castling_rooks()) return false;
  set_up(mobility);
  pool_.add(skeleton_of(position), us);
  for (std::uint32_t node = 0; node < pool_.size(); ++node) {
    if (!expand(node, most)) return false;
  }
  return true;
}

// False when the proof has failed: a mate may be possible, a pawn may promote, or there are too
// many positions.
bool SkeletonSearch::expand(std::uint32_t node, std::uint32_t most) {
  if (pool_.size() > most) return false;
  const Position p = pool_.position(node);
  const bool winner_moves = pool_.winner_moves(node);
  const BoardView<Bitboard> v = view(p);
  const Role role = winner_moves ? kWinner : kLoser;
  const Side& own = sides_[role];
  const Side& other = sides_[opponent(role)];
  const auto seen = [&](Bitboard x) { return winner_moves ? x : mirror_ranks(x); };
  const auto seen_next = [&](Bitboard x) { return winner_moves ? mirror_ranks(x) : x; };
  bool fails = false;
  // `vacated`: where the man that moved came from, as the winner sees it; 0 when any piece may have
  // made the move.
  const auto child = [&](const Position& next, Bitboard vacated) {
    const BoardView<Bitboard> n = view(next);
    if ((n.occupied & seen_next(walls_)) || (n.kings() & n.them & ~seen_next(kings_[role]))) {
      return;
    }
    if ((n.occupied & ~(n.pawns() | n.kings())) || (winner_moves && mate_fits(next, vacated))) {
      fails = true;
    } else {
      pool_.add(next, !winner_moves);
    }
  };
  for_each_child(p, [&](const Position& next) {
    const Bitboard from = v.occupied & ~mirror_ranks(view(next).occupied);
    child(next, seen(from & (from - 1) ? 0 : from));
  });
  // A child of moves that the skeleton's own generator does not know must leave the king safe.
  const auto try_child = [&](const Position& next, Bitboard vacated) {
    if (!opponent_in_check(next)) child(next, vacated);
  };
  if (own.may_pass && !in_check(p)) child(flipped(p), 0);
  // Pieces take pawns.
  for (Bitboard rest = v.pawns() & v.them & seen(own.take); rest; rest &= rest - 1) {
    Position next = p;
    const Bitboard keep = ~(rest & (0 - rest));
    next.a &= keep;
    next.b &= keep;
    next.c &= keep;
    next.d &= keep;
    try_child(flipped(next), 0);
  }
  // Pawns take pieces.
  const Bitboard pawns = v.pawns() & v.us;
  const Bitboard targets = seen(other.stand) & ~v.occupied;
  const auto take = [&](Bitboard from, Bitboard to) {
    if (to & kRank8) {
      fails = true;
    } else {
      try_child(after_plain_move<PieceType::pawn>(p, from, to), seen(from));
    }
  };
  for (Bitboard rest = shift<kNorthEast>(pawns) & targets; rest; rest &= rest - 1) {
    const Bitboard to = rest & (0 - rest);
    take(to >> 9, to);
  }
  for (Bitboard rest = shift<kNorthWest>(pawns) & targets; rest; rest &= rest - 1) {
    const Bitboard to = rest & (0 - rest);
    take(to >> 7, to);
  }
  return !fails;
}

// True when the king to move may be mated where it stands by the move just made: by any piece, or
// when a king or pawn has left the square `vacated`, by that pawn or by a slider behind it. Squares
// here are the winner's view.
bool SkeletonSearch::mate_fits(const Position& p, Bitboard vacated) const {
  const BoardView<Bitboard> v = seen_by_other(p.a, p.b, p.c, p.d);
  const Bitboard king = v.kings() & v.them, pawns = v.pawns() & v.us;
  const Bitboard by_pawns = shift<kNorthEast>(pawns) | shift<kNorthWest>(pawns);
  const Bitboard guarded = by_pawns | king_attacks(v.kings() & v.us);
  const Bitboard flights = king_attacks(king) & ~guarded & ~(v.pawns() & v.them);
  const Bitboard blocked = sides_[kLoser].stand;
  if (!((by_pawns | attacked_) & king) || (flights & ~attacked_ & ~blocked)) return false;
  if (by_pawns & king) return true;
  const Bitboard empty = ~v.occupied | king;
  for (const Checker& checker : checkers_) {
    if (!(checker.attacks & king)) continue;
    for (Bitboard from = checker.reach & ~v.occupied; from; from &= from - 1) {
      const Bitboard at = from & (0 - from);
      const Bitboard covered = attacks_from(checker.type, kWinner, at, empty);
      if (!(covered & king)) continue;
      if (vacated && (attacks_from(checker.type, kWinner, at, empty & ~vacated) & king)) continue;
      // Nobody stands on the checker's own square, so somebody must guard it.
      const Bitboard open = flights & ~covered & ~checker.others;
      if (!(open & (at | ~blocked))) return true;
    }
  }
  return false;
}

}  // namespace cuarbiter
