// Moves seen before, by their text. Archives hold few different ones: most are among the last few
// thousand, and need not be read again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "host/pgn/san_lexer.hpp"

namespace cuarbiter {

// One object serves one thread.
class WordCache {
 public:
  // The word of `length` bytes (at least 1) at p as a move in canonical SAN; false when it is not
  // one. At least 16 bytes must be readable at p. The answer does not depend on what was asked
  // before.
  bool read(const char* p, unsigned length, SanToken& token) {
    if (length > sizeof(std::uint64_t)) return lex_canonical_san(p, token) == p + length;
    std::uint64_t text;
    std::memcpy(&text, p, sizeof text);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    text = __builtin_bswap64(text);
#endif
    // The word alone: as no word holds a NUL, shorter ones are different numbers. None is 0.
    text <<= 64 - 8 * length;
    Entry& entry = entries_[(text * 0x9E3779B97F4A7C15u) >> (64 - kBits)];
    if (entry.text == text) {
      token = entry.token;
      return true;
    }
    if (lex_canonical_san(p, token) != p + length) return false;
    entry = {text, token};
    return true;
  }

 private:
  static constexpr unsigned kBits = 12;
  struct Entry {
    std::uint64_t text = 0;
    SanToken token;
  };
  std::array<Entry, std::size_t{1} << kBits> entries_{};
};

}  // namespace cuarbiter
