// Guided play, the moves: made and checked, waiting moves of both sides, moves by chance.
#pragma once

#include "host/play/guided_play.hpp"

CUARBITER_RULES_BEGIN

// Makes a move of the side to move if it is legal. A check is taken as a failure unless it may be
// given. After a failure everything is as it was.
CUARBITER_HD_APART bool GuidedPlay::play(PieceType type, Bitboard from, Bitboard to,
                                         PieceType becomes, bool may_check) {
  Scene& s = at_.scene;
  const Role role = at_.turn, other = opponent(role);
  const Bitboard before = s.occupied();
  if (at_.plies == kMostPlies || !(s.of(type, role) & from) ||
      ((s.side[role] | s.of(PieceType::king)) & to)) {
    return false;
  }
  if (type == PieceType::pawn) {
    const Bitboard ahead = pawn_ahead(from, role) & ~before;
    const Bitboard two = pawn_ahead(ahead & first_step(role), role) & ~before;
    if (!(to & (ahead | two | (pawn_aside(from, role) & s.side[other])))) return false;
    const bool promotes = (to & (kRank1 | kRank8)) != 0;
    if (promotes != (becomes != PieceType::pawn) || becomes == PieceType::king) return false;
  } else if (becomes != type || !(piece_attacks(type, lowest_square(from), before) & to)) {
    return false;
  }
  const Bitboard after = (before & ~from) | to;
  if (type == PieceType::king) {
    if (s.attackers(lowest_square(to), after, other) & ~to) return false;
  } else {
    const int own = s.king(role);
    if ((at_.checked || s.may_open(masks_of(own), from, other)) &&
        (s.attackers(own, after, other) & ~to)) {
      return false;
    }
  }
  // A check is direct, or discovered along a line that the man has left.
  const int king = s.king(other);
  const SquareMasks m = masks_of(king);
  bool check = false;
  if (becomes == PieceType::pawn) {
    check = (pawn_aside(to, role) & square_bit(king)) != 0;
  } else if (becomes == PieceType::knight) {
    check = (m.knight & to) != 0;
  } else if (becomes != PieceType::king && (lines_through(m) & to)) {
    check = (piece_attacks(becomes, king, after) & to) != 0;
  }
  if (!check && s.may_open(m, from, role)) check = (s.attackers(king, after, role) & ~from) != 0;
  if (check && !may_check) return false;
  s.move(type, from, to, role, becomes);
  at_.checked = check;
  line_[at_.plies++] = {square_of(from), square_of(to),
                        becomes == type ? PieceType::none : becomes};
  at_.turn = other;
  return true;
}

// If it is the loser's turn: a move that changes little, none of its men coming to attack `keep`.
CUARBITER_HD_APART bool GuidedPlay::loser_waits(Bitboard keep) {
  if (at_.turn != kLoser) return true;
  if (at_.checked) return king_escapes();
  if (at_.step < at_.steps) {
    const Bitboard to = square_bit(path_[at_.step++]);
    return play(PieceType::king, at_.scene.of(PieceType::king, kLoser), to, PieceType::king);
  }
  const Scene& s = at_.scene;
  const Bitboard all = s.occupied(), own = s.side[kLoser];
  const Bitboard near = masks_of(at_.home).king;
  const Bitboard avoid = all | at_.avoid | near | keep;
  const Bitboard men = own & ~s.of(PieceType::pawn) & ~s.of(PieceType::king);
  if (men) {
    Bitboard guards = 0;
    if (at_.taken) {
      guards = s.attackers(lowest_square(keep), all, kLoser) & men;
      const Bitboard guard = first_of(guards);
      if (guard && piece_waits(s.type_at(guard), guard, keep, avoid)) {
        at_.waits_from = 0;
        return true;
      }
    }
    if (at_.waits_at & men) {
      if (at_.waits_from & ~avoid) {
        const Bitboard from = at_.waits_at, to = at_.waits_from;
        if (play(at_.waiter, from, to, at_.waiter)) {
          at_.waits_at = to;
          at_.waits_from = from;
          return true;
        }
      }
      if (piece_waits(at_.waiter, at_.waits_at, keep, avoid)) return true;
    }
    const Bitboard rest = men & ~near & ~guards;
    for (int i = 2; i <= 5; ++i) {  // knights, bishops, rooks, queens
      const auto type = static_cast<PieceType>(i);
      if (piece_waits(type, rest & s.of(type), keep, avoid)) return true;
    }
  }
  Bitboard to = pawn_ahead(own & s.of(PieceType::pawn) & ~near, kLoser) & ~avoid & ~kRank1;
  for (int i = 0; to && i < 4; to &= to - 1, ++i) {
    const Bitboard target = first_of(to);
    if (pawn_aside(target, kLoser) & keep) continue;
    if (play(PieceType::pawn, target << 8, target, PieceType::pawn)) return true;
  }
  return king_waits();
}

// A waiting move of the loser by one of some men of a type.
CUARBITER_HD_APART bool GuidedPlay::piece_waits(PieceType type, Bitboard men, Bitboard keep,
                                                Bitboard avoid) {
  if (!men) return false;
  const Scene& s = at_.scene;
  const Bitboard all = s.occupied();
  // No check to the winner either.
  avoid |= piece_attacks(type, s.king(kWinner), all);
  for (int i = 0; men && i < 3; men &= men - 1, ++i) {
    const Bitboard from = first_of(men);
    Bitboard to = piece_attacks(type, lowest_square(from), all) & ~avoid;
    for (int j = 0; to && j < 4; to &= to - 1, ++j) {
      const Bitboard target = first_of(to);
      if (keep & piece_attacks(type, lowest_square(target), all & ~from)) continue;
      if (play(type, from, target, type)) {
        at_.waiter = type;
        at_.waits_at = target;
        at_.waits_from = from;
        return true;
      }
    }
  }
  return false;
}

// The loser's king leaves home or comes back.
CUARBITER_HD_APART bool GuidedPlay::king_waits() {
  const Scene& s = at_.scene;
  const int king = s.king(kLoser);
  const Bitboard from = square_bit(king), home = square_bit(at_.home);
  if (king != at_.home) return play(PieceType::king, from, home, PieceType::king);
  for (Bitboard to = masks_of(king).king & ~s.occupied(); to; to &= to - 1) {
    if (play(PieceType::king, from, first_of(to), PieceType::king)) return true;
  }
  return false;
}

// The loser's king goes out of check, if it can without taking a piece; its home is there then.
CUARBITER_HD_APART bool GuidedPlay::king_escapes() {
  const Scene& s = at_.scene;
  const int king = s.king(kLoser);
  const Bitboard pieces = s.side[kWinner] & ~s.of(PieceType::pawn);
  for (int takes = 0; takes < 2; ++takes) {
    Bitboard to = masks_of(king).king & ~s.side[kLoser] & (takes ? pieces : ~pieces);
    for (; to; to &= to - 1) {
      if (play(PieceType::king, square_bit(king), first_of(to), PieceType::king)) {
        at_.home = static_cast<std::uint8_t>(at_.scene.king(kLoser));
        at_.step = at_.steps = 0;
        return true;
      }
    }
  }
  return false;
}

// A move of the winner that changes little: of the king, of another man that is not needed.
CUARBITER_HD_APART bool GuidedPlay::winner_waits() {
  const Scene& s = at_.scene;
  const Bitboard all = s.occupied(), own = s.side[kWinner] & ~at_.used;
  const Bitboard avoid = all | at_.avoid | masks_of(at_.home).king;
  int tries = 0;
  for (int i = 6; i >= 2; --i) {
    const auto type = static_cast<PieceType>(i);
    for (Bitboard men = own & s.of(type); men && tries < 8; men &= men - 1) {
      const Bitboard from = first_of(men);
      Bitboard to = piece_attacks(type, lowest_square(from), all) & ~avoid &
                    ~piece_attacks(type, at_.home, all & ~from);
      for (int j = 0; to && j < 3; to &= to - 1, ++j, ++tries) {
        if (play(type, from, first_of(to), type)) return true;
      }
    }
  }
  Bitboard to = pawn_ahead(own & s.of(PieceType::pawn), kWinner) & ~avoid & ~kRank8;
  for (int j = 0; to && j < 4; to &= to - 1, ++j) {
    if (play(PieceType::pawn, first_of(to) >> 8, first_of(to), PieceType::pawn)) return true;
  }
  return false;
}

// A legal move by chance; of the winner every other time a capture if there is one.
CUARBITER_HD_APART bool GuidedPlay::drift(std::uint64_t& random) {
  constexpr unsigned kMost = 224;
  Move moves[kMost];
  unsigned count = 0, captures = 0;
  const Bitboard all = at_.scene.occupied();
  const int mirror = at_.turn == kWinner ? 0 : 56;
  for_each_legal_move(at_.scene.position(at_.turn), [&](Move m) {
    if (count == kMost) return;
    m.from = static_cast<Square>(m.from ^ mirror);
    m.to = static_cast<Square>(m.to ^ mirror);
    moves[count++] = m;
    if (at_.turn == kWinner && (square_bit(m.to) & all)) {
      const Move first = moves[captures];
      moves[captures++] = moves[count - 1];
      moves[count - 1] = first;
    }
  });
  if (count == 0) return false;
  random = random * 6364136223846793005u + 1442695040888963407u;
  const auto r = static_cast<unsigned>(random >> 33);
  const Move m = moves[(r >> 1) % (captures && (r & 1) ? captures : count)];
  const PieceType type = at_.scene.type_at(square_bit(m.from));
  const PieceType becomes = m.promotion == PieceType::none ? type : m.promotion;
  return play(type, square_bit(m.from), square_bit(m.to), becomes, true);
}

CUARBITER_RULES_END
