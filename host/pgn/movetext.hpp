// Where the pieces of movetext end: lines, tokens, comments (PGN standard, sections 5 to 8). All of
// these look at [p, end) and nothing else.
#pragma once

#include <cstddef>
#include <cstring>

#include "host/pgn/byte_scan.hpp"
#include "host/pgn/char_class.hpp"

namespace cuarbiter {

// The line end (LF or CR) at or after p, or `end`.
inline const char* line_end_at(const char* p, const char* end) {
  const void* lf = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
  const char* stop = lf ? static_cast<const char*>(lf) : end;
  const void* cr = std::memchr(p, '\r', static_cast<std::size_t>(stop - p));
  return cr ? static_cast<const char*>(cr) : stop;
}

inline bool at_byte_order_mark(const char* p, const char* end) {
  return end - p >= 3 && std::memcmp(p, kByteOrderMark, 3) == 0;
}

// The end of the token that begins at p (before `end`): at least one character long. A promotion
// piece in parentheses belongs to it.
inline const char* token_end_at(const char* p, const char* end) {
  const char* q = p + 1;
  while (q != end && !is_char(*q, kCharEndsToken)) ++q;
  if (q + 2 < end && *q == '(' && q[2] == ')' && q - p >= 2 && q - p <= 5 &&
      (q[-1] == '8' || q[-1] == '1') && std::strchr("QRBNqrbn", q[1])) {
    q += 3;
    while (q != end && !is_char(*q, kCharEndsToken)) ++q;
  }
  if (q != end && *q == '>' && q - p == 1 && (*p == '-' || *p == '=')) ++q;  // an arrow
  return q;
}

// A comment in braces.
struct BraceComment {
  const char* next = nullptr;  // first byte behind its closing brace, or the end of the text
  bool closed = false;
  bool nested = false;  // with comments inside, whose braces belong to it
};

// The comment whose brace is at `open`. Some programs nest comments, which the standard does not
// know: when a lone "}" follows before any other brace, the text up to it was meant as comment
// (looked for only with `may_nest`).
inline BraceComment brace_comment_at(const char* open, const char* end, bool may_nest) {
  const auto find = [end](char byte, const char* from) {
    const void* found = std::memchr(from, byte, static_cast<std::size_t>(end - from));
    return found ? static_cast<const char*>(found) : end;
  };
  const char* brace = find_any<'{', '}'>(open + 1, end);
  if (brace == end) return {end, false, false};
  if (*brace == '}') return {brace + 1, true, false};
  const char* close = find('}', brace);
  if (close == end) return {end, false, false};
  BraceComment comment{close + 1, true, false};
  if (!may_nest) return comment;
  for (; brace < close; brace = find('{', brace + 1)) {
    const char* next_close = find('}', comment.next);
    if (next_close == end || find('{', comment.next) < next_close) break;
    comment.next = next_close + 1;
    comment.nested = true;
  }
  return comment;
}

}  // namespace cuarbiter
