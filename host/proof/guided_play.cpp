#include "host/proof/guided_play.hpp"

#include <algorithm>
#include <initializer_list>

#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

constexpr Bitboard kEdge = kRank1 | kRank8 | kFileA | kFileH;
constexpr int kMostAttempts = 12;  // of one round of plans
constexpr int kMostGoals = 3;      // of a walk

// A king's steps, or a queen's distance on an empty board were it a king.
int steps_between(int x, int y) {
  const int files = (x & 7) - (y & 7), ranks = (x >> 3) - (y >> 3);
  return std::max(files < 0 ? -files : files, ranks < 0 ? -ranks : ranks);
}
// Up to 9 bits, counted without an instruction that the machine may lack.
int few(Bitboard x) {
  int n = 0;
  for (; x; x &= x - 1) ++n;
  return n;
}
Square square_of(Bitboard bit) {
  return static_cast<Square>(lowest_square(bit));
}

}  // namespace

// The checker goes to its place in up to three moves, waits for the king to be at home, and mates.
bool GuidedPlay::give_mate(const Pattern& p) {
  constexpr int kMostMoves = 5;
  const Bitboard goal = square_bit(p.at);
  Bitboard from = p.from;
  for (int move = 0; move < kMostMoves; ++move) {
    const Scene& s = at_.scene;
    const Bitboard all = s.occupied(), rest = all & ~from;
    const Bitboard reach = piece_attacks(p.type, lowest_square(from), all);
    const int king = s.king(kLoser);
    if ((reach & goal) && king == at_.home) {
      if (!play(p.type, from, goal, p.type, true)) return false;
      return at_.checked && !has_legal_move(at_.scene.position(kLoser));
    }
    if (reach & goal) {
      at_.used |= from;
      if (winner_waits()) {
        if (!loser_waits(p.keep)) return false;
        continue;
      }
    }
    Bitboard checks = piece_attacks(p.type, at_.home, rest);
    if (king != at_.home) checks |= piece_attacks(p.type, king, rest);
    const Bitboard free = ~s.side[kWinner] & ~s.of(PieceType::king) & ~checks & ~at_.avoid;
    const Bitboard back = piece_attacks(p.type, p.at, rest) & free;
    Bitboard via = reach & back;
    if (!via && move == 0) {
      for (Bitboard first = reach & free & ~all; first && !via; first &= first - 1) {
        if (piece_attacks(p.type, lowest_square(first), rest) & back) via = first_of(first);
      }
    }
    if (!via) return false;
    via = first_of(via & ~all ? via & ~all : via);
    if (!play(p.type, from, via, p.type) || !loser_waits(p.keep)) return false;
    from = via;
  }
  return false;
}

// A helper goes along its path, then the mate is given. True, or the state as it was.
bool GuidedPlay::bring(const Pattern& p, PieceType type, const Square* path, int steps) {
  if (++attempts_ > kMostAttempts) return false;
  const State start = at_;
  at_.avoid |= square_bit(p.at);
  at_.taken = p.taken;
  for (int i = 1; i <= steps; ++i) at_.avoid |= square_bit(path[i]);
  at_.used |= p.from;
  bool good = loser_waits(p.keep);
  for (int i = 0; good && i < steps; ++i) {
    const Bitboard to = square_bit(path[i + 1]);
    good = play(type, square_bit(path[i]), to, type);
    at_.used |= to;
    good = good && loser_waits(p.keep);
  }
  if (good && give_mate(p)) return true;
  at_ = start;
  return false;
}

// Looks for a man that can come to guard all open squares of a pattern.
bool GuidedPlay::bring_help(const Pattern& p) {
  const Scene s = at_.scene;
  const Bitboard goal = square_bit(p.at), home = square_bit(at_.home);
  const Bitboard all = s.occupied(), rest = all & ~p.from, board = (rest & ~home) | goal;
  const Bitboard free = ~s.side[kWinner] & ~s.of(PieceType::king) & ~p.keep & ~goal & ~at_.avoid;
  for (const PieceType type :
       {PieceType::knight, PieceType::bishop, PieceType::rook, PieceType::queen}) {
    const Bitboard men = s.of(type, kWinner) & ~p.from;
    if (!men) continue;
    const Bitboard quiet = free & ~piece_attacks(type, at_.home, rest);
    Bitboard posts = quiet;
    for (Bitboard o = p.open; o; o &= o - 1) {
      posts &= piece_attacks(type, lowest_square(o), board);
    }
    if (!posts) continue;
    for (Bitboard x = men; x; x &= x - 1) {
      const Bitboard from = first_of(x);
      const Bitboard reach = piece_attacks(type, lowest_square(from), all) & quiet;
      if (const Bitboard to = reach & posts) {
        const Square path[2] = {square_of(from), square_of(to)};
        if (bring(p, type, path, 1)) return true;
        continue;
      }
      for (Bitboard y = posts; y; y &= y - 1) {
        const Bitboard via = piece_attacks(type, lowest_square(y), rest & ~from) & reach;
        if (!via) continue;
        const Square path[3] = {square_of(from), square_of(via), square_of(y)};
        if (bring(p, type, path, 2)) return true;
        break;
      }
    }
  }
  // A pawn goes straight on.
  Bitboard posts = ~rest & ~goal & ~p.keep & ~kRank1 & ~kRank8 & ~pawn_aside(home, kLoser);
  for (Bitboard o = p.open; o; o &= o - 1) posts &= pawn_aside(first_of(o), kLoser);
  for (; posts; posts &= posts - 1) {
    Square path[8];
    int steps = 0;
    Bitboard x = first_of(posts);
    for (; x & ~rest; x >>= 8) path[7 - steps++] = square_of(x);
    if (!(x & s.of(PieceType::pawn, kWinner))) continue;
    path[7 - steps] = square_of(x);
    if (bring(p, PieceType::pawn, path + 7 - steps, steps)) return true;
  }
  // The king.
  const Bitboard safe =
      ~s.attacked(kLoser, 0, 0) & ~masks_of(at_.home).king & ~masks_of(s.king(kLoser)).king & free;
  posts = safe;
  for (Bitboard o = p.open; o; o &= o - 1) posts &= masks_of(lowest_square(o)).king;
  if (!posts) return false;
  Bitboard layers[kLongestWalk];
  int steps = 0;
  layers[0] = s.of(PieceType::king, kWinner);
  for (Bitboard seen = layers[0]; !(layers[steps] & posts); ++steps) {
    if (!layers[steps] || steps + 1 == kLongestWalk) return false;
    layers[steps + 1] = king_attacks(layers[steps]) & ((safe & ~all) | posts) & ~seen;
    seen |= layers[steps + 1];
  }
  Square path[kLongestWalk];
  Bitboard x = first_of(layers[steps] & posts);
  for (int i = steps; i >= 0; --i) {
    path[i] = square_of(x);
    if (i) x = first_of(masks_of(path[i]).king & layers[i - 1]);
  }
  return bring(p, PieceType::king, path, steps);
}

// True, or the state as it was.
bool GuidedPlay::attempt(const Pattern& p) {
  if (attempts_ >= kMostAttempts) return false;
  if (p.open) return bring_help(p);
  const State start = at_;
  ++attempts_;
  at_.avoid |= square_bit(p.at);
  at_.taken = p.taken;
  if (loser_waits(p.keep) && give_mate(p)) return true;
  at_ = start;
  return false;
}

// Tries a pattern that needs no help at once, keeps others for later.
void GuidedPlay::consider(const Pattern& p) {
  if (!p.open && !p.taken && !p.shut) {
    found_ = attempt(p);
  } else if (waiting_ < kMostPatterns) {
    later_[waiting_++] = p;
  }
}

// Where a queen or rook can go in up to three moves, the last of which may be a check.
Bitboard GuidedPlay::within_reach(PieceType type, Bitboard from) const {
  const Scene& s = at_.scene;
  const Bitboard all = s.occupied() & ~from;
  const Bitboard free =
      ~(s.side[kWinner] & ~from) & ~s.of(PieceType::king) & ~piece_attacks(type, at_.home, all);
  Bitboard reach = piece_attacks(type, lowest_square(from), all);
  for (int i = 0; i < 2; ++i) {
    const Bitboard men = reach & free;
    reach |= slides(men, type == PieceType::queen ? men : 0, ~all);
  }
  return reach;
}

// The checker stands beside the king, guarded.
void GuidedPlay::contacts(PieceType type, Bitboard from, Bitboard reach, Bitboard guarded) {
  constexpr int kMostOpen = 2;
  const Scene s = at_.scene;
  const Bitboard all = s.occupied() & ~from, home = square_bit(at_.home);
  const Bitboard near = masks_of(at_.home).king;
  Bitboard places = near & ~(s.side[kWinner] & ~from) & ~s.of(PieceType::king);
  if (type == PieceType::rook) places &= masks_of(at_.home).rank | masks_of(at_.home).file;
  for (; places && !found_; places &= places - 1) {
    const Bitboard at = first_of(places);
    Pattern p{type, from, lowest_square(at), at, 0};
    const Bitboard flights = near & ~(s.side[kLoser] & ~at) & ~guarded;
    p.open = (flights & ~piece_attacks(type, p.at, all & ~home)) | (at & ~guarded);
    if (few(p.open) > kMostOpen) continue;
    // One piece that could take the checker can go away; pawns and more pieces cannot.
    const Bitboard takers = s.attackers(p.at, all, kLoser) & ~s.of(PieceType::king);
    if (takers & ((takers - 1) | s.of(PieceType::pawn))) continue;
    p.taken = takers != 0;
    p.shut = !(at & reach);
    consider(p);
  }
}

// The checker stands further away on a rank or file where nobody comes between.
void GuidedPlay::lines(PieceType type, Bitboard from, Bitboard reach, Bitboard guarded) {
  constexpr int kMostOpen = 3;
  const Scene s = at_.scene;
  const Bitboard all = s.occupied() & ~from, home = square_bit(at_.home);
  const SquareMasks m = masks_of(at_.home);
  const Bitboard flights = m.king & ~s.side[kLoser] & ~guarded;
  const Bitboard at_once = piece_attacks(type, lowest_square(from), all);
  for (const Bitboard line : {m.rank, m.file}) {
    const Bitboard open = flights & ~line;
    if (few(open) > kMostOpen) continue;
    for (const bool up : {false, true}) {
      Pattern p{type, from, -1, 0, open};
      Bitboard keep = 0;
      Bitboard rest = line & (up ? ~(home - 1) : home - 1);
      for (bool beside = true; rest; beside = false) {
        const Bitboard at = up ? first_of(rest) : square_bit(highest_square(rest));
        rest ^= at;
        if (at & s.side[kWinner] & ~from) break;
        if (s.attackers(lowest_square(at), all, kLoser) & ~s.of(PieceType::king)) break;
        // A pawn may step between.
        if (line == m.rank && (pawn_ahead(at, kWinner) & s.of(PieceType::pawn, kLoser))) break;
        keep |= at;
        // The nearest square but one, unless the checker can go to another at once.
        if (!beside && (p.at < 0 || (at & at_once) || (p.shut && (at & reach)))) {
          p.at = lowest_square(at);
          p.keep = keep;
          p.shut = !(at & reach);
          if (at & at_once) break;
        }
        if (at & s.side[kLoser]) break;
      }
      if (p.at >= 0) consider(p);
      if (found_) return;
    }
  }
}

// Mates with the king at home.
bool GuidedPlay::patterns() {
  constexpr int kShut = 30;
  found_ = false;
  waiting_ = attempts_ = 0;
  const Bitboard queen = first_of(at_.scene.of(PieceType::queen, kWinner));
  const Bitboard rook = first_of(at_.scene.of(PieceType::rook, kWinner));
  const Bitboard home = square_bit(at_.home);
  Bitboard reach = 0, guarded = 0;
  if (queen) {
    reach = within_reach(PieceType::queen, queen);
    guarded = at_.scene.attacked(kWinner, queen, home);
    contacts(PieceType::queen, queen, reach, guarded);
    if (!found_) lines(PieceType::queen, queen, reach, guarded);
  }
  if (rook && !found_) {
    reach = within_reach(PieceType::rook, rook);
    guarded = at_.scene.attacked(kWinner, rook, home);
    lines(PieceType::rook, rook, reach, guarded);
    if (!found_) contacts(PieceType::rook, rook, reach, guarded);
  }
  for (int cost = 1; cost <= 4 && !found_; ++cost) {
    for (int i = 0; i < waiting_ && !found_; ++i) {
      const Pattern& p = later_[i];
      if (few(p.open) + (p.taken ? 1 : 0) + (p.shut ? kShut : 0) == cost) found_ = attempt(p);
    }
  }
  return found_;
}

// A pawn goes to promotion, straight or by captures of men that stand where they do.
bool GuidedPlay::promote() {
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
bool GuidedPlay::hunt() {
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
    for (const Bitboard targets_of_king :
         {to & ~near & ~king_attacks(near), to & ~near, to & near}) {
      for (Bitboard t = targets_of_king; t && !moved; t &= t - 1) {
        moved = play(PieceType::king, king, first_of(t), PieceType::king);
      }
      if (moved) break;
    }
    if (!moved && !loser_waits(0)) return false;
  }
  return false;
}

// The loser's king goes to the edge, where it is mated more easily; the winner waits.
bool GuidedPlay::walk() {
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
        const int cost = 2 * i + 2 * flights + steps_between(t, winner);
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
bool GuidedPlay::unlock() {
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
bool GuidedPlay::solve() {
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

bool GuidedPlay::find(const Position& position, bool us, unsigned rounds) {
  constexpr unsigned kDeeperAfter = 6;
  at_ = State{};
  at_.scene = Scene(position, us);
  at_.turn = us ? kWinner : kLoser;
  if (at_.scene.checked(opponent(at_.turn))) return false;  // impossible
  at_.checked = at_.scene.checked(at_.turn);
  if (!at_.checked && solve()) return true;
  const State start = at_;
  std::uint64_t random = position_mix(position);
  for (unsigned round = 0; round < rounds; ++round) {
    at_ = start;
    bool good = true;
    for (unsigned ply = 0; good && ply <= round / kDeeperAfter; ++ply) good = drift(random);
    if (good && at_.checked) good = drift(random);
    if (good && !at_.checked && solve()) return true;
  }
  return false;
}

void GuidedPlay::append_line(const Position& position, std::vector<Move>& line) const {
  Position p = position;
  // The winner moves last.
  bool winner = at_.plies % 2 != 0;
  for (int i = 0; i < at_.plies; ++i, winner = !winner) {
    const int mirror = winner ? 0 : 56;
    Move m;
    m.from = static_cast<Square>(line_[i].from ^ mirror);
    m.to = static_cast<Square>(line_[i].to ^ mirror);
    m.promotion = line_[i].promotion;
    if (code_at(p, m.from) == PieceType::pawn && m.to == m.from + 16)
      m.kind = MoveKind::double_push;
    line.push_back(m);
    p = make_move(p, m);
  }
}

}  // namespace cuarbiter
