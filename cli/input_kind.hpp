// Position lines or PGN: told by the first bytes of the text.
#pragma once

#include <optional>
#include <string_view>

namespace cuarbiter {

enum class InputKind {
  positions,  // a FEN or EPD a line
  games,      // PGN
};

// What the text is whose beginning is `first`; nothing when that takes more of it. `whole`: there
// is no more. A byte order mark, blank lines and lines of # comment are passed over. PGN begins
// with a tag pair, a comment, an escape line, a move number, a move or a game termination marker
// (PGN standard 5 to 8); all else is taken for positions, so that it is reported line by line.
std::optional<InputKind> kind_of_text(std::string_view first, bool whole);

}  // namespace cuarbiter
