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

namespace detail {

// True when our king is safe after our man moves from one square to another and the man on `victim`
// (a bit, the target's own or that of an en passant capture) is taken. `checked`: it is in check
// now.
CUARBITER_HD_INLINE bool king_safe_after(const BoardView<Bitboard>& v, int king, int from, int to,
                                         Bitboard victim, bool checked) {
  // Without a check only a line that the move opens can matter.
  const Bitboard target = square_bit(to);
  const bool passing = (victim & ~target) != 0;
  if (!checked && !passing && !aligned(king, from)) return true;
  const Bitboard occupied = (v.occupied & ~square_bit(from) & ~victim) | target;
  const Bitboard men = v.them & ~victim;
  return checked ? !attacked_by(v, king, occupied, men)
                 : !attacked_by_sliders(v, king, occupied, men);
}

CUARBITER_HD_INLINE Bitboard origin_mask(SanToken token, bool mirrored) {
  const unsigned file = token.origin_file() - 1, rank = token.origin_rank() - 1;
  const Bitboard files = token.origin_file() ? kFileA << (file & 7) : ~Bitboard{0};
  const Bitboard ranks =
      token.origin_rank() ? kRank1 << (8 * ((mirrored ? 7 - rank : rank) & 7)) : ~Bitboard{0};
  return files & ranks;
}

// Our men of a kind, a castling rook being a rook.
CUARBITER_HD_INLINE Bitboard men_of_kind(const BoardView<Bitboard>& v, unsigned piece) {
  const Bitboard castling = v.castling_rooks();
  const Bitboard a = v.a ^ castling, b = v.b ^ castling;
  return v.us & ~(a ^ (0 - Bitboard{piece & 1})) & ~(b ^ (0 - Bitboard{(piece >> 1) & 1})) &
         ~(v.c ^ (0 - Bitboard{piece >> 2}));
}

// Our pawns that reach `to`, king safety aside. A pawn captures when the file it is said to come
// from is not the target's.
CUARBITER_HD_INLINE Bitboard pawns_reaching(const BoardView<Bitboard>& v, SanToken token, int to) {
  const Bitboard target = square_bit(to);
  const Bitboard below = target >> 8;
  const Bitboard step = below | ((below & v.occupied) ? 0 : (target & kRank4) >> 16);
  const Bitboard capture = shift<kSouthEast>(target) | shift<kSouthWest>(target);
  const bool straight =
      token.origin_file() == 0 || static_cast<int>(token.origin_file()) - 1 == (to & 7);
  const Bitboard from = straight ? ((target & v.occupied) ? 0 : step)
                                 : ((target & (v.them | v.en_passant)) ? capture : 0);
  return from & v.pawns() & v.us;
}

// Our men of a kind (knight .. king) that reach `to`, king safety aside. All kinds go the same way:
// a choice by kind would cost a mispredicted branch on a CPU and a divergent warp on a GPU.
CUARBITER_HD_INLINE Bitboard reaching(const BoardView<Bitboard>& v, unsigned piece, int to) {
  const Bitboard target = square_bit(to);
  const Bitboard lower = target - 1;
  const SquareMasks m = masks_of(to);
  const Bitboard rook =
      line_attacks(m.rank, lower, v.occupied) | line_attacks(m.file, lower, v.occupied);
  const Bitboard bishop =
      line_attacks(m.diagonal, lower, v.occupied) | line_attacks(m.anti, lower, v.occupied);
  const Bitboard men = (rook & v.orthogonal_sliders()) | (bishop & v.diagonal_sliders()) |
                       (m.knight & v.knights()) | (m.king & v.kings());
  return (target & v.us) ? 0 : men & men_of_kind(v, piece);
}

// Those of `men` (one kind, reaching `to`) that may legally go there.
CUARBITER_HD_INLINE Bitboard safe_movers(const BoardView<Bitboard>& v, unsigned piece, Bitboard men,
                                         int to, Bitboard victim, int king, bool checked) {
  if (piece == static_cast<unsigned>(PieceType::king)) {
    const Bitboard target = square_bit(to);
    const Bitboard occupied = (v.occupied & ~square_bit(king)) | target;
    return attacked_by(v, to, occupied, v.them & ~target) ? 0 : men;
  }
  Bitboard safe = 0;
  while (men) {
    const Bitboard from = men & (0 - men);
    men ^= from;
    if (king_safe_after(v, king, lowest_square(from), to, victim, checked)) safe |= from;
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

// A token that names a kind of man, pawn .. king, and its target.
CUARBITER_HD_INLINE PackedMatch match_men(const BoardView<Bitboard>& v, SanToken token,
                                          unsigned piece, int to, bool mirrored, bool checked) {
  const Bitboard target = square_bit(to);
  const int king = lowest_square(v.kings() & v.us);
  const bool is_pawn = piece == static_cast<unsigned>(PieceType::pawn);
  const Bitboard all = is_pawn ? pawns_reaching(v, token, to) : reaching(v, piece, to);
  const Bitboard named = all & origin_mask(token, mirrored);
  if (!named) return PackedMatch{};
  const bool passing =
      is_pawn & ((v.en_passant & target) != 0) & ((named & (kFileA << (to & 7))) == 0);
  const Bitboard victim = passing ? target >> 8 : target;
  const Bitboard safe = safe_movers(v, piece, named, to, victim, king, checked);
  if (!safe) return PackedMatch::failed(MatchStatus::king_left_in_check);
  if (safe & (safe - 1)) return PackedMatch::failed(MatchStatus::ambiguous);
  const int from = lowest_square(safe);
  const bool two_steps = is_pawn & (to - from == 16);
  PackedMatch m = PackedMatch::found(from, to,
                                     passing     ? MoveKind::en_passant
                                     : two_steps ? MoveKind::double_push
                                                 : MoveKind::normal);
  const bool captures = passing | ((v.them & target) != 0);
  if (token.capture() != captures) m.add_spelling(kSpellingCapture);
  if (is_pawn) {
    if (to >= 56) {
      if (token.promotion() == PieceType::none) return PackedMatch::failed(MatchStatus::ambiguous);
      m.set_promotion(token.promotion());
    } else if (token.promotion() != PieceType::none) {
      return PackedMatch{};
    }
  } else if (token.origin_file() | token.origin_rank()) {
    const Bitboard candidates = safe_movers(v, piece, all, to, victim, king, checked);
    if (!minimal_origin(token, from, candidates)) m.add_spelling(kSpellingDisambiguation);
  }
  return m;
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

// "ed": any capture by a pawn of the one file on the other.
CUARBITER_HD_INLINE PackedMatch match_short_capture(const BoardView<Bitboard>& v, SanToken token,
                                                    int to, bool mirrored, bool checked) {
  PackedMatch m;
  Bitboard from = v.pawns() & v.us & origin_mask(token, mirrored);
  while (from) {
    const int square = lowest_square(from);
    from &= from - 1;
    const int landing = square + 8 + (to & 7) - (square & 7);
    if (landing > 63 || token.origin_file() == 0) continue;
    merge_match(
        m, match_men(v, token, static_cast<unsigned>(PieceType::pawn), landing, mirrored, checked));
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
  if (!from) return PackedMatch{};
  const int square = lowest_square(from);
  const unsigned code = static_cast<unsigned>(((v.a >> square) & 1) | (((v.b >> square) & 1) << 1) |
                                              (((v.c >> square) & 1) << 2));
  const unsigned piece = code == static_cast<unsigned>(PieceType::castling_rook)
                             ? static_cast<unsigned>(PieceType::rook)
                             : code;
  if (token.promotion() != PieceType::none && piece != static_cast<unsigned>(PieceType::pawn)) {
    return PackedMatch{};
  }
  PackedMatch m;
  const int step = (to & 7) - (square & 7);
  const bool onto_rook = (v.castling_rooks() & v.us & square_bit(to)) != 0;
  const bool two_files = (to >> 3) == (square >> 3) && (step == 2 || step == -2);
  if (piece == static_cast<unsigned>(PieceType::king) &&
      (onto_rook || (two_files && (square & 7) == 4))) {
    m = match_castling(v, to > square);
    if (onto_rook && m.status() == MatchStatus::ok && static_cast<int>(m.to()) != to) {
      return PackedMatch{};
    }
  } else {
    m = match_men(v, token, piece, to, mirrored, checked);
  }
  m.clear_spelling();  // the coordinate form as a whole is noted by its style
  return m;
}

}  // namespace detail

// Our men of a kind (knight .. king) that may legally go to `to`.
CUARBITER_HD_INLINE Bitboard legal_movers(const BoardView<Bitboard>& v, PieceType piece, int to) {
  const unsigned code = static_cast<unsigned>(piece);
  const int king = lowest_square(v.kings() & v.us);
  const bool checked = attacked_by(v, king, v.occupied, v.them);
  return detail::safe_movers(v, code, detail::reaching(v, code, to), to, square_bit(to), king,
                             checked);
}

// Finds the legal move that the token names. `black` tells whether the mover is Black (tokens hold
// absolute squares); `checked` whether the mover is in check. The null move and unreadable tokens
// are the caller's business and give `illegal`.
CUARBITER_HD_INLINE PackedMatch match_san_packed(const Position& p, SanToken token, bool black,
                                                 bool checked) {
  const BoardView<Bitboard> v = view(p);
  const int to = static_cast<int>(token.target()) ^ (black ? 56 : 0);
  const unsigned piece = token.piece();
  if (piece != SanToken::kAnyPiece && piece != SanToken::kSpecial && !token.short_capture()) {
    return detail::match_men(v, token, piece, to, black, checked);
  }
  if (piece == SanToken::kSpecial) {
    if (token.target() > SanToken::kCastleQueenside) return PackedMatch{};
    return detail::match_castling(v, token.target() == SanToken::kCastleKingside);
  }
  return token.short_capture() ? detail::match_short_capture(v, token, to, black, checked)
                               : detail::match_coordinates(v, token, to, black, checked);
}

// The same, unpacked.
CUARBITER_HD Match match_san(const Position& p, SanToken token, bool black, bool checked) {
  const PackedMatch m = match_san_packed(p, token, black, checked);
  return Match{m.move(), m.status(), static_cast<std::uint8_t>(m.spelling())};
}

CUARBITER_RULES_END
