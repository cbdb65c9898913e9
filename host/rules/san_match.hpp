// From a move as written to the legal move it names (PGN standard 8.2.3, FIDE 3).
//
// Set-wise: the candidates are the men of the named kind that reach the target; disambiguation and
// king safety thin them out. One left is the move, none an illegal move, several an ambiguous one.
// Written over the word type of bits.hpp, so that a batch of games can be looked up in lanes.
#pragma once

#include "host/rules/castling.hpp"
#include "host/rules/king_watch.hpp"
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
  W named;      // our men that reach the target and fit what is told of the origin
  W found;      // those of them that do not leave the king in check: with ok, the origin
  W ok;         // mask: the token is clear and legal
  W target;     // a bit; only meaningful with ok, like all that follows
  W victim;     // the squares where a man is taken if one is: the target, and that behind it in
                // passing
  W passing;    // the target of a capture in passing, else none
  W two_steps;  // the target of a pawn's double step, else none
  CodeMasks<W> code;  // the piece code that arrives on the target
  W is_king;          // mask
  W zeroing;          // mask: a capture or a pawn move
  W capture_differs;  // mask: the capture mark is not as export format has it
  W origin_differs;   // mask: nor is what is told of the origin
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

namespace detail {

// What a token tells of the origin: its file and rank and 1, or 0, and the squares that fit each.
template <class W>
struct OriginTold {
  W file, rank;
  W on_file, on_rank;
};

// The squares that fit what is told, by its number; eight to a word.
template <class W>
struct ToldTables {
  static constexpr Bitboard kAll = ~Bitboard{0};
  static constexpr W kFiles = {kAll,        kFileA,      kFileA << 1, kFileA << 2,
                               kFileA << 3, kFileA << 4, kFileA << 5, kFileA << 6};
  static constexpr W kLastFile = {kFileH, kAll, kAll, kAll, kAll, kAll, kAll, kAll};
  static constexpr W kRanks = {kAll,         kRank1,       kRank1 << 8,  kRank1 << 16,
                               kRank1 << 24, kRank1 << 32, kRank1 << 40, kRank1 << 48};
  static constexpr W kLastRank = {kRank8, kAll, kAll, kAll, kAll, kAll, kAll, kAll};
};

// `black` is a mask: Black moves.
template <class W>
CUARBITER_HD_INLINE OriginTold<W> origin_told(W token, W black) {
  using Ops = WordOps<W>;
  OriginTold<W> told;
  const W from_file = token >> 9, from_rank = token >> 13;
  told.file = from_file & Ops::splat(15);
  told.rank = from_rank & Ops::splat(15);
  if constexpr (HasPick<W>) {
    using Tables = ToldTables<W>;
    told.on_file = Ops::pick(Tables::kFiles, Tables::kLastFile, from_file);
    const W of_white = Ops::pick(Tables::kRanks, Tables::kLastRank, from_rank);
    told.on_rank = blend(black, Ops::mirror(of_white), of_white);
  } else {
    const W all = Ops::splat(~Bitboard{0}), one = Ops::splat(1), seven = Ops::splat(7);
    const W rank_index = ((told.rank - one) ^ black) & seven;
    told.on_file =
        Ops::select_zero(told.file, all, Ops::splat(kFileA) << ((told.file - one) & seven));
    told.on_rank = Ops::select_zero(told.rank, all, Ops::splat(kRank1) << (rank_index << 3));
  }
  return told;
}
CUARBITER_HD_INLINE Bitboard origin_squares(SanToken token, bool black) {
  const OriginTold<Bitboard> told = origin_told<Bitboard>(token.bits, black ? ~Bitboard{0} : 0);
  return told.on_file & told.on_rank;
}

// Our men of a kind, a castling rook being a rook.
template <class W>
CUARBITER_HD_INLINE W men_of_kind(const BoardView<W>& v, const CodeMasks<W>& piece) {
  const W castling = v.castling_rooks();
  return v.us & ~(v.a ^ castling ^ piece.a) & ~(v.b ^ castling ^ piece.b) & ~(v.c ^ piece.c);
}

// What reaches a target.
template <class W>
struct TargetRays {
  LineRays<W> lines;    // seen from it
  SquareReach<W> near;  // around it
  W men;                // of either side, pawns aside: they reach it, if nothing else forbids it
};

// The mover's king is no obstacle where the mask says so: it is the man that moves. All kinds go
// the same way: a choice by kind would part the lanes.
template <class W>
CUARBITER_HD_INLINE TargetRays<W> target_rays(const BoardView<W>& v, W target, W is_king) {
  const W occupied = v.occupied & ~(is_king & v.kings() & v.us);
  TargetRays<W> rays;
  rays.lines = line_rays(lines_of(target), occupied);
  rays.near = reach_of(target);
  rays.men = ((rays.lines.rank | rays.lines.file) & v.orthogonal_sliders()) |
             ((rays.lines.diagonal | rays.lines.anti) & v.diagonal_sliders()) |
             (rays.near.knights & v.knights()) | (rays.near.kings & v.kings());
  return rays;
}

// From where pawns of ours reach the target: by a capture (diagonally) where the mask says so, else
// straight.
template <class W>
CUARBITER_HD_INLINE W pawn_origins(const BoardView<W>& v, W target, W captures) {
  using Ops = WordOps<W>;
  const W below = (target & ~v.occupied) >> 8;
  const W two_below = (below & ~v.occupied & Ops::splat(kRank3)) >> 8;
  const W taken = target & (v.them | v.en_passant);
  return blend(captures, shift<kSouthEast>(taken) | shift<kSouthWest>(taken), below | two_below);
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

// Those of `men` that may go to the target without leaving the king in check. Only men that may be
// pinned, and captures in passing, are tried one by one.
template <class W>
CUARBITER_HD_INLINE W lawful_movers(const BoardView<W>& v, const KingWatch<W>& watch,
                                    const TargetRays<W>& rays, W men, const MenMatch<W>& m) {
  using Ops = WordOps<W>;
  const W zero = Ops::splat(0), one = Ops::splat(1);
  // The king goes where nothing attacks it.
  const W attackers = (rays.men | (rays.near.pawns & v.pawns())) & v.them;
  // Another man takes the one that gives check, or goes between: to where both it and the king are
  // seen along one line. Two that give check leave no answer.
  const W ends = (v.kings() & v.us) | watch.checkers;
  const auto between = [&](W ray) { return ray & ends & ((ray & ends) - one); };
  const W answers = (m.target & watch.checkers) | between(rays.lines.rank) |
                    between(rays.lines.file) | between(rays.lines.diagonal) |
                    between(rays.lines.anti);
  const W fine = m.is_king | mask_if_zero(watch.checkers);
  const W hopeless = mask_if_set(watch.checkers & (watch.checkers - one)) & ~m.is_king;
  const W safe = Ops::select_zero(attackers & m.is_king,
                                  Ops::select_zero((answers | fine) & ~hopeless, zero, men), zero);
  const W tried = men & (mask_if_set(m.passing) | (watch.guards & ~m.is_king));
  if (!Ops::any(tried)) return safe;
  return (safe & ~tried) | safe_movers(v, tried, m.target, m.victim, zero);
}

// Mask: the origin told is not what 8.2.3.4 asks for, which is nothing with one candidate; else the
// file if that is enough, else the rank if that is enough, else both.
template <class W>
CUARBITER_HD_INLINE W origin_differs(const OriginTold<W>& told, W from, W candidates) {
  using Ops = WordOps<W>;
  const W square = Ops::popcount(from - Ops::splat(1));
  const W others = candidates & ~from;
  // The rank is needed when another stands on the file, the file when none does or when the rank
  // is shared as well; neither without others.
  const W shares_file = mask_if_set(others & file_through(square));
  const W shares_rank = mask_if_set(others & rank_through(square));
  const W needs_file = mask_if_set(others) & (~shares_file | shares_rank);
  return (shares_file ^ mask_if_set(told.rank)) | (needs_file ^ mask_if_set(told.file));
}

}  // namespace detail

// Looks up tokens that name a kind of man, one a lane: their bits as in SanToken. `black` is a mask
// of the lanes where Black moves; `watch` is the position's. A pawn captures when the file it is
// said to come from is not the target's.
template <class W>
CUARBITER_HD_INLINE MenMatch<W> match_men(const BoardView<W>& v, const KingWatch<W>& watch, W token,
                                          W black) {
  using Ops = WordOps<W>;
  const W zero = Ops::splat(0), one = Ops::splat(1);
  MenMatch<W> m;
  m.code = {mask_of_bit<6>(token), mask_of_bit<7>(token), mask_of_bit<8>(token)};
  const W is_pawn = m.code.a & ~m.code.b & ~m.code.c;
  m.is_king = m.code.b & m.code.c & ~m.code.a;
  m.target = one << ((token & Ops::splat(63)) ^ (black & Ops::splat(56)));
  const detail::OriginTold<W> told = detail::origin_told(token, black);
  const W sideways = mask_if_zero(m.target & told.on_file);
  m.passing = m.target & v.en_passant & is_pawn;
  m.victim = m.target | (m.passing >> 8);
  const detail::TargetRays<W> rays = detail::target_rays(v, m.target, m.is_king);
  const W kind = Ops::select_zero(m.target & v.us, detail::men_of_kind(v, m.code), zero);
  const W all = kind & blend(is_pawn, detail::pawn_origins(v, m.target, sideways), rays.men);
  m.named = all & told.on_file & told.on_rank;
  const W safe = detail::lawful_movers(v, watch, rays, all, m);
  m.found = safe & m.named;
  m.ok = Ops::select_zero(m.found, zero, mask_if_zero(m.found & (m.found - one)));
  m.two_steps = m.target & (m.found << 16) & is_pawn;
  const W captures = mask_if_set(m.target & (v.them | m.passing));
  m.zeroing = is_pawn | captures;
  m.capture_differs = captures ^ mask_of_bit<20>(token);
  m.origin_differs = ~is_pawn & detail::origin_differs(told, m.found, safe);
  // The last rank and the mark of a promotion belong together.
  const W promotion = token & Ops::splat(7 << 17);
  const W last_rank = m.target & Ops::splat(kRank8);
  if (Ops::any(is_pawn & (last_rank | promotion))) {
    const W promotes = is_pawn & mask_if_set(last_rank);
    m.ok = m.ok & ~(is_pawn & (promotes ^ mask_if_set(promotion)));
    m.code.a = blend(promotes, mask_of_bit<17>(token), m.code.a);
    m.code.b = blend(promotes, mask_of_bit<18>(token), m.code.b);
    m.code.c = blend(promotes, mask_of_bit<19>(token), m.code.c);
  }
  return m;
}

// The MatchStatus of the lanes as numbers.
template <class W>
CUARBITER_HD_INLINE W match_status(const MenMatch<W>& m) {
  using Ops = WordOps<W>;
  const auto number = [](MatchStatus s) { return Ops::splat(static_cast<unsigned>(s)); };
  // One legal move and yet not clear: a promotion without its piece, or a piece without promotion.
  const W unclear = blend(mask_if_set(m.target & Ops::splat(kRank8)),
                          number(MatchStatus::ambiguous), number(MatchStatus::illegal));
  const W several = m.found & (m.found - Ops::splat(1));
  return Ops::select_zero(
      m.named, number(MatchStatus::illegal),
      Ops::select_zero(m.found, number(MatchStatus::king_left_in_check),
                       Ops::select_zero(several, unclear & ~m.ok, number(MatchStatus::ambiguous))));
}

// The boards after the moves found, seen by the other side; W as above. Lanes without a move found
// are not to be used.
template <class W>
CUARBITER_HD_INLINE BoardView<W> after_men_moves(const BoardView<W>& v, const MenMatch<W>& m) {
  const BoardView<W> child = after_men(v, m.found, m.target, m.victim, m.code, m.is_king);
  const W passed = legal_en_passant(child, WordOps<W>::mirror(m.two_steps));
  return BoardView<W>(child.a, child.b, child.c, child.d | passed);
}

// Castling in lanes: `kingside` and `queenside` are masks of the lanes that want it. Gives the
// boards after it; `possible` gets the mask of the lanes where it is legal.
template <class W>
CUARBITER_HD_INLINE BoardView<W> after_castling_moves(const BoardView<W>& v, W kingside,
                                                      W queenside, W& possible) {
  const W right = ~((v.kings() & v.us) - WordOps<W>::splat(1));
  const W legal = legal_castling_rooks(v, back_rank_constraints(v));
  const W rook = legal & ((right & kingside) | (~right & queenside));
  possible = mask_if_set(rook);
  return after_castling(v, rook, kingside);
}

namespace detail {

// One token of that kind.
CUARBITER_HD_INLINE PackedMatch match_one(const BoardView<Bitboard>& v, SanToken token,
                                          bool black) {
  const MenMatch<Bitboard> m =
      match_men<Bitboard>(v, king_watch(v), token.bits, black ? ~Bitboard{0} : 0);
  if (!m.ok) return PackedMatch::failed(static_cast<MatchStatus>(match_status(m)));
  PackedMatch out = PackedMatch::found(lowest_square(m.found), lowest_square(m.target),
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
  Bitboard from = v.pawns() & v.us & origin_squares(token, black);
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
  const Bitboard legal = legal_castling_rooks(v, back_rank_constraints(v));
  const Bitboard rook = legal & (kingside ? ~(king - 1) : king - 1);
  if (!rook) return PackedMatch{};
  return PackedMatch::found(lowest_square(king), lowest_square(rook), MoveKind::castling);
}

// Coordinate notation: both squares are told, the piece is not.
CUARBITER_HD_INLINE PackedMatch match_coordinates(const BoardView<Bitboard>& v, SanToken token,
                                                  bool black) {
  const int to = static_cast<int>(token.target()) ^ (black ? 56 : 0);
  const Bitboard from = origin_squares(token, black) & v.us;
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
  if (target & v.us) return 0;
  const Bitboard men = detail::target_rays<Bitboard>(v, target, 0).men &
                       detail::men_of_kind<Bitboard>(v, code_masks(static_cast<Bitboard>(piece)));
  return detail::safe_movers<Bitboard>(v, men, target, target,
                                       piece == PieceType::king ? ~Bitboard{0} : 0);
}

// True for a king with its whole origin told: "Ke1-g1" may mean castling.
CUARBITER_HD_INLINE constexpr bool king_by_squares(SanToken token) {
  return token.piece() == static_cast<unsigned>(PieceType::king) && token.origin_file() != 0 &&
         token.origin_rank() != 0;
}

// True for the tokens that match_men looks up.
CUARBITER_HD_INLINE constexpr bool names_men(SanToken token) {
  return token.piece() != SanToken::kAnyPiece && token.piece() != SanToken::kSpecial &&
         !token.short_capture() && !king_by_squares(token);
}

// Bits that are 0 only for those: all of them but kings of which anything is told.
template <class W>
CUARBITER_HD_INLINE W not_plain(W token) {
  using Ops = WordOps<W>;
  constexpr Bitboard kPiece = 7 << 6, kOrigin = 255 << 9;
  constexpr Bitboard kKing = Bitboard{static_cast<unsigned>(PieceType::king)} << 6;
  // One more, modulo 8, is 0 or 1 for a token that names no kind.
  const W next = (token + Ops::splat(1 << 6)) & Ops::splat(6 << 6);
  const W king_origin = Ops::select_zero((token ^ Ops::splat(kKing)) & Ops::splat(kPiece),
                                         token & Ops::splat(kOrigin), Ops::splat(0));
  return mask_if_zero(next) | king_origin | (token & Ops::splat(SanToken::kShortCaptureBit));
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
    const Bitboard from = detail::origin_squares(token, black);
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
