// The reader of runs of moves, included once by each instruction set's file. It has defined, in an
// unnamed namespace, a class Block (see text_scan_body.hpp) and a class MaskMaker, whose of() gives
// the masks of 64 bytes.
//
// Nothing here may call inline functions of other files: their code would be of this instruction
// set in the whole program.
#pragma once

#include <cstring>

#include "host/pgn/move_run.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint64_t kAllBytes = ~std::uint64_t{0};

// The first n bits.
std::uint64_t low_bits(std::size_t n) {
  return n < 64 ? ~(kAllBytes << n) : kAllBytes;
}
// Of bits that are not all 0.
unsigned lowest(std::uint64_t bits) {
  return static_cast<unsigned>(__builtin_ctzll(bits));
}
unsigned highest(std::uint64_t bits) {
  return 63 ^ static_cast<unsigned>(__builtin_clzll(bits));
}

// True when the `size` bytes at p are the decimal number `fits`, or, with `any`, another one from 1
// to 999. Four bytes must be readable.
bool is_number(const char* p, unsigned size, std::uint32_t fits, bool any) {
  if (size > 3) return false;
  std::uint32_t text;
  std::memcpy(&text, p, sizeof text);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  text = __builtin_bswap32(text);
#endif
  text <<= 32 - 8 * size;
  if (fits < 1000 && text == detail::kNumberTexts.data()[fits]) return true;
  if (!any) return false;
  for (unsigned i = 0; i < size; ++i) {
    if (p[i] < '0' || p[i] > '9') return false;
  }
  return (text & 0x0F0F0F0Fu) != 0;
}

// The word of `length` bytes (at least 1) at p as a move in canonical SAN; false when it is not
// one.
bool read_move(const char* p, unsigned length, WordCache& cache, SanToken& token) {
  if (length > sizeof(std::uint64_t)) return cache.read(p, length, token);
  std::uint64_t text;
  std::memcpy(&text, p, sizeof text);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  text = __builtin_bswap64(text);
#endif
  // The word alone: as no word holds a NUL, shorter ones are different numbers. None is 0.
  text <<= 64 - 8 * length;
  const WordCache::Entry& entry =
      cache.entries[(text * WordCache::kHashFactor) >> (64 - WordCache::kBits)];
  if (entry.text != text) return cache.read(p, length, token);
  token = entry.token;
  return true;
}

// In a comment, at the start of a block without a brace: the first block behind it that has one, or
// that is not all text.
std::size_t behind_comment_blocks(const char* text, std::size_t at, std::size_t end) {
  constexpr std::size_t n = kMaskBytes;
  at += n;
  for (; at + 4 * n <= end; at += 4 * n) {
    const std::uint64_t first = Block(text + at).any<'{', '}'>();
    const std::uint64_t second = Block(text + at + n).any<'{', '}'>();
    const std::uint64_t third = Block(text + at + 2 * n).any<'{', '}'>();
    const std::uint64_t fourth = Block(text + at + 3 * n).any<'{', '}'>();
    if (first | second | third | fourth) {
      return at + (first ? 0 : second ? n : third ? 2 * n : 3 * n);
    }
  }
  while (at + n <= end && !Block(text + at).any<'{', '}'>()) at += n;
  return at;
}

bool read_moves(MoveRun& run, WordCache& cache) {
  const MaskMaker maker;
  const char* const text = run.text;
  const std::size_t end = run.end;
  const bool any_number = run.any_number;
  const std::uint32_t first_number = run.fullmove_number;
  std::size_t base = run.at / kMaskBytes * kMaskBytes;
  std::size_t comment = run.comment;
  std::uint64_t behind = low_bits(run.at - base);
  bool in_word = run.in_word;
  unsigned count = run.count;
  std::uint32_t ply = run.ply;
  // Where what is read ends; of a comment that is open then nothing is read.
  std::size_t stopped = run.at;
  bool more = false;
  MoveMasks now, next;
  const auto make_next = [&] {
    next = end > base + kMaskBytes ? maker.of(text + base + kMaskBytes) : MoveMasks{};
  };
  if (run.kept_at == base && run.kept_end == end) {
    now = run.kept[0];
    next = run.kept[1];
  } else {
    now = maker.of(text + base);
    make_next();
  }
  for (;;) {
    const std::size_t left = end - base;
    std::uint64_t inside = comment != MoveRun::kNone ? kAllBytes : 0;
    std::uint64_t braces = now.open | now.close;
    if (inside && !braces && left >= kMaskBytes) {
      base = behind_comment_blocks(text, base, end);
      in_word = false;
      behind = 0;
      if (base >= end) break;
      now = maker.of(text + base);
      make_next();
      continue;
    }
    if (count > MoveRun::kMost - kMaskBytes / 2) {
      stopped = base;
      more = true;
      break;
    }
    unsigned size = left < kMaskBytes ? static_cast<unsigned>(left) : kMaskBytes;
    std::uint64_t whole = low_bits(size);
    std::uint64_t comments = inside;  // all bytes of comments
    bool cut = false;
    braces &= whole & ~behind;
    if (braces) {
      // Bit i: a comment is open behind byte i.
      inside ^= parity_up_to(braces);
      const std::uint64_t wrong = (inside ^ now.open) & braces;
      if (wrong) {
        // Up to the comment that is not plain, or the brace that closes none.
        size = lowest(wrong);
        if ((now.open >> size) & 1) {
          const std::uint64_t opened = now.open & braces & low_bits(size);
          if (!opened) break;
          size = highest(opened);
        }
        whole = low_bits(size);
        cut = true;
      }
      comments = inside | now.close;
    }
    const std::uint64_t fresh = whole & ~behind;
    const std::uint64_t stop = now.stop & ~comments & fresh;
    const std::uint64_t between = ((now.gap | comments) & fresh) | behind;
    std::uint64_t words = ~between & ((between << 1) | (in_word ? 0 : 1)) & whole;
    // Where words end that go on into the next block.
    const std::uint64_t tail =
        size == kMaskBytes ? (next.gap | next.open | next.close) & low_bits(left - size) : 0;
    unsigned cut_at = kMaskBytes;  // the first word that is not plain
    if (tail == 0) {
      // The last word may have no end.
      const std::uint64_t endless = words & ~low_bits(highest(between | 1));
      if (endless) {
        cut_at = lowest(endless);
        words &= low_bits(cut_at);
      }
    }
    words &= stop ^ (stop - 1);
    const auto word_size = [between, tail](unsigned at) {
      return lowest((between >> at) | ((tail << 1) << (63 - at)));
    };
    // Reads the numbers `these`; false when one is not that of the next move.
    const char* const p = text + base;
    const auto read_numbers = [&](std::uint64_t these) {
      const std::uint32_t fits = first_number + ply / 2;
      for (; these; these &= these - 1) {
        const unsigned at = lowest(these);
        if (is_number(p + at, word_size(at), fits, any_number)) continue;
        stopped = base + at;
        return false;
      }
      return true;
    };
    std::uint64_t numbers = words & now.digit;
    bool plain = true;
    for (std::uint64_t rest = words & ~now.digit; rest; rest &= rest - 1) {
      const unsigned at = lowest(rest);
      const std::uint64_t before = numbers & (rest ^ (rest - 1));
      if (before) {
        if (!read_numbers(before)) {
          plain = false;
          break;
        }
        numbers ^= before;
      }
      const unsigned length = word_size(at);
      // A dot cannot follow a move.
      if (!read_move(p + at, length, cache, run.tokens[count]) || p[at + length] == '.') {
        stopped = base + at;
        plain = false;
        break;
      }
      run.places[count++] = static_cast<std::uint32_t>(base) + at;
      ++ply;
    }
    if (!plain || !read_numbers(numbers)) {
      comment = MoveRun::kNone;
      break;
    }
    if (stop || cut_at != kMaskBytes || cut) {
      stopped = base + (stop ? lowest(stop) : cut_at != kMaskBytes ? cut_at : size);
      comment = MoveRun::kNone;
      break;
    }
    if (!((inside >> (size - 1)) & 1)) {
      comment = MoveRun::kNone;
    } else if (const std::uint64_t opened = now.open & braces) {
      comment = base + highest(opened);
    }
    stopped = base + size;
    if (left <= kMaskBytes) break;
    in_word = !(between >> 63);
    behind = 0;
    base += kMaskBytes;
    now = next;
    make_next();
  }
  run.kept_at = base;
  run.kept_end = end;
  run.kept[0] = now;
  run.kept[1] = next;
  run.at = comment == MoveRun::kNone || more ? stopped : comment;
  run.comment = more ? comment : MoveRun::kNone;
  run.in_word = more && in_word;
  run.count = count;
  run.ply = ply;
  return more;
}

}  // namespace
}  // namespace cuarbiter
