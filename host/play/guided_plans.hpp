// Guided play, the plans: promotion, the hunt for what stands in a pawn's way, the walk of the
// loser's king, and the order in which they are tried.
#pragma once

#include "host/play/guided_play.hpp"

CUARBITER_RULES_BEGIN

// A pawn goes to promotion, straight or by captures of men that stand where they do.
CUARBITER_HD_APART bool GuidedPlay::promote() {
  constexpr int kMostSteps = 6;
  const Scene s = at_.scene;
  const Bitboard empty = ~s.occupied();
  const Bitboard victims = s.side[kLoser] & ~s.of(PieceType::king);
  Bitboard layers[kMostSteps + 1];
  int steps = 0;
  layers[0] = s.of(PieceType::pawn, kWinner);
  for (; !(layers[steps] & kRank8); ++steps) {
    if (!layers[steps] || steps == kMostSteps) return false;
    layers[steps + 1] = (pawn_ahead(layers[steps], kWinner) & empty) |
                        (pawn_aside(layers[steps], kWinner) & victims);
  }
  Bitboard way[kMostSteps + 1];
  const Bitboard before = at_.avoid;
  way[steps] = first_of(layers[steps] & kRank8);
  for (int i = steps; i >= 1; --i) {
    at_.avoid |= way[i];
    const Bitboard from =
        victims & way[i] ? pawn_aside(way[i], kLoser) : pawn_ahead(way[i], kLoser);
    way[i - 1] = first_of(from & layers[i - 1]);
  }
  if (!loser_waits(0)) return false;
  for (int i = 1; i <= steps; ++i) {
    const PieceType becomes = i == steps ? PieceType::queen : PieceType::pawn;
    if (!play(PieceType::pawn, way[i - 1], way[i], becomes, true) || !loser_waits(0)) return false;
  }
  at_.avoid = before;
  at_.home = static_cast<std::uint8_t>(at_.scene.king(kLoser));
  return true;
}

// The winner's king takes a man that stands in the way of a pawn; the loser's king keeps out of its
// way.
CUARBITER_HD_APART bool GuidedPlay::hunt() {
  constexpr int kMostMoves = 16;
  const Bitboard pawns = at_.scene.of(PieceType::pawn, kWinner);
  for (int move = 0; move < kMostMoves; ++move) {
    const Scene& s = at_.scene;
    const Bitboard all = s.occupied(), king = s.of(PieceType::king, kLoser);
    Bitboard way = pawns << 8;
    for (int i = 0; i < 5; ++i) way |= (way & ~all) << 8;
    const Bitboard targets = way & s.side[kLoser] & ~king;
    if (!targets) return false;
    const Bitboard guarded = s.attacked(kLoser, king, 0);
    const Bitboard next_to = masks_of(s.king(kLoser)).king;
    const Bitboard own = s.of(PieceType::king, kWinner);
    Bitboard layers[kLongestWalk];
    int steps = 0;
    layers[0] = own;
    for (Bitboard seen = own; !(layers[steps] & targets); ++steps) {
      if (!layers[steps] || steps + 1 == kLongestWalk) return false;
      layers[steps + 1] = king_attacks(layers[steps]) & ~guarded & ~s.side[kWinner] & ~king & ~seen;
      seen |= layers[steps + 1];
    }
    Bitboard path = 0, x = first_of(layers[steps] & targets);
    for (int i = steps; i > 1; --i) {
      path |= x;
      x = first_of(king_attacks(x) & layers[i - 1]);
    }
    if (at_.turn == kWinner) {
      if (!(x & next_to)) {
        if (play(PieceType::king, own, x, PieceType::king)) {
          if (!(x & targets)) continue;
          // Out of the pawn's way.
          at_.home = static_cast<std::uint8_t>(at_.scene.king(kLoser));
          const Bitboard avoid = at_.avoid;
          at_.avoid |= kFileA << (lowest_square(x) & 7);
          if (!loser_waits(0) || !winner_waits()) return false;
          at_.home = static_cast<std::uint8_t>(at_.scene.king(kLoser));
          at_.avoid = avoid;
          return true;
        }
      }
      at_.used |= own;
      if (!winner_waits()) return false;
      continue;
    }
    // Away from the path, else as far from it as it goes.
    const Bitboard near = king_attacks(path | x);
    Bitboard to = next_to & ~all & ~(path | x);
    bool moved = false;
    for (int distance = 0; distance < 3; ++distance) {
      const Bitboard choice = distance == 0   ? to & ~near & ~king_attacks(near)
                              : distance == 1 ? to & ~near
                                              : to & near;
      for (Bitboard t = choice; t && !moved; t &= t - 1) {
        moved = play(PieceType::king, king, first_of(t), PieceType::king);
      }
      if (moved) break;
    }
    if (!moved && !loser_waits(0)) return false;
  }
  return false;
}

// The loser's king goes to the edge, where it is mated more easily; the winner waits.
CUARBITER_HD_APART bool GuidedPlay::walk() {
  constexpr Bitboard kEdge = kRank1 | kRank8 | kFileA | kFileH;
  constexpr int kMostGoals = 3;
  const State start = at_;
  const Scene& s = start.scene;
  const Bitboard king = s.of(PieceType::king, kLoser);
  const Bitboard safe = ~s.occupied() & ~s.attacked(kWinner, 0, king);
  Bitboard layers[kLongestWalk];
  int far = 0;
  layers[0] = king;
  for (Bitboard seen = king; far + 1 < kLongestWalk && layers[far]; ++far) {
    layers[far + 1] = king_attacks(layers[far]) & safe & ~seen;
    seen |= layers[far + 1];
  }
  const int winner = s.king(kWinner);
  Bitboard tried = king;
  for (int round = 0; round < kMostGoals; ++round) {
    int best = 1000, goal = -1, steps = 0;
    for (int i = 0; i <= far; ++i) {
      for (Bitboard x = layers[i] & kEdge & ~tried; x; x &= x - 1) {
        const int t = lowest_square(x);
        const int flights = few(masks_of(t).king & ~(s.side[kLoser] & ~king));
        const int cost = 2 * i + 2 * flights + king_steps(t, winner);
        if (cost >= best) continue;
        best = cost;
        goal = t;
        steps = i;
      }
    }
    if (goal < 0) return false;
    tried |= square_bit(goal) | masks_of(goal).king;
    Bitboard x = square_bit(goal);
    for (int i = steps; i >= 1; --i) {
      path_[i - 1] = square_of(x);
      x = first_of(masks_of(path_[i - 1]).king & layers[i - 1]);
    }
    at_.home = static_cast<std::uint8_t>(goal);
    at_.step = 0;
    at_.steps = static_cast<std::uint8_t>(steps);
    bool good = true;
    while (good && at_.step < at_.steps) {
      good = (at_.turn == kLoser || winner_waits()) && loser_waits(0);
    }
    if (good && at_.home == goal && patterns()) return true;
    at_ = start;
  }
  return false;
}

// A pawn beside the queen goes on and lets it out. True, or the state as it was.
CUARBITER_HD_APART bool GuidedPlay::unlock() {
  const State start = at_;
  const Scene& s = start.scene;
  const Bitboard queen = first_of(s.of(PieceType::queen, kWinner));
  Bitboard pawns = king_attacks(queen) & s.of(PieceType::pawn, kWinner);
  for (; pawns; pawns &= pawns - 1) {
    const Bitboard from = first_of(pawns);
    const Bitboard one = pawn_ahead(from, kWinner) & ~s.occupied();
    const Bitboard two = pawn_ahead(one & first_step(kWinner), kWinner) & ~s.occupied();
    const Bitboard to = two ? two : one;
    if (to && !(to & kRank8) && loser_waits(0) &&
        play(PieceType::pawn, from, to, PieceType::pawn) && patterns()) {
      return true;
    }
    at_ = start;
  }
  return false;
}

// True, or the state as it was.
CUARBITER_HD_APART bool GuidedPlay::solve() {
  at_.home = static_cast<std::uint8_t>(at_.scene.king(kLoser));
  const State start = at_;
  const Scene& s = start.scene;
  const Bitboard own = s.side[kWinner];
  const bool major = ((s.of(PieceType::queen) | s.of(PieceType::rook)) & own) != 0;
  if (major) {
    if (patterns() || unlock() || walk()) return true;
    at_ = start;
  }
  if (!(s.of(PieceType::queen) & own) && (s.of(PieceType::pawn) & own)) {
    if (promote() && (patterns() || walk())) return true;
    at_ = start;
    if (hunt() && promote() && (patterns() || walk())) return true;
    at_ = start;
  }
  return !major && ((s.of(PieceType::knight) | s.of(PieceType::bishop)) & own) && cornered();
}

CUARBITER_HD bool GuidedPlay::find(const Position& position, bool us, unsigned rounds) {
  constexpr unsigned kRoundsAway = 8;  // from the position before it is gone back to
  constexpr unsigned kPlies = 2;       // by chance in a round
  constexpr int kMostDrift = 50;
  at_ = State{};
  at_.scene = Scene(position, us);
  at_.turn = us ? kWinner : kLoser;
  if (at_.scene.checked(opponent(at_.turn))) return false;  // impossible
  at_.checked = at_.scene.checked(at_.turn);
  if (!at_.checked && solve()) return true;
  const State start = at_;
  std::uint64_t random = position_mix(position);
  for (unsigned round = 0; round < rounds; ++round) {
    if (round % kRoundsAway == 0) at_ = start;
    bool good = at_.plies < kMostDrift;
    for (unsigned ply = 0; good && ply < kPlies; ++ply) good = drift(random);
    if (good && at_.checked) good = drift(random);
    if (!good) {
      at_ = start;
    } else if (!at_.checked && solve()) {
      return true;
    }
  }
  return false;
}

CUARBITER_RULES_END
