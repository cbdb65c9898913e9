#include "host/pgn/player_name.hpp"

#include <cstddef>

#include "host/pgn/tag_pair.hpp"
#include "host/report/utf8.hpp"

namespace cuarbiter {
namespace {

// The character of a well-formed sequence of `length` bytes.
char32_t decoded(std::string_view text, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (length == 1) return byte(0);
  char32_t c = byte(0) & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) c = c << 6 | (byte(i) & 0x3fu);
  return c;
}

// The small letter of a capital (Unicode's simple case mapping, in the blocks named above); other
// characters as they are. All of them take two bytes of UTF-8, or one.
char32_t small(char32_t c) {
  const auto in = [c](char32_t from, char32_t to) { return c >= from && c <= to; };
  if (in('A', 'Z') || (in(0xC0, 0xDE) && c != 0xD7)) return c + 32;
  if (c == 0x178) return 0xFF;
  // Pairs, the capital even or odd. U+0130 and U+0131 are the Turkish i, U+0149 has no capital.
  if (in(0x100, 0x12F) || in(0x132, 0x137) || in(0x14A, 0x177)) return c | 1;
  if (in(0x139, 0x148) || in(0x179, 0x17E)) return c + (c & 1);
  if (c == 0x130) return 'i';
  if (in(0x391, 0x3A9) && c != 0x3A2) return c + 32;
  if (c == 0x386) return 0x3AC;
  if (in(0x388, 0x38A)) return c + 37;
  if (c == 0x38C) return 0x3CC;
  if (in(0x38E, 0x38F)) return c + 63;
  if (in(0x410, 0x42F)) return c + 32;
  if (in(0x400, 0x40F)) return c + 80;
  if (in(0x460, 0x481) || in(0x48A, 0x4BF)) return c | 1;
  return c;
}

bool parts_words(char32_t c) {
  return c <= ' ' || c == ',' || c == '.' || c == '_' || c == 0xA0;
}

bool says_nothing(char32_t c) {
  return c == '?' || c == '-' || c == '*';
}

void append_character(std::string& out, char32_t c) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else {
    out.push_back(static_cast<char>(0xC0 | c >> 6));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  }
}

void fold(std::string& out, std::string_view text) {
  const std::size_t begin = out.size();
  bool gap = false, named = false;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    const char32_t c = decoded(text, length);
    if (parts_words(c)) {
      gap = out.size() > begin;
    } else {
      if (gap) out.push_back(' ');
      gap = false;
      named = named || !says_nothing(c);
      if (length <= 2) {
        append_character(out, small(c));
      } else {
        out.append(text.substr(0, length));
      }
    }
    text.remove_prefix(length);
  }
  if (!named) out.resize(begin);
}

}  // namespace

void append_folded_name(std::string& out, std::string_view value) {
  std::string plain;
  if (value.find('\\') != std::string_view::npos) {
    plain = unescape_tag_value(value);
    value = plain;
  }
  if (valid_utf8(value)) {
    fold(out, value);
  } else {
    fold(out, latin1_to_utf8(value));
  }
}

}  // namespace cuarbiter
