// Draws that the side to move could claim by writing down the move that it is about to make (FIDE
// 9.2.1, 9.3.1), at the end of a game.
#pragma once

#include "host/batch/rules_profile.hpp"
#include "host/pgn/game_batch.hpp"

namespace cuarbiter {

struct MoveClaims {
  bool threefold = false;   // the move would make a position stand for the third time
  bool move_count = false;  // the move would complete the moves without capture or pawn move
};

// True when some legal move is neither a capture nor a pawn move.
bool has_quiet_move(const Position& position);

// What some legal move after the last one of a replayed game would allow. Nothing where the rules
// know no such claim, or the game has ended on the board. Thread-safe.
MoveClaims claims_with_move(const GameBatch& batch, const GameRecord& game,
                            const RulesProfile& rules);

}  // namespace cuarbiter
