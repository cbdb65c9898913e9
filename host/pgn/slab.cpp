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
  const std::string_view gap(text + at_, position - at_);
  line_ += count_line_ends(gap);
  if (!gap.empty() && gap.back() == '\r' && text[position] == '\n') --line_;
  const std::size_t lf = gap.rfind('\n');
  std::size_t start = lf == std::string_view::npos ? 0 : lf + 1;
  const std::size_t cr = gap.substr(start).rfind('\r');
  if (cr != std::string_view::npos && text[at_ + start + cr + 1] != '\n') start += cr + 1;
  if (start) line_start_ = at_ + static_cast<std::uint32_t>(start);
  at_ = position;
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
