#include "host/io/sorted_run.hpp"

#include <algorithm>
#include <utility>

namespace cuarbiter {
namespace {

constexpr unsigned kBitsSet = 6;       // per key, all in one block
constexpr std::size_t kBitsAKey = 10;  // about one in a hundred other keys seems to be there
constexpr std::size_t kFewestBitsAKey = 4;

// Calls f(word of the block, bit) for each of a key's bits.
template <class F>
void for_each_bit(std::uint64_t hi, F&& f) {
  std::uint64_t mixed = hi * 0x9E3779B97F4A7C15u;  // the key's order is not the filter's
  mixed ^= mixed >> 32;
  for (unsigned i = 0; i < kBitsSet; ++i, mixed >>= 9) {
    f(mixed >> 6 & 7, std::uint64_t{1} << (mixed & 63));
  }
}

}  // namespace

SortedRun::SortedRun(std::uint64_t entries, std::size_t filter_bytes) {
  open_page_.reserve(kPageEntries);
  const std::uint64_t wanted = (entries * kBitsAKey + 511) / 512;
  const std::uint64_t blocks = std::min<std::uint64_t>(wanted, filter_bytes / 64);
  if (blocks * 512 >= entries * kFewestBitsAKey) filter_.resize(blocks * kBlockWords);
}

std::size_t SortedRun::block_of(std::uint64_t lo) const {
  return static_cast<std::size_t>(lo % (filter_.size() / kBlockWords)) * kBlockWords;
}

void SortedRun::add(const KeyEntry& entry) {
  if (open_page_.empty()) firsts_.push_back(entry.hi);
  open_page_.push_back(entry);
  ++size_;
  if (!filter_.empty()) {
    std::uint64_t* block = filter_.data() + block_of(entry.lo);
    for_each_bit(entry.hi, [&](std::size_t word, std::uint64_t bit) { block[word] |= bit; });
  }
  if (open_page_.size() < kPageEntries) return;
  file_.append(open_page_.data(), open_page_.size() * sizeof(KeyEntry));
  open_page_.clear();
}

void SortedRun::finish() {
  if (!open_page_.empty()) file_.append(open_page_.data(), open_page_.size() * sizeof(KeyEntry));
  std::vector<KeyEntry>().swap(open_page_);
  firsts_.shrink_to_fit();
}

std::size_t SortedRun::memory_bytes() const {
  return (firsts_.capacity() + filter_.capacity()) * sizeof(std::uint64_t);
}

void SortedRun::drop_filter() {
  std::vector<std::uint64_t>().swap(filter_);
}

bool SortedRun::may_hold(std::uint64_t hi, std::uint64_t lo) const {
  if (filter_.empty()) return true;
  const std::uint64_t* block = filter_.data() + block_of(lo);
  bool all = true;
  for_each_bit(hi,
               [&](std::size_t word, std::uint64_t bit) { all = all && (block[word] & bit) != 0; });
  return all;
}

void SortedRun::read_page(std::uint64_t first, std::vector<KeyEntry>& page) const {
  page.resize(static_cast<std::size_t>(
      std::min<std::uint64_t>(kPageEntries, size_ - std::min(first, size_))));
  file_.read(page.data(), page.size() * sizeof(KeyEntry), first * sizeof(KeyEntry));
}

bool SortedRun::find(std::uint64_t hi, std::uint64_t lo, KeyEntry& found) const {
  if (size_ == 0 || !may_hold(hi, lo)) return false;
  const auto from = std::lower_bound(firsts_.begin(), firsts_.end(), hi);
  auto page_number = static_cast<std::size_t>(from - firsts_.begin());
  if (page_number > 0) --page_number;
  KeyEntry key;
  key.hi = hi;
  key.lo = lo;
  std::vector<KeyEntry> page;
  // Keys with one upper half may lie on both sides of a page's border.
  for (; page_number < firsts_.size() && firsts_[page_number] <= hi; ++page_number) {
    read_page(page_number * kPageEntries, page);
    const auto at = std::lower_bound(page.begin(), page.end(), key);
    if (at == page.end() || at->hi != hi || at->lo != lo) continue;
    found = *at;
    return true;
  }
  return false;
}

}  // namespace cuarbiter
