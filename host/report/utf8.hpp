// UTF-8 (RFC 3629): checking it, and making it from Latin-1, the PGN standard's own character set
// (PGN standard, section 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace cuarbiter {

// Length of the leading bytes of `text` that are plain ASCII.
inline std::size_t ascii_prefix(std::string_view text) {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    if ((word & 0x8080808080808080u) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

// Length in bytes (1 to 4) of the well-formed UTF-8 sequence at the front of `text`; 0 when there
// is none: empty text, a stray or missing continuation byte, an overlong form, a surrogate, or a
// value past U+10FFFF.
inline std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto in = [](unsigned char b, unsigned char from, unsigned char to) {
    return b >= from && b <= to;
  };
  if (text.empty()) return 0;
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (text.size() < 2) return 0;
  if (in(lead, 0xc2, 0xdf)) return in(byte(1), 0x80, 0xbf) ? 2 : 0;
  if (text.size() < 3) return 0;
  if (in(lead, 0xe0, 0xef)) {
    const unsigned char from = lead == 0xe0 ? 0xa0 : 0x80;
    const unsigned char to = lead == 0xed ? 0x9f : 0xbf;
    return in(byte(1), from, to) && in(byte(2), 0x80, 0xbf) ? 3 : 0;
  }
  if (text.size() < 4) return 0;
  if (in(lead, 0xf0, 0xf4)) {
    const unsigned char from = lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char to = lead == 0xf4 ? 0x8f : 0xbf;
    return in(byte(1), from, to) && in(byte(2), 0x80, 0xbf) && in(byte(3), 0x80, 0xbf) ? 4 : 0;
  }
  return 0;
}

// True when all of `text` is well-formed UTF-8 (empty text is).
inline bool valid_utf8(std::string_view text) {
  for (;;) {
    text.remove_prefix(ascii_prefix(text));
    if (text.empty()) return true;
    const std::size_t length = utf8_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
}

// Every byte read as the Latin-1 character of that number.
inline std::string latin1_to_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out.push_back(c);
    } else {
      out.push_back(static_cast<char>(0xc0 | (byte >> 6)));
      out.push_back(static_cast<char>(0x80 | (byte & 0x3f)));
    }
  }
  return out;
}

}  // namespace cuarbiter
