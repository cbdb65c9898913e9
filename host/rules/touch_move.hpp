// The touch-move rule: what a player who has deliberately touched men may still play. FIDE Laws of
// Chess (2023), article 4.
//
// - 4.3.1 own men only: the first touched that can be moved is moved;
// - 4.3.2 the opponent's men only: the first touched that can be captured is captured;
// - 4.3.3 both: the first touched own man captures the first touched man of the opponent; where
// that
//   is illegal, the first touched that can be moved or captured is;
// - 4.4.1 king, then rook: castling on that side if it is legal;
// - 4.4.2 rook, then king: no castling on that side, else as 4.3.1;
// - 4.4.3 king, then a rook with which castling is illegal: another move of the king, castling with
//   the other rook among them; without one any legal move;
// - 4.4.4 a promotion is chosen when the piece is placed: touching binds nobody to a piece;
// - 4.5 none of the touched men can be moved or captured: any legal move.
//
// Castling is a move of the king (3.8.2), never one of the rook. Where the Laws do not say how two
// of these articles go together: 4.4.3 gives up 4.3.1 only when the king was the first man touched
// and a rook the second; the king having to move for another reason, a rook touched after it still
// binds to castling (4.4.1); castling forbidden by 4.4.2 stays forbidden under 4.3.3 and 4.5,
// unless it is the only legal move there is. Whoever cannot tell which colour was touched first
// gives the own man first (4.3.3).
#pragma once

#include <cstdint>

#include "host/rules/movegen.hpp"

namespace cuarbiter {

// What touching binds the player to.
struct TouchDuty {
  enum class Kind : std::uint8_t {
    none,       // any legal move
    move,       // one of the man on `man`
    capture,    // one that takes the man on `victim`
    take_with,  // the man on `man` takes the man on `victim`
    castle,     // castling with the rook on `man`
  };
  Kind kind = Kind::none;
  Square man = kNoSquare;
  Square victim = kNoSquare;
  Bitboard no_castling = 0;  // rooks with which the player may not castle
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

namespace detail {

// Where the man stands that a move takes; kNoSquare for none.
CUARBITER_HD_INLINE Square victim_square(const Position& p, Move m) {
  if (m.kind == MoveKind::castling) return kNoSquare;
  if (m.kind == MoveKind::en_passant) return static_cast<Square>(m.to - 8);
  return (p.a | p.b | p.c) & square_bit(m.to) ? m.to : kNoSquare;
}

// The men touched, in order.
struct Touches {
  Square first_own = kNoSquare, first_theirs = kNoSquare;
  Square king_then_rook = kNoSquare;  // the second man, when the first two are king and rook
  Bitboard before_king = 0;           // own rooks touched before the king
  Bitboard after_king = 0;            //   and after it
  bool king = false;
};

CUARBITER_HD_INLINE Touches look_at_touches(const BoardView<Bitboard>& v, const Square* touched,
                                            unsigned count) {
  Touches t;
  const Bitboard own_rooks = v.rooks() & v.us;
  Bitboard men = 0;
  for (unsigned i = 0; i < count; ++i) {
    const Bitboard bit = square_bit(touched[i]);
    if (!(v.occupied & bit & ~men)) continue;
    men |= bit;
    if (v.them & bit) {
      if (t.first_theirs == kNoSquare) t.first_theirs = touched[i];
      continue;
    }
    if (t.first_own == kNoSquare) t.first_own = touched[i];
    if (v.kings() & bit) t.king = true;
    if (!(own_rooks & bit)) continue;
    if (!t.king) {
      t.before_king |= bit;
    } else {
      t.after_king |= bit;
      if (popcount(men) == 2) t.king_then_rook = touched[i];
    }
  }
  return t;
}

// What can be done at all, castling that is forbidden left out.
struct TouchedReach {
  Bitboard movable = 0;     // men with a legal move
  Bitboard capturable = 0;  // men of the opponent that some move takes
  Bitboard castling = 0;    // rooks with which castling is legal
  bool any = false;         // some legal move is not forbidden
  bool pair = false;        // the first own man can take the first of the opponent
};

CUARBITER_HD_INLINE TouchedReach touched_reach(const Position& p, const Touches& t,
                                               Bitboard no_castling) {
  TouchedReach r;
  for_each_legal_move(p, [&](Move m) {
    const bool castling = m.kind == MoveKind::castling;
    if (castling && (no_castling & square_bit(m.to))) return;
    r.any = true;
    r.movable |= square_bit(m.from);
    if (castling) r.castling |= square_bit(m.to);
    const Square victim = victim_square(p, m);
    if (victim == kNoSquare) return;
    r.capturable |= square_bit(victim);
    r.pair |= m.from == t.first_own && victim == t.first_theirs;
  });
  return r;
}

}  // namespace detail

// What having touched the men on `touched` (in the mover's view, in this order) binds the side to
// move to. Empty squares and repeated ones do not count.
CUARBITER_HD TouchDuty touch_duty(const Position& p, const Square* touched, unsigned count) {
  using Kind = TouchDuty::Kind;
  const BoardView<Bitboard> v = view(p);
  const detail::Touches t = detail::look_at_touches(v, touched, count);
  TouchDuty duty;
  duty.no_castling = t.king ? t.before_king : 0;
  detail::TouchedReach reach = detail::touched_reach(p, t, duty.no_castling);
  if (!reach.any && duty.no_castling) {
    duty.no_castling = 0;
    reach = detail::touched_reach(p, t, 0);
  }
  const auto bind = [&duty](Kind kind, Square man, Square victim) {
    duty.kind = kind;
    duty.man = man;
    duty.victim = victim;
    return duty;
  };
  // A move of the king: castling with a rook touched after it where that can be (4.4.1).
  const auto bind_king = [&](Square king) {
    for (unsigned i = 0; i < count; ++i) {
      if (t.after_king & reach.castling & square_bit(touched[i])) {
        return bind(Kind::castle, touched[i], kNoSquare);
      }
    }
    return bind(Kind::move, king, kNoSquare);
  };
  if (t.king_then_rook != kNoSquare) {
    // 4.4.1 and 4.4.3.
    return reach.movable & square_bit(t.first_own) ? bind_king(t.first_own) : duty;
  }
  if (reach.pair) return bind(Kind::take_with, t.first_own, t.first_theirs);
  for (unsigned i = 0; i < count; ++i) {
    const Bitboard bit = square_bit(touched[i]);
    if (v.them & bit & reach.capturable) return bind(Kind::capture, kNoSquare, touched[i]);
    if (v.us & bit & reach.movable) {
      return v.kings() & bit ? bind_king(touched[i]) : bind(Kind::move, touched[i], kNoSquare);
    }
  }
  return duty;
}

// True when a legal move does what the duty asks.
CUARBITER_HD_INLINE bool touch_allows(const TouchDuty& duty, const Position& p, Move m) {
  using Kind = TouchDuty::Kind;
  if (m.kind == MoveKind::castling && (duty.no_castling & square_bit(m.to))) return false;
  switch (duty.kind) {
    case Kind::none:
      return true;
    case Kind::move:
      return m.from == duty.man;
    case Kind::capture:
      return detail::victim_square(p, m) == duty.victim;
    case Kind::take_with:
      return m.from == duty.man && detail::victim_square(p, m) == duty.victim;
    case Kind::castle:
      return m.kind == MoveKind::castling && m.to == duty.man;
  }
  return false;
}

CUARBITER_RULES_END
