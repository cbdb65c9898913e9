#include "host/proof/shadows.hpp"

#include "host/rules/game_state.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

// Positions here are always seen by the winner, who is "us": planes are changed directly.

Bitboard own_men(const BoardView<Bitboard>& v, Role role) {
  return role == kWinner ? v.us : v.them;
}
Bitboard ahead(Bitboard pawns, Role role) {
  return role == kWinner ? pawns << 8 : pawns >> 8;
}
Bitboard behind(Bitboard pawns, Role role) {
  return role == kWinner ? pawns >> 8 : pawns << 8;
}
Bitboard east_ahead(Bitboard pawns, Role role) {
  return role == kWinner ? shift<kNorthEast>(pawns) : shift<kSouthEast>(pawns);
}
Bitboard west_ahead(Bitboard pawns, Role role) {
  return role == kWinner ? shift<kNorthWest>(pawns) : shift<kSouthWest>(pawns);
}

// After a man has come from `from` to `to`, whatever stood on `victim` being gone; no en passant
// mark is left.
Position after(const Position& p, Bitboard from, Bitboard to, Bitboard victim, PieceType type,
               Role role) {
  const Bitboard keep = ~(from | to | victim);
  const auto code = static_cast<unsigned>(type);
  Position n;
  n.a = (p.a & keep) | ((code & 1) != 0 ? to : 0);
  n.b = (p.b & keep) | ((code & 2) != 0 ? to : 0);
  n.c = (p.c & keep) | ((code & 4) != 0 ? to : 0);
  n.d = (p.d & keep & (p.a | p.b | p.c)) | (role == kLoser ? to : 0);
  return n;
}

// What the men of a side that are in `men` attack over the given obstacles.
Bitboard attacks_by(const BoardView<Bitboard>& v, Bitboard men, Role role, Bitboard obstacles) {
  const Bitboard pawns = v.pawns() & men;
  Bitboard all = east_ahead(pawns, role) | west_ahead(pawns, role) |
                 knight_attacks(v.knights() & men) | king_attacks(v.kings() & men);
  for (Bitboard rest = v.orthogonal_sliders() & men; rest; rest &= rest - 1) {
    all |= rook_attacks(lowest_square(rest), obstacles);
  }
  for (Bitboard rest = v.diagonal_sliders() & men; rest; rest &= rest - 1) {
    all |= bishop_attacks(lowest_square(rest), obstacles);
  }
  return all;
}

constexpr PieceType kPieces[] = {PieceType::knight, PieceType::bishop, PieceType::rook,
                                 PieceType::queen, PieceType::king};

Bitboard of_type(const BoardView<Bitboard>& v, PieceType type) {
  switch (type) {
    case PieceType::pawn:
      return v.pawns();
    case PieceType::knight:
      return v.knights();
    case PieceType::bishop:
      return v.bishops();
    case PieceType::rook:
      return v.rooks();
    case PieceType::queen:
      return v.queens();
    default:
      return v.kings();
  }
}

}  // namespace

bool ShadowSearch::excludes_mate(const Position& position, bool us, const Mobility& mobility,
                                 Bitboard shadows, std::uint32_t most) {
  pool_.clear();
  blamed_ = 0;
  failed_ = false;
  most_ = most;
  // A castling king has no counterpart in the smaller game, and mates are looked for after moves.
  if (view(position).castling_rooks()) return false;
  if (!us && in_check(position) && !has_legal_move(position)) return false;
  Position seen = position;
  if (!us) {
    const Bitboard mark = mirror_ranks(view(position).en_passant);
    seen = flipped(position);
    seen.d |= mark;
  }
  // Pawns that may capture in passing at once, or be captured so, stay on the board.
  if (view(seen).en_passant && (view(seen).pawns() & shadows)) return false;
  set_up(mobility, shadows);
  seen.a &= ~shadows;
  seen.b &= ~shadows;
  seen.c &= ~shadows;
  seen.d &= ~shadows;
  pool_.add(seen, us);
  steps_.assign(1, {0, Deed::none, 0});
  for (node_ = 0; node_ < pool_.size() && !failed_; ++node_) expand(node_);
  return !failed_;
}

void ShadowSearch::set_up(const Mobility& mobility, Bitboard shadows) {
  for (Side& side : sides_) {
    side.shadows.clear();
    side.stand = side.attacks = side.passing = 0;
    side.may_pass = false;
    for (Bitboard& reach : side.reach) reach = 0;
  }
  checkers_.clear();
  attacked_ = walls_ = clutter_ = 0;
  pass_ = mobility.checking_pass();
  frozen_ = ~mobility.pass();
  Bitboard several = 0;
  for (int i = 0; i < mobility.count(); ++i) {
    const Mobility::Man& man = mobility.man(i);
    Side& side = sides_[man.role];
    const bool pawn = man.type == PieceType::pawn;
    const bool promotes = pawn && (man.reach & (kRank1 | kRank8)) != 0;
    const Bitboard promoted = promotes ? mobility.promoted(man.role) : 0;
    if (!(man.home & shadows)) {
      side.reach[static_cast<int>(man.type)] |= man.reach;
      for (const PieceType type : kPieces) {
        if (type != PieceType::king) side.reach[static_cast<int>(type)] |= promoted;
      }
      continue;
    }
    Shadow shadow;
    shadow.home = man.home;
    shadow.reach = man.reach | promoted;
    // What promoted men attack they may reach, but for squares of men that stay for ever.
    shadow.attacks = attacks_from(man.type, man.role, man.reach, mobility.pass()) | promoted;
    if (pawn) shadow.passing = attacks_from(man.type, man.role, man.reach, 0);
    shadow.moves = man.reach != man.home;
    if (man.frozen()) walls_ |= man.home;
    clutter_ |= shadow.reach;
    if (man.role == kWinner) {
      add_checker(man.type, man.reach, several);
      if (promotes) {
        add_checker(PieceType::queen, promoted, several);
        add_checker(PieceType::knight, promoted, several);
      }
    }
    side.stand |= shadow.reach;
    side.attacks |= shadow.attacks;
    side.passing |= shadow.passing;
    side.may_pass |= shadow.moves;
    side.shadows.push_back(shadow);
  }
  for (Checker& checker : checkers_) {
    checker.others = (several & checker.attacks) | (attacked_ & ~checker.attacks);
  }
}

void ShadowSearch::add_checker(PieceType type, Bitboard reach, Bitboard& several) {
  const Bitboard attacks = attacks_from(type, kWinner, reach, pass_);
  several |= attacked_ & attacks;
  attacked_ |= attacks;
  checkers_.push_back({reach, attacks, 0, type});
}

void ShadowSearch::expand(std::uint32_t node) {
  children_.clear();
  const Position p = pool_.position(node);
  const Role role = pool_.winner_moves(node) ? kWinner : kLoser;
  move_pawns(p, role);
  move_pieces(p, role);
  move_shadows(p, role);
  if (failed_) return;
  for (const Child& next : children_) pool_.prefetch_position(next.mix);
  for (const Child& next : children_) {
    if (pool_.add(next.position, role != kWinner, next.mix) != PositionPool::kKnown) {
      steps_.push_back(next.step);
    }
  }
  failed_ = pool_.size() > most_;
}

void ShadowSearch::move_pieces(const Position& p, Role role) {
  const BoardView<Bitboard> v = view(p);
  const Bitboard own = own_men(v, role);
  const Bitboard obstacles = v.occupied | walls_;
  for (const PieceType type : kPieces) {
    const Bitboard land = sides_[role].reach[static_cast<int>(type)] & ~own & ~walls_ & ~v.kings();
    for (Bitboard rest = of_type(v, type) & own; rest && !failed_; rest &= rest - 1) {
      const Bitboard from = rest & (0 - rest);
      Bitboard to = piece_attacks(type, lowest_square(rest), obstacles) & land;
      for (; to; to &= to - 1) {
        const Bitboard at = to & (0 - to);
        child(after(p, from, at, at, type, role), role, from, Deed::none, 0);
      }
    }
  }
}

void ShadowSearch::move_pawns(const Position& p, Role role) {
  const BoardView<Bitboard> v = view(p);
  const Side& side = sides_[role];
  const Bitboard own = own_men(v, role), other = v.occupied & ~own & ~v.kings();
  const Bitboard pawns = v.pawns() & own;
  const Bitboard empty = ~(v.occupied | walls_);
  const Bitboard last = role == kWinner ? kRank8 : kRank1;
  const auto land = [&](Bitboard from, Bitboard to, Bitboard victim) {
    const Bitboard vacated = from | (victim & ~to);
    const bool straight = to == ahead(from, role);
    const Deed deed = straight || (victim & v.occupied) ? Deed::none : Deed::taken;
    const auto arrive = [&](PieceType type) {
      child(after(p, from, to, victim, type, role), role, vacated, deed, to);
    };
    if (!(to & last)) return arrive(PieceType::pawn);
    for (const PieceType type : kPieces) {
      if (type != PieceType::king) arrive(type);
    }
  };
  const Bitboard reach = side.reach[static_cast<int>(PieceType::pawn)];
  // Where something may be taken: a man on the board or a shadow, the one captured in passing
  // among them.
  const Bitboard prey = (other | (sides_[opponent(role)].stand & ~v.occupied)) & ~walls_ & reach;
  for (Bitboard rest = pawns; rest && !failed_; rest &= rest - 1) {
    const Bitboard from = rest & (0 - rest);
    const Bitboard step = ahead(from, role) & empty & reach;
    if (step) land(from, step, step);
    const Bitboard third = role == kWinner ? kRank3 : mirror_ranks(kRank3);
    const Bitboard twice = ahead(step & third, role) & empty & reach;
    if (twice) {
      Position next = after(p, from, twice, twice, PieceType::pawn, role);
      if ((shift<kEast>(twice) | shift<kWest>(twice)) & v.pawns() & other) next.d |= step;
      child(next, role, from, Deed::none, 0);
    }
    for (const Bitboard to : {east_ahead(from, role), west_ahead(from, role)}) {
      if (to & prey) land(from, to, to);
      // The mark is of the move just made, so it is the other side's pawn that has passed.
      if (to & v.en_passant) land(from, to, behind(to, role));
    }
  }
}

void ShadowSearch::move_shadows(const Position& p, Role role) {
  const Side& side = sides_[role];
  const BoardView<Bitboard> v = view(p);
  const auto without = [&](Bitboard victim) {
    return after(p, 0, 0, victim, PieceType::none, role);
  };
  if (side.may_pass && !failed_) child(without(0), role, 0, Deed::pass, 0);
  const Bitboard other = v.occupied & ~own_men(v, role) & ~v.kings();
  // A pawn that has made a double step may be captured in passing.
  const Bitboard fourth = role == kWinner ? mirror_ranks(kRank4) : kRank4;
  const Bitboard passed = v.pawns() & fourth & ahead(side.passing, opponent(role));
  for (Bitboard rest = other & (side.attacks | passed); rest && !failed_; rest &= rest - 1) {
    const Bitboard victim = rest & (0 - rest);
    child(without(victim), role, 0, Deed::takes, victim);
  }
}

void ShadowSearch::child(const Position& next, Role mover, Bitboard vacated, Deed deed,
                         Bitboard square) {
  // Where a shadow may be in the way, a check does not forbid the move.
  if (failed_ || !safe(next, mover, view(next).occupied | clutter_)) return;
  if (cannot_win(view(next))) return;
  const auto at = static_cast<std::uint8_t>(square ? lowest_square(square) : 0);
  if (mover == kWinner && mate_fits(next, vacated)) {
    failed_ = true;
    blame(next, {node_, deed, at});
  } else {
    children_.push_back({next, PositionPool::mix(next, mover != kWinner), {node_, deed, at}});
    pool_.prefetch_slot(children_.back().mix);
  }
}

// True when the winner's men left, shadows included, can never mate by material alone.
bool ShadowSearch::cannot_win(const BoardView<Bitboard>& v) const {
  if (!(v.us & ~v.kings()) && checkers_.empty()) return true;
  return checkers_.empty() && sides_[kLoser].shadows.empty() && material_cannot_win(v, v.us);
}

// No man on the board attacks the king of `role`; men see as far as the obstacles.
bool ShadowSearch::safe(const Position& p, Role role, Bitboard obstacles) const {
  const BoardView<Bitboard> v = view(p);
  const Bitboard own = own_men(v, role), king = v.kings() & own, other = v.occupied & ~own;
  const int square = lowest_square(king);
  const SquareMasks m = masks_of(square);
  return !((m.knight & v.knights() & other) | (m.king & v.kings() & other) |
           ((east_ahead(king, role) | west_ahead(king, role)) & v.pawns() & other) |
           (rook_attacks(square, obstacles) & v.orthogonal_sliders() & other) |
           (bishop_attacks(square, obstacles) & v.diagonal_sliders() & other));
}

// True when the loser, to move, may be mated.
bool ShadowSearch::mate_fits(const Position& p, Bitboard vacated) const {
  const BoardView<Bitboard> v = view(p);
  const Bitboard king = v.kings() & v.them;
  // With shadows out of the way and the king as well: what may be attacked.
  const Bitboard attacked = attacks_by(v, v.us, kWinner, (v.occupied & ~king) | walls_);
  const bool check_on_board = (attacked & king) != 0, check_by_shadow = (attacked_ & king) != 0;
  if (!check_on_board && !check_by_shadow) return false;
  const Bitboard flights = king_attacks(king) & ~attacked & ~v.them & ~walls_;
  if ((flights & ~attacked_ & v.us) || !blockers_suffice(flights & ~attacked_)) return false;
  if (!check_on_board) return shadow_mate_fits(v, flights, vacated);
  return check_by_shadow || !has_certain_reply(p);
}

// True when a shadow may give the mate. `flights` are not attacked by men on the board.
bool ShadowSearch::shadow_mate_fits(const BoardView<Bitboard>& v, Bitboard flights,
                                    Bitboard vacated) const {
  const Bitboard king = v.kings() & v.them;
  const Bitboard empty = ~(v.occupied | walls_) | king;
  for (const Checker& checker : checkers_) {
    if (!(checker.attacks & king)) continue;
    for (Bitboard from = checker.reach & ~v.occupied; from; from &= from - 1) {
      const Bitboard at = from & (0 - from);
      const Bitboard covered = attacks_from(checker.type, kWinner, at, empty);
      if (!(covered & king)) continue;
      // The move of a man on the board must have opened the line.
      if (vacated && (attacks_from(checker.type, kWinner, at, empty & ~vacated) & king)) continue;
      // Nobody stands on the checker's own square, so somebody must guard it.
      const Bitboard open = flights & ~covered & ~checker.others;
      if (!(open & (at | v.us)) && blockers_suffice(open)) return true;
    }
  }
  return false;
}

// True when the loser has a move with a man on the board, its king aside, that no shadow can stand
// in the way of and that ends every check. No shadow attacks the king.
bool ShadowSearch::has_certain_reply(const Position& p) const {
  const BoardView<Bitboard> v = view(p);
  const Bitboard obstacles = v.occupied | clutter_;
  const Bitboard land = (v.us | ~sides_[kLoser].stand) & ~v.them & ~walls_ & ~v.kings();
  const auto ends_checks = [&](Bitboard from, Bitboard to, PieceType type) {
    const Position next = after(p, from, to, to, type, kLoser);
    return safe(next, kLoser, view(next).occupied | walls_);
  };
  // A shadow may pin a man that stays for ever.
  for (Bitboard rest = v.them & ~v.kings() & ~frozen_; rest; rest &= rest - 1) {
    const Bitboard from = rest & (0 - rest);
    const PieceType type = code_at(p, lowest_square(from));
    Bitboard to = 0;
    if (type == PieceType::pawn) {
      to = (east_ahead(from, kLoser) | west_ahead(from, kLoser)) & v.us;
      to |= ahead(from, kLoser) & ~obstacles;
    } else {
      to = piece_attacks(type, lowest_square(from), obstacles);
    }
    for (to &= land; to; to &= to - 1) {
      if (ends_checks(from, to & (0 - to), type)) return true;
    }
  }
  return false;
}

// Each open flight needs a shadow of its own: a matching, by augmenting paths.
bool ShadowSearch::blockers_suffice(Bitboard open) const {
  if (!open) return true;
  const std::vector<Shadow>& blockers = sides_[kLoser].shadows;
  if (popcount(open) > static_cast<int>(blockers.size()) || (open & ~sides_[kLoser].stand)) {
    return false;
  }
  Bitboard taken[64] = {};
  struct Augment {
    const std::vector<Shadow>& blockers;
    Bitboard* taken;
    std::uint64_t seen = 0;
    bool operator()(Bitboard flight) {
      for (std::size_t i = 0; i < blockers.size(); ++i) {
        if (!(blockers[i].reach & flight) || ((seen >> i) & 1) != 0) continue;
        seen |= std::uint64_t{1} << i;
        if (!taken[i] || (*this)(taken[i])) {
          taken[i] = flight;
          return true;
        }
      }
      return false;
    }
  };
  for (; open; open &= open - 1) {
    Augment augment{blockers, taken};
    if (!augment(open & (0 - open))) return false;
  }
  return true;
}

// Each deed of a shadow on the way to the mate, and each part in it, could be that of some shadows
// only; those that the fewest could have done tell most.
void ShadowSearch::blame(const Position& mate, Step last) {
  Bitboard passed = 0;
  const auto charge = [&](Bitboard homes) {
    if (homes && (!blamed_ || popcount(homes) < popcount(blamed_))) blamed_ = homes;
  };
  const auto those = [&](Role role, auto&& condition) {
    Bitboard homes = 0;
    for (const Shadow& shadow : sides_[role].shadows) {
      if (condition(shadow)) homes |= shadow.home;
    }
    return homes;
  };
  const auto add = [&](Role role, Deed deed, int at) {
    const Bitboard square = square_bit(at);
    if (deed == Deed::pass) passed |= those(role, [&](const Shadow& s) { return s.moves; });
    if (deed == Deed::takes) {
      charge(those(role, [&](const Shadow& s) {
        return ((s.attacks | ahead(s.passing, opponent(role))) & square) != 0;
      }));
    }
    if (deed == Deed::taken) {
      charge(those(opponent(role), [&](const Shadow& s) { return (s.reach & square) != 0; }));
    }
  };
  add(kWinner, last.deed, last.square);
  for (std::uint32_t i = last.parent; i != 0; i = steps_[i].parent) {
    add(pool_.winner_moves(i) ? kLoser : kWinner, steps_[i].deed, steps_[i].square);
  }
  const BoardView<Bitboard> v = view(mate);
  const Bitboard king = v.kings() & v.them;
  const int at = lowest_square(king);
  const Bitboard attacked = attacks_by(v, v.us, kWinner, (v.occupied & ~king) | walls_);
  const Bitboard flights = king_attacks(king) & ~v.them & ~attacked;
  // Who might have taken the man that gives check, or stepped between.
  if (attacked & king) {
    const Bitboard obstacles = v.occupied | walls_;
    const Bitboard lines =
        (rook_attacks(at, obstacles) & v.orthogonal_sliders() ? rook_attacks(at, obstacles) : 0) |
        (bishop_attacks(at, obstacles) & v.diagonal_sliders() ? bishop_attacks(at, obstacles) : 0) |
        (masks_of(at).knight & v.us & v.knights());
    charge(those(kLoser, [&](const Shadow& s) { return (s.attacks & lines) != 0; }));
  } else {
    charge(those(kWinner, [&](const Shadow& s) { return (s.attacks & king) != 0; }));
  }
  for (Bitboard rest = flights; rest; rest &= rest - 1) {
    const Bitboard flight = rest & (0 - rest);
    if (attacked_ & flight) {
      charge(those(kWinner, [&](const Shadow& s) { return (s.attacks & flight) != 0; }));
    } else {
      charge(those(kLoser, [&](const Shadow& s) { return (s.reach & flight) != 0; }));
    }
  }
  charge(passed);
}

}  // namespace cuarbiter
