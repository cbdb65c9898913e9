// Runs of plain movetext, a block of 64 bytes at a time: moves in canonical SAN and the numbers
// that belong before them, with nothing but blanks, line ends, dots, "!", "?" and comments between.
// All words of a block are found at once by masks, so that none waits for the end of the one
// before.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "host/pgn/byte_scan.hpp"
#include "host/pgn/text_scan.hpp"
#include "host/pgn/word_cache.hpp"

namespace cuarbiter {

// What is known of a block before it is read.
struct MoveBlock {
  const char* text = nullptr;  // its 64 bytes
  unsigned first = 0;          // bytes of it that are behind us
  unsigned size = 64;          // bytes of it that are text
  unsigned next_size = 64;     // bytes of the next block that are text
  // The first byte belongs to a word that began in the block before and is dealt with.
  bool in_word = false;
  bool in_comment = false;  // it begins inside of a comment
};

// What numbers have to fit.
struct MoveNumbers {
  std::uint32_t ply = 0;              // of the next move, from 0 where the first number is White's
  std::uint32_t fullmove_number = 1;  // of ply 0
  bool any = false;                   // numbers need not fit
};

// What a block gives.
struct MoveRun {
  static constexpr unsigned kMost = 32;   // moves: each takes two bytes at least
  static constexpr unsigned kNone = 255;  // no place
  SanToken tokens[kMost];
  std::uint8_t at[kMost];  // where each begins in the block
  unsigned count = 0;      // of moves
  unsigned end = 0;        // where what was read ends in the block
  bool goes_on = false;    // all of the block was read; else what follows is not plain
  bool in_word = false;    // as the next block needs them
  bool in_comment = false;
  unsigned comment_begin = kNone;  // the open comment's brace, where it is in this block
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

// Reads a block; masks[0] and masks[1] are its own and those of the next. 16 bytes behind the
// block's text must be readable. A comment that is not of the plain kind (with a brace inside) is
// not read: the run ends inside of it.
inline void read_move_block(const MoveBlock& block, const BlockMasks* masks,
                            const MoveNumbers& numbering, WordCache& cache, MoveRun& run) {
  const std::uint64_t all = ~std::uint64_t{0};
  const auto bits = [all](unsigned n) { return n < 64 ? ~(all << n) : all; };  // the first n
  const BlockMasks& m = masks[0];
  const char* p = block.text;
  const std::uint64_t behind = bits(block.first);
  run.count = 0;
  run.end = block.first;
  run.goes_on = run.in_word = false;
  run.in_comment = block.in_comment;
  run.comment_begin = MoveRun::kNone;
  unsigned size = block.size;
  std::uint64_t text = bits(size) & ~behind;
  std::uint64_t inside = block.in_comment ? all : 0;  // bit i: a comment is open behind byte i
  std::uint64_t comments = inside;                    // all bytes of comments
  bool cut = false;
  if (const std::uint64_t braces = (m.open | m.close) & text) {
    inside ^= prefix_parity(braces);
    const std::uint64_t wrong = (inside & braces) ^ (m.open & text);
    if (wrong) {
      // Up to the comment that is not plain, or the brace that closes none.
      const auto first = static_cast<unsigned>(std::countr_zero(wrong));
      size = first;
      if ((m.open >> first) & 1) {
        const std::uint64_t opened = m.open & text & bits(first);
        if (!opened) return;
        size = 63 ^ static_cast<unsigned>(std::countl_zero(opened));
      }
      text = bits(size) & ~behind;
      cut = true;
    }
    comments = inside | m.close;
  }
  run.in_comment = false;
  const std::uint64_t stop = m.stop & ~comments & text;
  const std::uint64_t between = ((m.space | m.dot | m.stop | comments) & text) | behind;
  std::uint64_t words = ~between & ((between << 1) | (block.in_word ? 0 : 1)) & bits(size);
  // Where words end that go on into the next block.
  const BlockMasks& n = masks[1];
  const std::uint64_t tail =
      size == 64 ? (n.space | n.dot | n.stop | n.open | n.close) & bits(block.next_size) : 0;
  unsigned cut_at = MoveRun::kNone;  // the first word that is not plain
  if (tail == 0) {
    // The last word may have no end.
    const auto last = 63 ^ static_cast<unsigned>(std::countl_zero(between | 1));
    const std::uint64_t endless = words & ~bits(last);
    if (endless) cut_at = static_cast<unsigned>(std::countr_zero(endless));
    words &= bits(cut_at);
  }
  words &= stop ^ (stop - 1);
  const auto word_size = [between, tail](unsigned at) {
    return static_cast<unsigned>(std::countr_zero((between >> at) | ((tail << 1) << (63 - at))));
  };
  // The first of these words that is not the number of the next move; kNone when all are.
  const auto wrong_number = [&](std::uint64_t these) {
    const std::uint32_t fits = numbering.fullmove_number + (numbering.ply + run.count) / 2;
    for (; these; these &= these - 1) {
      const auto at = static_cast<unsigned>(std::countr_zero(these));
      if (!detail::is_number(p + at, word_size(at), fits, numbering.any)) return at;
    }
    return MoveRun::kNone;
  };
  std::uint64_t numbers = words & m.digit;
  for (std::uint64_t rest = words & ~m.digit; rest; rest &= rest - 1) {
    const auto at = static_cast<unsigned>(std::countr_zero(rest));
    if (const std::uint64_t before = numbers & (rest ^ (rest - 1))) {
      const unsigned wrong = wrong_number(before);
      if (wrong != MoveRun::kNone) {
        run.end = wrong;
        return;
      }
      numbers ^= before;
    }
    const unsigned length = word_size(at);
    const char* word = p + at;
    SanToken& token = run.tokens[run.count];
    // A dot cannot follow a move.
    if (!cache.read(word, length, token) || word[length] == '.') {
      run.end = at;
      return;
    }
    run.at[run.count++] = static_cast<std::uint8_t>(at);
  }
  const unsigned wrong = wrong_number(numbers);
  if (wrong != MoveRun::kNone) {
    run.end = wrong;
  } else if (stop) {
    run.end = static_cast<unsigned>(std::countr_zero(stop));
  } else if (cut_at != MoveRun::kNone) {
    run.end = cut_at;
  } else {
    run.end = size;
    run.goes_on = !cut;
    run.in_word = size == 64 && !(between >> 63);
    run.in_comment = size != 0 && ((inside >> (size - 1)) & 1);
    const std::uint64_t opened = m.open & text;
    if (run.in_comment && opened) {
      run.comment_begin = 63 ^ static_cast<unsigned>(std::countl_zero(opened));
    }
  }
}

}  // namespace cuarbiter
