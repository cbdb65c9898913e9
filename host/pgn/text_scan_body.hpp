// The passes over text, included once by each instruction set's file. It has defined, in an unnamed
// namespace,
//   Block: 64 bytes of text, of which any<Bytes...>() tells where one of Bytes stands, and
//     beyond_ascii() where a byte has its high bit set;
//   WordLook, made once for many blocks: words() tells where a letter, digit or underscore stands;
//   PlainLook, made once for many blocks: opens() and closes() tell where braces stand,
//     may_be_odd() is true when there is a CR or a semicolon, or, behind a LF (the byte before the
//     block is looked at for that), something with which no line of movetext begins: too often
//     rather than too seldom;
//   ByteTally, which tells what bytes there are among the blocks added to it, and LineTally, which
//     counts the LF of up to kMost blocks;
//   parity_up_to(): bit i of the result is the parity of bits 0 .. i;
//   append_places(): writes `first` plus the number of each bit that is set, in rising order; it
//   may
//     write anything to the 64 places behind.
//
// Nothing here may call inline functions of other files: their code would be of this instruction
// set in the whole program.
#pragma once

#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

std::size_t behind_last(std::size_t at, std::uint64_t bits) {
  return at + 64 - static_cast<unsigned>(__builtin_clzll(bits));
}

// Comments in a block, told by a difference: bits from an opening brace up to before its closing
// one are the latter's bit less the former's. A comment that is open before the block (`open` 1,
// else 0) began at bit 0, so to say, and one that goes on behind it ends beyond the last bit.
//
// Nothing is wrong exactly if each brace opens or closes a comment: the borrow of the subtraction
// into a bit tells whether one is open, an opening brace must meet none, a closing one must meet
// one, and both are seen in the bit of the difference that stands there.
struct Comments {
  Comments(std::uint64_t opens, std::uint64_t closes, std::uint64_t open)
      : inside(closes - (opens + open)), wrong((inside ^ opens) & (opens | closes)) {}
  std::uint64_t open_behind() const { return inside >> 63; }

  std::uint64_t inside;  // bit i: a comment is open behind byte i; if nothing is wrong
  std::uint64_t wrong;   // not 0: some brace opens or closes no comment
};

// The last opening brace in from .. to, or `otherwise`.
std::size_t last_open(const char* text, std::size_t from, std::size_t to, std::size_t otherwise) {
  for (; to >= from + kMaskBytes; to -= kMaskBytes) {
    const std::uint64_t opens = Block(text + to - kMaskBytes).any<'{'>();
    if (opens) return behind_last(to - kMaskBytes, opens) - 1;
  }
  for (; to > from; --to) {
    if (text[to - 1] == '{') return to - 1;
  }
  return otherwise;
}

// Behind the last line end or closing brace in from .. to; 0 when there is none. None is half of a
// CRLF.
std::size_t behind_last_mark(const char* text, std::size_t from, std::size_t to) {
  for (; to >= from + kMaskBytes; to -= kMaskBytes) {
    const std::uint64_t marks = Block(text + to - kMaskBytes).any<'\n', '\r', '}'>();
    if (marks) return behind_last(to - kMaskBytes, marks);
  }
  for (; to > from; --to) {
    const char c = text[to - 1];
    if (c == '\n' || c == '\r' || c == '}') return to;
  }
  return 0;
}

// True when a line of this block begins with something that is not movetext, or a comment up to the
// line's end. `inside`: the bytes behind which a comment is open.
bool is_odd_block(const char* text, std::size_t at, std::size_t start, std::uint64_t inside) {
  const Block block(text + at);
  const std::uint64_t lf = block.any<'\n'>(), cr = block.any<'\r'>();
  const bool cr_before = at > start && text[at - 1] == '\r';
  const bool end_before = cr_before || (at > start && text[at - 1] == '\n');
  // Of a CRLF the LF ends the line.
  const std::uint64_t behind_cr = (cr << 1) | (cr_before ? 1 : 0);
  const std::uint64_t starts = (((lf | cr) << 1) | (end_before ? 1 : 0)) & ~(behind_cr & lf);
  const std::uint64_t odd =
      block.any<'\n', '\r', ' ', '\t', '\v', '\f', '\0', '%', '\xEF'>();  // EF: a mark of UTF-8
  return ((starts & (block.any<'['>() | (odd & ~inside))) | (block.any<';'>() & ~inside)) != 0;
}

void skip_plain(const char* text, std::size_t size, std::size_t longest, PlainText& state) {
  constexpr std::size_t kStretch = std::size_t{16} << 10;
  const PlainLook look;
  const std::size_t start = state.at;
  const std::size_t end = size - (size < kMaskBytes ? size : kMaskBytes);
  std::size_t at = start;
  std::uint64_t open = state.in_comment ? 1 : 0;
  bool careful = true;  // the block needs a closer look: the first one, and those behind a CR
  bool plain = true;
  while (plain && at < end) {
    const std::size_t stop = end - at < kStretch ? end : at + kStretch;
    for (; at < stop; at += kMaskBytes) {
      const Block block(text + at);
      const Comments comments(look.opens(block), look.closes(block), open);
      if (comments.wrong) {
        plain = false;
        break;
      }
      if (careful || look.may_be_odd(block, text + at)) {
        if (is_odd_block(text, at, start, comments.inside)) {
          plain = false;
          break;
        }
        careful = text[at + kMaskBytes - 1] == '\r';
      }
      open = comments.open_behind();
    }
    if (open && at - last_open(text, start, at, state.comment_begin) > longest) break;
  }
  // A line end is left to those who look at what follows.
  if (at > start && text[at - 1] == '\n') --at;
  if (at > start && text[at - 1] == '\r') --at;
  state.at = at;
  state.in_comment = open != 0;
  if (open) state.comment_begin = last_open(text, start, at, state.comment_begin);
  const std::size_t outside = open ? state.comment_begin : at;
  if (const std::size_t mark = outside > start ? behind_last_mark(text, start, outside) : 0) {
    state.line_begin = mark;
  }
}

// True when what stands at `text` is [Name "value"] with its quotes at these places, which are the
// first two bytes that matter. Names end in the first block.
bool is_usual(const WordLook& look, const char* text, std::size_t open, std::size_t close) {
  if (open < 3 || open > 61 || text[open] != '"' || text[open - 1] != ' ' || text[close] != '"' ||
      text[close + 1] != ']') {
    return false;
  }
  const std::uint64_t name = (std::uint64_t{1} << (open - 2)) - 1;
  return ((look.words(Block(text)) >> 1) & name) == name;
}

UsualTag usual_tag(const char* text) {
  const Block block(text);
  // The first two bytes that matter have to be the quotes.
  const std::uint64_t stops = block.any<'"', '\\', '\n', '\r'>();
  const std::uint64_t more = stops & (stops - 1);
  if (!more) return {};
  const auto open = static_cast<unsigned>(__builtin_ctzll(stops));
  const auto close = static_cast<unsigned>(__builtin_ctzll(more));
  if (close == 63 || !is_usual(WordLook(), text, open, close)) return {};
  return {open, close};
}

// The same for values that go on behind the first block; kLongTag bytes must be readable.
constexpr std::size_t kLongTag = 5 * kMaskBytes;
constexpr std::size_t kFarthestQuote = 250;
UsualTag long_tag(const char* text) {
  std::uint32_t stops[2] = {};
  unsigned found = 0;
  for (std::uint32_t at = 0; at < 4 * kMaskBytes && found < 2; at += kMaskBytes) {
    std::uint64_t marks = Block(text + at).any<'"', '\\', '\n', '\r'>();
    for (; marks && found < 2; marks &= marks - 1) {
      stops[found++] = at + static_cast<unsigned>(__builtin_ctzll(marks));
    }
  }
  if (found < 2 || stops[1] > kFarthestQuote || !is_usual(WordLook(), text, stops[0], stops[1])) {
    return {};
  }
  return {stops[0], stops[1]};
}

// Usual pairs from `line` on whose quotes and line ends are told for several lines at once, so that
// no line waits for the end of the one before. Stops at the first that is of another form, that has
// a CR or a backslash near, or that is near the end of the text.
unsigned usual_tags_at_once(const char* text, std::size_t& line, std::size_t size, SlabTag* tags,
                            unsigned most) {
  constexpr unsigned kBlocks = 4;
  const WordLook look;
  std::uint32_t places[(kBlocks + 1) * kMaskBytes];
  unsigned count = 0;
  while (count < most && line + (kBlocks + 1) * kMaskBytes <= size) {
    unsigned found = 0;
    std::uint64_t odd = 0;
    for (unsigned i = 0; i < kBlocks; ++i) {
      const std::size_t at = line + std::size_t{i} * kMaskBytes;
      const Block block(text + at);
      const std::uint64_t marks = block.any<'"', '\n'>();
      odd |= block.any<'\\', '\r'>();
      append_places(places + found, static_cast<std::uint32_t>(at), marks);
      found += static_cast<unsigned>(__builtin_popcountll(marks));
    }
    if (odd) return count;
    const unsigned before = count;
    for (unsigned i = 0; i + 2 < found && count < most; i += 3) {
      // The places are quotes and line ends, in rising order.
      const std::size_t open = places[i] - line, close = places[i + 1] - line;
      const std::size_t end = places[i + 2];
      const bool fits = close <= 62 || (close <= kFarthestQuote && line + kLongTag <= size);
      if (!fits || text[line] != '[' || end != line + close + 2 || text[end] != '\n' ||
          !is_usual(look, text + line, open, close)) {
        return count;
      }
      tags[count++] = {static_cast<std::uint32_t>(line), static_cast<std::uint8_t>(open),
                       static_cast<std::uint8_t>(close)};
      line = end + 1;
    }
    if (count == before) return count;
  }
  return count;
}

unsigned usual_tags(const char* text, std::size_t& at, std::size_t size, SlabTag* tags,
                    unsigned most) {
  std::size_t line = at;
  unsigned count = usual_tags_at_once(text, line, size, tags, most);
  while (count < most && line < size && text[line] == '[') {
    UsualTag tag = usual_tag(text + line);
    if (tag.close == 0 && line + kLongTag <= size) tag = long_tag(text + line);
    std::size_t end = line + tag.close + 2;
    if (tag.close == 0 || end + 1 >= size) break;
    if (text[end] == '\r' && text[end + 1] == '\n') ++end;
    if (text[end] != '\n' || end + 1 >= size) break;
    tags[count++] = {static_cast<std::uint32_t>(line), static_cast<std::uint8_t>(tag.open),
                     static_cast<std::uint8_t>(tag.close)};
    line = end + 1;
  }
  at = line;
  return count;
}

// Adds the blocks of a text to a tally, all bytes of it when it has a block at least.
void add_rest(ByteTally& tally, const char* text, std::size_t size) {
  if (size < kMaskBytes) {
    char block[kMaskBytes];
    for (std::size_t at = 0; at < kMaskBytes; ++at) block[at] = at < size ? text[at] : ' ';
    tally.add(Block(block));
  } else {
    tally.add(Block(text + size - kMaskBytes));  // looks at some bytes twice
  }
}

TextBytes look_at_bytes(const char* text, std::size_t size) {
  ByteTally tally;
  for (std::size_t at = 0; at + kMaskBytes <= size; at += kMaskBytes) tally.add(Block(text + at));
  add_rest(tally, text, size);
  return TextBytes{tally.has_nul(), !tally.has_beyond_ascii()};
}

// Shows each block to `also`, too.
template <class Also>
std::uint64_t count_lines(const char* text, std::size_t size, Also&& also) {
  constexpr std::size_t kPiece = LineTally::kMost * kMaskBytes;
  std::uint64_t count = 0;
  std::size_t at = 0;
  std::uint64_t cr_before = 0;  // 1: the byte before is a CR, not yet counted
  while (at + kMaskBytes <= size) {
    const std::size_t whole = (size - at) / kMaskBytes * kMaskBytes;
    const std::size_t end = at + (whole < kPiece ? whole : kPiece);
    LineTally tally;
    for (std::size_t i = at; i < end; i += kMaskBytes) {
      const Block block(text + i);
      tally.add(block);
      also(block);
    }
    if (!cr_before && !tally.has_cr()) {
      count += tally.lf();
      at = end;
      continue;
    }
    for (; at < end; at += kMaskBytes) {
      const Block block(text + at);
      const std::uint64_t lf = block.any<'\n'>(), cr = block.any<'\r'>();
      // A CR counts with the byte behind it.
      const std::uint64_t alone = ((cr << 1) | cr_before) & ~lf;
      count += static_cast<unsigned>(__builtin_popcountll(lf));
      if (alone) count += static_cast<unsigned>(__builtin_popcountll(alone));
      cr_before = cr >> 63;
    }
  }
  for (; at < size; ++at) {
    count += text[at] == '\n' ? 1 : cr_before;
    cr_before = text[at] == '\r' ? 1 : 0;
  }
  return count + cr_before;
}

std::uint64_t count_line_ends(const char* text, std::size_t size) {
  return count_lines(text, size, [](const Block&) {});
}

std::uint64_t count_and_look(const char* text, std::size_t size, TextBytes& bytes) {
  ByteTally tally;
  const std::uint64_t lines = count_lines(text, size, [&](const Block& b) { tally.add(b); });
  add_rest(tally, text, size);
  bytes = TextBytes{tally.has_nul(), !tally.has_beyond_ascii()};
  return lines;
}

}  // namespace
}  // namespace cuarbiter
