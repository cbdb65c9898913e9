#include "host/pgn/slab.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "host/pgn/text_scan.hpp"

namespace cuarbiter {

void Slab::clear() {
  size = 0;
  frames.clear();
  elisions.clear();
  elided_nuls.clear();
  tags.clear();
  starts_file = byte_order_mark = utf16 = plain_ascii = false;
}

std::uint32_t Slab::frame_begin_at(std::uint32_t position) const {
  const auto behind =
      std::upper_bound(frames.begin(), frames.end(), position,
                       [](std::uint32_t at, const Frame& frame) { return at < frame.begin; });
  return behind == frames.begin() ? 0 : std::prev(behind)->begin;
}

std::uint64_t count_line_ends(std::string_view text) {
  return text_scan().count_line_ends(text.data(), text.size());
}

void Locator::restart() {
  at_ = 0;
  next_ = 0;
  where_ = Location{slab_.offset, slab_.line, 1};
}

// Goes on to `to` through text that has no gap. `cut`: what follows in the file does not follow in
// the slab.
void Locator::walk(std::uint32_t to, bool cut) {
  const std::string_view gap = slab_.view(at_, to);
  at_ = to;
  if (gap.empty()) return;
  where_.offset += gap.size();
  // A CR before a LF is not yet the end of its line.
  const bool torn = !cut && gap.back() == '\r' && slab_.text[to] == '\n';
  const std::string_view whole = torn ? gap.substr(0, gap.size() - 1) : gap;
  const std::uint64_t lines = count_line_ends(whole);
  if (lines == 0) {
    where_.column += gap.size();
    return;
  }
  where_.line += lines;
  const std::size_t lf = whole.rfind('\n');
  std::size_t start = lf == std::string_view::npos ? 0 : lf + 1;
  const std::size_t cr = whole.substr(start).rfind('\r');
  if (cr != std::string_view::npos) start += cr + 1;
  where_.column = gap.size() - start + 1;
}

Location Locator::locate(std::uint32_t position) {
  if (position < at_) restart();
  for (; next_ < slab_.elisions.size() && slab_.elisions[next_].at <= position; ++next_) {
    const Elision& e = slab_.elisions[next_];
    walk(e.at, true);
    where_.offset += e.bytes;
    where_.line += e.lines;
    where_.column = e.lines ? e.tail + 1 : where_.column + e.bytes;
  }
  walk(position, false);
  return where_;
}

}  // namespace cuarbiter
