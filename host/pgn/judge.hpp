// From verdicts to findings: what the text and the replay say of each game, put into words.
//
// The backend has judged every move with a small code; here the few games that need words are
// played through again on the host, for the position and the spelling that a message names. A clean
// game costs a look at its record.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/batch/rules_profile.hpp"
#include "host/pgn/game_batch.hpp"
#include "host/pgn/slab.hpp"
#include "host/report/diagnostic.hpp"

namespace cuarbiter {

// Where a game stands: number of the file, number in the file, line; all from 1. A file of 0 stands
// for nowhere.
struct FirstSeen {
  std::uint32_t file = 0;
  std::uint64_t game = 0, line = 0;
};

struct Finding {
  Code code{};
  Severity severity{};
  std::uint32_t game = 0;  // index into GameBatch::games; its size: the game to come
  std::uint32_t at = 0;    // slab position
  std::uint32_t ply = 0;   // from 1; 0 when it is not about a move
  TextSpan move;           // the move as written; empty when it is not about a move
  std::string fen;         // the position before the move; empty when unknown or not about a move
  FirstSeen first;         // of game_duplicate: the game that was there first
  std::string message;     // one line; quotes text as it stands, so it may hold any byte
};

// The final position of a replayed game as FEN, and the fullmove number that belongs to it.
void append_final_fen(std::string& out, const GameBatch& batch, const GameRecord& game);

// Appends the findings of all games of the batch (replayed) in text order. Thread-safe.
void judge_slab(const Slab& slab, const GameBatch& batch, const RulesProfile& rules,
                std::vector<Finding>& findings);

}  // namespace cuarbiter
