// One batch of games for the replay operation, as a struct of arrays that a device can take as it
// is, and the verdicts that come back. Plain data, no text.
//
// A game is a main line and any number of variations (RAV). Each is a segment: a run of move
// tokens. The segments of a game are contiguous, the main line first, a parent always before its
// children. A variation replaces a move of its parent: it starts from the position before that
// move.
#pragma once

#include <cstdint>
#include <vector>

#include "host/rules/game_state.hpp"
#include "host/rules/position.hpp"
#include "host/rules/san_token.hpp"

namespace cuarbiter {

inline constexpr std::uint32_t kNoPly = 0xFFFFFFFFu;

struct ReplaySegment {
  std::uint32_t token_begin = 0;  // index into tokens
  std::uint32_t token_count = 0;
  std::uint32_t parent = 0;  // index into segments; unused for the main line
  std::uint32_t branch = 0;  // which token of the parent is replaced (0 = its first)
  std::uint32_t ply = 0;     // plies from the game's start to its first token
};

struct ReplayGame {
  std::uint32_t segment_begin = 0;
  std::uint32_t segment_count = 0;  // at least 1
  std::uint32_t start = 0;          // index into starts
};

struct ReplayStart {
  Position position;
  std::uint32_t halfmove_clock = 0;
  std::uint32_t black = 0;  // 1 when Black moves first
};

// What the replay says of one token. The low half is an outcome, the rest are flags.
enum MoveVerdict : std::uint8_t {
  kVerdictOk = 0,
  kVerdictIllegal = 1,
  kVerdictAmbiguous = 2,
  kVerdictKingLeftInCheck = 3,
  kVerdictAfterEnd = 4,    // the game had ended by checkmate or stalemate
  kVerdictUnreadable = 5,  // the token could not be read as a move
  kVerdictNullMove = 6,    // a null move in the main line: the game is not judged further
  kVerdictNullInLine = 7,  // a null move in a variation: noted, the line goes on
  kVerdictOutcomeMask = 15,
  kVerdictCheckSuffix = 16,     // + or # missing, wrong or too much
  kVerdictDisambiguation = 32,  // as kSpellingDisambiguation
  kVerdictCapture = 64,         // as kSpellingCapture
  kVerdictAfterDead = 128,      // the first move made in a dead position
};

// What the replay says of the main line.
struct GameVerdict {
  Position final_position;                   // after the last legal move
  std::uint32_t plies = 0;                   // legal moves made
  std::uint32_t halfmove_clock = 0;          // plies since the last capture or pawn move
  std::uint32_t first_threefold = kNoPly;    // ply (0 = start) at which a position first stood
  std::uint32_t first_fivefold = kNoPly;     //   for the third and fifth time
  std::uint32_t first_fifty = kNoPly;        // ply at which the clock reached the claim limit
  std::uint32_t first_seventyfive = kNoPly;  //   and the automatic limit, mate excepted
  std::uint32_t first_dead = kNoPly;         // ply at which material ceased to suffice
  std::uint32_t first_check_run = kNoPly;    // ply at which one side had checked so often in a row,
  std::uint32_t first_check_sum = kNoPly;    //   and in all, as the rules allow; mate excepted
  std::uint32_t repetitions = 1;             // how often the final position has stood on the board
  std::uint32_t max_repetitions = 1;         // the most often any has, over 1,024 plies at a time
  std::uint8_t state = 0;                    // GameState, of the final position as it stands
  std::uint8_t flags = 0;                    // PositionFlag bits of the final position
  std::uint8_t checkers = 0;                 // of the final position
  std::uint8_t perpetual_by =
      0;                    // at the first threefold: bit 0 White, bit 1 Black gave every check
  std::uint8_t broken = 0;  // 1 when a token of the main line could not be made
  std::uint8_t noted = 0;   // 1 when any token of the game has a verdict other than 0
  std::uint8_t padding[2] = {0, 0};
};

// Limits of the rules profile that the replay works with.
struct ReplayRules {
  std::uint32_t claim_clock = 100;      // plies
  std::uint32_t automatic_clock = 150;  // plies; 0: none
  std::uint32_t checks_in_a_row = 0;    // by one side; 0: no limit
  std::uint32_t checks_in_all = 0;      // to one king; 0: no limit
};

struct ReplayBatch {
  ReplayRules rules;
  std::vector<SanToken> tokens;
  std::vector<ReplaySegment> segments;
  std::vector<ReplayGame> games;
  std::vector<ReplayStart> starts;
  // Written by the backend, one each per token, segment and game.
  std::vector<std::uint8_t> verdicts;       // MoveVerdict
  std::vector<std::uint32_t> plies_judged;  // per segment: tokens that were looked at
  std::vector<GameVerdict> game_verdicts;

  void clear() {
    tokens.clear();
    segments.clear();
    games.clear();
    starts.clear();
  }
};

}  // namespace cuarbiter
