// Moves seen before, by their text. Archives hold few different ones: most are among the last few
// thousand, and need not be read again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/rules/san_token.hpp"

namespace cuarbiter {

// One object serves one thread. Where it is looked up at sight (read_moves) the entries are read
// directly.
struct WordCache {
  // The word of `length` bytes (at least 1) at p as a move in canonical SAN; false when it is not
  // one. At least 16 bytes must be readable at p. The answer does not depend on what was asked
  // before.
  bool read(const char* p, unsigned length, SanToken& token);

  // A word of up to 8 bytes as a little-endian number, its last byte highest, is looked for at the
  // highest bits of its product with the factor.
  static constexpr unsigned kBits = 13;
  static constexpr std::uint64_t kHashFactor = 0x9E3779B97F4A7C15u;
  struct Entry {
    std::uint64_t text = 0;
    SanToken token;
  };
  Entry entries[std::size_t{1} << kBits] = {};
};

}  // namespace cuarbiter
