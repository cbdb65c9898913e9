#include "host/report/board_svg.hpp"

#include <cstddef>

namespace cuarbiter {
namespace {

constexpr int kSquare = 100;  // units a side

constexpr std::string_view kMen =
    R"(<svg width="0" height="0" aria-hidden="true"><defs>
<symbol id="man-p" viewBox="0 0 100 100"><path d="M40 52 C40 66 34 72 30 78 H70 C66 72 60 66 60 52 Z"/><path d="M34 48 H66 V54 H34 Z"/><circle cx="50" cy="33" r="15"/><path d="M23 78 H77 V88 H23 Z"/></symbol>
<symbol id="man-r" viewBox="0 0 100 100"><path d="M25 15 H38 V25 H44 V15 H56 V25 H62 V15 H75 V34 L66 41 V69 H34 V41 L25 34 Z"/><path d="M31 69 H69 L77 79 V88 H23 V79 Z"/></symbol>
<symbol id="man-n" viewBox="0 0 100 100"><path d="M29 88 H79 C82 56 76 32 54 21 L51 10 L43 20 C37 23 33 28 31 34 L17 53 C15 59 21 65 27 62 L37 55 C43 58 49 54 52 47 C54 62 33 66 29 88 Z"/><circle class="line" cx="42" cy="35" r="2.5"/></symbol>
<symbol id="man-b" viewBox="0 0 100 100"><path d="M50 21 C67 32 71 46 63 57 L66 67 H34 L37 57 C29 46 33 32 50 21 Z"/><circle cx="50" cy="15" r="6.5"/><path class="line" d="M50 33 V51 M42 42 H58"/><path d="M31 67 H69 L72 75 L80 81 V88 H20 V81 L28 75 Z"/></symbol>
<symbol id="man-q" viewBox="0 0 100 100"><path d="M14 31 L28 66 H72 L86 31 L69 52 L68 22 L56 49 L50 18 L44 49 L32 22 L31 52 Z"/><circle cx="14" cy="27" r="5"/><circle cx="32" cy="18" r="5"/><circle cx="50" cy="14" r="5"/><circle cx="68" cy="18" r="5"/><circle cx="86" cy="27" r="5"/><path d="M28 66 H72 L70 74 L78 81 V88 H22 V81 L30 74 Z"/></symbol>
<symbol id="man-k" viewBox="0 0 100 100"><path d="M46 6 H54 V13 H61 V21 H54 V31 H46 V21 H39 V13 H46 Z"/><path d="M50 30 C59 30 61 39 56 47 C70 32 90 42 81 58 L73 68 H27 L19 58 C10 42 30 32 44 47 C39 39 41 30 50 30 Z"/><path d="M27 68 H73 L70 75 L78 81 V88 H22 V81 L30 75 Z"/></symbol>
</defs></svg>
)";

// The men of the placement field, a8 first; a space for none. False where it is not 8 by 8.
bool read_placement(std::string_view fen, char (&men)[64]) {
  std::size_t row = 0, file = 0;
  for (const char c : fen.substr(0, fen.find(' '))) {
    if (c == '/') {
      if (file != 8 || ++row == 8) return false;
      file = 0;
      continue;
    }
    const bool empty = c >= '1' && c <= '8';
    if (!empty && std::string_view("pnbrqkPNBRQK").find(c) == std::string_view::npos) return false;
    const std::size_t count = empty ? static_cast<std::size_t>(c - '0') : 1;
    if (file + count > 8) return false;
    for (std::size_t i = 0; i < count; ++i) men[row * 8 + file++] = empty ? ' ' : c;
  }
  return row == 7 && file == 8;
}

void append_number(std::string& out, const char* name, int value) {
  out += ' ';
  out += name;
  out += "=\"";
  out += std::to_string(value);
  out += '"';
}

void append_box(std::string& out, int x, int y) {
  append_number(out, "x", x);
  append_number(out, "y", y);
  append_number(out, "width", kSquare);
  append_number(out, "height", kSquare);
}

void append_edge(std::string& out, int x, int y, char text) {
  out += "<text class=\"edge\"";
  append_number(out, "x", x);
  append_number(out, "y", y);
  out += '>';
  out += text;
  out += "</text>";
}

}  // namespace

void append_men_svg(std::string& out) {
  out += kMen;
}

bool append_board_svg(std::string& out, std::string_view fen, std::string_view mark) {
  char men[64];
  if (!read_placement(fen, men)) return false;
  int marked = -1;
  if (mark.size() == 2 && mark[0] >= 'a' && mark[0] <= 'h' && mark[1] >= '1' && mark[1] <= '8') {
    marked = ('8' - mark[1]) * 8 + (mark[0] - 'a');
  }
  // The letters and numbers stand in a margin at the left and below.
  out += "<svg class=\"board\" viewBox=\"-44 -4 848 848\" role=\"img\">";
  for (int square = 0; square < 64; ++square) {
    const int file = square % 8, row = square / 8;
    out += "<rect class=\"";
    out += (file + row) % 2 == 0 ? "light" : "dark";
    out += square == marked ? " mark\"" : "\"";
    append_box(out, file * kSquare, row * kSquare);
    out += "/>";
  }
  for (int i = 0; i < 8; ++i) {
    append_edge(out, -24, i * kSquare + 62, static_cast<char>('8' - i));
    append_edge(out, i * kSquare + 50, 836, static_cast<char>('a' + i));
  }
  for (int square = 0; square < 64; ++square) {
    const char man = men[square];
    if (man == ' ') continue;
    const bool black = man >= 'a';
    out += "<use href=\"#man-";
    out += black ? man : static_cast<char>(man - 'A' + 'a');
    out += black ? "\" class=\"black\"" : "\" class=\"white\"";
    append_box(out, square % 8 * kSquare, square / 8 * kSquare);
    out += "/>";
  }
  out += "</svg>";
  return true;
}

std::string_view target_square(std::string_view move) {
  for (std::size_t at = move.size(); at >= 2; --at) {
    const char file = move[at - 2], rank = move[at - 1];
    if (file >= 'a' && file <= 'h' && rank >= '1' && rank <= '8') return move.substr(at - 2, 2);
  }
  return {};
}

}  // namespace cuarbiter
