// Runs of plain movetext, a block of 64 bytes at a time: moves in canonical SAN and the numbers
// that belong before them, with nothing but blanks, line ends and dots between. All words of a
// block are found at once by masks, so that none waits for the end of the one before.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "host/pgn/san_lexer.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {

// What is known of the run before it is read.
struct MoveRunStart {
  std::uint32_t ply = 0;              // of its first move, from 0 where the first number is White's
  std::uint32_t fullmove_number = 1;  // of ply 0
  bool any_numbers = false;           // numbers need not fit
};

struct MoveRun {
  static constexpr unsigned kMost = 32;  // moves: each takes three bytes of the block
  SanToken tokens[kMost];
  std::uint8_t at[kMost];  // where each begins, from the start of the run
  unsigned count = 0;      // of moves
  unsigned length = 0;     // bytes read: what follows is the caller's; 0 when nothing is plain
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

// True when the `size` bytes at p are the decimal number `fits`, or, with `any`, another one from 1
// to 999. Four bytes must be readable.
inline bool is_number(const char* p, unsigned size, std::uint32_t fits, bool any) {
  if (size > 3) return false;
  std::uint32_t text;
  std::memcpy(&text, p, sizeof text);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  text = __builtin_bswap32(text);
#endif
  text <<= 32 - 8 * size;
  if (fits < kNumberTexts.size() && text == kNumberTexts[fits]) return true;
  if (!any) return false;
  for (unsigned i = 0; i < size; ++i) {
    if (p[i] < '0' || p[i] > '9') return false;
  }
  return (text & 0x0F0F0F0Fu) != 0;
}

}  // namespace detail

// Reads from p, where a token, a blank or a dot begins, up to `end` at most; `masks` are those of
// the 64 bytes from p on. At least 16 bytes must be readable at any byte before `end`.
inline void read_move_run(const char* p, const char* end, const BlockMasks& masks,
                          const MoveRunStart& start, MoveRun& run) {
  run.count = run.length = 0;
  const std::uint64_t all = ~std::uint64_t{0};
  const std::uint64_t text = end - p < 64 ? ~(all << (end - p)) : all;
  const std::uint64_t stop = masks.stop & text;
  const std::uint64_t between = (masks.space | masks.dot | masks.stop) & text;
  if (!between) return;
  const auto last = static_cast<unsigned>(std::countl_zero(between)) ^ 63u;
  // Words with their ends, up to the first byte that is not plain.
  const std::uint64_t words =
      ~between & ((between << 1) | 1) & (stop ^ (stop - 1)) & ~(all << last);
  const std::uint64_t digits = masks.digit;
  std::uint64_t numbers = words & digits;
  for (std::uint64_t rest = words & ~digits; rest; rest &= rest - 1) {
    const auto at = static_cast<unsigned>(std::countr_zero(rest));
    // The number before this move.
    if (const std::uint64_t before = numbers & (rest ^ (rest - 1))) {
      const auto first = static_cast<unsigned>(std::countr_zero(before));
      const auto size = static_cast<unsigned>(std::countr_zero(between >> first));
      const std::uint32_t fits = start.fullmove_number + (start.ply + run.count) / 2;
      if ((before & (before - 1)) || !detail::is_number(p + first, size, fits, start.any_numbers)) {
        run.length = first;
        return;
      }
      numbers ^= before;
    }
    const auto size = static_cast<unsigned>(std::countr_zero(between >> at));
    SanToken& token = run.tokens[run.count];
    if (!detail::read_usual_san(p + at, size, token) &&
        lex_canonical_san(p + at, token) != p + at + size) {
      run.length = at;
      return;
    }
    if ((masks.dot >> (at + size)) & 1) {  // a dot cannot follow a move
      run.length = at;
      return;
    }
    run.at[run.count++] = static_cast<std::uint8_t>(at);
  }
  run.length = numbers ? static_cast<unsigned>(std::countr_zero(numbers))
               : stop  ? static_cast<unsigned>(std::countr_zero(stop))
                       : last + 1;
}

}  // namespace cuarbiter
