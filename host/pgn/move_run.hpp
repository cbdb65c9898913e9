// Runs of plain movetext: moves in canonical SAN and the numbers that belong before them, with
// nothing but blanks, line ends, dots, "!", "?" and comments between. They are read a block of 64
// bytes at a time (TextScan::read_moves): all words of a block are found at once by masks, so that
// none waits for the end of the one before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "host/pgn/word_cache.hpp"

namespace cuarbiter {

// Where bytes of a kind stand in a block: bit i stands for byte i.
struct MoveMasks {
  std::uint64_t no_gap = 0;  // not between words, where blank, line end, NUL, . ( ) ; $ ! ?
  std::uint64_t stop = 0;    // ( ) ; $
  std::uint64_t open = 0, close = 0;  // { }
};

// A run on its way. Blocks stand at multiples of 64 bytes of the text; 64 bytes behind `end` must
// be readable.
struct MoveRun {
  static constexpr unsigned kMost = 512;  // moves
  static constexpr std::size_t kNone = ~std::size_t{0};

  const char* text = nullptr;
  std::size_t at = 0;           // what comes before is dealt with
  std::size_t end = 0;          // of the text to be read
  std::size_t comment = kNone;  // the brace of the comment that `at` is inside

  // What numbers have to fit.
  std::uint32_t ply = 0;              // of the next move, from 0 where the first number is White's
  std::uint32_t fullmove_number = 1;  // of ply 0
  bool any_number = false;            // they need not fit

  // What is read: moves, and where each begins.
  unsigned count = 0;
  SanToken tokens[kMost];
  std::uint32_t places[kMost];
};

namespace detail {

// The digits of 0 .. 999 as the upper bytes of a little-endian word, zeros below.
constexpr std::array<std::uint32_t, 1000> make_number_texts() {
  std::array<std::uint32_t, 1000> table{};
  for (std::uint32_t n = 0; n < 1000; ++n) {
    std::uint32_t text = 0;
    for (std::uint32_t rest = n, shift = 24; rest; rest /= 10, shift -= 8) {
      text |= ('0' + rest % 10) << shift;
    }
    table[n] = text;
  }
  return table;
}

inline constexpr std::array<std::uint32_t, 1000> kNumberTexts = make_number_texts();

}  // namespace detail

}  // namespace cuarbiter
