// From a move as written to the legal move it names (PGN standard 8.2.3, FIDE 3).
//
// Set-wise: the candidates are the men of the named kind that reach the target; disambiguation and
// king safety thin them out. One left is the move, none an illegal move, several an ambiguous one.
// Written over the word type of bits.hpp, so that a batch of games can be looked up in lanes.
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

// A match in one register.
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

// A token that names a kind of man (pawn .. king) and its target, looked up in a position; W as in
// bits.hpp, one position a lane. Masks are all ones or 0.
template <class W>
struct MenMatch {
  W status;        // MatchStatus as a number
  W from, target;  // bits; only meaningful with ok, like all that follows
  W victim;        // the square where a man is taken if one is: the target, or behind it in passing
  W code;          // piece code that arrives on the target
  W is_king, passing, two_steps;  // masks
  W zeroing;                      // mask: a capture or a pawn move
  W capture_differs;              // mask: the capture mark is not as export format has it
  W origin_differs;               // mask: nor is what is told of the origin
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

namespace detail {

// The squares that fit what a token tells of the origin. `black` is 1 where Black moves, else 0.
template <class W>
CUARBITER_HD_INLINE W origin_squares(W token, W black) {
  using Ops = WordOps<W>;
  const W all = Ops::splat(~Bitboard{0});
  const W one = Ops::splat(1), seven = Ops::splat(7);
  const W file = (token >> 9) & Ops::splat(15);
  const W rank = (token >> 13) & Ops::splat(15);
  const W rank_index = ((rank - one) & seven) ^ (black * Ops::splat(7));
  return Ops::select_zero(file, all, Ops::splat(kFileA) << ((file - one) & seven)) &
         Ops::select_zero(rank, all, Ops::splat(kRank1) << (rank_index << 3));
}

// Our men of a kind, a castling rook being a rook.
template <class W>
CUARBITER_HD_INLINE W men_of_kind(const BoardView<W>& v, W piece) {
  using Ops = WordOps<W>;
  const W zero = Ops::splat(0), one = Ops::splat(1);
  const W castling = v.castling_rooks();
  return v.us & ~(v.a ^ castling ^ (zero - (piece & one))) &
         ~(v.b ^ castling ^ (zero - ((piece >> 1) & one))) & ~(v.c ^ (zero - ((piece >> 2) & one)));
}

// Our men (knight .. king) that reach the target, king safety aside. All kinds go the same way: a
// choice by kind would part the lanes.
template <class W>
CUARBITER_HD_INLINE W pieces_reaching(const BoardView<W>& v, W piece, W target) {
  const SquareLines<W> lines = lines_of(target);
  const W men = (rook_rays(lines, v.occupied) & v.orthogonal_sliders()) |
                (bishop_rays(lines, v.occupied) & v.diagonal_sliders()) |
                (knight_attacks(target) & v.knights()) | (king_attacks(target) & v.kings());
  return WordOps<W>::select_zero(target & v.us, men & men_of_kind(v, piece), WordOps<W>::splat(0));
}

// Our pawns that reach the target: by a capture (diagonally) where the mask says so, else straight.
template <class W>
CUARBITER_HD_INLINE W pawns_reaching(const BoardView<W>& v, W target, W captures) {
  using Ops = WordOps<W>;
  const W below = target >> 8;
  const W two_below =
      Ops::select_zero(below & v.occupied, (target & Ops::splat(kRank4)) >> 16, Ops::splat(0));
  const W step = (below | two_below) & mask_if_zero(target & v.occupied);
  const W capture = (shift<kSouthEast>(target) | shift<kSouthWest>(target)) &
                    mask_if_set(target & (v.them | v.en_passant));
  return blend(captures, capture, step) & v.pawns() & v.us;
}

// Those of `men` that may go to the target without leaving the king in check: each is tried in
// turn.
template <class W>
CUARBITER_HD_INLINE W safe_movers(const BoardView<W>& v, W men, W target, W victim, W is_king) {
  using Ops = WordOps<W>;
  const W zero = Ops::splat(0);
  const W king = v.kings() & v.us;
  const SquareLines<W> king_after = lines_of(blend(is_king, target, king));
  W safe = zero;
  W rest = men;
  while (Ops::any(rest)) {
    const W from = rest & (zero - rest);
    rest = rest ^ from;
    const W occupied = (v.occupied & ~from & ~victim) | target;
    safe = safe |
           Ops::select_zero(attackers_of(v, king_after, occupied, v.them & ~victim), from, zero);
  }
  return safe;
}

// Mask: the origin told is not what 8.2.3.4 asks for, which is nothing with one candidate; else the
// file if that is enough, else the rank if that is enough, else both.
template <class W>
CUARBITER_HD_INLINE W origin_differs(W token, W from, W candidates) {
  using Ops = WordOps<W>;
  const W one = Ops::splat(1);
  const W square = Ops::popcount(from - one);
  const W others = candidates & ~from;
  const W on_file = others & (Ops::splat(kFileA) << (square & Ops::splat(7)));
  const W on_rank = others & (Ops::splat(kRank1) << (square & Ops::splat(56)));
  // The rank is needed when another stands on the file, the file when none does or when the rank
  // is shared as well; neither without others.
  const W needs_rank = mask_if_set(on_file);
  const W needs_file = mask_if_set(others) & (mask_if_zero(on_file) | mask_if_set(on_rank));
  const W has_file = mask_if_set((token >> 9) & Ops::splat(15));
  const W has_rank = mask_if_set((token >> 13) & Ops::splat(15));
  return (needs_rank ^ has_rank) | (needs_file ^ has_file);
}

}  // namespace detail

// Looks up tokens that name a kind of man, one a lane: their bits as in SanToken. `black` is 1
// where Black moves, else 0. A pawn captures when the file it is said to come from is not the
// target's.
template <class W>
CUARBITER_HD_INLINE MenMatch<W> match_men(const BoardView<W>& v, W token, W black) {
  using Ops = WordOps<W>;
  const W zero = Ops::splat(0), one = Ops::splat(1), seven = Ops::splat(7);
  const W to = (token & Ops::splat(63)) ^ (black * Ops::splat(56));
  const W piece = (token >> 6) & seven;
  const W file = (token >> 9) & Ops::splat(15);
  const W promotion = (token >> 17) & seven;
  const W is_pawn = mask_if_zero(piece ^ Ops::splat(static_cast<unsigned>(PieceType::pawn)));

  MenMatch<W> m;
  m.is_king = mask_if_zero(piece ^ Ops::splat(static_cast<unsigned>(PieceType::king)));
  m.target = one << to;
  const W sideways = mask_if_set(file) & mask_if_set((file - one) ^ (to & seven));
  const W taken = mask_if_set(m.target & v.them);
  m.passing = is_pawn & sideways & mask_if_set(m.target & v.en_passant);
  m.victim = blend(m.passing, m.target >> 8, m.target);
  const W all = blend(is_pawn, detail::pawns_reaching(v, m.target, sideways),
                      detail::pieces_reaching(v, piece, m.target));
  const W named = all & detail::origin_squares(token, black);
  const W safe = detail::safe_movers(v, all, m.target, m.victim, m.is_king);
  const W found = safe & named;
  m.from = found & (zero - found);
  m.two_steps = is_pawn & mask_if_zero(m.from ^ (m.target >> 16));
  const W last_rank = mask_if_set(m.target & Ops::splat(kRank8));
  m.code = blend(is_pawn & last_rank, promotion, piece);
  const W captures = m.passing | taken;
  m.zeroing = is_pawn | captures;
  m.capture_differs = captures ^ mask_if_set(token & Ops::splat(SanToken::kCaptureBit));
  m.origin_differs = ~is_pawn & detail::origin_differs(token, m.from, safe);

  const auto number = [](MatchStatus s) { return Ops::splat(static_cast<unsigned>(s)); };
  const W several = found & (found - one);
  const W no_piece = is_pawn & last_rank & mask_if_zero(promotion);
  const W odd_piece = is_pawn & ~last_rank & mask_if_set(promotion);
  const W unique =
      blend(no_piece, number(MatchStatus::ambiguous), odd_piece & number(MatchStatus::illegal));
  m.status = Ops::select_zero(
      named, number(MatchStatus::illegal),
      Ops::select_zero(found, number(MatchStatus::king_left_in_check),
                       Ops::select_zero(several, unique, number(MatchStatus::ambiguous))));
  return m;
}

// The boards after the moves found, seen by the other side; W as above. Lanes without a move found
// are not to be used.
template <class W>
CUARBITER_HD_INLINE BoardView<W> after_men_moves(const BoardView<W>& v, const MenMatch<W>& m) {
  const BoardView<W> child = after_men(v, m.from, m.target, m.victim, m.code, m.is_king);
  const W passed = legal_en_passant(child, WordOps<W>::mirror(m.target & m.two_steps));
  return BoardView<W>(child.a, child.b, child.c, child.d | passed);
}

// Castling in lanes: `kingside` and `queenside` are masks of the lanes that want it. Gives the
// boards after it; `possible` gets the mask of the lanes where it is legal.
template <class W>
CUARBITER_HD_INLINE BoardView<W> after_castling_moves(const BoardView<W>& v, W kingside,
                                                      W queenside, W& possible) {
  const W right = ~((v.kings() & v.us) - WordOps<W>::splat(1));
  const W legal = legal_castling_rooks(v, constraints(v));
  const W rook = legal & ((right & kingside) | (~right & queenside));
  possible = mask_if_set(rook);
  return after_castling(v, rook, kingside);
}

namespace detail {

// One token of that kind.
CUARBITER_HD_INLINE PackedMatch match_one(const BoardView<Bitboard>& v, SanToken token,
                                          bool black) {
  const MenMatch<Bitboard> m = match_men<Bitboard>(v, token.bits, black ? 1 : 0);
  const auto status = static_cast<MatchStatus>(m.status);
  if (status != MatchStatus::ok) return PackedMatch::failed(status);
  PackedMatch out = PackedMatch::found(lowest_square(m.from), lowest_square(m.target),
                                       m.passing     ? MoveKind::en_passant
                                       : m.two_steps ? MoveKind::double_push
                                                     : MoveKind::normal);
  out.set_promotion(token.promotion());
  if (m.capture_differs) out.add_spelling(kSpellingCapture);
  if (m.origin_differs) out.add_spelling(kSpellingDisambiguation);
  return out;
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
                                                    bool black) {
  PackedMatch m;
  Bitboard from = v.pawns() & v.us & origin_squares<Bitboard>(token.bits, black ? 1 : 0);
  while (from) {
    const int square = lowest_square(from);
    from &= from - 1;
    const int landing = (square & 56) + 8 + static_cast<int>(token.target() & 7);
    if (landing > 63 || token.origin_file() == 0) continue;
    SanToken full = token;
    full.set_target(static_cast<unsigned>(landing) ^ (black ? 56u : 0u));
    merge_match(m, match_one(v, full, black));
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
                                                  bool black) {
  const int to = static_cast<int>(token.target()) ^ (black ? 56 : 0);
  const Bitboard from = origin_squares<Bitboard>(token.bits, black ? 1 : 0) & v.us;
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
    SanToken named = token;
    m = match_one(v, named.set_piece(piece), black);
  }
  m.clear_spelling();  // the coordinate form as a whole is noted by its style
  return m;
}

}  // namespace detail

// Our men of a kind (knight .. king) that may legally go to `to`.
CUARBITER_HD_INLINE Bitboard legal_movers(const BoardView<Bitboard>& v, PieceType piece, int to) {
  const Bitboard target = square_bit(to);
  const Bitboard men = detail::pieces_reaching<Bitboard>(v, static_cast<unsigned>(piece), target);
  return detail::safe_movers<Bitboard>(v, men, target, target,
                                       piece == PieceType::king ? ~Bitboard{0} : 0);
}

// True for a king with its whole origin told: "Ke1-g1" may mean castling.
CUARBITER_HD_INLINE constexpr bool king_by_squares(SanToken token) {
  return token.piece() == static_cast<unsigned>(PieceType::king) && token.origin_file() != 0 &&
         token.origin_rank() != 0;
}

// Mask: the tokens that match_men looks up.
template <class W>
CUARBITER_HD_INLINE W names_men_mask(W token) {
  using Ops = WordOps<W>;
  const W seven = Ops::splat(7);
  const W piece = (token >> 6) & seven;
  const W king_by_squares =
      mask_if_zero(piece ^ Ops::splat(static_cast<unsigned>(PieceType::king))) &
      mask_if_set(token & Ops::splat(15u << 9)) & mask_if_set(token & Ops::splat(15u << 13));
  return mask_if_set(piece) & mask_if_set(piece ^ seven) &
         mask_if_zero(token & Ops::splat(SanToken::kShortCaptureBit)) & ~king_by_squares;
}
CUARBITER_HD_INLINE bool names_men(SanToken token) {
  return names_men_mask<Bitboard>(token.bits) != 0;
}

// Finds the legal move that the token names. `black` tells whether the mover is Black (tokens hold
// absolute squares). The null move and unreadable tokens are the caller's business and give
// `illegal`.
CUARBITER_HD_INLINE PackedMatch match_san_packed(const Position& p, SanToken token, bool black) {
  const BoardView<Bitboard> v = view(p);
  if (names_men(token)) return detail::match_one(v, token, black);
  if (king_by_squares(token)) {
    const PackedMatch plain = detail::match_one(v, token, black);
    if (plain.status() != MatchStatus::illegal) return plain;
    const Bitboard from = detail::origin_squares<Bitboard>(token.bits, black ? 1 : 0);
    return from & v.kings() & v.us ? detail::match_coordinates(v, token, black) : plain;
  }
  if (token.piece() == SanToken::kSpecial) {
    if (token.target() > SanToken::kCastleQueenside) return PackedMatch{};
    return detail::match_castling(v, token.target() == SanToken::kCastleKingside);
  }
  return token.short_capture() ? detail::match_short_capture(v, token, black)
                               : detail::match_coordinates(v, token, black);
}

// The same, unpacked.
CUARBITER_HD Match match_san(const Position& p, SanToken token, bool black) {
  const PackedMatch m = match_san_packed(p, token, black);
  return Match{m.move(), m.status(), static_cast<std::uint8_t>(m.spelling())};
}

CUARBITER_RULES_END
