// Replays games: resolves every token of the main lines and of the variations, judges it, and
// follows clock, repetition and end of the main line. Several games go side by side, one a lane of
// the word type: eight to a vector on a CPU, one to a thread on a GPU. What concerns the board is
// done for all lanes at once and without a branch on the kind of move; the bookkeeping is done lane
// by lane.
//
// Laws: FIDE 3 (moves), 5.1.1 and 5.2.1 (mate, stalemate), 5.2.2 (dead position, by material), 9.2
// and 9.6.1 (repetition), 9.3 and 9.6.2 (fifty and seventy-five moves).
#pragma once

#include "host/batch/replay_batch.hpp"
#include "host/rules/game_state.hpp"
#include "host/rules/san_match.hpp"

namespace cuarbiter {

// The arrays of a batch where the operation can reach them (host or device memory).
struct ReplayView {
  const SanToken* tokens = nullptr;
  const ReplaySegment* segments = nullptr;
  const ReplayGame* games = nullptr;
  const ReplayStart* starts = nullptr;
  // The position before each token. With lane_slots 0 token i has slots[i - slot_base]; otherwise
  // each lane has that many slots of its own, enough for the longest game.
  Position* slots = nullptr;
  std::uint32_t slot_base = 0;
  std::uint32_t lane_slots = 0;
  std::uint8_t* verdicts = nullptr;
  std::uint32_t* plies_judged = nullptr;
  GameVerdict* game_verdicts = nullptr;
  ReplayRules rules;
  // Scratch of kSeenEntries a lane, or null: the last ply at which a position of some small hash
  // stood, which spares most searches for repetitions.
  std::uint32_t* seen = nullptr;
  static constexpr std::uint32_t kSeenEntries = 512;
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

template <class W>
class LaneReplay {
 public:
  static constexpr int kLanes = sizeof(W) / sizeof(Bitboard);

  CUARBITER_HD_INLINE explicit LaneReplay(const ReplayView& view) : view_(view) {}

  // Plays through games first .. last.
  CUARBITER_HD_INLINE void run(std::uint32_t first, std::uint32_t last) {
    next_game_ = first;
    last_game_ = last;
    const ReplayRules& rules = view_.rules;
    watched_clock_ = rules.automatic_clock && rules.automatic_clock < rules.claim_clock
                         ? rules.automatic_clock
                         : rules.claim_clock;
    counts_checks_ = rules.checks_in_a_row != 0 || rules.checks_in_all != 0;
    int busy = 0;
    for (int l = 0; l < kLanes; ++l) {
      lanes_[l].busy = false;
      a_[l] = b_[l] = c_[l] = d_[l] = 0;
      token_[l] = black_[l] = castling_[l] = quiet_[l] = 0;
      if (begin_game(l) && prepare(l)) ++busy;
    }
    while (busy) {
      play();
      for (int l = 0; l < kLanes; ++l) {
        if (!lanes_[l].busy) continue;
        settle(l);
        if (!prepare(l)) --busy;
      }
    }
  }

 private:
  struct Lane {
    std::uint32_t game, segment, segment_end;
    std::uint32_t first_token;      // of the game
    std::uint32_t line_begin;       // first token of the line
    std::uint32_t token, line_end;  // the next token, and where the line ends
    std::uint32_t clock;            // plies since the last capture or pawn move
    std::uint32_t reversible;       // the same, within this game
    std::uint32_t check_run[2];     // checking moves in a row: by the last mover, by the other
    std::uint32_t check_sum[2];     // checking moves in all, counted where rules limit them
    std::uint32_t repetitions;      // how often the position has stood on the board
    bool busy, main_line, dead, checked, stopped, noted;
  };

  // Repetitions are counted over so many plies: without a bound an endless shuffle would take time
  // by the square of its length. The seventy-five-move rule ends such play after 150.
  static constexpr std::uint32_t kRepetitionReach = 1024;

  // Flags of a lane's move, as play() leaves them.
  static constexpr std::uint64_t kCaptureDiffers = 1, kOriginDiffers = 2, kZeroing = 4, kChecks = 8,
                                 kSuffixDiffers = 16, kPoor = 32;

  CUARBITER_HD_INLINE static W load(const std::uint64_t* from) {
    W w;
    __builtin_memcpy(&w, from, sizeof w);
    return w;
  }
  CUARBITER_HD_INLINE static void store(std::uint64_t* to, W w) {
    __builtin_memcpy(to, &w, sizeof w);
  }

  // ---- all lanes at once ----

  // Makes the prepared token's move in every lane: new boards, flags_ and status_.
  CUARBITER_HD_INLINE void play() {
    using Ops = WordOps<W>;
    const BoardView<W> v(load(a_), load(b_), load(c_), load(d_));
    const W token = load(token_);
    const MenMatch<W> m = match_men(v, token, load(black_));
    BoardView<W> child = after_men_moves(v, m);
    W status = m.status;
    W zeroing = m.zeroing;
    W differs = ~load(quiet_);
    const W castling = load(castling_);
    if (Ops::any(castling)) {
      const W kingside = mask_if_zero(castling ^ Ops::splat(1));
      const W queenside = mask_if_zero(castling ^ Ops::splat(2));
      const W wanted = kingside | queenside;
      W possible;
      const BoardView<W> castled = after_castling_moves(v, kingside, queenside, possible);
      child = BoardView<W>(blend(wanted, castled.a, child.a), blend(wanted, castled.b, child.b),
                           blend(wanted, castled.c, child.c), blend(wanted, castled.d, child.d));
      const W impossible = Ops::splat(static_cast<unsigned>(MatchStatus::illegal)) & ~possible;
      status = blend(wanted, impossible, status);
      zeroing = zeroing & ~wanted;
      differs = differs & ~wanted;
    }
    const W king = child.kings() & child.us;
    const W checks = mask_if_set(attackers_of(child, king, child.occupied, child.them));
    const W suffix = (token >> 21) & Ops::splat(3);
    // Export format has nothing without a check, + with one, # with mate.
    W suffix_differs = mask_if_set(suffix) & ~checks;
    if (Ops::any(checks)) {
      const W wanted = Ops::splat(SanToken::kCheckSuffix) + (mates(child, checks) & Ops::splat(1));
      suffix_differs = suffix_differs | (checks & mask_if_set(suffix ^ wanted));
    }
    const W moved = mask_if_zero(status);
    store(a_, blend(moved, child.a, v.a));
    store(b_, blend(moved, child.b, v.b));
    store(c_, blend(moved, child.c, v.c));
    store(d_, blend(moved, child.d, v.d));
    store(status_, status);
    store(flags_,
          (m.capture_differs & differs & Ops::splat(kCaptureDiffers)) |
              (m.origin_differs & differs & Ops::splat(kOriginDiffers)) |
              (zeroing & Ops::splat(kZeroing)) | (checks & Ops::splat(kChecks)) |
              (suffix_differs & Ops::splat(kSuffixDiffers)) |
              (mask_if_zero(child.pawns() | child.orthogonal_sliders()) & Ops::splat(kPoor)));
    store(hash_, small_hash(child.a, child.b, child.c, child.d));
  }

  // Mask: the side to move, in check where `checks` says so, is checkmated.
  CUARBITER_HD_INLINE static W mates(const BoardView<W>& v, W checks) {
    const Constraints<W> k = constraints(v);
    const W stuck = checks & mask_if_zero(king_attacks(k.king) & ~v.us & ~k.attacked);
    if (!WordOps<W>::any(stuck)) return stuck;
    return stuck & mask_if_zero(count_legal_moves(v, k));
  }

  // ---- one lane ----

  CUARBITER_HD_INLINE Position position(int l) const {
    Position p;
    p.a = a_[l];
    p.b = b_[l];
    p.c = c_[l];
    p.d = d_[l];
    return p;
  }
  CUARBITER_HD_INLINE void set_position(int l, const Position& p) {
    a_[l] = p.a;
    b_[l] = p.b;
    c_[l] = p.c;
    d_[l] = p.d;
  }

  // The slot of a token of the lane's game.
  CUARBITER_HD_INLINE Position& slot(int l, std::uint32_t token) const {
    return view_.lane_slots ? view_.slots[static_cast<std::uint64_t>(l) * view_.lane_slots + token -
                                          lanes_[l].first_token]
                            : view_.slots[token - view_.slot_base];
  }

  CUARBITER_HD_INLINE void note(Lane& lane, std::uint32_t token, std::uint8_t verdict) const {
    view_.verdicts[token] = verdict;
    lane.noted = true;
  }

  // Takes the next game; false when there is none.
  CUARBITER_HD_INLINE bool begin_game(int l) {
    Lane& lane = lanes_[l];
    lane.busy = next_game_ != last_game_;
    if (!lane.busy) return false;
    lane.game = next_game_++;
    const ReplayGame& game = view_.games[lane.game];
    const ReplayStart& start = view_.starts[game.start];
    GameVerdict& out = view_.game_verdicts[lane.game];
    out = GameVerdict{};
    lane.segment = game.segment_begin;
    lane.segment_end = game.segment_begin + game.segment_count;
    lane.first_token = view_.segments[lane.segment].token_begin;
    lane.noted = false;
    lane.main_line = true;
    open_line(lane);
    set_position(l, start.position);
    black_[l] = start.black;
    lane.checked = in_check(start.position);
    lane.clock = start.halfmove_clock;
    lane.reversible = 0;
    lane.check_run[0] = lane.check_run[1] = 0;
    lane.check_sum[0] = lane.check_sum[1] = 0;
    lane.repetitions = 1;
    lane.dead = insufficient_material(cuarbiter::view(start.position));
    if (lane.dead) out.first_dead = 0;
    if (lane.clock >= watched_clock_) long_play(lane, l, 0, out);
    if (view_.seen) {
      std::uint32_t* seen = view_.seen + l * ReplayView::kSeenEntries;
      for (std::uint32_t i = 0; i < ReplayView::kSeenEntries; ++i) seen[i] = 0;
      hash_[l] = small_hash(a_[l], b_[l], c_[l], d_[l]);
      may_repeat(l, 0, 0);
    }
    return true;
  }

  CUARBITER_HD_INLINE void open_line(Lane& lane) const {
    const ReplaySegment& line = view_.segments[lane.segment];
    lane.line_begin = lane.token = line.token_begin;
    lane.line_end = line.token_begin + line.token_count;
    lane.stopped = false;
  }

  // Brings the lane to a token that play() can take; false when no game is left for it.
  CUARBITER_HD_INLINE bool prepare(int l) {
    Lane& lane = lanes_[l];
    for (;;) {
      while (!lane.stopped && lane.token != lane.line_end) {
        slot(l, lane.token) = position(l);
        if (take_token(l)) return true;
      }
      close_line(l);
      while (++lane.segment != lane.segment_end && !open_variation(l)) {
      }
      if (lane.segment != lane.segment_end) continue;
      view_.game_verdicts[lane.game].noted = lane.noted;
      if (!begin_game(l)) return false;
    }
  }

  // Puts the next token before play(); false when it was dealt with here.
  CUARBITER_HD_INLINE bool take_token(int l) {
    Lane& lane = lanes_[l];
    const SanToken token = view_.tokens[lane.token];
    token_[l] = token.bits;
    castling_[l] = 0;
    quiet_[l] = 0;
    if (names_men(token)) return true;
    if (token.piece() == SanToken::kSpecial) {
      switch (token.target()) {
        case SanToken::kCastleKingside:
        case SanToken::kCastleQueenside:
          castling_[l] = token.target() + 1;
          return true;
        case SanToken::kNullMove:
          null_move(l);
          return false;
        default:
          fail(l, kVerdictUnreadable);
          return false;
      }
    }
    return take_loose_token(l, token);
  }

  // Coordinates, short captures, kings by both squares: looked up alone, then put as the plain
  // token they stand for.
  CUARBITER_HD_INLINE bool take_loose_token(int l, SanToken token) {
    const bool black = black_[l] != 0;
    const Position p = position(l);
    const PackedMatch m = match_san_packed(p, token, black);
    if (m.status() != MatchStatus::ok) {
      fail(l, failure(p, m.status()));
      return false;
    }
    if (m.kind() == MoveKind::castling) {
      castling_[l] = m.to() > m.from() ? 1 : 2;
    }
    const unsigned mirror = black ? 56 : 0;
    const unsigned from = m.from() ^ mirror;
    SanToken plain;
    plain.set_piece(static_cast<unsigned>(piece_at(p, static_cast<int>(m.from()))))
        .set_target(m.to() ^ mirror)
        .set_origin((from & 7) + 1, (from >> 3) + 1)
        .set_promotion(m.promotion())
        .set_suffix(token.suffix());
    token_[l] = plain.bits;
    // The form as a whole is noted by its style; a short capture may lack its mark.
    quiet_[l] = ~std::uint64_t{0};
    const unsigned noted =
        (m.spelling() & kSpellingCapture ? unsigned{kVerdictCapture} : 0u) |
        (m.spelling() & kSpellingDisambiguation ? unsigned{kVerdictDisambiguation} : 0u);
    if (noted) note(lanes_[l], lanes_[l].token, static_cast<std::uint8_t>(noted));
    return true;
  }

  CUARBITER_HD_INLINE void null_move(int l) {
    Lane& lane = lanes_[l];
    if (lane.main_line || lane.checked) {
      fail(l, lane.main_line ? kVerdictNullMove : kVerdictKingLeftInCheck);
      return;
    }
    note(lane, lane.token, kVerdictNullInLine);
    set_position(l, flipped(position(l)));
    black_[l] ^= 1;
    ++lane.token;
  }

  CUARBITER_HD_INLINE static std::uint8_t failure(const Position& p, MatchStatus status) {
    if (!has_legal_move(p)) return kVerdictAfterEnd;
    if (status == MatchStatus::ambiguous) return kVerdictAmbiguous;
    return status == MatchStatus::king_left_in_check ? kVerdictKingLeftInCheck : kVerdictIllegal;
  }

  // The token cannot be made: the line is not judged further.
  CUARBITER_HD_INLINE void fail(int l, std::uint8_t verdict) {
    Lane& lane = lanes_[l];
    note(lane, lane.token, verdict);
    lane.stopped = true;
    if (lane.main_line) view_.game_verdicts[lane.game].broken = 1;
  }

  // Keeps the books of the move that play() made.
  CUARBITER_HD_INLINE void settle(int l) {
    Lane& lane = lanes_[l];
    if (status_[l] != 0) {
      fail(l, failure(position(l), static_cast<MatchStatus>(status_[l])));
      return;
    }
    const std::uint64_t flags = flags_[l];
    unsigned verdict = 0;
    if (flags & (kCaptureDiffers | kOriginDiffers | kSuffixDiffers)) {
      if (flags & kSuffixDiffers) verdict |= kVerdictCheckSuffix;
      if (flags & kOriginDiffers) verdict |= kVerdictDisambiguation;
      if (flags & kCaptureDiffers) verdict |= kVerdictCapture;
    }
    lane.checked = (flags & kChecks) != 0;
    black_[l] ^= 1;
    if (lane.main_line) verdict |= settle_main_line(l, flags);
    if (verdict) {
      note(lane, lane.token, static_cast<std::uint8_t>(view_.verdicts[lane.token] | verdict));
    }
    ++lane.token;
  }

  CUARBITER_HD_INLINE unsigned settle_main_line(int l, std::uint64_t flags) {
    Lane& lane = lanes_[l];
    GameVerdict& out = view_.game_verdicts[lane.game];
    const std::uint32_t ply = lane.token - lane.line_begin + 1;
    const unsigned verdict =
        lane.dead && out.first_dead + 1 == ply ? unsigned{kVerdictAfterDead} : 0;
    // By masks: which of these moves come next is beyond prediction.
    const std::uint32_t quiet = static_cast<std::uint32_t>((flags / kZeroing) & 1) - 1;
    const std::uint32_t checking = static_cast<std::uint32_t>(0 - ((flags / kChecks) & 1));
    lane.clock = (lane.clock + 1) & quiet;
    lane.reversible = (lane.reversible + 1) & quiet;
    const std::uint32_t run = (lane.check_run[1] + 1) & checking;
    lane.check_run[1] = lane.check_run[0];
    lane.check_run[0] = run;
    lane.repetitions = 1;
    if (may_repeat(l, ply, lane.reversible)) repetition(l, ply, out);
    if ((flags & kPoor) && !lane.dead && insufficient_material(cuarbiter::view(position(l)))) {
      lane.dead = true;
      out.first_dead = ply;
    }
    if (lane.clock >= watched_clock_) long_play(lane, l, ply, out);
    if (counts_checks_) count_checks(lane, l, ply, out);
    return verdict;
  }

  // The numbers of checks against their limits. A check that mates ends nothing but the game.
  CUARBITER_HD_INLINE void count_checks(Lane& lane, int l, std::uint32_t ply,
                                        GameVerdict& out) const {
    const std::uint32_t sum = lane.check_sum[1] + (lane.checked ? 1 : 0);
    lane.check_sum[1] = lane.check_sum[0];
    lane.check_sum[0] = sum;
    if (!lane.checked) return;
    const bool run_full = check_run_full(lane) && out.first_check_run == kNoPly;
    const bool sum_full = check_sum_full(lane) && out.first_check_sum == kNoPly;
    if ((!run_full && !sum_full) || !has_legal_move(position(l))) return;
    if (run_full) out.first_check_run = ply;
    if (sum_full) out.first_check_sum = ply;
  }

  // By the last mover, who has just given check: a side that does not has no run.
  CUARBITER_HD_INLINE bool check_run_full(const Lane& lane) const {
    const std::uint32_t limit = view_.rules.checks_in_a_row;
    return limit && lane.check_run[0] >= limit;
  }
  CUARBITER_HD_INLINE bool check_sum_full(const Lane& lane) const {
    const std::uint32_t limit = view_.rules.checks_in_all;
    return limit && (lane.check_sum[0] >= limit || lane.check_sum[1] >= limit);
  }

  // The clock has reached a limit.
  CUARBITER_HD_INLINE void long_play(const Lane& lane, int l, std::uint32_t ply,
                                     GameVerdict& out) const {
    if (lane.clock >= view_.rules.claim_clock && out.first_fifty == kNoPly) out.first_fifty = ply;
    if (view_.rules.automatic_clock && lane.clock >= view_.rules.automatic_clock &&
        out.first_seventyfive == kNoPly && !(lane.checked && !has_legal_move(position(l)))) {
      out.first_seventyfive = ply;
    }
  }

  // An index into a lane's part of `seen`.
  template <class X>
  CUARBITER_HD_INLINE static X small_hash(X a, X b, X c, X d) {
    const X mixed = a ^ (b << 17) ^ (b >> 47) ^ (c << 31) ^ (c >> 33) ^ (d << 47) ^ (d >> 17);
    return (mixed * WordOps<X>::splat(0x9E3779B97F4A7C15u)) >> 55;  // 9 bits: kSeenEntries
  }

  // False when the position at `ply` has certainly not stood on the board in the last `reach`
  // plies.
  CUARBITER_HD_INLINE bool may_repeat(int l, std::uint32_t ply, std::uint32_t reach) const {
    if (!view_.seen) return reach >= 4;
    std::uint32_t& last = view_.seen[l * ReplayView::kSeenEntries + hash_[l]];
    const bool found = last != 0 && ply - (last - 1) <= reach;
    last = ply + 1;
    return found && reach >= 4;
  }

  // Counts how often the position at `ply` has stood on the board since the last irreversible move.
  // Notes the first threefold and fivefold repetition.
  CUARBITER_HD_INLINE void repetition(int l, std::uint32_t ply, GameVerdict& out) {
    Lane& lane = lanes_[l];
    const Position now = position(l);
    std::uint32_t count = 1;
    std::uint32_t oldest = 0;
    const std::uint32_t reach =
        lane.reversible < kRepetitionReach ? lane.reversible : kRepetitionReach;
    for (std::uint32_t back = 4; back <= reach; back += 2) {
      if (same_position(slot(l, lane.line_begin + ply - back), now)) {
        ++count;
        if (count == 3) oldest = back;
      }
    }
    lane.repetitions = count;
    if (count > out.max_repetitions) out.max_repetitions = count;
    if (count >= 3 && out.first_threefold == kNoPly) {
      out.first_threefold = ply;
      const std::uint32_t moves = oldest / 2;
      const unsigned by_last = lane.check_run[0] >= moves ? 1u : 0u;
      const unsigned by_other = lane.check_run[1] >= moves ? 1u : 0u;
      out.perpetual_by = static_cast<std::uint8_t>(black_[l] ? by_last | (by_other << 1)
                                                             : by_other | (by_last << 1));
    }
    if (count >= 5 && out.first_fivefold == kNoPly) out.first_fivefold = ply;
  }

  // The line has ended: by its last token or by one that could not be made.
  CUARBITER_HD_INLINE void close_line(int l) {
    Lane& lane = lanes_[l];
    const std::uint32_t made = lane.token - lane.line_begin;
    view_.plies_judged[lane.segment] = made + (lane.stopped ? 1 : 0);
    if (!lane.main_line) return;
    lane.main_line = false;
    GameVerdict& out = view_.game_verdicts[lane.game];
    const Position p = position(l);
    const PositionFacts facts = position_facts(p);
    out.final_position = p;
    out.plies = made;
    out.halfmove_clock = lane.clock;
    out.repetitions = lane.repetitions;
    out.flags = facts.flags;
    out.checkers = facts.checkers;
    GameState state = state_of(facts, lane.clock, view_.rules.automatic_clock);
    if (state == GameState::ongoing || state == GameState::seventyfive_moves) {
      if (out.repetitions >= 5) state = GameState::fivefold_repetition;
      if (check_sum_full(lane)) state = GameState::checks_in_all;
      if (check_run_full(lane)) state = GameState::checks_in_a_row;
    }
    out.state = static_cast<std::uint8_t>(state);
  }

  // Sets the lane up for its variation; false when its branch was never reached.
  CUARBITER_HD_INLINE bool open_variation(int l) {
    Lane& lane = lanes_[l];
    const ReplaySegment& line = view_.segments[lane.segment];
    const ReplaySegment& parent = view_.segments[line.parent];
    view_.plies_judged[lane.segment] = 0;
    if (parent.token_count == 0 || line.branch >= view_.plies_judged[line.parent]) return false;
    open_line(lane);
    const Position start = slot(l, parent.token_begin + line.branch);
    set_position(l, start);
    const std::uint32_t first = view_.starts[view_.games[lane.game].start].black;
    black_[l] = (first + line.ply) & 1;
    lane.checked = in_check(start);
    return true;
  }

  ReplayView view_;
  std::uint32_t next_game_ = 0, last_game_ = 0;
  std::uint32_t watched_clock_ = 0;  // the least limit of the rules
  bool counts_checks_ = false;       // the rules limit the number of checks
  Lane lanes_[kLanes];
  alignas(sizeof(W)) std::uint64_t a_[kLanes], b_[kLanes], c_[kLanes], d_[kLanes];
  alignas(sizeof(W)) std::uint64_t token_[kLanes], black_[kLanes], castling_[kLanes],
      quiet_[kLanes];
  alignas(sizeof(W)) std::uint64_t status_[kLanes], flags_[kLanes], hash_[kLanes];
};

// Plays through one game a call.
struct ReplayOp {
  ReplayView view;

  CUARBITER_HD_INLINE void operator()(std::uint32_t index) const {
    LaneReplay<Bitboard>(view).run(index, index + 1);
  }
};

CUARBITER_RULES_END
