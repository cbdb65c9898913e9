// What a byte can be in PGN text, by table.
#pragma once

#include <array>
#include <cstdint>

namespace cuarbiter {

enum CharClass : std::uint8_t {
  kCharSpace = 1,      // blank, line end or NUL
  kCharEndsMove = 2,   // may follow a canonical move directly
  kCharEndsToken = 4,  // ends any other token
  kCharDigit = 8,
  kCharLineEnd = 16,    // LF, CR
  kCharStopsTag = 32,   // ends or escapes in a tag value: quote, backslash, line end
  kCharTagName = 64,    // may stand in a tag's name
  kCharStopsRun = 128,  // no run of plain movetext begins with it
};

namespace detail {

constexpr std::array<std::uint8_t, 256> make_char_classes() {
  std::array<std::uint8_t, 256> table{};
  const auto set = [&table](const char* bytes, unsigned classes) {
    for (; *bytes; ++bytes) {
      std::uint8_t& entry = table[static_cast<unsigned char>(*bytes)];
      entry = static_cast<std::uint8_t>(entry | classes);
    }
  };
  table[0] = kCharSpace | kCharEndsMove | kCharEndsToken;
  set(" \t\n\r\v\f", kCharSpace | kCharEndsMove | kCharEndsToken);
  set("\n\r", kCharLineEnd | kCharStopsTag);
  set("\"\\", kCharStopsTag);
  set("{}();$!?", kCharEndsMove);
  set("{}();$[]<>*", kCharEndsToken);
  set("}();$*%[]<>", kCharStopsRun);
  set("0123456789", kCharDigit | kCharTagName);
  set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-+#=:", kCharTagName);
  return table;
}

inline constexpr std::array<std::uint8_t, 256> kCharClasses = make_char_classes();

}  // namespace detail

// UTF-8's, which some programs put before a game or a file.
inline constexpr char kByteOrderMark[] = "\xEF\xBB\xBF";

inline bool is_char(char c, unsigned classes) {
  return (detail::kCharClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

}  // namespace cuarbiter
