// Moves that give check (FIDE 3.9.1), found without making the others.
//
// A move checks in one of four ways: the man that moved attacks the king from its new square; a
// slider behind it does; the rook of a castling does; or an en passant capture opens a line. What
// is visited is told by sets: nearly all of it checks, and nothing that checks is left out. The
// position after the move decides.
#pragma once

#include "host/rules/castling.hpp"
#include "host/rules/make_move.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {

// From where their king can be checked. Sets may hold squares that no man of ours can reach.
template <class W>
struct CheckMap {
  W king;         // their king
  W pawn;         // squares from which a pawn of ours attacks it
  W knight;       // a knight
  W diagonal;     // a bishop or queen, on the board as it is
  W orthogonal;   // a rook or queen, on the board as it is
  W discoverers;  // our men that alone stand between their king and a slider of ours
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

namespace detail {

// One line through their king, as its two directions D and D + 4: the squares seen from it, and
// our men on the line that uncover a slider.
template <int D, class W>
CUARBITER_HD_INLINE W scan_discoverers(W king, W empty, W sliders, W us, W& seen) {
  constexpr int B = (D + 4) % 8;
  const Propagator<W> ahead = propagator<D>(empty);
  const Propagator<W> back = propagator<B>(empty);
  const W ray_ahead = slide<D>(king, ahead);
  const W ray_back = slide<B>(king, back);
  seen = seen | ray_ahead | ray_back;
  return ((ray_ahead & slide<B>(sliders, back)) | (ray_back & slide<D>(sliders, ahead))) & us;
}

}  // namespace detail

template <class W>
CUARBITER_HD_INLINE CheckMap<W> check_map(const BoardView<W>& v) {
  CheckMap<W> m;
  m.king = v.kings() & v.them;
  m.pawn = shift<kSouthEast>(m.king) | shift<kSouthWest>(m.king);
  m.knight = knight_attacks(m.king);
  const W diagonal = v.diagonal_sliders() & v.us;
  const W orthogonal = v.orthogonal_sliders() & v.us;
  if constexpr (sizeof(W) == sizeof(Bitboard)) {
    // Line by line from the king; what stands behind the first men is seen with them taken away.
    m.orthogonal = rook_rays(m.king, v.occupied);
    m.diagonal = bishop_rays(m.king, v.occupied);
    const W on_lines = m.orthogonal & v.us, on_diagonals = m.diagonal & v.us;
    W behind = rook_rays(m.king, v.occupied & ~on_lines) & ~m.orthogonal & orthogonal;
    m.discoverers = 0;
    for (; behind; behind &= behind - 1) {
      m.discoverers |= rook_attacks(lowest_square(behind), v.occupied) & on_lines;
    }
    behind = bishop_rays(m.king, v.occupied & ~on_diagonals) & ~m.diagonal & diagonal;
    for (; behind; behind &= behind - 1) {
      m.discoverers |= bishop_attacks(lowest_square(behind), v.occupied) & on_diagonals;
    }
  } else {
    const W empty = ~v.occupied;
    m.orthogonal = m.diagonal = WordOps<W>::splat(0);
    m.discoverers =
        detail::scan_discoverers<kNorth>(m.king, empty, orthogonal, v.us, m.orthogonal) |
        detail::scan_discoverers<kEast>(m.king, empty, orthogonal, v.us, m.orthogonal) |
        detail::scan_discoverers<kNorthEast>(m.king, empty, diagonal, v.us, m.diagonal) |
        detail::scan_discoverers<kNorthWest>(m.king, empty, diagonal, v.us, m.diagonal);
  }
  return m;
}

namespace detail {

template <PieceType P, class V>
CUARBITER_HD_INLINE void visit_slider_checks(V& visitor, Bitboard men, const BoardView<Bitboard>& v,
                                             const Constraints<Bitboard>& k,
                                             const CheckMap<Bitboard>& m, Bitboard targets) {
  const Bitboard direct =
      ((P != PieceType::bishop ? m.orthogonal : 0) | (P != PieceType::rook ? m.diagonal : 0)) &
      targets;
  // Without a square to check from only the men on a line to the king count.
  men &= direct ? ~Bitboard{0} : m.discoverers;
  while (men) {
    const Bitboard from = men & (0 - men);
    men ^= from;
    visit_sliders<P>(visitor, from, v, k, m.discoverers & from ? targets : direct);
  }
}

template <int Delta, class V>
CUARBITER_HD_INLINE void visit_promotion_checks(V& visitor, const BoardView<Bitboard>& v,
                                                const CheckMap<Bitboard>& m, Bitboard targets) {
  while (targets) {
    const Bitboard to = targets & (0 - targets);
    targets ^= to;
    const Bitboard from = to >> Delta;
    const bool discovers = (m.discoverers & from) != 0;
    const Bitboard occupied = v.occupied & ~from;  // the pawn's own square may lie on the line
    const bool straight = discovers || (rook_rays(to, occupied) & m.king);
    const bool aslant = discovers || (bishop_rays(to, occupied) & m.king);
    if (straight || aslant) visitor.template plain<PieceType::queen>(from, to);
    if (straight) visitor.template plain<PieceType::rook>(from, to);
    if (aslant) visitor.template plain<PieceType::bishop>(from, to);
    if (discovers || (to & m.knight)) visitor.template plain<PieceType::knight>(from, to);
  }
}

template <int Delta, class V>
CUARBITER_HD_INLINE void visit_pawn_checks(V& visitor, Bitboard targets) {
  while (targets) {
    const Bitboard to = targets & (0 - targets);
    targets ^= to;
    visitor.template plain<PieceType::pawn>(to >> Delta, to);
  }
}

}  // namespace detail

// Visits every legal move that gives check, and perhaps a few that do not: men that leave the line
// of a slider behind them without opening it, castling, en passant. The visitor's members are those
// of visit_legal_moves except promotion: plain<P> is called with the new piece instead.
template <class V>
CUARBITER_HD_INLINE void visit_check_candidates(const BoardView<Bitboard>& v,
                                                const Constraints<Bitboard>& k,
                                                const CheckMap<Bitboard>& m, V& visitor) {
  const Bitboard empty = ~v.occupied;
  const Bitboard free = ~k.pinned;
  const Bitboard targets = k.answers & ~v.us;
  if (targets) {
    const Bitboard pawns = v.pawns() & v.us;
    const Bitboard takes = v.them & k.answers;
    const Bitboard steps = ((pawns & (free | k.pin_file)) << 8) & empty;
    const Bitboard singles = steps & k.answers;
    const Bitboard right_pawns = shift<kNorthEast>(pawns & (free | k.pin_diagonal));
    const Bitboard left_pawns = shift<kNorthWest>(pawns & (free | k.pin_anti));
    const Bitboard right = right_pawns & takes, left = left_pawns & takes;
    const Bitboard openers = pawns & m.discoverers;
    detail::visit_pawn_checks<8>(visitor, singles & ~kRank8 & (m.pawn | openers << 8));
    detail::visit_pawn_checks<9>(visitor, right & ~kRank8 & (m.pawn | openers << 9));
    detail::visit_pawn_checks<7>(visitor, left & ~kRank8 & (m.pawn | openers << 7));
    Bitboard doubles = ((steps & kRank3) << 8) & empty & k.answers & (m.pawn | openers << 16);
    while (doubles) {
      const Bitboard to = doubles & (0 - doubles);
      doubles ^= to;
      visitor.double_push(to >> 16, to);
    }
    if ((singles | right | left) & kRank8) {
      detail::visit_promotion_checks<8>(visitor, v, m, singles & kRank8);
      detail::visit_promotion_checks<9>(visitor, v, m, right & kRank8);
      detail::visit_promotion_checks<7>(visitor, v, m, left & kRank8);
    }
    if (v.en_passant) {
      if (right_pawns & v.en_passant) visitor.en_passant(v.en_passant >> 9, v.en_passant);
      if (left_pawns & v.en_passant) visitor.en_passant(v.en_passant >> 7, v.en_passant);
    }
    Bitboard knights = v.knights() & v.us & free;
    while (knights) {
      const Bitboard from = knights & (0 - knights);
      knights ^= from;
      const Bitboard reach = masks_of(lowest_square(from)).knight & targets;
      detail::visit_targets<PieceType::knight>(visitor, from,
                                               m.discoverers & from ? reach : reach & m.knight);
    }
    detail::visit_slider_checks<PieceType::bishop>(visitor, v.bishops() & v.us, v, k, m, targets);
    detail::visit_slider_checks<PieceType::rook>(visitor, v.rooks() & v.us, v, k, m, targets);
    detail::visit_slider_checks<PieceType::queen>(visitor, v.queens() & v.us, v, k, m, targets);
  }
  if (m.discoverers & k.king) {
    detail::visit_targets<PieceType::king>(visitor, k.king,
                                           king_attacks(k.king) & ~v.us & ~k.attacked);
  }
  if (v.castling_rooks() & v.us) {
    // The rook arrives on d1 or f1, and what it or a man behind it attacks stands there or above.
    constexpr Bitboard kSeen = kRank1 | kFileA << 3 | kFileA << 5;
    Bitboard rooks = m.king & kSeen ? legal_castling_rooks(v, k) : 0;
    while (rooks) {
      const Bitboard rook = rooks & (0 - rooks);
      rooks ^= rook;
      visitor.castling(k.king, rook);
    }
  }
}

CUARBITER_RULES_END
