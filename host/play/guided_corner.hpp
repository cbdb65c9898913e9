// The plan of a lone minor piece: the loser's king in a corner, a man of its own beside it, the
// winner's king two squares away; knight or bishop gives the mate.
//
// Four men go their ways at the same time: the loser's king to the corner, its man to the square
// next to it that the winner's king does not guard (last of all, as its last move), the winner's
// king to its post, the minor piece to within one move of mate. Who has arrived waits for the rest.
#pragma once

#include "host/play/guided_play.hpp"
#include "host/rules/game_state.hpp"

CUARBITER_RULES_BEGIN

namespace detail {

// Squares by the number of moves that a man needs to a goal over squares that are free.
struct Way {
  static constexpr int kFar = 9;

  Bitboard layers[kFar];
  int length = kFar;  // moves from the man's place; kFar: too many

  // `type`: a pawn is the loser's and goes straight down.
  CUARBITER_HD Way(PieceType type, Bitboard from, Bitboard goal, Bitboard free) {
    free |= from;
    layers[0] = goal;
    Bitboard seen = goal;
    for (int i = 0; i < kFar; ++i) {
      if ((seen & from) && length == kFar) length = i;
      if (i + 1 == kFar) break;
      layers[i + 1] = (type == PieceType::pawn ? layers[i] << 8
                                               : attacks_from(type, kWinner, layers[i], free)) &
                      free & ~seen;
      seen |= layers[i + 1];
    }
  }
  CUARBITER_HD int from(Bitboard place) const {
    int i = 0;
    while (i < kFar && !(layers[i] & place)) ++i;
    return i;
  }
};

}  // namespace detail

// Four men on their ways.
class GuidedPlay::Assembly {
 public:
  CUARBITER_HD Assembly(GuidedPlay& guided, const Corner& c)
      : g_(guided),
        c_(c),
        corner_(square_bit(c.corner)),
        post_(square_bit(c.post)),
        near_(masks_of(c.corner).king),
        minor_(c.minor_from),
        filler_(c.filler_from),
        free_(~guided.at_.scene.occupied() | guided.at_.scene.of(PieceType::king) | minor_ |
              filler_),
        king_way_(PieceType::king, king(kLoser), corner_,
                  free_ & ~scene().attacked(kWinner, minor_ | scene().of(PieceType::king), 0)),
        post_way_(PieceType::king, king(kWinner), post_,
                  free_ & ~corner_ & ~near_ &
                      ~scene().attacked(kLoser, filler_ | scene().of(PieceType::king), 0)),
        minor_way_(c.minor, minor_, c.at, free_ & ~post_ & ~corner_),
        filler_way_(c.filler, filler_, c.fill, free_ & ~post_ & ~corner_) {}

  // True when the mate was given; else the state is spoilt.
  CUARBITER_HD bool run() {
    constexpr int kDelays = 6;
    const int lengths[] = {king_way_.length, post_way_.length, minor_way_.length,
                           filler_way_.length};
    int last = g_.at_.plies + 2 * kDelays;
    for (const int length : lengths) {
      if (length >= Way::kFar) return false;
      last += 2 * length;
    }
    if (last > kMostPlies - 2) last = kMostPlies - 2;
    while (g_.at_.plies < last && !mated_) {
      if (!(g_.at_.turn == kWinner ? winner_moves() : loser_moves())) return false;
    }
    return mated_;
  }

 private:
  using Way = detail::Way;

  CUARBITER_HD const Scene& scene() const { return g_.at_.scene; }
  CUARBITER_HD Bitboard king(Role role) const { return scene().of(PieceType::king, role); }

  // Moves a man to one of some empty squares, of which it tries a few.
  CUARBITER_HD bool go(PieceType type, Bitboard& man, Bitboard targets, int most) {
    const Bitboard all = scene().occupied();
    Bitboard to = (type == PieceType::pawn ? pawn_ahead(man, kLoser)
                                           : piece_attacks(type, lowest_square(man), all)) &
                  targets & ~all;
    for (int i = 0; to && i < most; to &= to - 1, ++i) {
      const Bitboard target = first_of(to);
      if (g_.play(type, man, target, type)) {
        man = target;
        return true;
      }
    }
    return false;
  }
  CUARBITER_HD bool king_goes(Role role, Bitboard targets, int most) {
    Bitboard from = king(role);
    return go(PieceType::king, from, targets, most);
  }

  CUARBITER_HD bool gives_mate() {
    Bitboard at = piece_attacks(c_.minor, lowest_square(minor_), scene().occupied()) & c_.at;
    for (; at; at &= at - 1) {
      const State before = g_.at_;
      if (g_.play(c_.minor, minor_, first_of(at), c_.minor, true) && g_.at_.checked &&
          !has_legal_move(scene().position(kLoser))) {
        return true;
      }
      g_.at_ = before;
    }
    return false;
  }

  // False when there is no way to go on.
  CUARBITER_HD bool winner_moves() {
    const bool arrived = king(kLoser) == corner_;
    const int to_mate = minor_way_.from(minor_);
    if (arrived && king(kWinner) == post_ && filler_ == c_.fill && to_mate == 1) {
      return mated_ = gives_mate();
    }
    // Not to the post before the other king is through, whose next step is left alone.
    const int way = post_way_.from(king(kWinner)), least = arrived ? 0 : 3;
    const int next = way > least ? way - 1 : way < least ? way + 1 : Way::kFar;
    if (way < Way::kFar && next < Way::kFar && king_goes(kWinner, post_way_.layers[next], 3))
      return true;
    Bitboard quiet = ~Bitboard{0};
    if (!arrived) {
      const int left = king_way_.from(king(kLoser));
      Bitboard steps = left < Way::kFar ? king_way_.layers[left - 1] : 0;
      for (steps &= king_attacks(king(kLoser)); steps; steps &= steps - 1) {
        quiet &= ~piece_attacks(c_.minor, lowest_square(steps), scene().occupied() & ~minor_);
      }
    }
    if (to_mate > 1 && to_mate < Way::kFar &&
        go(c_.minor, minor_, minor_way_.layers[to_mate - 1] & quiet, 3)) {
      return true;
    }
    return go(c_.minor, minor_, minor_way_.layers[1] & quiet, 3) ||
           go(c_.minor, minor_, minor_way_.layers[2] & quiet, 3) ||
           go(c_.minor, minor_, ~c_.at & ~near_ & quiet, 3) || king_goes(kWinner, ~near_, 8);
  }

  CUARBITER_HD bool loser_moves() {
    if (g_.at_.checked) return false;
    const bool arrived = king(kLoser) == corner_;
    const int to_fill = filler_way_.from(filler_);
    const bool ready = arrived && king(kWinner) == post_ && minor_way_.from(minor_) == 1;
    if (ready && to_fill == 1 && go(c_.filler, filler_, c_.fill, 1)) return true;
    if (!arrived) {
      const int way = king_way_.from(king(kLoser));
      if (way < Way::kFar && king_goes(kLoser, king_way_.layers[way - 1], 3)) return true;
    }
    if (to_fill > 1 && to_fill < Way::kFar &&
        go(c_.filler, filler_, filler_way_.layers[to_fill - 1], 3)) {
      return true;
    }
    return loser_waits();
  }

  // Others wait, then the filler near its place, then the king.
  CUARBITER_HD bool loser_waits() {
    const Scene& s = scene();
    const Bitboard avoid = s.occupied() | near_ | corner_ | post_ | c_.at;
    const Bitboard others = s.side[kLoser] & ~s.of(PieceType::king) & ~filler_;
    for (int i = 2; i <= 5; ++i) {  // knights, bishops, rooks, queens
      const auto type = static_cast<PieceType>(i);
      if (g_.piece_waits(type, others & s.of(type), first_of(c_.at), avoid)) return true;
    }
    const bool piece = c_.filler != PieceType::pawn;
    if (piece && (go(c_.filler, filler_, filler_way_.layers[1], 3) ||
                  go(c_.filler, filler_, filler_way_.layers[2], 3))) {
      return true;
    }
    Bitboard pawns = pawn_ahead(others & s.of(PieceType::pawn), kLoser) & ~avoid & ~kRank1;
    for (; pawns; pawns &= pawns - 1) {
      const Bitboard to = first_of(pawns);
      if (g_.play(PieceType::pawn, to << 8, to, PieceType::pawn)) return true;
    }
    return king_goes(kLoser, ~c_.fill, 8) ||
           (piece && go(c_.filler, filler_, ~corner_ & ~post_, 4));
  }

  GuidedPlay& g_;
  const Corner& c_;
  const Bitboard corner_, post_, near_;
  Bitboard minor_, filler_;  // where they stand
  const Bitboard free_;      // squares that are empty, or are of those four
  const Way king_way_, post_way_, minor_way_, filler_way_;
  bool mated_ = false;
};

// Everybody to their places, then mate. True, or the state as it was.
CUARBITER_HD_APART bool GuidedPlay::assemble(const Corner& corner) {
  const State start = at_;
  if (Assembly(*this, corner).run()) return true;
  at_ = start;
  return false;
}

// A pawn of the loser becomes a knight, the winner waits.
CUARBITER_HD_APART bool GuidedPlay::loser_promotes() {
  constexpr int kMostSteps = 6;
  const Scene s = at_.scene;
  const Bitboard victims = s.side[kWinner] & ~s.of(PieceType::king) & ~s.of(PieceType::knight) &
                           ~s.of(PieceType::bishop);
  Bitboard layers[kMostSteps + 1];
  int steps = 0;
  layers[0] = s.of(PieceType::pawn, kLoser);
  for (; !(layers[steps] & kRank1); ++steps) {
    if (!layers[steps] || steps == kMostSteps) return false;
    layers[steps + 1] = (pawn_ahead(layers[steps], kLoser) & ~s.occupied()) |
                        (pawn_aside(layers[steps], kLoser) & victims);
  }
  Bitboard way[kMostSteps + 1];
  const Bitboard before = at_.avoid;
  way[steps] = first_of(layers[steps] & kRank1);
  for (int i = steps; i >= 1; --i) {
    at_.avoid |= way[i];
    const Bitboard from =
        victims & way[i] ? pawn_aside(way[i], kWinner) : pawn_ahead(way[i], kWinner);
    way[i - 1] = first_of(from & layers[i - 1]);
  }
  for (int i = 1; i <= steps; ++i) {
    const PieceType becomes = i == steps ? PieceType::knight : PieceType::pawn;
    if (at_.turn == kWinner && !winner_waits()) return false;
    if (!play(PieceType::pawn, way[i - 1], way[i], becomes)) return false;
  }
  at_.avoid = before;
  return true;
}

// The corners where the kings and the loser's man may be put for a mate by a minor piece. What a
// man that fills the square beside the king may not be: one that could take the checker or step
// between, whatever the square.
CUARBITER_HD_APART int GuidedPlay::corners(Corner* list, int* costs, int most) const {
  const Scene& s = at_.scene;
  int count = 0;
  const int loser = s.king(kLoser), winner = s.king(kWinner);
  for (int kind = 2; kind <= 3; ++kind) {  // knight, bishop
    const auto minor = static_cast<PieceType>(kind);
    const Bitboard from = first_of(s.of(minor, kWinner));
    if (!from) continue;
    const bool bishop = minor == PieceType::bishop;
    for (int i = 0; i < 4; ++i) {
      const int corner = (i & 1 ? 7 : 0) + (i & 2 ? 56 : 0);
      const bool light = (square_bit(corner) & kLightSquares) != 0;
      if (bishop && ((from & kLightSquares) != 0) != light) continue;
      const SquareMasks masks = masks_of(corner);
      const Bitboard checks = bishop ? masks.diagonal | masks.anti : masks.knight;
      Bitboard posts = king_attacks(masks.king) & ~masks.king & ~square_bit(corner);
      for (; posts; posts &= posts - 1) {
        const int post = lowest_square(posts);
        const Bitboard fill = masks.king & ~masks_of(post).king;
        if (fill & (fill - 1)) continue;
        const int cost = king_steps(loser, corner) + king_steps(winner, post);
        for (int other = 1; other <= 4; ++other) {  // pawn, knight, bishop, rook
          const auto filler = static_cast<PieceType>(other);
          Bitboard men = s.of(filler, kLoser);
          if (filler == PieceType::rook && bishop) continue;
          // Nor one that checks the winner's king from there.
          if (filler != PieceType::pawn && (piece_attacks(filler, post, 0) & fill)) continue;
          // The square has the colour that the corner has not.
          if (filler == PieceType::bishop) men &= light ? ~kLightSquares : kLightSquares;
          if (filler == PieceType::pawn) {
            const Bitboard file = kFileA << (lowest_square(fill) & 7);
            men &= fill & (kRank1 | kRank8) ? 0 : file & ~(fill - 1);
            men = first_of(men);
          }
          for (; men && count < most; men &= men - 1) {
            costs[count] = cost + king_steps(lowest_square(men), lowest_square(fill));
            list[count++] = {minor,  filler, from, first_of(men), fill, checks & ~square_bit(post),
                             corner, post};
          }
        }
      }
    }
  }
  return count;
}

// True, or the state as it was.
CUARBITER_HD_APART bool GuidedPlay::cornered() {
  constexpr int kMost = 64, kMostCorners = 2, kTried = 1000;
  const State start = at_;
  for (int promotions = 0; promotions < 2; ++promotions) {
    if (promotions && !loser_promotes()) break;
    Corner list[kMost];
    int costs[kMost];
    const int count = corners(list, costs, kMost);
    const State ready = at_;
    for (int tries = 0; tries < kMostCorners && count != 0; ++tries) {
      int best = 0;
      for (int i = 1; i < count; ++i) {
        if (costs[i] < costs[best]) best = i;
      }
      if (costs[best] == kTried) break;
      costs[best] = kTried;
      if (assemble(list[best])) return true;
      at_ = ready;
    }
  }
  at_ = start;
  return false;
}

CUARBITER_RULES_END
