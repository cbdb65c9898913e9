// Moves as text: SAN (PGN standard 8.2.3), its relatives that people write, and UCI moves.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/rules/position.hpp"
#include "host/rules/san_token.hpp"
#include "host/rules/types.hpp"

namespace cuarbiter {

// Reads one whole token without a move number. Besides canonical SAN: 0-0 and O-O in all spellings,
// promotions without the equals sign, letters of the wrong case (a lower-case b is a pawn wherever
// a pawn move fits), P for pawns, long algebraic and UCI forms, figurines, captures without the
// mark or without the rank ("ed"), "e.p.", "++", "mate", the usual null moves. What deviates shows
// in the token's style; the rest shows when it is matched. Anything else is
// special(kUnreadable); no position is looked at. Annotation glyphs (! ? !! ?? !? ?!) at the end
// are passed over; `glyph`, if not null, gets the number of their characters. Never throws, never
// allocates.
SanToken read_san(std::string_view token, unsigned* glyph = nullptr);

// Appends the canonical SAN of a legal move: least disambiguation by 8.2.3.4, check and mate
// suffix. `black`: the mover is Black.
void append_san(std::string& out, const Position& position, Move move, bool black);
std::string san_text(const Position& position, Move move, bool black);

// Appends the UCI move. Castling is king to its target (e1g1), with `chess960` king takes rook
// (e1h1).
void append_uci(std::string& out, Move move, bool black, bool chess960);
std::string uci_text(Move move, bool black, bool chess960);

// Reads a UCI move, castling in either spelling; nothing when it cannot be read or is not legal.
std::optional<Move> read_uci(const Position& position, std::string_view text, bool black);

// Appends a square as "e4". `black`: the square is seen by Black.
void append_square(std::string& out, unsigned square, bool black);

}  // namespace cuarbiter
