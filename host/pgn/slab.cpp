#include "host/pgn/slab.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace cuarbiter {

std::uint32_t Slab::frame_begin_at(std::uint32_t position) const {
  const auto behind =
      std::upper_bound(frames.begin(), frames.end(), position,
                       [](std::uint32_t at, const Frame& frame) { return at < frame.begin; });
  return behind == frames.begin() ? 0 : std::prev(behind)->begin;
}

std::uint64_t count_line_ends(std::string_view text) {
  std::uint64_t n = 0;
  std::size_t at = 0;
  // In runs so short that a byte holds the count of each position: this becomes vector code.
  constexpr std::size_t kWidth = 32;
  while (at + kWidth <= text.size()) {
    std::uint8_t found[kWidth] = {};
    const std::size_t runs = std::min<std::size_t>((text.size() - at) / kWidth, 255);
    for (std::size_t run = 0; run < runs; ++run, at += kWidth) {
      for (std::size_t i = 0; i < kWidth; ++i) found[i] += text[at + i] == '\n';
    }
    for (const std::uint8_t count : found) n += count;
  }
  for (; at < text.size(); ++at) n += text[at] == '\n';
  const void* cr_found = text.empty() ? nullptr : std::memchr(text.data(), '\r', text.size());
  while (cr_found) {
    const char* cr = static_cast<const char*>(cr_found);
    const char* end = text.data() + text.size();
    if (cr + 1 == end || cr[1] != '\n') ++n;
    cr_found = std::memchr(cr + 1, '\r', static_cast<std::size_t>(end - cr - 1));
  }
  return n;
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
