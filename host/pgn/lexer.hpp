// PGN text to games ready for the replay (PGN standard, import format; sections 5 to 10), with
// every fault that shows in the text alone. One pass, no allocation per move.
//
// What is one game: a tag pair section and the movetext after it up to the termination marker. A
// game without tags begins with a move number or a readable move. Faults never end the reading: an
// unreadable move is kept as a token of its own (the replay stops judging there), stray text is
// reported once and passed over.
#pragma once

#include "host/pgn/game_batch.hpp"
#include "host/pgn/slab.hpp"

namespace cuarbiter {

struct LexerOptions {
  bool chess960 = false;  // how FEN tags with KQkq are read when no Variant tag decides
};

// Adds the games of a slab to the (cleared) batch. Thread-safe.
void lex_slab(const Slab& slab, const LexerOptions& options, GameBatch& batch);

}  // namespace cuarbiter
