#include "host/pgn/slab_gap.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "host/pgn/byte_scan.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kManyNuls = 16;  // told of one piece of text left out

// The NUL bytes `more` go the way of the text from `begin` to `end`, as do those that were left out
// in there before. Of one gap the first few are kept.
void merge_nuls(Slab& slab, std::uint32_t begin, std::uint32_t end, std::vector<ElidedNul>& more) {
  std::erase_if(slab.elided_nuls, [&](const ElidedNul& nul) {
    if (nul.at < begin || nul.at > end) return false;
    more.push_back(ElidedNul{begin, nul.offset, nul.line});
    return true;
  });
  std::sort(more.begin(), more.end(),
            [](const ElidedNul& x, const ElidedNul& y) { return x.offset < y.offset; });
  if (more.size() > kManyNuls) more.resize(kManyNuls);
  const auto behind = std::find_if(slab.elided_nuls.begin(), slab.elided_nuls.end(),
                                   [&](const ElidedNul& nul) { return nul.at > end; });
  for (auto nul = behind; nul != slab.elided_nuls.end(); ++nul) nul->at -= end - begin;
  slab.elided_nuls.insert(behind, more.begin(), more.end());
}

}  // namespace

std::size_t take_out(Slab& slab, std::size_t begin, std::size_t end) {
  char* text = slab.text.data();
  const auto find_gap = [&] {
    return std::lower_bound(slab.elisions.begin(), slab.elisions.end(), begin,
                            [](const Elision& e, std::size_t at) { return e.at < at; });
  };
  auto gap = find_gap();
  bool known = gap != slab.elisions.end() && gap->at == begin;
  // A CRLF is not torn apart: its two bytes are one line end.
  if (!known && begin > 0 && text[begin - 1] == '\r' && text[begin] == '\n') {
    ++begin;
    gap = find_gap();
    known = gap != slab.elisions.end() && gap->at == begin;
  }
  if (end > begin && text[end - 1] == '\r' && text[end] == '\n') --end;
  if (end <= begin) return 0;
  const auto at = static_cast<std::uint32_t>(begin);
  const auto stop = static_cast<std::uint32_t>(end);
  Locator locator(slab);
  const Location from = locator.locate(at);
  std::vector<ElidedNul> nuls;
  for (std::size_t i = find_byte(text, begin, end, '\0'); i != end && nuls.size() < kManyNuls;
       i = find_byte(text, i + 1, end, '\0')) {
    const Location where = locator.locate(static_cast<std::uint32_t>(i));
    nuls.push_back(ElidedNul{at, where.offset, where.line});
  }
  const Location to = locator.locate(stop);
  Elision all = known ? *gap : Elision{at, 0, 0, 0};
  all.bytes += to.offset - from.offset;
  all.lines += to.line - from.line;
  if (all.lines) {
    all.tail = to.line != from.line ? to.column - 1 : all.tail + (to.offset - from.offset);
  }
  // Gaps inside what is taken out become part of this one; those behind it move.
  const std::uint32_t n = stop - at;
  std::erase_if(slab.elisions, [&](const Elision& e) { return e.at >= at && e.at <= stop; });
  for (Elision& e : slab.elisions) {
    if (e.at > stop) e.at -= n;
  }
  slab.elisions.insert(find_gap(), all);
  merge_nuls(slab, at, stop, nuls);
  std::memmove(text + begin, text + end, slab.size - end);
  slab.size -= n;
  return n;
}

}  // namespace cuarbiter
