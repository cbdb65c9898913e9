// Boards as SVG 1.1, drawn from the placement field of a FEN. Knows letters and squares, no rules.
#pragma once

#include <string>
#include <string_view>

namespace cuarbiter {

// Appends the drawings of the men, once a page: symbols with the identifiers man-k ... man-p, which
// the boards refer to. Colours come from the style sheet: classes "white", "black" for men,
// "light", "dark", "mark" for squares, "edge" for the letters and numbers around the board.
void append_men_svg(std::string& out);

// Appends the board of a FEN (its first field), White below. `mark` is a square as "e4" to mark;
// another text marks none. False, and nothing appended, where the field does not describe eight
// ranks of eight squares.
bool append_board_svg(std::string& out, std::string_view fen, std::string_view mark);

// The square on which a move as written ends ("Bxd7+" gives "d7"); empty where it names none.
std::string_view target_square(std::string_view move);

}  // namespace cuarbiter
