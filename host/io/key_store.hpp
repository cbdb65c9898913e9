// Keys of 128 bits with the place where each was first seen: exact for any number of keys, in a
// budget of memory. What does not fit goes to sorted runs in temporary files, merged by and by (as
// in P. O'Neil et al., "The log-structured merge-tree", 1996).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/io/sorted_run.hpp"

namespace cuarbiter {

// A place in the input. A file of 0 stands for no place.
struct SeenAt {
  std::uint32_t file = 0;  // number of the file, from 1
  std::uint64_t game = 0;  // in the file, from 1; below 2^48 like the line
  std::uint64_t line = 0;

  friend bool operator==(const SeenAt&, const SeenAt&) = default;
};

// Half of the budget is for the table of the latest keys (about 45 bytes a key), half for what the
// runs keep in memory; besides there are buffers of about 200 KiB while runs are merged. On disk a
// key takes 32 bytes, twice that while runs are merged. Not thread-safe. Failures throw IoError.
class KeyStore {
 public:
  explicit KeyStore(std::size_t budget_bytes);

  // Where the key was first seen. A key that was not seen before is kept with `where` (which must
  // be a place), and nothing is returned.
  std::optional<SeenAt> insert(std::uint64_t hi, std::uint64_t lo, const SeenAt& where);

  std::uint64_t size() const;
  std::size_t runs() const { return runs_.size(); }

 private:
  struct Level {
    SortedRun run;
    unsigned level;  // how often its keys were merged
  };

  std::size_t slot_of(std::uint64_t hi) const;
  KeyEntry* slot_for(std::uint64_t hi, std::uint64_t lo);
  void make_room();
  void grow(std::size_t slots);
  void spill();
  void merge_last(std::size_t count);
  std::size_t filter_bytes_left() const;

  std::size_t most_slots_, run_budget_;
  std::vector<KeyEntry> table_;  // open addressing; in order of the keys but for collisions
  std::size_t used_ = 0;
  std::vector<Level> runs_;  // levels never rise towards the end
};

}  // namespace cuarbiter
