// From a move as written to the legal move it names (PGN standard 8.2.3, FIDE 3).
//
// Set-wise: the candidates are the men of the named kind that reach the target; disambiguation and
// king safety thin them out. One left is the move, none an illegal move, several an ambiguous one.
#pragma once

#include "host/rules/castling.hpp"
#include "host/rules/make_move.hpp"
#include "host/rules/san_token.hpp"

namespace cuarbiter {

enum class MatchStatus : std::uint8_t {
  ok,
  illegal,             // no such legal move
  king_left_in_check,  // moves like this exist, but each leaves the own king under attack
  ambiguous,           // more than one legal move; a promotion without its piece is four
};

// Spelling that differs from export format although the move is clear.
enum SpellingFlag : std::uint8_t {
  kSpellingDisambiguation = 1,  // more, or other, than 8.2.3.4 asks for
  kSpellingCapture = 2,         // capture mark missing, or given without a capture
};

struct Match {
  Move move;
  MatchStatus status = MatchStatus::illegal;
  std::uint8_t spelling = 0;  // SpellingFlag bits; only meaningful with ok
};

// A match in one register: what the replay works with. A struct of bytes would go through memory,
// where a load of several fresh bytes waits for the stores.
struct PackedMatch {
  // bits 0..5 from, 6..11 to, 12..14 promotion, 15..16 MoveKind, 17..18 MatchStatus, 19..20
  // SpellingFlag bits
  std::uint32_t bits = static_cast<std::uint32_t>(MatchStatus::illegal) << 17;

  constexpr unsigned from() const { return bits & 63; }
  constexpr unsigned to() const { return (bits >> 6) & 63; }
  constexpr PieceType promotion() const { return static_cast<PieceType>((bits >> 12) & 7); }
  constexpr MoveKind kind() const { return static_cast<MoveKind>((bits >> 15) & 3); }
  constexpr MatchStatus status() const { return static_cast<MatchStatus>((bits >> 17) & 3); }
  constexpr unsigned spelling() const { return (bits >> 19) & 3; }
  constexpr Move move() const {
    return Move{static_cast<Square>(from()), static_cast<Square>(to()), promotion(), kind()};
  }

  static constexpr PackedMatch failed(MatchStatus status) {
    return PackedMatch{static_cast<std::uint32_t>(status) << 17};
  }
  static constexpr PackedMatch found(int from, int to, MoveKind kind) {
    return PackedMatch{static_cast<std::uint32_t>(from) | static_cast<std::uint32_t>(to) << 6 |
                       static_cast<std::uint32_t>(kind) << 15};
  }
  constexpr void set_status(MatchStatus status) {
    bits = (bits & ~(3u << 17)) | static_cast<std::uint32_t>(status) << 17;
  }
  constexpr void set_promotion(PieceType piece) { bits |= static_cast<std::uint32_t>(piece) << 12; }
  constexpr void add_spelling(unsigned flags) { bits |= flags << 19; }
  constexpr void clear_spelling() { bits &= ~(3u << 19); }
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

// True when our king is safe after our man moves from one square to another (not the king, not en
// passant). `checked` says whether it is in check now.
CUARBITER_HD_INLINE bool king_safe_after(const BoardView<Bitboard>& v, int king, int from, int to,
                                         bool checked) {
  if (!checked && !aligned(king, from)) return true;
  const Bitboard target = square_bit(to);
  const Bitboard occupied = (v.occupied & ~square_bit(from)) | target;
  const Bitboard men = v.them & ~target;
  // Without a check only a line that the move opens can matter.
  return checked ? !attacked_by(v, king, occupied, men)
                 : !attacked_by_sliders(v, king, occupied, men);
}

namespace detail {

CUARBITER_HD_INLINE Bitboard origin_mask(SanToken token, bool mirrored) {
  Bitboard mask = ~Bitboard{0};
  if (token.origin_file()) mask &= kFileA << (token.origin_file() - 1);
  if (token.origin_rank()) {
    const unsigned rank = token.origin_rank() - 1;
    mask &= kRank1 << (8 * (mirrored ? 7 - rank : rank));
  }
  return mask;
}

// Our men of a kind (knight .. king) that reach `to`, king safety aside.
CUARBITER_HD_INLINE Bitboard reaching(const BoardView<Bitboard>& v, PieceType piece, int to) {
  switch (piece) {
    case PieceType::knight:
      return knight_attacks_from(to) & v.knights() & v.us;
    case PieceType::bishop:
      return bishop_attacks(to, v.occupied) & v.bishops() & v.us;
    case PieceType::rook:
      return rook_attacks(to, v.occupied) & v.rooks() & v.us;
    case PieceType::queen:
      return (rook_attacks(to, v.occupied) | bishop_attacks(to, v.occupied)) & v.queens() & v.us;
    default:
      return king_attacks_from(to) & v.kings() & v.us;
  }
}

// Those of `men` (one kind, not pawns) that may legally go to `to`.
CUARBITER_HD_INLINE Bitboard safe_movers(const BoardView<Bitboard>& v, PieceType piece,
                                         Bitboard men, int to, int king, bool checked) {
  if (piece == PieceType::king) {
    const Bitboard target = square_bit(to);
    const Bitboard occupied = (v.occupied & ~v.kings()) | (v.kings() & v.them) | target;
    return attacked_by(v, to, occupied, v.them & ~target) ? 0 : men;
  }
  Bitboard safe = 0;
  while (men) {
    const Bitboard from = men & (0 - men);
    men ^= from;
    if (king_safe_after(v, king, lowest_square(from), to, checked)) safe |= from;
  }
  return safe;
}

// True when the origin told is exactly what 8.2.3.4 asks for: nothing with one candidate; else the
// file if that is enough, else the rank if that is enough, else both.
CUARBITER_HD_INLINE bool minimal_origin(SanToken token, int from, Bitboard candidates) {
  const Bitboard others = candidates & ~square_bit(from);
  const bool file = token.origin_file() != 0;
  const bool rank = token.origin_rank() != 0;
  if (!others) return !file && !rank;
  if (!(others & (kFileA << (from & 7)))) return file && !rank;
  if (!(others & (kRank1 << (from & 56)))) return rank && !file;
  return file && rank;
}

CUARBITER_HD_INLINE PackedMatch match_piece(const BoardView<Bitboard>& v, SanToken token,
                                            PieceType piece, int to, bool mirrored, bool checked) {
  const Bitboard target = square_bit(to);
  if (v.us & target) return PackedMatch{};
  const int king = lowest_square(v.kings() & v.us);
  const Bitboard all = reaching(v, piece, to);
  const Bitboard named = all & origin_mask(token, mirrored);
  if (!named) return PackedMatch{};
  const Bitboard safe = safe_movers(v, piece, named, to, king, checked);
  if (!safe) return PackedMatch::failed(MatchStatus::king_left_in_check);
  if (safe & (safe - 1)) return PackedMatch::failed(MatchStatus::ambiguous);
  const int from = lowest_square(safe);
  PackedMatch m = PackedMatch::found(from, to, MoveKind::normal);
  if (token.capture() != ((v.them & target) != 0)) m.add_spelling(kSpellingCapture);
  if (token.origin_file() | token.origin_rank()) {
    const Bitboard candidates = safe_movers(v, piece, all, to, king, checked);
    if (!minimal_origin(token, from, candidates)) m.add_spelling(kSpellingDisambiguation);
  }
  return m;
}

// One pawn move from a known square; the status tells whether it is legal. The promotion piece is
// not looked at.
CUARBITER_HD_INLINE PackedMatch try_pawn(const BoardView<Bitboard>& v, int from, int to,
                                         bool checked) {
  const Bitboard target = square_bit(to);
  const int king = lowest_square(v.kings() & v.us);
  MoveKind kind = MoveKind::normal;
  bool safe;
  if ((from & 7) == (to & 7)) {
    if (v.occupied & target) return PackedMatch{};
    if (to - from == 16) {
      if ((from >> 3) != 1 || (v.occupied & (target >> 8))) return PackedMatch{};
      kind = MoveKind::double_push;
    } else if (to - from != 8) {
      return PackedMatch{};
    }
    safe = king_safe_after(v, king, from, to, checked);
  } else {
    const int step = to - from;
    if ((step != 7 && step != 9) || (to >> 3) != (from >> 3) + 1) return PackedMatch{};
    if (v.them & target) {
      safe = king_safe_after(v, king, from, to, checked);
    } else if ((to >> 3) == 5 && v.en_passant == target) {
      kind = MoveKind::en_passant;
      const Bitboard victim = target >> 8;
      const Bitboard occupied = (v.occupied | target) & ~square_bit(from) & ~victim;
      safe = !attacked_by(v, king, occupied, v.them & ~victim);
    } else {
      return PackedMatch{};
    }
  }
  return safe ? PackedMatch::found(from, to, kind)
              : PackedMatch::failed(MatchStatus::king_left_in_check);
}

// Chooses among pawn moves: several legal ones are ambiguous, a king left in check beats "illegal".
CUARBITER_HD_INLINE void merge_match(PackedMatch& best, PackedMatch next) {
  if (next.status() == MatchStatus::ok) {
    if (best.status() == MatchStatus::ok || best.status() == MatchStatus::ambiguous) {
      best = PackedMatch::failed(MatchStatus::ambiguous);
    } else {
      best = next;
    }
  } else if (next.status() == MatchStatus::king_left_in_check &&
             best.status() == MatchStatus::illegal) {
    best = next;
  }
}

CUARBITER_HD_INLINE PackedMatch match_pawn(const BoardView<Bitboard>& v, SanToken token, int to,
                                           bool mirrored, bool checked) {
  PackedMatch m;
  const Bitboard pawns = v.pawns() & v.us & origin_mask(token, mirrored);
  const int file = static_cast<int>(token.origin_file()) - 1;
  if (token.short_capture()) {
    // "ed": any capture from the one file to the other.
    Bitboard from = pawns;
    while (from) {
      const int square = lowest_square(from);
      from &= from - 1;
      const int landing = square + 8 + (to & 7) - (square & 7);
      if (landing < 64) merge_match(m, try_pawn(v, square, landing, checked));
    }
  } else if (file < 0 || file == (to & 7)) {
    const Bitboard below = to >= 8 ? square_bit(to - 8) : 0;
    const Bitboard two_below = to >= 16 ? square_bit(to - 16) : 0;
    if (pawns & below) {
      m = try_pawn(v, to - 8, to, checked);
    } else if (pawns & two_below) {
      m = try_pawn(v, to - 16, to, checked);
    }
  } else if (to >= 8) {
    const int from = (to & ~7) - 8 + file;
    if (pawns & square_bit(from)) m = try_pawn(v, from, to, checked);
  }
  if (m.status() != MatchStatus::ok) return m;
  const bool captures = (m.from() & 7) != (m.to() & 7);
  if (captures != token.capture()) m.add_spelling(kSpellingCapture);
  if ((m.to() >> 3) == 7) {
    if (token.promotion() == PieceType::none) return PackedMatch::failed(MatchStatus::ambiguous);
    m.set_promotion(token.promotion());
  } else if (token.promotion() != PieceType::none) {
    return PackedMatch{};
  }
  return m;
}

CUARBITER_HD_INLINE PackedMatch match_castling(const BoardView<Bitboard>& v, bool kingside) {
  const Bitboard king = v.kings() & v.us;
  if (!(v.castling_rooks() & v.us)) return PackedMatch{};
  const Bitboard legal = legal_castling_rooks(v, constraints(v));
  const Bitboard rook = legal & (kingside ? ~(king - 1) : king - 1);
  if (!rook) return PackedMatch{};
  return PackedMatch::found(lowest_square(king), lowest_square(rook), MoveKind::castling);
}

// Coordinate notation: both squares are told, the piece is not.
CUARBITER_HD_INLINE PackedMatch match_coordinates(const BoardView<Bitboard>& v, SanToken token,
                                                  int to, bool mirrored, bool checked) {
  const Bitboard from = origin_mask(token, mirrored) & v.us;
  PackedMatch m;
  if (!from) return m;
  const int square = lowest_square(from);
  if (v.pawns() & from) {
    m = match_pawn(v, token, to, mirrored, checked);
  } else if (token.promotion() != PieceType::none) {
    return m;
  } else if (v.kings() & from) {
    const int step = (to & 7) - (square & 7);
    const bool onto_rook = (v.castling_rooks() & v.us & square_bit(to)) != 0;
    const bool two_files = (to >> 3) == (square >> 3) && (step == 2 || step == -2);
    m = onto_rook || (two_files && (square & 7) == 4)
            ? match_castling(v, to > square)
            : match_piece(v, token, PieceType::king, to, mirrored, checked);
    if (onto_rook && m.status() == MatchStatus::ok && static_cast<int>(m.to()) != to) {
      return PackedMatch{};
    }
  } else {
    const PieceType piece = (v.knights() & from)   ? PieceType::knight
                            : (v.bishops() & from) ? PieceType::bishop
                            : (v.rooks() & from)   ? PieceType::rook
                                                   : PieceType::queen;
    m = match_piece(v, token, piece, to, mirrored, checked);
  }
  m.clear_spelling();  // the coordinate form as a whole is noted by its style
  return m;
}

}  // namespace detail

// Finds the legal move that the token names. `black` tells whether the mover is Black (tokens hold
// absolute squares); `checked` whether the mover is in check. The null move and unreadable tokens
// are the caller's business and give `illegal`.
CUARBITER_HD_INLINE PackedMatch match_san_packed(const Position& p, SanToken token, bool black,
                                                 bool checked) {
  const BoardView<Bitboard> v = view(p);
  const int to = static_cast<int>(token.target()) ^ (black ? 56 : 0);
  switch (token.piece()) {
    case SanToken::kAnyPiece:
      return detail::match_coordinates(v, token, to, black, checked);
    case static_cast<unsigned>(PieceType::pawn):
      return detail::match_pawn(v, token, to, black, checked);
    case SanToken::kSpecial:
      if (token.target() <= SanToken::kCastleQueenside) {
        return detail::match_castling(v, token.target() == SanToken::kCastleKingside);
      }
      return PackedMatch{};
    default:
      return detail::match_piece(v, token, static_cast<PieceType>(token.piece()), to, black,
                                 checked);
  }
}

// The same, unpacked.
CUARBITER_HD Match match_san(const Position& p, SanToken token, bool black, bool checked) {
  const PackedMatch m = match_san_packed(p, token, black, checked);
  return Match{m.move(), m.status(), static_cast<std::uint8_t>(m.spelling())};
}

CUARBITER_RULES_END
