#include "host/io/key_store.hpp"

#include <algorithm>
#include <utility>

namespace cuarbiter {
namespace {

constexpr std::size_t kFewestSlots = 16;
constexpr std::size_t kFirstSlots = 4096;
constexpr std::size_t kRunsOfALevel = 8;

bool is_free(const KeyEntry& entry) {
  return entry.value[0] == 0;
}

// File, upper 32 bits of the game; lower 16 bits of the game, line.
void pack(KeyEntry& entry, const SeenAt& where) {
  entry.value[0] = std::uint64_t{where.file} << 32 | where.game >> 16;
  entry.value[1] = where.game << 48 | (where.line & 0xFFFFFFFFFFFFu);
}

SeenAt unpack(const KeyEntry& entry) {
  return SeenAt{static_cast<std::uint32_t>(entry.value[0] >> 32),
                (entry.value[0] & 0xFFFFFFFFu) << 16 | entry.value[1] >> 48,
                entry.value[1] & 0xFFFFFFFFFFFFu};
}

// The upper half of a product of two words.
std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32, b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
  const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  return a1 * b1 + (middle >> 32) + (((middle & 0xFFFFFFFFu) + a0 * b1) >> 32);
}

// The entries of a run one after the other.
class RunReader {
 public:
  explicit RunReader(const SortedRun& run) : run_(&run) { load(); }
  bool done() const { return at_ == page_.size(); }
  const KeyEntry& front() const { return page_[at_]; }
  void pop() {
    if (++at_ == page_.size()) load();
  }

 private:
  void load() {
    page_.clear();
    at_ = 0;
    if (next_ < run_->size()) run_->read_page(next_, page_);
    next_ += page_.size();
  }

  const SortedRun* run_;
  std::vector<KeyEntry> page_;
  std::size_t at_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace

KeyStore::KeyStore(std::size_t budget_bytes)
    : most_slots_(std::max(budget_bytes / 2 / sizeof(KeyEntry), kFewestSlots)),
      run_budget_(budget_bytes / 2),
      table_(std::min(most_slots_, kFirstSlots)) {}

std::uint64_t KeyStore::size() const {
  std::uint64_t sum = used_;
  for (const Level& level : runs_) sum += level.run.size();
  return sum;
}

std::size_t KeyStore::slot_of(std::uint64_t hi) const {
  return static_cast<std::size_t>(high_product(hi, table_.size()));
}

// The slot that holds the key, or the free one where it belongs.
KeyEntry* KeyStore::slot_for(std::uint64_t hi, std::uint64_t lo) {
  for (std::size_t at = slot_of(hi);; at = at + 1 == table_.size() ? 0 : at + 1) {
    KeyEntry& entry = table_[at];
    if (is_free(entry) || (entry.hi == hi && entry.lo == lo)) return &entry;
  }
}

std::optional<SeenAt> KeyStore::insert(std::uint64_t hi, std::uint64_t lo, const SeenAt& where) {
  KeyEntry* slot = slot_for(hi, lo);
  if (!is_free(*slot)) return unpack(*slot);
  KeyEntry found;
  for (const Level& level : runs_) {
    if (level.run.find(hi, lo, found)) return unpack(found);
  }
  // A table that is less than seven tenths full.
  if ((used_ + 1) * 10 > table_.size() * 7) {
    make_room();
    slot = slot_for(hi, lo);
  }
  slot->hi = hi;
  slot->lo = lo;
  pack(*slot, where);
  ++used_;
  return std::nullopt;
}

// While a table grows the old one is there too: both fit into the table's half of the budget as
// long as the new one is two thirds of it at most. The last step is made by way of the disk.
void KeyStore::make_room() {
  const std::size_t doubled = table_.size() * 2;
  if (doubled + table_.size() <= most_slots_) {
    grow(doubled);
    return;
  }
  spill();
  if (table_.size() < most_slots_) {
    std::vector<KeyEntry>().swap(table_);
    table_.resize(most_slots_);
  } else {
    std::fill(table_.begin(), table_.end(), KeyEntry{});
  }
}

void KeyStore::grow(std::size_t slots) {
  std::vector<KeyEntry> old(slots);
  old.swap(table_);
  for (const KeyEntry& entry : old) {
    if (!is_free(entry)) *slot_for(entry.hi, entry.lo) = entry;
  }
}

std::size_t KeyStore::filter_bytes_left() const {
  std::size_t used = 0;
  for (const Level& level : runs_) used += level.run.memory_bytes();
  return run_budget_ - std::min(run_budget_, used);
}

// Writes the table's keys as a run. They are left in the table's memory in order, to be cleared.
void KeyStore::spill() {
  const auto end =
      std::remove_if(table_.begin(), table_.end(), [](const KeyEntry& e) { return is_free(e); });
  std::sort(table_.begin(), end);
  // Not more than a quarter of what is left, so that later runs get a filter too.
  SortedRun run(used_, filter_bytes_left() / 4);
  std::for_each(table_.begin(), end, [&](const KeyEntry& entry) { run.add(entry); });
  run.finish();
  used_ = 0;
  runs_.push_back(Level{std::move(run), 0});
  const auto last_level = [&] { return runs_.back().level; };
  const auto of_last_level = [&] {
    return static_cast<std::size_t>(
        std::count_if(runs_.begin(), runs_.end(),
                      [&](const Level& level) { return level.level == last_level(); }));
  };
  while (of_last_level() == kRunsOfALevel) merge_last(kRunsOfALevel);
}

void KeyStore::merge_last(std::size_t count) {
  const std::size_t first = runs_.size() - count;
  std::uint64_t entries = 0;
  std::vector<RunReader> readers;
  for (std::size_t i = first; i < runs_.size(); ++i) {
    runs_[i].run.drop_filter();
    entries += runs_[i].run.size();
    readers.emplace_back(runs_[i].run);
  }
  SortedRun merged(entries, filter_bytes_left() / 2);
  for (;;) {
    RunReader* least = nullptr;
    for (RunReader& reader : readers) {
      if (!reader.done() && (!least || reader.front() < least->front())) least = &reader;
    }
    if (!least) break;
    merged.add(least->front());
    least->pop();
  }
  merged.finish();
  const unsigned level = runs_.back().level + 1;
  runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(first), runs_.end());
  runs_.push_back(Level{std::move(merged), level});
}

}  // namespace cuarbiter
