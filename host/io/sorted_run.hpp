// Keys in order in a temporary file, and looked up there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/io/temporary_file.hpp"

namespace cuarbiter {

// A key of 128 bits that is spread evenly (a hash), and 128 bits that belong to it.
struct KeyEntry {
  std::uint64_t hi = 0, lo = 0;
  std::uint64_t value[2] = {0, 0};

  friend bool operator<(const KeyEntry& x, const KeyEntry& y) {
    return x.hi != y.hi ? x.hi < y.hi : x.lo < y.lo;
  }
};

// In memory stay the first key of each page (8 bytes for 512 entries) and a blocked Bloom filter
// (F. Putze, P. Sanders, J. Singler, "Cache-, hash- and space-efficient Bloom filters", 2007), so
// that a key that is not there mostly costs a look at memory and one that is there one read. The
// filter never decides that a key is there. Not thread-safe. Failures throw IoError.
class SortedRun {
 public:
  static constexpr std::size_t kPageEntries = 512;

  // An empty run that will hold about `entries`. Its filter takes what helps, `filter_bytes` at
  // most; with too little there is none.
  SortedRun(std::uint64_t entries, std::size_t filter_bytes);

  // Entries come in rising order, each key once. After the last one finish() must be called.
  void add(const KeyEntry& entry);
  void finish();

  std::uint64_t size() const { return size_; }
  // Bytes that it keeps in memory.
  std::size_t memory_bytes() const;
  // Gives the filter's memory back; find() still works.
  void drop_filter();

  // The entry of a key, or nothing. Not before finish().
  bool find(std::uint64_t hi, std::uint64_t lo, KeyEntry& found) const;
  // Reads the entries from number `first` on into `page`, one page of them at most.
  void read_page(std::uint64_t first, std::vector<KeyEntry>& page) const;

 private:
  static constexpr std::size_t kBlockWords = 8;  // 512 bits, a cache line

  bool may_hold(std::uint64_t hi, std::uint64_t lo) const;
  std::size_t block_of(std::uint64_t lo) const;

  TemporaryFile file_;
  std::uint64_t size_ = 0;
  std::vector<KeyEntry> open_page_;    // not written yet
  std::vector<std::uint64_t> firsts_;  // the first key's upper half, of each page
  std::vector<std::uint64_t> filter_;
};

}  // namespace cuarbiter
