// The reader of runs of moves, included once by each instruction set's file behind
// text_scan_body.hpp. It has defined, besides, a class MaskMaker, whose of() gives the masks of 64
// bytes.
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

// Words of movetext: where the first begins, where it ends, where the second begins ...
struct Words {
  static constexpr unsigned kMost = 2 * MoveRun::kMost;
  // Room for what append_places() writes behind.
  std::uint32_t places[kMost + kMaskBytes];
  unsigned count = 0;

  void add(std::size_t base, std::uint64_t marks) {
    append_places(places + count, static_cast<std::uint32_t>(base), marks);
    count += static_cast<unsigned>(__builtin_popcountll(marks));
  }
};

// What is known at the begin of a block from those before it.
struct WordState {
  std::uint64_t open = 0;     // 1: a comment is open
  std::uint64_t in_word = 0;  // 1: so is a word
};

// What a block of movetext holds, by masks.
struct WordMasks {
  // Where words begin and where they end.
  std::uint64_t borders(std::uint64_t in_word) const { return word ^ ((word << 1) | in_word); }

  std::uint64_t opens;   // braces that open a comment
  std::uint64_t inside;  // bit i: a comment is open behind byte i
  std::uint64_t wrong;   // braces that open or close none
  std::uint64_t stop;    // what is not plain, outside of comments
  std::uint64_t word;
};

// Of a whole block. `wrong` tells only whether there is anything wrong, not where.
WordMasks masks_of_whole(const MoveMasks& masks, std::uint64_t open) {
  const Comments comments(masks.open, masks.close, open);
  const std::uint64_t no_comment = ~(comments.inside | masks.close);
  return {masks.open, comments.inside, comments.wrong, masks.stop & no_comment,
          masks.no_gap & no_comment};
}

// Of the bytes `fresh` of a block.
WordMasks masks_of_part(const MoveMasks& masks, std::uint64_t fresh, std::uint64_t open) {
  const std::uint64_t opens = masks.open & fresh;
  const std::uint64_t braces = opens | (masks.close & fresh);
  const std::uint64_t inside = parity_up_to(braces) ^ (std::uint64_t{0} - open);
  const std::uint64_t rest = ~(inside | masks.close) & fresh;
  return {opens, inside, (inside ^ opens) & braces, masks.stop & rest, masks.no_gap & rest};
}

void go_on(WordState& state, const WordMasks& masks) {
  state.in_word = masks.word >> 63;
  state.open = masks.inside >> 63;
}

// Whole blocks from `base` on, as long as all is plain and there is room for their words. Returns
// where the next block begins.
std::size_t find_in_whole_blocks(const MaskMaker& maker, const char* text, std::size_t base,
                                 std::size_t end, WordState& state, Words& words) {
  unsigned count = words.count;  // by itself, as what is written could change a member
  for (; base + kMaskBytes <= end && count <= Words::kMost - kMaskBytes; base += kMaskBytes) {
    const WordMasks masks = masks_of_whole(maker.of(text + base), state.open);
    if (masks.wrong | masks.stop) break;
    const std::uint64_t borders = masks.borders(state.in_word);
    append_places(words.places + count, static_cast<std::uint32_t>(base), borders);
    count += static_cast<unsigned>(__builtin_popcountll(borders));
    go_on(state, masks);
  }
  words.count = count;
  return base;
}

// Finds the words from run.at on, up to what is not plain movetext or until there are enough of
// them: moves run.at and run.comment there. True in the latter case. A word that has no end where
// what is plain ends is begun and not ended.
bool find_words(MoveRun& run, Words& words) {
  const MaskMaker maker;
  const char* const text = run.text;
  const std::size_t end = run.end;
  std::size_t base = run.at / kMaskBytes * kMaskBytes;
  std::uint64_t behind = low_bits(run.at - base);
  const std::size_t start = run.at;
  WordState state;
  state.open = run.comment != MoveRun::kNone ? 1 : 0;
  bool more = false;
  for (;; base += kMaskBytes, behind = 0) {
    if (!behind) base = find_in_whole_blocks(maker, text, base, end, state, words);
    if (base >= end) break;
    if (words.count > Words::kMost - kMaskBytes) {
      more = true;
      break;
    }
    const WordMasks masks =
        masks_of_part(maker.of(text + base), low_bits(end - base) & ~behind, state.open);
    if (masks.wrong | masks.stop) {
      // Up to the mark, the comment that is not plain, or the brace that closes none.
      unsigned size = masks.stop ? lowest(masks.stop) : kMaskBytes;
      std::uint64_t may_end = low_bits(size + std::size_t{1});
      if (masks.wrong && lowest(masks.wrong) < size) {
        size = lowest(masks.wrong);
        if ((masks.opens >> size) & 1) {
          const std::uint64_t opened = masks.opens & low_bits(size);
          if (!opened) break;
          size = highest(opened);
        }
        may_end = low_bits(size);
      }
      const std::uint64_t word = masks.word & low_bits(size);
      words.add(base, (word ^ ((word << 1) | state.in_word)) & may_end);
      run.at = base + size;
      run.comment = MoveRun::kNone;
      return false;
    }
    words.add(base, masks.borders(state.in_word) & low_bits(end - base));
    go_on(state, masks);
  }
  run.at = base < end ? base : end;
  run.comment = state.open ? last_open(text, start, run.at, run.comment) : MoveRun::kNone;
  return more;
}

bool read_moves(MoveRun& run, WordCache& cache) {
  Words words;
  bool more = find_words(run, words);
  if (words.count % 2) {
    run.at = words.places[words.count - 1];
  } else if (run.comment != MoveRun::kNone && !more) {
    run.at = run.comment;
  }
  if (!more) run.comment = MoveRun::kNone;
  const char* const text = run.text;
  unsigned count = run.count;
  std::uint32_t ply = run.ply;
  for (unsigned i = 0; i + 1 < words.count; i += 2) {
    const std::uint32_t at = words.places[i];
    const char* const word = text + at;
    const unsigned length = words.places[i + 1] - at;
    bool plain;
    if (*word >= '0' && *word <= '9') {
      plain = is_number(word, length, run.fullmove_number + ply / 2, run.any_number);
    } else {
      // A dot cannot follow a move.
      plain = read_move(word, length, cache, run.tokens[count]) && word[length] != '.';
      run.places[count] = at;
      count += plain ? 1 : 0;
      ply += plain ? 1 : 0;
    }
    if (!plain) {
      run.at = at;
      run.comment = MoveRun::kNone;
      more = false;
      break;
    }
  }
  run.count = count;
  run.ply = ply;
  return more;
}

}  // namespace
}  // namespace cuarbiter
