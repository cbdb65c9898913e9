// Text for people: untrusted text made harmless for a terminal, and colour where it is wanted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cuarbiter {

// Appends `text` so that it can neither move the cursor, change colours nor break the line: control
// characters (C0, DEL, C1), line and paragraph separators, characters that reverse the direction of
// writing, and bytes that are not UTF-8 are written as \xNN per byte. A backslash stays as it is.
void append_visible(std::string& out, std::string_view text);

std::string visible(std::string_view text);

// The habits of --color.
enum class ColorMode : std::uint8_t { automatic, always, never };

// Whether to colour output: `automatic` does on a terminal, unless the environment has a NO_COLOR
// that is not empty (no-color.org) or TERM is "dumb".
bool use_color(ColorMode mode, bool on_terminal);

enum class TextColor : std::uint8_t { red, yellow, green, cyan, bold, dim };

// Appends `text` as it is, in that colour when `enabled`.
void append_colored(std::string& out, TextColor color, std::string_view text, bool enabled);

}  // namespace cuarbiter
