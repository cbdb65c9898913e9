// Words and signs that annotators put into movetext although PGN has no place for them.
#pragma once

#include <string_view>

namespace cuarbiter {

// Signs by which a position or a move is judged without a NAG, in ASCII, UTF-8 and Latin-1.
bool is_evaluation_sign(std::string_view token);

// The NAG that says the same as such a sign (PGN standard, section 10, and 146 for a novelty, as
// most programs have it); 0 when there is none, or none that fits both sides.
unsigned nag_of_sign(std::string_view token);

// "e.p." and its like, standing alone.
bool is_en_passant_mark(std::string_view token);

// "+", "mate" and their like, apart from the move they belong to.
bool is_loose_suffix(std::string_view token);

// A mark of prose that ends up attached to a move in a sentence.
constexpr bool is_prose_mark(char c) {
  return c == '.' || c == ',' || c == ':';
}

}  // namespace cuarbiter
