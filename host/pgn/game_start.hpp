// What the start of a game looks like where nothing else is known: by it the framer tells that a
// brace was lost, and others find a place to begin in the middle of a text.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace cuarbiter {

inline constexpr std::string_view kGameStart = "[Event \"";

// A comment in which a game seems to start is taken to have lost its closing brace when none comes
// within so many bytes from there.
inline constexpr std::size_t kLostBraceReach = std::size_t{1} << 20;

// True when [Event "..." stands at `at` at the start of a line after a blank line.
inline bool looks_like_game(const char* text, std::size_t at, std::size_t end) {
  if (end - at < kGameStart.size() ||
      std::memcmp(text + at, kGameStart.data(), kGameStart.size()) != 0) {
    return false;
  }
  if (at < 2 || (text[at - 1] != '\n' && text[at - 1] != '\r')) return false;
  std::size_t before = at - 1;
  if (text[before] == '\n' && text[before - 1] == '\r') --before;
  if (before == 0) return false;
  return text[before - 1] == '\n' || text[before - 1] == '\r';
}

}  // namespace cuarbiter
