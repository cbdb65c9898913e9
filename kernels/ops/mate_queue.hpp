// Positions in check that wait to be told apart: mate or not. The test is costly and checks are
// few, so they are collected until all lanes of the word type have one.
#pragma once

#include "host/batch/replay_batch.hpp"
#include "host/rules/count.hpp"

CUARBITER_RULES_BEGIN

// Judges the suffix of checking moves: "+" belongs to a check, "#" to a mate (PGN standard
// 8.2.3.5). What is wrong is noted in the verdicts of the token and its game.
template <class W>
class MateQueue {
 public:
  static constexpr int kLanes = sizeof(W) / sizeof(Bitboard);

  CUARBITER_HD_INLINE MateQueue(std::uint8_t* verdicts, GameVerdict* game_verdicts)
      : verdicts_(verdicts), game_verdicts_(game_verdicts) {
    for (int l = 0; l < kLanes; ++l) a_[l] = b_[l] = c_[l] = d_[l] = suffix_[l] = 0;
  }

  // The position after a checking move with one of the two suffixes.
  CUARBITER_HD_INLINE void push(const Position& p, unsigned suffix, std::uint32_t token,
                                std::uint32_t game) {
    const int at = kLanes == 1 ? 0 : size_;  // a plain index lets one lane live in registers
    a_[at] = p.a;
    b_[at] = p.b;
    c_[at] = p.c;
    d_[at] = p.d;
    suffix_[at] = suffix;
    token_[at] = token;
    game_[at] = game;
    if (++size_ == kLanes) flush();
  }

  // Judges all that wait.
  CUARBITER_HD_INLINE void flush() {
    if (size_ == 0) return;
    const BoardView<W> v(load_lanes<W>(a_), load_lanes<W>(b_), load_lanes<W>(c_),
                         load_lanes<W>(d_));
    const W mated = mates(v);
    const W wanted = WordOps<W>::splat(SanToken::kCheckSuffix) + (mated & WordOps<W>::splat(1));
    const W differs = load_lanes<W>(suffix_) ^ wanted;
    store_lanes(suffix_, differs);
    for (int l = 0; l < kLanes; ++l) {
      if (l >= size_ || !suffix_[l]) continue;
      verdicts_[token_[l]] |= static_cast<std::uint8_t>(kVerdictCheckSuffix);
      game_verdicts_[game_[l]].noted = 1;
    }
    size_ = 0;
  }

 private:
  // Mask: the side to move, which is in check, has no legal move. Most kings have a flight, which
  // spares the count.
  CUARBITER_HD_INLINE static W mates(const BoardView<W>& v) {
    const Constraints<W> k = constraints(v);
    const W stuck = mask_if_zero(king_attacks(k.king) & ~v.us & ~k.attacked);
    if (!WordOps<W>::any(stuck)) return stuck;
    return stuck & mask_if_zero(count_legal_moves(v, k));
  }

  std::uint8_t* verdicts_;
  GameVerdict* game_verdicts_;
  int size_ = 0;
  alignas(sizeof(W)) std::uint64_t a_[kLanes], b_[kLanes], c_[kLanes], d_[kLanes], suffix_[kLanes];
  std::uint32_t token_[kLanes], game_[kLanes];
};

CUARBITER_RULES_END
