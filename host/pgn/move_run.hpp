// Runs of plain movetext, a block of 64 bytes at a time: moves in canonical SAN and the numbers
// that belong before them, with nothing but blanks, line ends, dots, "!", "?" and comments between.
// All words of a block are found at once by masks, so that none waits for the end of the one
// before.
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
  bool in_comment = false;            // it begins inside of a comment
};

struct MoveRun {
  static constexpr unsigned kMost = 32;   // moves: each takes three bytes of the block
  static constexpr unsigned kNone = 255;  // no place
  SanToken tokens[kMost];
  std::uint8_t at[kMost];   // where each begins, from the start of the run
  unsigned count = 0;       // of moves
  unsigned length = 0;      // bytes read
  bool goes_on = false;     // the next run may begin right behind; else what follows is not plain
  bool in_comment = false;  // it ends inside of a comment
  unsigned comment_begin = kNone;  // that comment's brace, where it is in the run
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

// Reads from p, where a token, something between tokens or the inside of a comment begins, up to
// `end` (above p) at most; `masks` are those of the 64 bytes from p on. At least 16 bytes must be
// readable at any byte before `end`. A comment that is not of the plain kind (with a brace inside)
// is not read: the run ends inside of it.
inline void read_move_run(const char* p, const char* end, const BlockMasks& masks,
                          const MoveRunStart& start, MoveRun& run) {
  const std::uint64_t all = ~std::uint64_t{0};
  const auto bits = [all](unsigned n) { return n < 64 ? ~(all << n) : all; };  // the first n
  run.count = run.length = 0;
  run.goes_on = false;
  run.in_comment = start.in_comment;
  run.comment_begin = MoveRun::kNone;
  unsigned size = end - p < 64 ? static_cast<unsigned>(end - p) : 64;
  std::uint64_t text = bits(size);
  std::uint64_t inside = start.in_comment ? all : 0;  // bit i: a comment is open behind byte i
  std::uint64_t comments = inside;                    // all bytes of comments
  bool cut = false;
  if (const std::uint64_t braces = (masks.open | masks.close) & text) {
    inside ^= prefix_parity(braces);
    const std::uint64_t wrong = (inside & braces) ^ (masks.open & text);
    if (wrong) {
      // Up to the comment that is not plain, or the brace that closes none.
      const auto first = static_cast<unsigned>(std::countr_zero(wrong));
      if ((masks.open >> first) & 1) {
        const std::uint64_t opened = masks.open & bits(first);
        if (!opened) return;
        size = 63 ^ static_cast<unsigned>(std::countl_zero(opened));
      } else {
        size = first;
      }
      text = bits(size);
      cut = true;
    }
    comments = inside | masks.close;
  }
  const std::uint64_t stop = masks.stop & ~comments & text;
  const std::uint64_t between = (masks.space | masks.dot | masks.stop | comments) & text;
  if (!between) return;
  const auto last = 63 ^ static_cast<unsigned>(std::countl_zero(between));
  // Words with their ends, up to the first byte that is not plain.
  const std::uint64_t words = ~between & ((between << 1) | 1) & (stop ^ (stop - 1)) & bits(last);
  const std::uint64_t digits = masks.digit;
  const auto word_size = [between](unsigned at) {
    return static_cast<unsigned>(std::countr_zero(between >> at));
  };
  // The first word of `numbers` that is not the number of the next move; kNone when all are.
  std::uint64_t numbers = words & digits;
  const auto wrong_number = [&](std::uint64_t these) {
    const std::uint32_t fits = start.fullmove_number + (start.ply + run.count) / 2;
    for (; these; these &= these - 1) {
      const auto at = static_cast<unsigned>(std::countr_zero(these));
      if (!detail::is_number(p + at, word_size(at), fits, start.any_numbers)) return at;
    }
    return MoveRun::kNone;
  };
  run.in_comment = false;
  for (std::uint64_t rest = words & ~digits; rest; rest &= rest - 1) {
    const auto at = static_cast<unsigned>(std::countr_zero(rest));
    if (const std::uint64_t before = numbers & (rest ^ (rest - 1))) {
      const unsigned wrong = wrong_number(before);
      if (wrong != MoveRun::kNone) {
        run.length = wrong;
        return;
      }
      numbers ^= before;
    }
    const unsigned length = word_size(at);
    SanToken& token = run.tokens[run.count];
    const bool dotted = (masks.dot >> (at + length)) & 1;  // a dot cannot follow a move
    if (!detail::read_usual_san(p + at, length, token) &&
        lex_canonical_san(p + at, token) != p + at + length) {
      run.length = at;
      return;
    }
    if (dotted) {
      run.length = at;
      return;
    }
    run.at[run.count++] = static_cast<std::uint8_t>(at);
  }
  const unsigned wrong = wrong_number(numbers);
  if (wrong != MoveRun::kNone) {
    run.length = wrong;
    return;
  }
  if (stop) {
    run.length = static_cast<unsigned>(std::countr_zero(stop));
    return;
  }
  run.length = last + 1;
  run.goes_on = !cut || run.length != size;
  run.in_comment = (inside >> last) & 1;
  const std::uint64_t opened = masks.open & text;
  if (run.in_comment && opened) {
    run.comment_begin = 63 ^ static_cast<unsigned>(std::countl_zero(opened));
  }
}

}  // namespace cuarbiter
