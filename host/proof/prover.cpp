#include "host/proof/prover.hpp"

#include <algorithm>
#include <cstdlib>

#include "host/proof/mobility.hpp"
#include "host/rules/game_state.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;
constexpr std::uint32_t kWinnerMoves = 0x80000000u;
constexpr std::uint32_t kChanged = 0x40000000u;
constexpr std::uint32_t kDone = 0x20000000u;
constexpr std::uint32_t kIndex = 0x1FFFFFFFu;
constexpr int kBuckets = 4096;
struct Weights {
  int flights, corner, king, check, gain, near, far;
  bool lifo, goals, novelty;
  int every;
  unsigned nodes;
};
const Weights kPhases[] = {
    // flights, corner, king, check, gain, near, far; lifo, goals, novelty, every, nodes;
    {0, 4, 2, 2, 2, 0, 3, true, false, false, 6, 1500},
    {1, 4, 2, 3, 4, 1000, 0, true, false, false, 6, 1500},
    {1, 4, 2, 2, 2, 1000, 3, true, true, true, 4, 4000},
    {0, 4, 1, 2, 4, 2, 0, true, true, false, 4, 6000},
    {2, 1, 0, 3, 4, 1000, 0, true, false, true, 4, 6000},
    {1, 4, 2, 2, 2, 1000, 3, true, true, true, 4, 30000},
    {1, 4, 2, 3, 4, 1000, 0, true, false, true, 4, 30000},
    {1, 2, 2, 2, 2, 1000, 3, true, true, true, 4, 0},
};

int distance(int x, int y) {
  const int files = (x & 7) - (y & 7), ranks = (x >> 3) - (y >> 3);
  return std::max(std::abs(files), std::abs(ranks));
}

// Squares the men attack, through the square `through`.
template <bool Up>
Bitboard attacked_by(const BoardView<Bitboard>& v, Bitboard men, Bitboard through) {
  const Bitboard empty = ~v.occupied | through;
  const Bitboard o = v.orthogonal_sliders() & men, d = v.diagonal_sliders() & men;
  const Bitboard pawns = v.pawns() & men;
  Bitboard a = knight_attacks(v.knights() & men) | king_attacks(v.kings() & men);
  a |= Up ? shift<kNorthEast>(pawns) | shift<kNorthWest>(pawns)
          : shift<kSouthEast>(pawns) | shift<kSouthWest>(pawns);
  if (o)
    a |= slide<kNorth>(o, propagator<kNorth>(empty)) | slide<kSouth>(o, propagator<kSouth>(empty)) |
         slide<kEast>(o, propagator<kEast>(empty)) | slide<kWest>(o, propagator<kWest>(empty));
  if (d)
    a |= slide<kNorthEast>(d, propagator<kNorthEast>(empty)) |
         slide<kSouthEast>(d, propagator<kSouthEast>(empty)) |
         slide<kSouthWest>(d, propagator<kSouthWest>(empty)) |
         slide<kNorthWest>(d, propagator<kNorthWest>(empty));
  return a;
}

struct Estimate {
  int mate, gain;
};

// The cost of bringing a pawn of `side` to promotion, the least of all; the board seen so that the
// pawns move up.
int promotion_cost(const BoardView<Bitboard>& v, Bitboard side, bool up) {
  const auto turn = [&](Bitboard x) { return up ? x : mirror_ranks(x); };
  const Bitboard own = turn(side), all = turn(v.occupied), pawns = turn(v.pawns());
  const Bitboard others = all & ~own, theirs = others & ~turn(v.kings());
  const bool helpers = (theirs & ~pawns) != 0;
  int cost[8][8];
  for (int f = 0; f < 8; ++f) cost[7][f] = 0;
  int best = 60;
  for (int r = 6; r >= 1; --r) {
    for (int f = 0; f < 8; ++f) {
      const auto enter = [&](int ff, bool diagonal) {
        const int s = 8 * (r + 1) + ff;
        const Bitboard bit = Bitboard{1} << s;
        int c = 1 + cost[r + 1][ff];
        if (diagonal) return (theirs & bit) ? c : c + (helpers ? 3 : 8);
        if (others & pawns & bit) return c + 6;
        if (all & bit) return c + 2;
        return c;
      };
      int c = enter(f, false);
      if (f > 0) c = std::min(c, enter(f - 1, true));
      if (f < 7) c = std::min(c, enter(f + 1, true));
      cost[r][f] = c;
      if (own & pawns & (Bitboard{1} << (8 * r + f))) best = std::min(best, c);
    }
  }
  return best;
}

Estimate estimate(const Position& p, bool winner_moves, const Weights& k, const MateGoals* goals) {
  const BoardView<Bitboard> v = view(p);
  const Bitboard w = winner_moves ? v.us : v.them, l = winner_moves ? v.them : v.us;
  const Bitboard lk = v.kings() & l, wk = v.kings() & w;
  const Bitboard attacked =
      winner_moves ? attacked_by<true>(v, w, lk) : attacked_by<false>(v, w, lk);
  const Bitboard flights = king_attacks(lk) & ~l & ~attacked;
  const int ls = lowest_square(lk), ws = lowest_square(wk);
  const int turn = winner_moves ? 0 : 56;
  const Bitboard heavy = v.orthogonal_sliders() & w;
  const Bitboard bishops = v.bishops() & w, pawns = v.pawns() & w;
  const bool light = bishops & (turn ? ~kLightSquares : kLightSquares);
  const bool dark = bishops & (turn ? kLightSquares : ~kLightSquares);
  const bool any = heavy || pawns || (v.knights() & w) || (light && dark);
  // a1 and h8 are dark.
  const int lt = ls ^ turn, wt = ws ^ turn;
  int corner = 99;
  for (int i = 0; i < 4; ++i) {
    const int square = (i & 1 ? 7 : 0) + (i & 2 ? 56 : 0);
    const bool is_dark = i == 0 || i == 3;
    if (!any && !(is_dark ? dark : light)) continue;
    const int one = (1 + 2 * 8) ^ square, two = (2 + 8) ^ square;
    corner = std::min(corner, k.corner * distance(lt, square) +
                                  k.king * std::min(distance(wt, one), distance(wt, two)));
  }
  if (goals) corner = k.corner * goals->cost[lt][wt];
  Estimate e;
  int near = 2 * (corner <= k.near ? popcount(flights) : k.far);
  if (flights && corner <= 4 * k.corner) {
    const Bitboard helpers = l & ~lk;
    const Bitboard help =
        (winner_moves ? attacked_by<false>(v, helpers & ~v.pawns(), 0)
                      : attacked_by<true>(v, helpers & ~v.pawns(), 0)) |
        ((winner_moves ? (v.pawns() & helpers) >> 8 : (v.pawns() & helpers) << 8) & ~v.occupied);
    near -= popcount(flights & help);
  }
  e.mate = k.flights * near + corner;
  // Can some man give check at once?
  if (!(attacked & lk)) {
    const Bitboard empty = ~v.occupied;
    const Bitboard rook = rook_attacks(ls, v.occupied), bishop = bishop_attacks(ls, v.occupied);
    Bitboard free = empty | l;
    Bitboard o = v.orthogonal_sliders() & w, d = v.diagonal_sliders() & w;
    Bitboard oa =
        slide<kNorth>(o, propagator<kNorth>(empty)) | slide<kSouth>(o, propagator<kSouth>(empty)) |
        slide<kEast>(o, propagator<kEast>(empty)) | slide<kWest>(o, propagator<kWest>(empty));
    Bitboard da = slide<kNorthEast>(d, propagator<kNorthEast>(empty)) |
                  slide<kSouthEast>(d, propagator<kSouthEast>(empty)) |
                  slide<kSouthWest>(d, propagator<kSouthWest>(empty)) |
                  slide<kNorthWest>(d, propagator<kNorthWest>(empty));
    bool can = (oa & rook & free) || (da & bishop & free) ||
               (knight_attacks(v.knights() & w) & knight_attacks(lk) & free);
    if (!can) {
      e.mate += k.check;
      if (!o && !d) {
        // Knights only: how many jumps.
        Bitboard reach = v.knights() & w;
        const Bitboard goal = knight_attacks(lk);
        for (int i = 0; reach && i < 5 && !(reach & goal); ++i) {
          reach |= knight_attacks(reach);
          ++e.mate;
        }
      }
    }
  }
  e.gain = 0;
  if (!heavy) {
    if (pawns) {
      e.gain = 3 + promotion_cost(v, w, winner_moves);
    } else if (v.pawns() & l) {
      e.gain = promotion_cost(v, l, !winner_moves);
    }
  }
  return e;
}

}  // namespace

Prover::Prover(const ProverOptions& options) : options_(options), heads_{}, tails_{} {
  for (auto& q : heads_) q.assign(kBuckets, kNone);
  for (auto& q : tails_) q.assign(kBuckets, kNone);
}

void Prover::clear() {
  positions_.clear();
  parents_.clear();
  depths_.clear();
  for (int q = 0; q < kQueues; ++q) {
    next_[q].clear();
    std::fill(heads_[q].begin(), heads_[q].end(), kNone);
    best_[q] = kBuckets;
  }
  open_ = 0;
  if (kPhases[phase_].novelty) {
    seen_h_.assign(256, {});
    seen_kings_.assign(4096, {});
  }
  table_.assign(1024, kNone);
  mask_ = 1023;
  expanded_ = 0;
  full_ = false;
  line_.clear();
}

void Prover::grow_table() {
  mask_ = 2 * mask_ + 1;
  table_.assign(mask_ + 1, kNone);
  for (std::uint32_t i = 0; i < positions_.size(); ++i) {
    std::uint32_t at =
        static_cast<std::uint32_t>(position_mix(positions_[i]) + (parents_[i] >> 31)) & mask_;
    while (table_[at] != kNone) at = (at + 1) & mask_;
    table_[at] = i;
  }
}

bool Prover::add(const Position& child, std::uint32_t parent, bool winner_moves, int) {
  std::uint32_t at = static_cast<std::uint32_t>(position_mix(child) + winner_moves) & mask_;
  while (table_[at] != kNone) {
    const std::uint32_t i = table_[at];
    if ((parents_[i] >> 31) == winner_moves && same_position(positions_[i], child)) return false;
    at = (at + 1) & mask_;
  }
  if (positions_.size() >= limit_) {
    full_ = true;
    return false;
  }
  const std::uint32_t index = static_cast<std::uint32_t>(positions_.size());
  table_[at] = index;
  bool changed = true;
  if (parent != kIndex) {
    const BoardView<Bitboard> a = view(positions_[parent]), b = view(child);
    changed = popcount(a.occupied) != popcount(b.occupied) || a.pawns() != mirror_ranks(b.pawns());
  }
  positions_.push_back(child);
  parents_.push_back(parent | (winner_moves ? kWinnerMoves : 0) | (changed ? kChanged : 0));
  const int g = parent == kIndex ? 0 : std::min(depths_[parent] + 1, 1000);
  depths_.push_back(static_cast<std::uint16_t>(g));
  const Estimate e =
      estimate(child, winner_moves, kPhases[phase_], kPhases[phase_].goals ? &goals_ : nullptr);
  push(0, index, e.mate + kPhases[phase_].gain * e.gain);
  push(1, index, 2 * e.gain);
  if (kPhases[phase_].novelty) {
    push(2, index,
         1024 * rank(child, winner_moves, e.mate + kPhases[phase_].gain * e.gain) +
             std::min(1023, e.mate + kPhases[phase_].gain * e.gain));
  }
  ++open_;
  if (positions_.size() * 2 > mask_) grow_table();
  return true;
}

// How new a position is: 0 when some man stands where none of its kind has among positions of the
// same estimate, 1 when that is so for the same squares of the kings, else 2.
int Prover::rank(const Position& p, bool winner_moves, int h) {
  const BoardView<Bitboard> v = view(winner_moves ? p : flipped(p));
  const Bitboard kinds[5] = {v.pawns(), v.knights(), v.bishops(), v.rooks(), v.queens()};
  auto& by_h = seen_h_[static_cast<std::size_t>(std::min(h, 255))];
  const int kings = 64 * lowest_square(v.kings() & v.us) + lowest_square(v.kings() & v.them);
  auto& by_kings = seen_kings_[static_cast<std::size_t>(kings)];
  bool new_h = false, new_kings = false;
  const auto look = [&](std::uint64_t& h_set, std::uint64_t& k_set, Bitboard x) {
    new_h |= (x & ~h_set) != 0;
    new_kings |= (x & ~k_set) != 0;
    h_set |= x;
    k_set |= x;
  };
  for (std::size_t i = 0; i < 5; ++i) {
    look(by_h[2 * i], by_kings[2 * i], kinds[i] & v.us);
    look(by_h[2 * i + 1], by_kings[2 * i + 1], kinds[i] & v.them);
  }
  Bitboard unused = ~Bitboard{0};
  look(by_h[10], unused, v.kings() & v.us);
  look(by_h[11], unused, v.kings() & v.them);
  return new_h ? 0 : new_kings ? 1 : 2;
}

void Prover::push(int q, std::uint32_t index, int h) {
  h = std::min(h, kBuckets - 1);
  next_[q].resize(index + 1, kNone);
  if (kPhases[phase_].lifo && q != 2) {
    next_[q][index] = heads_[q][h];
    heads_[q][h] = index;
  } else {
    if (heads_[q][h] == kNone) {
      heads_[q][h] = index;
    } else {
      next_[q][tails_[q][h]] = index;
    }
    tails_[q][h] = index;
  }
  best_[q] = std::min(best_[q], h);
}

std::uint32_t Prover::pop(int q) {
  for (;;) {
    while (best_[q] < kBuckets && heads_[q][best_[q]] == kNone) ++best_[q];
    if (best_[q] == kBuckets) return kNone;
    const std::uint32_t node = heads_[q][best_[q]];
    heads_[q][best_[q]] = next_[q][node];
    if (parents_[node] & kDone) continue;
    parents_[node] |= kDone;
    --open_;
    return node;
  }
}

void Prover::trace(std::uint32_t node, const Position& mate) {
  std::vector<std::uint32_t> path;
  for (std::uint32_t i = node; i != kIndex; i = parents_[i] & kIndex) path.push_back(i);
  std::reverse(path.begin(), path.end());
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Position& from = positions_[path[i]];
    const Position& to = i + 1 < path.size() ? positions_[path[i + 1]] : mate;
    bool done = false;
    for_each_legal_move(from, [&](Move m) {
      if (!done && same_position(make_move(from, m), to)) {
        line_.push_back(m);
        done = true;
      }
    });
  }
}

bool Prover::expand(std::uint32_t node) {
  const Position p = positions_[node];
  const bool winner = parents_[node] >> 31;
  ++expanded_;
  bool found = false;
  for_each_child(p, [&](const Position& child) {
    if (found) return;
    const BoardView<Bitboard> v = view(child);
    if (winner && attackers_of(v, v.kings() & v.us, v.occupied, v.them) && !has_legal_move(child)) {
      found = true;
      trace(node, child);
      return;
    }
    if (material_cannot_win(v, winner ? v.them : v.us)) return;
    add(child, node, !winner, 0);
  });
  return found;
}

Winnable Prover::prove(const Position& position, bool us) {
  stage = 0;
  line_.clear();
  const BoardView<Bitboard> v = view(position);
  const bool mated = in_check(position) && !has_legal_move(position);
  if (mated) return us ? Winnable::no : Winnable::yes;
  if (material_cannot_win(v, us ? v.us : v.them)) return Winnable::no;
  checked_ = measured_ = false;
  spent_ = 0;
  for (phase_ = 0;; ++phase_) {
    const bool last = kPhases[phase_].nodes == 0;
    limit_ = last ? options_.nodes : kPhases[phase_].nodes;
    const Winnable answer = search(position, us);
    spent_ += positions_.size();
    if (answer != Winnable::open || last) return answer;
  }
}

Winnable Prover::search(const Position& position, bool us) {
  clear();
  add(position, kIndex, us, 0);
  if (stage == 0) stage = 1;
  for (;;) {
    const int every = kPhases[phase_].every;
    int queue = int(expanded_) % every == every - 1 ? 1 : 0;
    if (kPhases[phase_].novelty && queue == 0 && expanded_ % 2) queue = 2;
    const std::uint32_t node = pop(queue);
    if (node == kNone) return full_ ? Winnable::open : Winnable::no;
    if (expanded_ == 0 && kPhases[phase_].goals && !measured_) {
      measured_ = true;
      Mobility mobility(position, us);
      mobility.deepen();
      if (!mobility.mate_is_possible()) {
        stage = 1;
        return Winnable::no;
      }
      if (skeleton_.excludes_mate(position, us, mobility, 20000)) {
        stage = 1;
        return Winnable::no;
      }
      mobility.measure(goals_);
    }
    if (expanded_ == 16 && !checked_) {
      checked_ = true;
      if (mobility_excludes_mate(position, us)) {
        stage = 2;
        return Winnable::no;
      }
      stage = 3;
    }
    if ((expanded_ > 16 || phase_ >= 2) && ((parents_[node] & kChanged) || (phase_ >= 2 && depths_[node] <= 4)) && node != 0) {
      const bool to_move = (parents_[node] >> 31) != 0;
      Mobility mobility(positions_[node], to_move);
      if (!mobility.mate_is_possible()) continue;
      if (phase_ >= 2) {
        mobility.deepen();
        if (!mobility.mate_is_possible()) continue;
      }
      if (phase_ >= 2 && skeleton_.excludes_mate(positions_[node], to_move, mobility, 1000))
        continue;
    }
    if (expand(node)) return Winnable::yes;
    if (full_) return Winnable::open;
  }
}

}  // namespace cuarbiter
