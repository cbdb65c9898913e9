// Guided play, the mates: patterns with the loser's king at home, the way of the checker there, the
// help of another man.
#pragma once

#include "host/play/guided_play.hpp"

CUARBITER_RULES_BEGIN

inline constexpr int kMostAttempts = 12;  // of one round of plans

// The checker goes to its place in up to three moves, waits for the king to be at home, and mates.
CUARBITER_HD_APART bool GuidedPlay::give_mate(const Pattern& p) {
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
CUARBITER_HD_APART bool GuidedPlay::bring(const Pattern& p, PieceType type, const Square* path,
                                          int steps) {
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
CUARBITER_HD_APART bool GuidedPlay::bring_help(const Pattern& p) {
  const Scene s = at_.scene;
  const Bitboard goal = square_bit(p.at), home = square_bit(at_.home);
  const Bitboard all = s.occupied(), rest = all & ~p.from, board = (rest & ~home) | goal;
  const Bitboard free = ~s.side[kWinner] & ~s.of(PieceType::king) & ~p.keep & ~goal & ~at_.avoid;
  for (int kind = 2; kind <= 5; ++kind) {  // knights, bishops, rooks, queens
    const auto type = static_cast<PieceType>(kind);
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
CUARBITER_HD_APART bool GuidedPlay::attempt(const Pattern& p) {
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
CUARBITER_HD_APART void GuidedPlay::consider(const Pattern& p) {
  if (!p.open && !p.taken && !p.shut) {
    found_ = attempt(p);
  } else if (waiting_ < kMostPatterns) {
    later_[waiting_++] = p;
  }
}

// Where a queen or rook can go in up to three moves, the last of which may be a check.
CUARBITER_HD_APART Bitboard GuidedPlay::within_reach(PieceType type, Bitboard from) const {
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
CUARBITER_HD_APART void GuidedPlay::contacts(PieceType type, Bitboard from, Bitboard reach,
                                             Bitboard guarded) {
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
CUARBITER_HD_APART void GuidedPlay::lines(PieceType type, Bitboard from, Bitboard reach,
                                          Bitboard guarded) {
  constexpr int kMostOpen = 3;
  const Scene s = at_.scene;
  const Bitboard all = s.occupied() & ~from, home = square_bit(at_.home);
  const SquareMasks m = masks_of(at_.home);
  const Bitboard flights = m.king & ~s.side[kLoser] & ~guarded;
  const Bitboard at_once = piece_attacks(type, lowest_square(from), all);
  for (int upright = 0; upright < 2; ++upright) {
    const Bitboard line = upright ? m.file : m.rank;
    const Bitboard open = flights & ~line;
    if (few(open) > kMostOpen) continue;
    for (int direction = 0; direction < 2; ++direction) {
      const bool up = direction != 0;
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
CUARBITER_HD_APART bool GuidedPlay::patterns() {
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

CUARBITER_RULES_END
