// Replays games: resolves every token of the main lines and of the variations, judges it, and
// follows clock, repetition and end of the main line. Several games go side by side, one a lane of
// the word type: eight to a vector on a CPU, one to a thread on a GPU. The board and the books of a
// usual move are done for all lanes at once and without a branch on the kind of move; lanes where
// anything else comes up (a fault, the end of a line) are looked at one by one. Repetitions wait
// for the end of their line.
//
// Laws: FIDE 3 (moves), 5.1.1 and 5.2.1 (mate, stalemate), 5.2.2 (dead position, by material), 9.2
// and 9.6.1 (repetition), 9.3 and 9.6.2 (fifty and seventy-five moves).
#pragma once

#include "host/rules/game_state.hpp"
#include "host/rules/repetition.hpp"
#include "host/rules/san_match.hpp"
#include "kernels/ops/held_steps.hpp"
#include "kernels/ops/mate_queue.hpp"
#include "kernels/ops/replay_view.hpp"

CUARBITER_RULES_BEGIN

template <class W>
class LaneReplay {
 public:
  static constexpr int kLanes = sizeof(W) / sizeof(Bitboard);

  CUARBITER_HD_INLINE explicit LaneReplay(const ReplayView& view)
      : view_(view), checks_(view.verdicts, view.game_verdicts) {}

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
    step_ = 1;
    looks_on_ = kLanes > 1;
    for (int l = 0; l < kLanes; ++l) {
      busy_[l] = main_[l] = dead_[l] = 0;
      a_[l] = b_[l] = c_[l] = d_[l] = 0;
      checkers_[l] = guards_[l] = 0;
      token_[l] = black_[l] = special_[l] = 0;
      base_[l] = rows_[l] = slots_[l] = end_[l] = 0;
      line_begin_[l] = line_end_[l] = 0;
      clock_[l] = 0;
      if (begin_game(l) && prepare(l)) ++busy;
    }
    find_next_end();
    while (busy) {
      busy -= go_on(play());
    }
    checks_.flush();
  }

 private:
  struct Lane {
    std::uint32_t game, segment, segment_end;
    // How often the last position that was asked for has stood on the board, and its ply. One lane
    // alone asks at once, so that this is 1 or of the position on the board.
    std::uint32_t count, counted_ply;
    // Checking moves in all and in a row, by the last mover and by the other; counted where rules
    // limit them.
    std::uint32_t check_sum[2], check_run[2];
    bool stopped, noted;
  };

  // Repetitions are looked for at the end of a line.
  static constexpr bool kHolds = kLanes > 1;

  // What play() is told of a lane's token: castling, or a move whose spelling is judged already.
  static constexpr std::uint64_t kKingside = 1, kQueenside = 2, kQuiet = 4;

  // What settle() is told of a lane's move.
  static constexpr std::uint64_t kCaptureDiffers = 1, kOriginDiffers = 2, kMoved = 4, kRepeats = 8,
                                 kSuffixDiffers = 16, kPoor = 32, kClaimsMate = 64;

  // ---- all lanes at once ----

  // What play() says of the moves it made. Masks, but for the hash.
  struct Made {
    W moved;  // a move was made; nothing else holds for the other lanes, whose boards are void
    W zeroing, checks;
    W claims_mate;  // says that the check is mate
    W suffix_differs, origin_differs, capture_differs;
    W poor;  // neither pawns, rooks nor queens are left
    W hash;  // small_hash of the board
  };

  // Makes the prepared token's move in every lane that has a game.
  CUARBITER_HD_INLINE Made play() {
    using Ops = WordOps<W>;
    const BoardView<W> v(load_lanes<W>(a_), load_lanes<W>(b_), load_lanes<W>(c_),
                         load_lanes<W>(d_));
    const W token = load_lanes<W>(token_), busy = load_lanes<W>(busy_);
    look_ahead();
    const MenMatch<W> m = match_men(v, watch_of(v), token, load_lanes<W>(black_));
    BoardView<W> child = after_men_moves(v, m);
    Made made;
    made.moved = busy & m.ok;
    made.zeroing = m.zeroing;
    made.capture_differs = m.capture_differs;
    made.origin_differs = m.origin_differs;
    const W special = load_lanes<W>(special_);
    if (Ops::any(special)) {
      const W kingside = mask_if_zero(special ^ Ops::splat(kKingside));
      const W queenside = mask_if_zero(special ^ Ops::splat(kQueenside));
      const W wanted = kingside | queenside;
      W possible;
      const BoardView<W> castled = after_castling_moves(v, kingside, queenside, possible);
      child = BoardView<W>(blend(wanted, castled.a, child.a), blend(wanted, castled.b, child.b),
                           blend(wanted, castled.c, child.c), blend(wanted, castled.d, child.d));
      made.moved = busy & blend(wanted, possible, made.moved);
      made.zeroing = made.zeroing & ~wanted;
      const W plain = mask_if_zero(special);
      made.capture_differs = made.capture_differs & plain;
      made.origin_differs = made.origin_differs & plain;
      store_lanes(special_, Ops::splat(0));
    }
    if (Ops::any(busy & ~made.moved)) {
      store_lanes(status_,
                  Ops::select_zero(special & Ops::splat(kKingside | kQueenside), match_status(m),
                                   Ops::splat(static_cast<unsigned>(MatchStatus::illegal))));
    }
    const KingWatch<W> after = king_watch(child, king_after(v, child));
    made.checks = mask_if_set(after.checkers);
    // Export format has nothing without a check, + with one, # with mate. A check is no mate if the
    // line goes on; otherwise the end of the line takes a look at the position.
    const W plus = mask_of_bit<21>(token), mate = mask_of_bit<22>(token);
    made.claims_mate = made.checks & mate & ~plus;
    made.suffix_differs = ((plus | mate) ^ made.checks) | (plus & mate);
    made.poor = mask_if_zero(child.pawns() | child.orthogonal_sliders());
    made.hash = small_hash(child.a, child.b, child.c, child.d);
    store_lanes(a_, child.a);
    store_lanes(b_, child.b);
    store_lanes(c_, child.c);
    store_lanes(d_, child.d);
    store_lanes(checkers_, after.checkers);
    store_lanes(guards_, after.guards);
    return made;
  }

  // What is known of the kings. A device finds it out anew, having no registers to keep it.
  CUARBITER_HD_INLINE KingWatch<W> watch_of(const BoardView<W>& v) const {
#if defined(__CUDA_ARCH__)
    return king_watch(v);
#else
    static_cast<void>(v);
    return {load_lanes<W>(checkers_), load_lanes<W>(guards_)};
#endif
  }

  // Of the side that moves next. Where it stands is known before the move is; a device, which has
  // no registers for that, looks afterwards.
  CUARBITER_HD_INLINE static W king_after(const BoardView<W>& before, const BoardView<W>& after) {
#if defined(__CUDA_ARCH__)
    static_cast<void>(before);
    return after.kings() & after.us;
#else
    static_cast<void>(after);
    return WordOps<W>::mirror(before.kings() & before.them);
#endif
  }

  // Keeps the books of the moves that play() made and brings every lane to its next token; returns
  // how many lanes have run out of games.
  CUARBITER_HD_INLINE int go_on(const Made& made) {
    using Ops = WordOps<W>;
    const W zero = Ops::splat(0), one = Ops::splat(1);
    const W busy = load_lanes<W>(busy_);
    const W moved = made.moved;
    ++step_;
    // By the step alone, so that a wrong guess is found out early.
    const bool any_ends = step_ == (kLanes > 1 ? next_end_ : end_[0]);
    store_lanes(black_, load_lanes<W>(black_) ^ moved);
    // By masks: which of these moves come next is beyond prediction.
    const W clock = (load_lanes<W>(clock_) - moved) & ~(made.zeroing & moved);
    store_lanes(clock_, clock);
    W repeats = may_repeat(made.hash, clock);
    if constexpr (kHolds) {
      if (held_.add(step_, load_lanes<W>(main_) & moved & repeats, clock)) {
        for (int l = 0; l < kLanes; ++l) look_at_held(l);
        held_.clear();
      }
      repeats = zero;
    } else {
      lanes_[0].count = moved ? 1 : lanes_[0].count;
    }
    // What main lines are watched for.
    W watched = repeats | made.poor | load_lanes<W>(dead_) |
                ~mask_if_below(clock, Ops::splat(watched_clock_));
    if (counts_checks_) watched = Ops::splat(~std::uint64_t{0});
    const W noted =
        made.capture_differs | made.origin_differs | made.suffix_differs | made.claims_mate;
    W odd = busy & (~moved | noted | (load_lanes<W>(main_) & watched));
    unsigned all = Ops::lanes(busy);  // lanes that go on in their line
    W fresh = busy;                   // the same as a mask
    int gone = 0;
    if (any_ends || Ops::any(odd)) {
      store_lanes(flags_, (moved & Ops::splat(kMoved)) |
                              (made.capture_differs & Ops::splat(kCaptureDiffers)) |
                              (made.origin_differs & Ops::splat(kOriginDiffers)) |
                              (made.suffix_differs & Ops::splat(kSuffixDiffers)) |
                              (made.claims_mate & Ops::splat(kClaimsMate)) |
                              (made.poor & Ops::splat(kPoor)) | (repeats & Ops::splat(kRepeats)));
      odd = odd | (busy & mask_if_zero(load_lanes<W>(end_) ^ Ops::splat(step_)));
      for_lanes(Ops::lanes(odd), [&](int l) {
        settle(l);
        if (!lanes_[l].stopped && cursor(l) != line_end_[l]) return;
        all &= ~(1u << l);
        if (!prepare(l)) ++gone;
      });
      find_next_end();
      fresh = zero - ((Ops::splat(all) >> Ops::numbers()) & one);
    }
    store_lanes(token_, blend(fresh, load_lanes<W>(ahead_), load_lanes<W>(token_)));
    keep_slots(all);
    const unsigned others = Ops::lanes(load_tokens(fresh));
    if (others) {
      for_lanes(others, [&](int l) {
        if (!prepare(l)) ++gone;
      });
      find_next_end();
    }
    return gone;
  }

  // Looks for the repetitions in the lane's main line that were put off.
  CUARBITER_HD_SELDOM void look_at_held(int l) {
    if constexpr (kHolds) {
      held_.take(l, [&](std::uint64_t step, std::uint64_t clock) {
        const auto ply = static_cast<std::uint32_t>(base_[l] + step) - line_begin_[l];
        const Position now = step == step_ ? position(l) : slot(l, line_begin_[l] + ply);
        repetition(l, ply, now, static_cast<std::uint32_t>(clock));
      });
    }
  }

  // The first step at which a line is over.
  CUARBITER_HD_INLINE void find_next_end() {
    if constexpr (kLanes > 1) {
      next_end_ = ~std::uint64_t{0};
      for (int l = 0; l < kLanes; ++l) next_end_ = end_[l] < next_end_ ? end_[l] : next_end_;
    }
  }

  // Calls f(l) for the lanes whose bits are set. One lane alone is known by name: its books live in
  // registers.
  template <class F>
  CUARBITER_HD_INLINE static void for_lanes(unsigned lanes, F&& f) {
    if constexpr (kLanes == 1) {
      if (lanes) f(0);
    } else {
      for (; lanes; lanes &= lanes - 1) f(lowest_square(lanes));
    }
  }

  // Fetches the tokens behind those that play() makes, long before they are needed. What it takes
  // for a lane at the end of its line does not matter, as long as it is there: with the last line
  // under way the lane looks at the same token again, and lanes without a game look at token 0.
  CUARBITER_HD_INLINE void look_ahead() {
    using Ops = WordOps<W>;
    const std::uint32_t* tokens = &view_.tokens->bits;
    if (kLanes > 1 && looks_on_) {
      store_lanes(ahead_, Ops::gather(tokens, base_, step_ + 1));
      return;
    }
    const W next = Ops::splat(step_ + 1);
    const W at = load_lanes<W>(base_) + next + mask_if_zero(next ^ load_lanes<W>(end_));
    store_lanes(ahead_, Ops::gather(tokens, at & load_lanes<W>(busy_)));
  }

  // Keeps the positions before the next tokens of these lanes.
  CUARBITER_HD_INLINE void keep_slots(unsigned lanes) {
    if (kLanes > 1 && lanes == (1u << kLanes) - 1) {
      WordOps<W>::scatter_rows(load_lanes<W>(a_), load_lanes<W>(b_), load_lanes<W>(c_),
                               load_lanes<W>(d_), rows_, step_ * sizeof(Position));
      return;
    }
    for_lanes(lanes, [&](int l) { slot(l, cursor(l)) = position(l); });
  }

  // Sorts the tokens put into the lanes `fresh`: play() takes moves of men and castling. Returns a
  // mask of the others.
  CUARBITER_HD_INLINE W load_tokens(W fresh) {
    using Ops = WordOps<W>;
    const W token = load_lanes<W>(token_);
    W others = fresh & not_plain(token);
    if (Ops::any(others)) {
      const W target = token & Ops::splat(63);
      const W castles = others & mask_of_bit<6>(token) & mask_of_bit<7>(token) &
                        mask_of_bit<8>(token) & mask_if_below(target, Ops::splat(2));
      store_lanes(special_, load_lanes<W>(special_) | (castles & (target + Ops::splat(1))));
      others = others & ~castles;
    }
    return others;
  }

  // An index into a lane's part of `seen`.
  template <class X>
  CUARBITER_HD_INLINE static X small_hash(X a, X b, X c, X d) {
    const X mixed = a ^ (b << 17) ^ (b >> 47) ^ (c << 31) ^ (c >> 33) ^ (d << 47) ^ (d >> 17);
    return (mixed * WordOps<X>::splat(0x9E3779B97F4A7C15u)) >> 53;  // 11 bits: kSeenEntries
  }

  // Mask: the position may have stood on the board within the last `reach` plies, which may begin
  // before the game. In a main line a step is a ply.
  CUARBITER_HD_INLINE W may_repeat(W hash, W reach) {
    using Ops = WordOps<W>;
    const W four = Ops::splat(4);
    if (!view_.seen) return ~mask_if_below(reach, four);
    const W index = hash + Ops::numbers() * Ops::splat(ReplayView::kSeenEntries);
    const W last = Ops::exchange(view_.seen, index, static_cast<std::uint16_t>(step_));
    const W ago = (Ops::splat(step_) - last) & Ops::splat(0xFFFF);
    return ~mask_if_below(reach, Ops::max(ago, four));
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
  // The lane's next token.
  CUARBITER_HD_INLINE std::uint32_t cursor(int l) const {
    return static_cast<std::uint32_t>(base_[l] + step_);
  }
  CUARBITER_HD_INLINE void set_cursor(int l, std::uint32_t token) {
    base_[l] = token - step_;
    end_[l] = line_end_[l] - base_[l];
    rows_[l] = slots_[l] + base_[l] * sizeof(Position);
  }
  CUARBITER_HD_SELDOM void set_position(int l, const Position& p) {
    a_[l] = p.a;
    b_[l] = p.b;
    c_[l] = p.c;
    d_[l] = p.d;
    const KingWatch<Bitboard> watch = king_watch(cuarbiter::view(p));
    checkers_[l] = watch.checkers;
    guards_[l] = watch.guards;
  }

  // The slot of a token of the lane's game.
  CUARBITER_HD_INLINE Position& slot(int l, std::uint32_t token) const {
    return *reinterpret_cast<Position*>(slots_[l] + token * sizeof(Position));
  }
  // Where the slot of token 0 would be, for a game that begins with token `first`: as a number,
  // since it can lie outside of the array.
  CUARBITER_HD_INLINE std::uint64_t slots_of(int l, std::uint32_t first) const {
    const auto base = reinterpret_cast<std::uint64_t>(view_.slots);
    const std::uint64_t lane = static_cast<std::uint64_t>(l) * view_.lane_slots;
    return base + (view_.lane_slots ? lane - first : std::uint64_t{0} - view_.slot_base) *
                      sizeof(Position);
  }

  CUARBITER_HD_INLINE void note(Lane& lane, std::uint32_t token, std::uint8_t verdict) const {
    view_.verdicts[token] = verdict;
    lane.noted = true;
  }

  // Takes the next game; false when there is none.
  CUARBITER_HD_INLINE bool begin_game(int l) {
    Lane& lane = lanes_[l];
    busy_[l] = next_game_ != last_game_ ? ~std::uint64_t{0} : 0;
    main_[l] = busy_[l];
    if (!busy_[l]) {
      looks_on_ = false;
      end_[l] = ~std::uint64_t{0};
      return false;
    }
    lane.game = next_game_++;
    const ReplayGame& game = view_.games[lane.game];
    const ReplayStart& start = view_.starts[game.start];
    GameVerdict& out = view_.game_verdicts[lane.game];
    out = GameVerdict{};
    lane.segment = game.segment_begin;
    lane.segment_end = game.segment_begin + game.segment_count;
    slots_[l] = slots_of(l, view_.segments[lane.segment].token_begin);
    lane.noted = false;
    open_line(l);
    set_position(l, start.position);
    black_[l] = start.black ? ~std::uint64_t{0} : 0;
    clock_[l] = start.halfmove_clock;
    lane.check_sum[0] = lane.check_sum[1] = 0;
    lane.check_run[0] = lane.check_run[1] = 0;
    lane.count = 1;
    lane.counted_ply = kNoPly;
    if constexpr (kHolds) held_.begin(l);
    dead_[l] = insufficient_material(cuarbiter::view(start.position)) ? ~std::uint64_t{0} : 0;
    if (dead_[l]) out.first_dead = 0;
    if (clock_[l] >= watched_clock_) long_play(l, 0, out);
    if (view_.seen) {
      const std::uint64_t at = small_hash(a_[l], b_[l], c_[l], d_[l]);
      view_.seen[l * ReplayView::kSeenEntries + at] = static_cast<std::uint16_t>(step_);
    }
    return true;
  }

  CUARBITER_HD_INLINE void open_line(int l) {
    Lane& lane = lanes_[l];
    const ReplaySegment& line = view_.segments[lane.segment];
    line_begin_[l] = line.token_begin;
    line_end_[l] = line.token_begin + line.token_count;
    if (line_end_[l] == view_.token_count) looks_on_ = false;
    set_cursor(l, line.token_begin);
    lane.stopped = false;
  }

  // Brings the lane to a token that play() can take; false when no game is left for it.
  CUARBITER_HD_SELDOM bool prepare(int l) {
    Lane& lane = lanes_[l];
    for (;;) {
      while (!lane.stopped && cursor(l) != line_end_[l]) {
        slot(l, cursor(l)) = position(l);
        if (take_token(l)) return true;
      }
      close_line(l);
      while (++lane.segment != lane.segment_end && !open_variation(l)) {
      }
      if (lane.segment != lane.segment_end) continue;
      view_.game_verdicts[lane.game].noted |= lane.noted ? 1 : 0;
      if (!begin_game(l)) return false;
    }
  }

  // Puts the next token before play(); false when it was dealt with here.
  CUARBITER_HD_INLINE bool take_token(int l) {
    const SanToken token = view_.tokens[cursor(l)];
    token_[l] = token.bits;
    special_[l] = 0;
    if (names_men(token)) return true;
    if (token.piece() == SanToken::kSpecial) {
      switch (token.target()) {
        case SanToken::kCastleKingside:
        case SanToken::kCastleQueenside:
          special_[l] = token.target() + 1;
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
  CUARBITER_HD_SELDOM bool take_loose_token(int l, SanToken token) {
    const bool black = black_[l] != 0;
    const Position p = position(l);
    const PackedMatch m = match_san_packed(p, token, black);
    if (m.status() != MatchStatus::ok) {
      fail(l, failure(p, m.status()));
      return false;
    }
    // The form as a whole is noted by its style; a short capture may lack its mark.
    special_[l] = m.kind() != MoveKind::castling ? kQuiet
                  : m.to() > m.from()            ? kKingside
                                                 : kQueenside;
    const unsigned mirror = black ? 56 : 0;
    const unsigned from = m.from() ^ mirror;
    SanToken plain;
    plain.set_piece(static_cast<unsigned>(piece_at(p, static_cast<int>(m.from()))))
        .set_target(m.to() ^ mirror)
        .set_origin((from & 7) + 1, (from >> 3) + 1)
        .set_promotion(m.promotion())
        .set_suffix(token.suffix());
    token_[l] = plain.bits;
    const unsigned noted =
        (m.spelling() & kSpellingCapture ? unsigned{kVerdictCapture} : 0u) |
        (m.spelling() & kSpellingDisambiguation ? unsigned{kVerdictDisambiguation} : 0u);
    if (noted) note(lanes_[l], cursor(l), static_cast<std::uint8_t>(noted));
    return true;
  }

  CUARBITER_HD_INLINE void null_move(int l) {
    if (main_[l] || checkers_[l]) {
      fail(l, main_[l] ? kVerdictNullMove : kVerdictKingLeftInCheck);
      return;
    }
    note(lanes_[l], cursor(l), kVerdictNullInLine);
    set_position(l, flipped(position(l)));
    black_[l] = ~black_[l];
    set_cursor(l, cursor(l) + 1);
  }

  CUARBITER_HD_INLINE static std::uint8_t failure(const Position& p, MatchStatus status) {
    if (!has_legal_move(p)) return kVerdictAfterEnd;
    if (status == MatchStatus::ambiguous) return kVerdictAmbiguous;
    return status == MatchStatus::king_left_in_check ? kVerdictKingLeftInCheck : kVerdictIllegal;
  }

  // The token cannot be made: the line is not judged further.
  CUARBITER_HD_INLINE void fail(int l, std::uint8_t verdict) {
    Lane& lane = lanes_[l];
    note(lane, cursor(l), verdict);
    lane.stopped = true;
    if (main_[l]) view_.game_verdicts[lane.game].broken = 1;
  }

  // What is to be said of the move that play() made, or of one that could not be made.
  CUARBITER_HD_SELDOM void settle(int l) {
    Lane& lane = lanes_[l];
    const std::uint64_t flags = flags_[l];
    if (!(flags & kMoved)) {
      if (main_[l]) look_at_held(l);
      set_cursor(l, cursor(l) - 1);
      const Position p = slot(l, cursor(l));
      set_position(l, p);
      fail(l, failure(p, static_cast<MatchStatus>(status_[l])));
      return;
    }
    const std::uint32_t token = cursor(l) - 1;
    unsigned verdict = 0;
    if (flags & kSuffixDiffers) verdict |= kVerdictCheckSuffix;
    if (flags & kOriginDiffers) verdict |= kVerdictDisambiguation;
    if (flags & kCaptureDiffers) verdict |= kVerdictCapture;
    if (main_[l]) verdict |= settle_main_line(l, flags);
    if (verdict) note(lane, token, static_cast<std::uint8_t>(view_.verdicts[token] | verdict));
    if ((flags & kClaimsMate) && cursor(l) != line_end_[l]) {
      checks_.push(position(l), SanToken::kMateSuffix, token, lane.game);
    }
  }

  CUARBITER_HD_INLINE unsigned settle_main_line(int l, std::uint64_t flags) {
    GameVerdict& out = view_.game_verdicts[lanes_[l].game];
    const auto ply = cursor(l) - line_begin_[l];
    const unsigned verdict =
        dead_[l] && out.first_dead + 1 == ply ? unsigned{kVerdictAfterDead} : 0;
    if (flags & kRepeats) {
      repetition(l, ply, position(l), static_cast<std::uint32_t>(clock_[l]));
    }
    if ((flags & kPoor) && !dead_[l] && insufficient_material(cuarbiter::view(position(l)))) {
      dead_[l] = ~std::uint64_t{0};
      out.first_dead = ply;
    }
    if (clock_[l] >= watched_clock_) long_play(l, ply, out);
    if (counts_checks_) count_checks(l, ply, out);
    return verdict;
  }

  // The numbers of checks against their limits. A check that mates ends nothing but the game.
  CUARBITER_HD_INLINE void count_checks(int l, std::uint32_t ply, GameVerdict& out) {
    Lane& lane = lanes_[l];
    const std::uint32_t sum = lane.check_sum[1] + (checkers_[l] ? 1 : 0);
    lane.check_sum[1] = lane.check_sum[0];
    lane.check_sum[0] = sum;
    const std::uint32_t run = checkers_[l] ? lane.check_run[1] + 1 : 0;
    lane.check_run[1] = lane.check_run[0];
    lane.check_run[0] = run;
    if (!checkers_[l]) return;
    const bool run_full = check_run_full(l) && out.first_check_run == kNoPly;
    const bool sum_full = check_sum_full(l) && out.first_check_sum == kNoPly;
    if ((!run_full && !sum_full) || !has_legal_move(position(l))) return;
    if (run_full) out.first_check_run = ply;
    if (sum_full) out.first_check_sum = ply;
  }

  // By the last mover, who has just given check: a side that does not has no run.
  CUARBITER_HD_INLINE bool check_run_full(int l) const {
    const std::uint32_t limit = view_.rules.checks_in_a_row;
    return limit && lanes_[l].check_run[0] >= limit;
  }
  CUARBITER_HD_INLINE bool check_sum_full(int l) const {
    const std::uint32_t limit = view_.rules.checks_in_all;
    const Lane& lane = lanes_[l];
    return limit && (lane.check_sum[0] >= limit || lane.check_sum[1] >= limit);
  }

  // The clock has reached a limit.
  CUARBITER_HD_INLINE void long_play(int l, std::uint32_t ply, GameVerdict& out) const {
    const ReplayRules& rules = view_.rules;
    if (clock_[l] >= rules.claim_clock && out.first_fifty == kNoPly) out.first_fifty = ply;
    if (rules.automatic_clock && clock_[l] >= rules.automatic_clock &&
        out.first_seventyfive == kNoPly && !(checkers_[l] && !has_legal_move(position(l)))) {
      out.first_seventyfive = ply;
    }
  }

  // Counts how often the position at `ply` has stood on the board since the last capture or pawn
  // move, `clock` plies ago. Notes the first threefold and fivefold repetition.
  CUARBITER_HD_INLINE void repetition(int l, std::uint32_t ply, const Position& now,
                                      std::uint32_t clock) {
    Lane& lane = lanes_[l];
    GameVerdict& out = view_.game_verdicts[lane.game];
    const std::uint32_t begin = line_begin_[l];
    std::uint32_t count = 1;
    std::uint32_t oldest = 0;
    std::uint32_t reach = clock < ply ? clock : ply;
    if (reach > kRepetitionReach) reach = kRepetitionReach;
    for (std::uint32_t back = 4; back <= reach; back += 2) {
      const Position& before = slot(l, begin + ply - back);
      if (before.d != now.d || !same_position(before, now)) continue;
      ++count;
      if (count == 3) oldest = back;
    }
    if constexpr (kHolds) lane.counted_ply = ply;
    lane.count = count;
    if (count > out.max_repetitions) out.max_repetitions = count;
    if (count >= 3 && out.first_threefold == kNoPly) {
      out.first_threefold = ply;
      const unsigned by_both = check_givers(l, ply, now, oldest);
      const std::uint32_t first = view_.starts[view_.games[lane.game].start].black;
      // Bit 0 is the last mover's so far.
      const bool white_moved = ((first + ply) & 1) != 0;
      out.perpetual_by =
          static_cast<std::uint8_t>(white_moved ? by_both : ((by_both & 1) << 1) | (by_both >> 1));
    }
    if (count >= 5 && out.first_fivefold == kNoPly) out.first_fivefold = ply;
  }

  // Whether all moves of the last mover (bit 0) and of the other side (bit 1) among the last
  // `plies` gave check; `now` is the position at `ply`.
  CUARBITER_HD_INLINE unsigned check_givers(int l, std::uint32_t ply, const Position& now,
                                            std::uint32_t plies) const {
    unsigned by_both = 3;
    Position after = now;
    for (std::uint32_t back = 0; back < plies && by_both; ++back) {
      if (back) after = slot(l, line_begin_[l] + ply - back);
      if (!in_check(after)) by_both &= back & 1 ? 1u : 2u;
    }
    return by_both;
  }

  // The line has ended: by its last token or by one that could not be made.
  CUARBITER_HD_INLINE void close_line(int l) {
    Lane& lane = lanes_[l];
    const auto made = cursor(l) - line_begin_[l];
    view_.plies_judged[lane.segment] = made + (lane.stopped ? 1 : 0);
    // A check that nothing follows may be mate, and its suffix has to say so.
    const std::uint32_t last = cursor(l) - 1;
    const unsigned suffix = checkers_[l] && made ? view_.tokens[last].suffix() : 0;
    const bool claims = suffix == SanToken::kCheckSuffix || suffix == SanToken::kMateSuffix;
    if (!main_[l]) {
      if (claims) checks_.push(position(l), suffix, last, lane.game);
      return;
    }
    look_at_held(l);
    main_[l] = 0;
    GameVerdict& out = view_.game_verdicts[lane.game];
    const Position p = position(l);
    PositionFacts facts;
    facts.legal_moves = can_move(l) ? 1 : 0;  // that there is one is all that is asked
    const BoardView<Bitboard> v = cuarbiter::view(p);
    facts.checkers = static_cast<std::uint8_t>(popcount(checkers_[l]));
    facts.flags = material_flags(v);
    out.final_position = p;
    out.plies = made;
    out.halfmove_clock = static_cast<std::uint32_t>(clock_[l]);
    out.repetitions = !kHolds || lane.counted_ply == made ? lane.count : 1;
    out.flags = facts.flags;
    out.checkers = facts.checkers;
    if (claims && (facts.legal_moves == 0) != (suffix == SanToken::kMateSuffix)) {
      note(lane, last, static_cast<std::uint8_t>(view_.verdicts[last] | kVerdictCheckSuffix));
    }
    GameState state = state_of(facts, out.halfmove_clock, view_.rules.automatic_clock);
    if (state == GameState::ongoing || state == GameState::seventyfive_moves) {
      if (out.repetitions >= 5) state = GameState::fivefold_repetition;
      if (check_sum_full(l)) state = GameState::checks_in_all;
      if (check_run_full(l)) state = GameState::checks_in_a_row;
    }
    out.state = static_cast<std::uint8_t>(state);
  }

  // True when the side to move has a legal move. Nearly always a free pawn has one.
  CUARBITER_HD_INLINE bool can_move(int l) const {
    const Position p = position(l);
    const BoardView<Bitboard> v = cuarbiter::view(p);
    if constexpr (kLanes > 1) {
      const Bitboard pawns = v.pawns() & v.us & ~guards_[l];
      if (!checkers_[l] && (pawns & (~v.occupied >> 8))) return true;
    }
    return has_legal_move(p);
  }

  // Sets the lane up for its variation; false when its branch was never reached.
  CUARBITER_HD_INLINE bool open_variation(int l) {
    Lane& lane = lanes_[l];
    const ReplaySegment& line = view_.segments[lane.segment];
    const ReplaySegment& parent = view_.segments[line.parent];
    view_.plies_judged[lane.segment] = 0;
    if (parent.token_count == 0 || line.branch >= view_.plies_judged[line.parent]) return false;
    open_line(l);
    const Position start = slot(l, parent.token_begin + line.branch);
    set_position(l, start);
    const std::uint32_t first = view_.starts[view_.games[lane.game].start].black;
    black_[l] = (first + line.ply) & 1 ? ~std::uint64_t{0} : 0;
    return true;
  }

  ReplayView view_;
  std::uint32_t next_game_ = 0, last_game_ = 0;
  std::uint32_t watched_clock_ = 0;  // the least limit of the rules
  bool counts_checks_ = false;       // the rules limit the number of checks
  bool looks_on_ = false;            // behind the lines under way there are more tokens
  MateQueue<W> checks_;
  Lane lanes_[kLanes];
  HeldSteps<W> held_;
  // The lanes' boards, what is known of the mover's king, and the token that comes next for play().
  alignas(sizeof(W)) std::uint64_t a_[kLanes], b_[kLanes], c_[kLanes], d_[kLanes];
  alignas(sizeof(W)) std::uint64_t checkers_[kLanes], guards_[kLanes];
  alignas(sizeof(W)) std::uint64_t token_[kLanes], black_[kLanes], special_[kLanes];
  // The tokens behind those.
  alignas(sizeof(W)) std::uint64_t ahead_[kLanes];
  // What play() made of it.
  alignas(sizeof(W)) std::uint64_t status_[kLanes], flags_[kLanes];
  // Masks: the lane has a game; it is in its main line; material has ceased to suffice.
  alignas(sizeof(W)) std::uint64_t busy_[kLanes], main_[kLanes], dead_[kLanes];
  // Steps made. All lanes go from token to token in step: lane l comes to token base_[l] + step_,
  // whose position is kept at the address rows_[l] + step_ * sizeof(Position). At step end_[l] its
  // line is over. rows_ goes by slots_ (slots_of).
  std::uint64_t step_ = 0, next_end_ = 0;
  alignas(sizeof(W)) std::uint64_t base_[kLanes], rows_[kLanes], end_[kLanes], slots_[kLanes];
  std::uint32_t line_begin_[kLanes], line_end_[kLanes];
  // Plies since the last capture or pawn move.
  alignas(sizeof(W)) std::uint64_t clock_[kLanes];
};

// Plays through one game a call.
struct ReplayOp {
  ReplayView view;

  CUARBITER_HD_INLINE void operator()(std::uint32_t index) const {
    LaneReplay<Bitboard>(view).run(index, index + 1);
  }
};

CUARBITER_RULES_END
