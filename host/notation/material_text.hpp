// Material in words: the signature that endgame literature and tablebases use, and the name of an
// endgame's class.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "host/notation/men_counts.hpp"
#include "host/rules/material.hpp"
#include "host/rules/types.hpp"

namespace cuarbiter {

// The material signature of some men: White's, a "v", Black's, each side as a run of letters in the
// order K Q R B N P: "KRPvKR". Tablebases put the stronger side first; here White always is, so
// that the two sides of the board stay apart.
class MaterialText {
 public:
  explicit MaterialText(MenCounts men);
  std::string_view text() const { return {text_, size_}; }

 private:
  // All that counts can say, and what is written beyond the end on the way.
  char text_[2 * 6 * kMenCountMask + 1 + 16];
  std::size_t size_;
};

// Appends the signature of a position seen by `side_to_move`, of at most 31 men a kind.
// Thread-safe.
void append_material(std::string& out, const Position& position, Color side_to_move);

// "none", "bare_king", "simple", "complex" or "mixed".
std::string_view endgame_class_name(EndgameClass endgame);

}  // namespace cuarbiter
