// Text for people. Colours are the eight of ECMA-48 (SGR), which every terminal knows.
#include "host/report/terminal.hpp"

#include <cstdlib>
#include <cstring>

#include "host/report/utf8.hpp"

namespace cuarbiter {
namespace {

bool plain_ascii(char c) {
  return c >= 0x20 && c < 0x7f;
}

// Characters of several bytes that act on a terminal or on how the line reads: C1 controls
// (U+0080 to U+009F), line and paragraph separators and directional overrides and embeddings
// (U+2028 to U+202E), directional isolates (U+2066 to U+2069).
bool harmful(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 2) return byte(0) == 0xc2 && byte(1) < 0xa0;
  if (character.size() != 3 || byte(0) != 0xe2) return false;
  return (byte(1) == 0x80 && byte(2) >= 0xa8 && byte(2) <= 0xae) ||
         (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9);
}

void append_hex(std::string& out, std::string_view bytes) {
  constexpr char kHex[] = "0123456789ABCDEF";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out.append("\\x");
    out.push_back(kHex[byte >> 4]);
    out.push_back(kHex[byte & 15]);
  }
}

std::string_view color_sequence(TextColor color) {
  switch (color) {
    case TextColor::red:
      return "\x1b[31m";
    case TextColor::yellow:
      return "\x1b[33m";
    case TextColor::green:
      return "\x1b[32m";
    case TextColor::cyan:
      return "\x1b[36m";
    case TextColor::bold:
      return "\x1b[1m";
    case TextColor::dim:
      return "\x1b[2m";
  }
  return {};
}

}  // namespace

void append_visible(std::string& out, std::string_view text) {
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && plain_ascii(text[plain])) ++plain;
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return;
    const std::size_t length = utf8_sequence(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    if (length < 2 || harmful(character)) {
      append_hex(out, character);
    } else {
      out.append(character);
    }
    text.remove_prefix(character.size());
  }
}

std::string visible(std::string_view text) {
  std::string out;
  append_visible(out, text);
  return out;
}

bool use_color(ColorMode mode, bool on_terminal) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
  return on_terminal && !refused && !dumb;
}

void append_colored(std::string& out, TextColor color, std::string_view text, bool enabled) {
  if (enabled) out.append(color_sequence(color));
  out.append(text);
  if (enabled) out.append("\x1b[0m");
}

}  // namespace cuarbiter
