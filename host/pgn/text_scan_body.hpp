// The passes over text, included once by each instruction set's file. It has defined, in an unnamed
// namespace, a class Block: 64 bytes of text, of which any<Bytes...>() tells where one of Bytes
// stands, beyond_ascii() where a byte has its high bit set.
//
// Nothing here may call inline functions of other files: their code would be of this instruction
// set in the whole program.
#pragma once

#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

// Bit i of the result is the parity of bits 0 .. i.
std::uint64_t parity_up_to(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

std::size_t behind_last(std::size_t at, std::uint64_t bits) {
  return at + 64 - static_cast<unsigned>(__builtin_clzll(bits));
}

void skip_plain(const char* text, std::size_t size, std::size_t longest, PlainText& state) {
  PlainText now = state;
  std::uint64_t open = now.in_comment ? ~std::uint64_t{0} : 0;
  while (now.at + kMaskBytes < size) {
    const Block block(text + now.at);
    const std::uint64_t opens = block.any<'{'>(), closes = block.any<'}'>();
    const std::uint64_t braces = opens | closes;
    const std::uint64_t lf = block.any<'\n'>(), cr = block.any<'\r'>();
    // Of a CRLF the LF ends the line. A line end at the end of the block waits for the next one: by
    // a branch, which lets the next block be read before this one is understood.
    std::uint64_t ends = lf | (cr & ~(lf >> 1));
    unsigned step = kMaskBytes;
    if ((cr | lf) >> 63) {
      step -= 1 + static_cast<unsigned>((cr >> 62) & 1);
      ends &= ~std::uint64_t{0} >> (kMaskBytes - step);
    }
    std::uint64_t inside = open;  // bit i: a comment is open behind byte i
    if (braces) {
      inside ^= parity_up_to(braces);
      if ((inside & braces) != opens) break;
      if (open && closes && now.at + kMaskBytes - now.comment_begin > longest) break;
    }
    if (block.any<';'>() & ~inside) break;
    if (ends) {
      const std::uint64_t odd =
          block.any<'\n', '\r', ' ', '\t', '\v', '\f', '\0', '%', '\xEF'>();  // EF: a mark of UTF-8
      if ((ends << 1) & (block.any<'['>() | (odd & ~inside))) break;
    }
    const std::uint64_t line_ends = ends & ~inside;
    now.passed_line_end |= line_ends != 0;
    if (line_ends | closes) now.line_begin = behind_last(now.at, line_ends | closes);
    if (opens) now.comment_begin = behind_last(now.at, opens) - 1;
    open = 0 - (inside >> 63);
    now.at += step;
  }
  now.in_comment = open != 0;
  state = now;
}

TextBytes look_at_bytes(const char* text, std::size_t size) {
  std::uint64_t nul = 0, beyond = 0;
  std::size_t at = 0;
  for (; at + kMaskBytes <= size; at += kMaskBytes) {
    const Block block(text + at);
    nul |= block.any<'\0'>();
    beyond |= block.beyond_ascii();
  }
  for (; at < size; ++at) {
    nul |= text[at] == '\0' ? 1 : 0;
    beyond |= static_cast<unsigned char>(text[at]) >> 7;
  }
  return TextBytes{nul != 0, beyond == 0};
}

std::uint64_t count_line_ends(const char* text, std::size_t size) {
  std::uint64_t count = 0;
  std::size_t at = 0;
  std::uint64_t cr_before = 0;  // 1: the byte before is a CR, not yet counted
  for (; at + kMaskBytes <= size; at += kMaskBytes) {
    const Block block(text + at);
    const std::uint64_t lf = block.any<'\n'>(), cr = block.any<'\r'>();
    // A CR counts with the byte behind it.
    const std::uint64_t alone = ((cr << 1) | cr_before) & ~lf;
    count += static_cast<unsigned>(__builtin_popcountll(lf));
    if (alone) count += static_cast<unsigned>(__builtin_popcountll(alone));
    cr_before = cr >> 63;
  }
  for (; at < size; ++at) {
    count += text[at] == '\n' ? 1 : cr_before;
    cr_before = text[at] == '\r' ? 1 : 0;
  }
  return count + cr_before;
}

}  // namespace
}  // namespace cuarbiter
