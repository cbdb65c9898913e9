#include "host/pgn/slab.hpp"

#include <cstring>

namespace cuarbiter {

std::uint64_t count_line_ends(std::string_view text) {
  std::uint64_t n = 0;
  for (const char c : text) n += c == '\n';
  const void* found = text.empty() ? nullptr : std::memchr(text.data(), '\r', text.size());
  while (found) {
    const char* cr = static_cast<const char*>(found);
    const char* end = text.data() + text.size();
    if (cr + 1 == end || cr[1] != '\n') ++n;
    found = std::memchr(cr + 1, '\r', static_cast<std::size_t>(end - cr - 1));
  }
  return n;
}

Location Locator::locate(std::uint32_t position) {
  if (position < at_) {
    at_ = 0;
    line_start_ = 0;
    line_ = slab_.line;
  }
  const char* text = slab_.text.data();
  for (; at_ < position; ++at_) {
    const char c = text[at_];
    if (c == '\n' || (c == '\r' && text[at_ + 1] != '\n')) {
      ++line_;
      line_start_ = at_ + 1;
    }
  }
  Location where;
  where.line = line_;
  where.offset = slab_.offset + position;
  where.column = position - line_start_ + 1;
  for (const Elision& e : slab_.elisions) {
    if (e.at >= position) break;
    where.offset += e.bytes;
    where.line += e.lines;
    // With line ends left out the column counts from the cut, which no message needs exactly.
    if (e.lines == 0 && e.at >= line_start_) where.column += e.bytes;
  }
  return where;
}

}  // namespace cuarbiter
