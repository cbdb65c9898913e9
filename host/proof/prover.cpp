#include "host/proof/prover.hpp"

#include <algorithm>
#include <memory>

#include "host/proof/quick_proof.hpp"
#include "host/rules/game_state.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;
// Flags beside the index of a parent.
constexpr std::uint32_t kIndex = 0x3FFFFFFFu;    // the root has this for a parent
constexpr std::uint32_t kChanged = 0x40000000u;  // by a capture, pawn move or promotion
constexpr std::uint32_t kDone = 0x80000000u;     // no longer open
constexpr std::uint32_t kCosts = 4096;

// The searches for one question, one after the other, each with an order of its own. Where one
// sinks in a plain of equal estimates another goes on: what is found is found early, and the last
// search has the budget for what must be exhausted.
struct Phase {
  EstimateWeights weights;
  bool goals;           // kings go where a mate is not excluded, not to corners
  bool novelty;         // every other position is taken for what is new in it
  std::uint32_t every;  // one in so many is taken for the promotion it brings nearer
  std::uint32_t nodes;  // the last: as the options have it
};
constexpr Phase kPhases[] = {
    {{0, 4, 2, 2, 2, 0, 3}, false, false, 6, 1500},
    {{1, 4, 2, 3, 4, 1000, 0}, false, false, 6, 1500},
    {{1, 4, 2, 2, 2, 1000, 3}, true, true, 4, 4000},
    {{0, 4, 1, 2, 4, 2, 0}, true, false, 4, 6000},
    {{2, 1, 0, 3, 4, 1000, 0}, false, true, 4, 6000},
    {{1, 4, 2, 2, 2, 1000, 3}, true, true, 4, 30000},
    {{1, 4, 2, 3, 4, 1000, 0}, false, true, 4, 30000},
    {{1, 2, 2, 2, 2, 1000, 3}, true, true, 4, kMostProofNodes},
};
constexpr unsigned kLastPhase = sizeof(kPhases) / sizeof(kPhases[0]) - 1;

// Easy questions are over before the first proof of mobility, and those it settles before the
// thorough proofs begin.
constexpr std::uint32_t kExpandedBeforeMobility = 16;
constexpr unsigned kThoroughPhase = 2;   // the root is examined before it
constexpr unsigned kThoroughSearch = 4;  // and positions of the search from it on
constexpr unsigned kThoroughDepth = 4;   // plies from the root that are always examined
// Thorough proofs that fail may cost about as much as the search itself, in positions, and a start.
constexpr std::uint64_t kDeepenCost = 250;
constexpr std::uint64_t kThoroughStart = 10'000, kNearStart = 20'000;
// Positions of games with shadows, of one and of all for a proof: of the root before the first
// search with goals and before a later one, when the last search has grown large; of positions near
// the root and of others.
struct ShadowBudget {
  std::uint32_t most, total;
};
constexpr ShadowBudget kFirstAttempt{5'000, 10'000}, kSecondAttempt{30'000, 60'000};
constexpr ShadowBudget kLastAttempt{200'000, 500'000};
constexpr unsigned kSecondAttemptPhase = 6;
constexpr std::uint32_t kLarge = 300'000;
constexpr ShadowBudget kNear{3'000, 5'000}, kLater{1'500, 2'000};
constexpr std::uint32_t kStructures = 1 << 14;

// A mix of the squares of all pawns and the numbers of pieces, whoever is to move.
std::uint64_t structure_mix(const Position& position, bool us) {
  const BoardView<Bitboard> v = view(us ? position : flipped(position));
  const auto numbers = [&](Bitboard own) {
    return static_cast<Bitboard>(popcount(v.knights() & own) | popcount(v.bishops() & own) << 5 |
                                 popcount(v.orthogonal_sliders() & own) << 10);
  };
  Position mixed;
  mixed.a = v.pawns() & v.us;
  mixed.b = v.pawns() & v.them;
  mixed.c = numbers(v.us);
  mixed.d = numbers(v.them);
  return position_mix(mixed);
}

}  // namespace

Winnable Prover::prove(const Position& position, bool us, bool tried) {
  line_.clear();
  spent_ = 0;
  last_attempt_made_ = false;
  near_.clear();
  near_excluded_.clear();
  if (in_check(position) && !has_legal_move(position)) return us ? Winnable::no : Winnable::yes;
  const BoardView<Bitboard> v = view(position);
  if (material_cannot_win(v, us ? v.us : v.them)) return Winnable::no;
  if (!tried) {
    if (quickly_excluded(position, us ? kSideUs : kSideThem)) return Winnable::no;
    if (guided_.find(position, us, kGuidedRounds)) {
      guided_.append_line(position, line_);
      return Winnable::yes;
    }
  }
  for (phase_ = 0;; ++phase_) {
    const bool last = phase_ == kLastPhase || kPhases[phase_].nodes >= options_.nodes;
    limit_ = last ? options_.nodes : kPhases[phase_].nodes;
    if (phase_ == kThoroughPhase) {
      if (root_excluded(position, us, kFirstAttempt.most, kFirstAttempt.total)) {
        return Winnable::no;
      }
    } else if (phase_ == kSecondAttemptPhase &&
               root_excluded(position, us, kSecondAttempt.most, kSecondAttempt.total)) {
      return Winnable::no;
    }
    const Winnable answer = search(position, us);
    spent_ += pool_.size();
    if (answer != Winnable::open || last) return answer;
  }
}

bool Prover::root_excluded(const Position& position, bool us, std::uint32_t most,
                           std::uint32_t total) {
  Mobility mobility(position, us);
  mobility.deepen();
  if (!mobility.mate_is_possible()) return true;
  if (phase_ == kThoroughPhase) mobility.measure(goals_);  // for the searches that follow
  return shadows_.excludes_mate(position, us, mobility, most, total);
}

Winnable Prover::search(const Position& position, bool us) {
  clear();
  add({position, PositionPool::mix(position, us)}, kIndex, us, true);
  const Phase& phase = kPhases[phase_];
  for (;;) {
    unsigned queue = 0;
    if (expanded_ % phase.every == phase.every - 1) {
      queue = 1;
    } else if (phase.novelty && expanded_ % 2 != 0) {
      queue = 2;
    }
    const std::uint32_t node = pop(queue);
    if (node == kNone) return Winnable::no;
    if (expanded_ == kExpandedBeforeMobility && phase_ == 0 &&
        !Mobility(position, us).mate_is_possible()) {
      return Winnable::no;
    }
    if (node != 0 && hopeless(node)) continue;
    if (!last_attempt_made_ && pool_.size() > kLarge) {
      last_attempt_made_ = true;
      if (root_excluded(position, us, kLastAttempt.most, kLastAttempt.total)) return Winnable::no;
    }
    if (expand(node)) return Winnable::yes;
    if (full_) return Winnable::open;
  }
}

// True when it is proved that a position leads to no mate. Tried where something has changed for
// good, and near the root.
bool Prover::hopeless(std::uint32_t node) {
  const bool thorough = phase_ >= kThoroughSearch;
  if (!thorough && expanded_ <= kExpandedBeforeMobility) return false;
  const bool near = thorough && depths_[node] <= kThoroughDepth;
  const Position p = pool_.position(node);
  const bool us = pool_.winner_moves(node);
  if (!near) return (parents_[node] & kChanged) != 0 && excluded(p, us, thorough);
  // The same positions come back in every search.
  const std::uint32_t known = near_.find(p, us);
  if (known != PositionPool::kAbsent) return near_excluded_[known] != 0;
  if (!may_waste(kNearStart)) return false;
  near_.add(p, us);
  near_excluded_.push_back(near_excluded(p, us) ? 1 : 0);
  return near_excluded_.back() != 0;
}

bool Prover::near_excluded(const Position& p, bool us) {
  Mobility mobility(p, us);
  return !mobility.mate_is_possible() ||
         thoroughly_excluded(p, us, mobility, kNear.most, kNear.total);
}

// Once only where pawns stand on the same squares and the pieces are of the same kinds, since there
// it mostly fails again.
bool Prover::excluded(const Position& p, bool us, bool thorough) {
  const std::uint64_t mix = structure_mix(p, us);
  const auto structure = static_cast<std::uint16_t>(mix | 1);
  std::uint16_t& failed = failed_proofs_[(mix >> 16) & (kStructures - 1)];
  if (failed == structure) return false;
  Mobility mobility(p, us);
  if (!mobility.mate_is_possible()) return true;
  failed = structure;
  return thorough && may_waste(kThoroughStart) &&
         thoroughly_excluded(p, us, mobility, kLater.most, kLater.total);
}

bool Prover::may_waste(std::uint64_t start) const {
  return wasted_ <= pool_.size() + start;
}

bool Prover::thoroughly_excluded(const Position& p, bool us, Mobility& mobility, std::uint32_t most,
                                 std::uint32_t total) {
  // Without pieces there is little for shadows and more fixpoints to do.
  const BoardView<Bitboard> v = view(p);
  if (!(v.occupied & ~v.pawns() & ~v.kings())) return false;
  mobility.deepen();
  if (!mobility.mate_is_possible()) return true;
  wasted_ += kDeepenCost;
  if (shadows_.excludes_mate(p, us, mobility, most, total)) return true;
  wasted_ += shadows_.nodes();
  return false;
}

// Adds the children; true when one of them is the mate.
bool Prover::expand(std::uint32_t node) {
  const Position p = pool_.position(node);
  const bool winner = pool_.winner_moves(node);
  ++expanded_;
  bool found = false;
  children_.clear();
  for_each_child(p, [&](const Position& child) {
    if (found) return;
    const BoardView<Bitboard> v = view(child);
    if (winner && attackers_of(v, v.kings() & v.us, v.occupied, v.them) && !has_legal_move(child)) {
      found = true;
      trace(node, child);
    } else if (!material_cannot_win(v, winner ? v.them : v.us)) {
      children_.push_back({child, PositionPool::mix(child, !winner)});
      pool_.prefetch_slot(children_.back().mix);
    }
  });
  if (found) return true;
  for (const Child& child : children_) pool_.prefetch_position(child.mix);
  const BoardView<Bitboard> before = view(p);
  for (const Child& child : children_) {
    const BoardView<Bitboard> after = view(child.position);
    const bool changed = before.pawns() != mirror_ranks(after.pawns()) ||
                         popcount(before.occupied) != popcount(after.occupied);
    add(child, node, !winner, changed);
  }
  return false;
}

// `changed`: for good, by a capture or a pawn.
void Prover::add(const Child& next, std::uint32_t parent, bool winner_moves, bool changed) {
  if (pool_.size() >= limit_) {
    full_ = true;
    return;
  }
  const Position& child = next.position;
  const std::uint32_t node = pool_.add(child, winner_moves, next.mix);
  if (node == PositionPool::kKnown) return;
  const unsigned depth = parent == kIndex ? 0u : std::min(depths_[parent] + 1u, 0xFFFFu);
  parents_.push_back(parent | (changed ? kChanged : 0));
  depths_.push_back(static_cast<std::uint16_t>(depth));
  const Phase& phase = kPhases[phase_];
  const Estimate e = estimate(child, winner_moves, phase.weights, phase.goals ? &goals_ : nullptr);
  const auto cost = static_cast<std::uint32_t>(std::max(0, e.mate + phase.weights.gain * e.gain));
  push(0, node, cost);
  push(1, node, static_cast<std::uint32_t>(2 * e.gain));
  if (phase.novelty) {
    push(2, node, 1024 * novelty(child, winner_moves, cost) + std::min(cost, 1023u));
  }
}

// How new a position is: 0 when some man stands where none of its kind has in positions of the same
// cost, 1 when none has while the kings were on these squares, else 2.
std::uint32_t Prover::novelty(const Position& p, bool winner_moves, std::uint32_t cost) {
  const BoardView<Bitboard> v = view(winner_moves ? p : flipped(p));
  const Bitboard kings[2] = {v.kings() & v.us, v.kings() & v.them};
  Seen& by_cost = seen_by_cost_[std::min(cost, 255u)];
  Seen& by_kings = seen_by_kings_[static_cast<std::size_t>(64 * lowest_square(kings[0]) +
                                                           lowest_square(kings[1]))];
  const Bitboard kinds[6] = {v.pawns(), v.knights(), v.bishops(), v.rooks(), v.queens(), v.kings()};
  bool new_by_cost = false, new_by_kings = false;
  for (std::size_t i = 0; i < 12; ++i) {
    const Bitboard men = kinds[i / 2] & (i % 2 != 0 ? v.us : v.them);
    new_by_cost |= (men & ~by_cost[i]) != 0;
    new_by_kings |= (men & ~by_kings[i]) != 0 && i < 10;
    by_cost[i] |= men;
    by_kings[i] |= men;
  }
  return new_by_cost ? 0 : new_by_kings ? 1 : 2;
}

// The newest of equals comes first, but what is taken for its novelty in the order of its finding.
void Prover::push(unsigned queue, std::uint32_t node, std::uint32_t cost) {
  Queue& q = queues_[queue];
  cost = std::min(cost, kCosts - 1);
  q.next.resize(std::size_t{node} + 1, kNone);
  if (queue != 2) {
    q.next[node] = q.heads[cost];
    q.heads[cost] = node;
  } else {
    if (q.heads[cost] == kNone) {
      q.heads[cost] = node;
    } else {
      q.next[q.tails[cost]] = node;
    }
    q.tails[cost] = node;
  }
  q.best = std::min(q.best, cost);
}

// The open position of the least cost, no longer open; kNone when there is none.
std::uint32_t Prover::pop(unsigned queue) {
  Queue& q = queues_[queue];
  for (;;) {
    while (q.best < kCosts && q.heads[q.best] == kNone) ++q.best;
    if (q.best == kCosts) return kNone;
    const std::uint32_t node = q.heads[q.best];
    q.heads[q.best] = q.next[node];
    if (parents_[node] & kDone) continue;
    parents_[node] |= kDone;
    return node;
  }
}

void Prover::clear() {
  pool_.clear();
  parents_.clear();
  depths_.clear();
  for (Queue& q : queues_) {
    q.heads.assign(kCosts, kNone);
    q.tails.assign(kCosts, kNone);
    q.next.clear();
    q.best = kCosts;
  }
  if (kPhases[phase_].novelty) {
    seen_by_cost_.assign(256, Seen{});
    seen_by_kings_.assign(64 * 64, Seen{});
  }
  failed_proofs_.assign(kStructures, 0);
  expanded_ = 0;
  wasted_ = 0;
  full_ = false;
}

// Finds the moves that lead from the root to a node and on to the mate.
void Prover::trace(std::uint32_t node, const Position& mate) {
  std::vector<Position> path{mate};
  for (std::uint32_t i = node; i != kIndex; i = parents_[i] & kIndex) {
    path.push_back(pool_.position(i));
  }
  std::reverse(path.begin(), path.end());
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    bool done = false;
    for_each_legal_move(path[i], [&](Move move) {
      if (done || !same_position(make_move(path[i], move), path[i + 1])) return;
      line_.push_back(move);
      done = true;
    });
  }
}

Prover& thread_prover(const ProverOptions& options) {
  thread_local std::unique_ptr<Prover> prover;
  if (!prover || prover->options().nodes != options.nodes) {
    prover = std::make_unique<Prover>(options);
  }
  return *prover;
}

}  // namespace cuarbiter
