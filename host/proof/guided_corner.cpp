// The plan of a lone minor piece: the loser's king in a corner, a man of its own beside it, the
// winner's king two squares away; knight or bishop gives the mate.
//
// Four men go their ways at the same time: the loser's king to the corner, its man to the square
// next to it that the winner's king does not guard (last of all, as its last move), the winner's
// king to its post, the minor piece to within one move of mate. Who has arrived waits for the rest.
#include <algorithm>
#include <initializer_list>

#include "host/proof/guided_play.hpp"
#include "host/rules/game_state.hpp"

namespace cuarbiter {
namespace {

constexpr int kFar = 9;

// Squares by the number of moves that a man needs to a goal over squares that are free.
struct Way {
  Bitboard layers[kFar];
  int length = kFar;  // moves from the man's place; kFar: too many

  // `type`: a pawn is the loser's and goes straight down.
  Way(PieceType type, Bitboard from, Bitboard goal, Bitboard free) {
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
  int from(Bitboard place) const {
    int i = 0;
    while (i < kFar && !(layers[i] & place)) ++i;
    return i;
  }
};

int king_steps(int x, int y) {
  const int files = (x & 7) - (y & 7), ranks = (x >> 3) - (y >> 3);
  return std::max(files < 0 ? -files : files, ranks < 0 ? -ranks : ranks);
}

}  // namespace

// Everybody to their places, then mate. True, or the state as it was.
bool GuidedPlay::assemble(const Corner& c) {
  const State start = at_;
  const Scene& first = start.scene;
  const Bitboard corner = square_bit(c.corner), post = square_bit(c.post);
  Bitboard minor = c.minor_from, filler = c.filler_from;
  const Bitboard kings = first.of(PieceType::king);
  const Bitboard still = first.occupied() & ~kings & ~minor & ~filler;
  const Bitboard free = ~still;
  const Way king_way(PieceType::king, first.of(PieceType::king, kLoser), corner,
                     free & ~first.attacked(kWinner, minor | kings, 0));
  const Way post_way(
      PieceType::king, first.of(PieceType::king, kWinner), post,
      free & ~corner & ~masks_of(c.corner).king & ~first.attacked(kLoser, filler | kings, 0));
  const Way minor_way(c.minor, minor, c.at, free & ~post & ~corner);
  const Way filler_way(c.filler, filler, c.fill, free & ~post & ~corner);
  if (std::max({king_way.length, post_way.length, minor_way.length, filler_way.length}) >= kFar) {
    return false;
  }
  const Bitboard near = masks_of(c.corner).king;
  const int last =
      std::min<int>(kMostPlies - 2, at_.plies + 2 * (king_way.length + post_way.length +
                                                     minor_way.length + filler_way.length + 6));
  while (at_.plies < last) {
    const Scene& s = at_.scene;
    const Bitboard all = s.occupied();
    const Bitboard loser = s.of(PieceType::king, kLoser), winner = s.of(PieceType::king, kWinner);
    const int to_mate = minor_way.from(minor), to_fill = filler_way.from(filler);
    // Tries the moves of a man to some squares.
    const auto go = [&](PieceType type, Bitboard& man, Bitboard targets, int most) {
      Bitboard to = (type == PieceType::pawn ? pawn_ahead(man, kLoser)
                                             : piece_attacks(type, lowest_square(man), all)) &
                    targets & ~all;
      for (int i = 0; to && i < most; to &= to - 1, ++i) {
        const Bitboard target = first_of(to);
        if (play(type, man, target, type)) {
          man = target;
          return true;
        }
      }
      return false;
    };
    if (at_.turn == kWinner) {
      if (loser == corner && winner == post && filler == c.fill && to_mate == 1) {
        Bitboard at = piece_attacks(c.minor, lowest_square(minor), all) & c.at;
        for (; at; at &= at - 1) {
          if (play(c.minor, minor, first_of(at), c.minor, true) && at_.checked &&
              !has_legal_move(at_.scene.position(kLoser))) {
            return true;
          }
        }
        break;
      }
      Bitboard king = winner;
      {
        // Not before the other king is through.
        const int way = post_way.from(winner), least = loser == corner ? 0 : 3;
        const int next = way > least ? way - 1 : way < least ? way + 1 : kFar;
        if (way < kFar && next < kFar && go(PieceType::king, king, post_way.layers[next], 3)) {
          continue;
        }
      }
      // Until the other king has arrived its next step is left alone.
      Bitboard quiet = ~Bitboard{0};
      if (loser != corner) {
        const int way = king_way.from(loser);
        Bitboard next = way < kFar ? king_way.layers[way - 1] : 0;
        for (next &= king_attacks(loser); next; next &= next - 1) {
          quiet &= ~piece_attacks(c.minor, lowest_square(next), all & ~minor);
        }
      }
      if (to_mate > 1 && to_mate < kFar &&
          go(c.minor, minor, minor_way.layers[to_mate - 1] & quiet, 3)) {
        continue;
      }
      if (go(c.minor, minor, minor_way.layers[1] & quiet, 3) ||
          go(c.minor, minor, minor_way.layers[2] & quiet, 3) ||
          go(c.minor, minor, ~c.at & ~near & quiet, 3)) {
        continue;
      }
      if (go(PieceType::king, king, ~near, 8)) continue;
      break;
    }
    if (at_.checked) break;
    Bitboard king = loser;
    const bool ready = loser == corner && winner == post && to_mate == 1;
    if (ready && to_fill == 1 && go(c.filler, filler, c.fill, 1)) continue;
    if (loser != corner) {
      const int way = king_way.from(loser);
      if (way < kFar && way > 0 && go(PieceType::king, king, king_way.layers[way - 1], 3)) {
        continue;
      }
    }
    if (to_fill > 1 && to_fill < kFar && go(c.filler, filler, filler_way.layers[to_fill - 1], 3)) {
      continue;
    }
    // Others wait, then the filler near its place, then the king.
    const Bitboard avoid = all | near | corner | post | c.at;
    const Bitboard others = s.side[kLoser] & ~loser & ~filler;
    bool waited = false;
    for (const PieceType type :
         {PieceType::knight, PieceType::bishop, PieceType::rook, PieceType::queen}) {
      waited = waited || piece_waits(type, others & s.of(type), first_of(c.at), avoid);
    }
    if (waited) continue;
    if (c.filler != PieceType::pawn) {
      if (go(c.filler, filler, filler_way.layers[1], 3) ||
          go(c.filler, filler, filler_way.layers[2], 3)) {
        continue;
      }
    }
    Bitboard pawns = pawn_ahead(others & s.of(PieceType::pawn), kLoser) & ~avoid & ~kRank1;
    for (; pawns && !waited; pawns &= pawns - 1) {
      const Bitboard to = first_of(pawns);
      waited = play(PieceType::pawn, to << 8, to, PieceType::pawn);
    }
    if (waited) continue;
    if (go(PieceType::king, king, ~c.fill, 8)) continue;
    if (c.filler != PieceType::pawn && go(c.filler, filler, ~corner & ~post, 4)) continue;
    break;
  }
  at_ = start;
  return false;
}

// A pawn of the loser becomes a knight, the winner waits.
bool GuidedPlay::loser_promotes() {
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
int GuidedPlay::corners(Corner* list, int* costs, int most) const {
  const Scene& s = at_.scene;
  int count = 0;
  const int loser = s.king(kLoser), winner = s.king(kWinner);
  for (const PieceType minor : {PieceType::knight, PieceType::bishop}) {
    const Bitboard from = first_of(s.of(minor, kWinner));
    if (!from) continue;
    const bool bishop = minor == PieceType::bishop;
    for (const int corner : {0, 7, 56, 63}) {
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
        for (const PieceType filler :
             {PieceType::pawn, PieceType::knight, PieceType::bishop, PieceType::rook}) {
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
bool GuidedPlay::cornered() {
  constexpr int kMost = 64, kMostCorners = 2, kTried = 1000;
  const State start = at_;
  for (const bool promotes : {false, true}) {
    if (promotes && (!loser_promotes())) break;
    Corner list[kMost];
    int costs[kMost];
    const int count = corners(list, costs, kMost);
    const State ready = at_;
    for (int tries = 0; tries < kMostCorners && count != 0; ++tries) {
      const auto best = std::min_element(costs, costs + count) - costs;
      if (costs[best] == kTried) break;
      costs[best] = kTried;
      if (assemble(list[best])) return true;
      at_ = ready;
    }
  }
  at_ = start;
  return false;
}

}  // namespace cuarbiter
