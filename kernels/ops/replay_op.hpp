// Replays one game: resolves every token of the main line and of the variations, judges it, and
// follows clock, repetition and end of the main line. One functor call a game: a CUDA thread or a
// turn of the CPU loop.
//
// Laws: FIDE 3 (moves), 5.1.1 and 5.2.1 (mate, stalemate), 5.2.2 (dead position, by material), 9.2
// and 9.6.1 (repetition), 9.3 and 9.6.2 (fifty and seventy-five moves).
#pragma once

#include "host/batch/replay_batch.hpp"
#include "host/rules/game_state.hpp"
#include "host/rules/san_match.hpp"

namespace cuarbiter {

// The arrays of a batch where the functor can reach them (host or device memory). `slots` has one
// entry a token: the position before it.
struct ReplayView {
  const SanToken* tokens = nullptr;
  const ReplaySegment* segments = nullptr;
  const ReplayGame* games = nullptr;
  const ReplayStart* starts = nullptr;
  Position* slots = nullptr;
  std::uint32_t slot_base = 0;  // slots[i - slot_base] belongs to token i
  std::uint8_t* verdicts = nullptr;
  std::uint32_t* plies_judged = nullptr;
  GameVerdict* game_verdicts = nullptr;
  ReplayRules rules;
  // Scratch of kSeenEntries for one game at a time, or null: the last ply at which a position of
  // some small hash stood, which spares most searches for repetitions.
  std::uint32_t* seen = nullptr;
  static constexpr std::uint32_t kSeenEntries = 512;
};

}  // namespace cuarbiter

CUARBITER_RULES_BEGIN

struct ReplayOp {
  ReplayView view;

  // Plays through game number `index`.
  CUARBITER_HD_INLINE void operator()(std::uint32_t index) const {
    const ReplayGame& game = view.games[index];
    GameVerdict& out = view.game_verdicts[index];
    out = GameVerdict{};
    bool noted = main_line(game, out);
    for (std::uint32_t s = 1; s < game.segment_count; ++s) {
      noted = variation(game, game.segment_begin + s) || noted;
    }
    out.noted = noted;
  }

 private:
  // A position on its way through a line.
  struct Cursor {
    Position position;
    bool black;
    bool checked;
  };

  // What became of one token, in one register: the verdict, and whether the move was made and was a
  // capture or a pawn move.
  struct Made {
    std::uint32_t bits;
    static constexpr std::uint32_t kDone = 256, kZeroing = 512;

    CUARBITER_HD_INLINE std::uint8_t verdict() const { return static_cast<std::uint8_t>(bits); }
    CUARBITER_HD_INLINE bool done() const { return (bits & kDone) != 0; }
    CUARBITER_HD_INLINE bool zeroing() const { return (bits & kZeroing) != 0; }
  };

  CUARBITER_HD_INLINE static std::uint8_t failure(const Position& p, MatchStatus status) {
    if (!has_legal_move(p)) return kVerdictAfterEnd;
    if (status == MatchStatus::ambiguous) return kVerdictAmbiguous;
    return status == MatchStatus::king_left_in_check ? kVerdictKingLeftInCheck : kVerdictIllegal;
  }

  // True when the suffix written is the one that export format asks for.
  CUARBITER_HD_INLINE static bool suffix_fits(const Position& child, bool check, unsigned suffix) {
    if (!check) return suffix == SanToken::kNoSuffix;
    if (suffix == SanToken::kNoSuffix || suffix == SanToken::kDoublePlus) return false;
    return !has_legal_move(child) == (suffix == SanToken::kMateSuffix);
  }

  CUARBITER_HD_INLINE static Made step(Cursor& c, SanToken token) {
    const PackedMatch m = match_san_packed(c.position, token, c.black, c.checked);
    if (m.status() != MatchStatus::ok) return Made{failure(c.position, m.status())};
    const Move move = m.move();
    std::uint32_t bits = Made::kDone;
    if (is_zeroing(c.position, move)) bits |= Made::kZeroing;
    c.position = make_move(c.position, move);
    c.black = !c.black;
    c.checked = move.kind == MoveKind::en_passant || move.kind == MoveKind::castling
                    ? in_check(c.position)
                    : in_check_after(c.position, move.from ^ 56, move.to ^ 56);
    if (!suffix_fits(c.position, c.checked, token.suffix())) bits |= kVerdictCheckSuffix;
    if (m.spelling() & kSpellingDisambiguation) bits |= kVerdictDisambiguation;
    if (m.spelling() & kSpellingCapture) bits |= kVerdictCapture;
    return Made{bits};
  }

  CUARBITER_HD_INLINE Position& slot(std::uint32_t token) const {
    return view.slots[token - view.slot_base];
  }

  // Counts how often the position at `ply` has stood on the board; `reach` plies back nothing was
  // irreversible. Notes the first threefold and fivefold repetition.
  CUARBITER_HD_INLINE void repetition(const ReplaySegment& line, const Position& now,
                                      std::uint32_t ply, std::uint32_t reach,
                                      const std::uint32_t (&check_run)[2], bool black,
                                      GameVerdict& out) const {
    std::uint32_t count = 1;
    std::uint32_t oldest = 0;
    for (std::uint32_t back = 4; back <= reach; back += 2) {
      if (same_position(slot(line.token_begin + ply - back), now)) {
        ++count;
        if (count == 3) oldest = back;
      }
    }
    out.repetitions = count;
    if (count > out.max_repetitions) out.max_repetitions = count;
    if (count >= 3 && out.first_threefold == kNoPly) {
      out.first_threefold = ply;
      const std::uint32_t moves = oldest / 2;
      const unsigned by_last = check_run[0] >= moves ? 1u : 0u;  // the side that has just moved
      const unsigned by_other = check_run[1] >= moves ? 1u : 0u;
      out.perpetual_by =
          static_cast<std::uint8_t>(black ? by_last | (by_other << 1) : by_other | (by_last << 1));
    }
    if (count >= 5 && out.first_fivefold == kNoPly) out.first_fivefold = ply;
  }

  // False when the position at `ply` has certainly not stood on the board in the last `reach`
  // plies.
  CUARBITER_HD_INLINE bool may_repeat(const Position& p, std::uint32_t ply,
                                      std::uint32_t reach) const {
    if (!view.seen) return reach >= 4;
    const Bitboard mixed =
        p.a ^ (p.b << 17) ^ (p.b >> 47) ^ (p.c << 31) ^ (p.c >> 33) ^ (p.d << 47) ^ (p.d >> 17);
    std::uint32_t& last =
        view.seen[(mixed * 0x9E3779B97F4A7C15u) >> 55];  // the top 9 bits: kSeenEntries
    const bool found = last != 0 && ply - (last - 1) <= reach;
    last = ply + 1;
    return found && reach >= 4;
  }

  CUARBITER_HD_INLINE bool main_line(const ReplayGame& game, GameVerdict& out) const {
    const ReplaySegment line = view.segments[game.segment_begin];
    const ReplayStart& start = view.starts[game.start];
    Cursor c{start.position, start.black != 0, in_check(start.position)};
    std::uint32_t clock = start.halfmove_clock;
    std::uint32_t reversible = 0;  // plies of this game since the last irreversible one
    std::uint32_t check_run[2] = {
        0, 0};  // consecutive checking moves: by the last mover, by the other
    bool noted = false;
    bool dead = insufficient_material(cuarbiter::view(c.position));
    std::uint32_t ply = 0;
    std::uint32_t judged = 0;
    if (dead) out.first_dead = 0;
    if (view.seen) {
      for (std::uint32_t i = 0; i < ReplayView::kSeenEntries; ++i) view.seen[i] = 0;
      may_repeat(c.position, 0, 0);
    }
    if (clock >= view.rules.claim_clock) out.first_fifty = 0;
    for (; ply < line.token_count; ++ply) {
      const SanToken token = view.tokens[line.token_begin + ply];
      slot(line.token_begin + ply) = c.position;
      judged = ply + 1;
      Made made{kVerdictUnreadable};
      if (token.piece() == SanToken::kSpecial && token.target() >= SanToken::kNullMove) {
        if (token.target() == SanToken::kNullMove) made.bits = kVerdictNullMove;
      } else {
        made = step(c, token);
      }
      if (made.done() && out.first_dead == ply) made.bits |= kVerdictAfterDead;
      if (made.verdict()) {
        view.verdicts[line.token_begin + ply] = made.verdict();
        noted = true;
      }
      if (!made.done()) {
        out.broken = 1;
        break;
      }
      clock = made.zeroing() ? 0 : clock + 1;
      reversible = made.zeroing() ? 0 : reversible + 1;
      const std::uint32_t run = c.checked ? check_run[1] + 1 : 0;
      check_run[1] = check_run[0];
      check_run[0] = run;
      out.repetitions = 1;
      if (may_repeat(c.position, ply + 1, reversible)) {
        repetition(line, c.position, ply + 1, reversible, check_run, c.black, out);
      }
      if (made.zeroing() && !dead) {
        dead = insufficient_material(cuarbiter::view(c.position));
        if (dead) out.first_dead = ply + 1;
      }
      if (clock >= view.rules.claim_clock && out.first_fifty == kNoPly) out.first_fifty = ply + 1;
      if (view.rules.automatic_clock && clock >= view.rules.automatic_clock &&
          out.first_seventyfive == kNoPly && !(c.checked && !has_legal_move(c.position))) {
        out.first_seventyfive = ply + 1;
      }
    }
    view.plies_judged[game.segment_begin] = judged;
    const PositionFacts facts = position_facts(c.position);
    out.final_position = c.position;
    out.plies = ply;
    out.halfmove_clock = clock;
    out.flags = facts.flags;
    out.checkers = facts.checkers;
    GameState state = state_of(facts, clock, view.rules.automatic_clock);
    if (state == GameState::ongoing || state == GameState::seventyfive_moves) {
      if (out.repetitions >= 5) state = GameState::fivefold_repetition;
    }
    out.state = static_cast<std::uint8_t>(state);
    return noted;
  }

  CUARBITER_HD_INLINE bool variation(const ReplayGame& game, std::uint32_t index) const {
    const ReplaySegment line = view.segments[index];
    const ReplaySegment parent = view.segments[line.parent];
    view.plies_judged[index] = 0;
    Cursor c;
    c.black = ((view.starts[game.start].black + line.ply) & 1) != 0;
    if (parent.token_count == 0 || line.branch >= view.plies_judged[line.parent]) return false;
    c.position = slot(parent.token_begin + line.branch);
    c.checked = in_check(c.position);
    bool noted = false;
    std::uint32_t judged = 0;
    for (std::uint32_t ply = 0; ply < line.token_count; ++ply) {
      const SanToken token = view.tokens[line.token_begin + ply];
      slot(line.token_begin + ply) = c.position;
      judged = ply + 1;
      Made made{kVerdictUnreadable};
      if (token.piece() == SanToken::kSpecial && token.target() >= SanToken::kNullMove) {
        if (token.target() == SanToken::kNullMove) {
          made.bits =
              c.checked ? std::uint32_t{kVerdictKingLeftInCheck} : kVerdictNullInLine | Made::kDone;
          if (!c.checked) {
            c.position = flipped(c.position);
            c.black = !c.black;
          }
        }
      } else {
        made = step(c, token);
      }
      if (made.verdict()) {
        view.verdicts[line.token_begin + ply] = made.verdict();
        noted = true;
      }
      if (!made.done()) break;
    }
    view.plies_judged[index] = judged;
    return noted;
  }
};

CUARBITER_RULES_END
