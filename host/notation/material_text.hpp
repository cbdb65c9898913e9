// Material in words: the signature that endgame literature and tablebases use, and the name of an
// endgame's class.
#pragma once

#include <string>
#include <string_view>

#include "host/rules/material.hpp"
#include "host/rules/types.hpp"

namespace cuarbiter {

// Appends the material signature of a position seen by `side_to_move`: White's men, a "v", Black's
// men, each side as a run of letters in the order K Q R B N P: "KRPvKR". Tablebases put the
// stronger side first; here White always is, so that the two sides of the board stay apart.
// Thread-safe.
void append_material(std::string& out, const Position& position, Color side_to_move);

// "none", "bare_king", "simple", "complex" or "mixed".
std::string_view endgame_class_name(EndgameClass endgame);

}  // namespace cuarbiter
