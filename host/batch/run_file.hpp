// Files by which runs go on or are put together: checkpoints (the state of a run that was stopped)
// and parts (the result of one shard). Both are JSON Lines: a head that says which run it belongs
// to, records, and an end with their number and a digest, so that a file cut short shows.
//
//   {"type":"part","version":1,"command":"perft","inputs":"…","depth":"9",…,"shard":3,"shards":8}
//   …
//   {"type":"end","records":1,"digest":"…"}
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/batch/digest.hpp"
#include "host/batch/shard.hpp"

namespace cuarbiter {

class ByteSource;
class LineReader;

// What two runs must have in common to belong together.
struct RunIdentity {
  std::string command;
  // Names are words of ours that need no escaping; values are UTF-8. In a fixed order.
  std::vector<std::pair<std::string, std::string>> fields;
  Shard shard;

  const std::string* find(std::string_view name) const;
};

// The first thing in which two runs differ, the shard left out: "depth is 8, not 7" of `found` when
// `expected` has 7. Empty when they are the same.
std::string identity_difference(const RunIdentity& expected, const RunIdentity& found);

enum class RunFileKind : std::uint8_t { checkpoint, part };

// Makes the text of such a file piece by piece. Not thread-safe.
class RunFileWriter {
 public:
  // The head, with its line end.
  std::string head(RunFileKind kind, const RunIdentity& identity);
  // Takes note of records: whole lines with their line ends.
  void add(std::string_view lines);
  // The end, with its line end.
  std::string end() const;

 private:
  Digest digest_;
  std::uint64_t records_ = 0;
};

// Reads such a file from front to back. Throws IoError, naming the file, when it cannot be read, is
// no such file, is of a later version, was cut short or does not fit its digest. Not thread-safe.
class RunFileReader {
 public:
  // Reads the head. `source` must outlive this.
  explicit RunFileReader(ByteSource& source);
  ~RunFileReader();

  RunFileKind kind() const { return kind_; }
  const RunIdentity& identity() const { return identity_; }

  // The next record without its line end; false when the end was reached and everything is right.
  bool next(std::string& record);

 private:
  [[noreturn]] void fail(const std::string& what) const;

  ByteSource& source_;
  std::unique_ptr<LineReader> lines_;
  RunFileKind kind_ = RunFileKind::checkpoint;
  RunIdentity identity_;
  Digest digest_;
  std::uint64_t records_ = 0;
};

}  // namespace cuarbiter
