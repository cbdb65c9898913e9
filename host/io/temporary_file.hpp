// A file for what does not fit into memory: it has no name, and goes away with the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cuarbiter {

// Made in the folder that TMPDIR names, otherwise in /tmp. Not thread-safe. Every failure throws
// IoError, which names the folder.
class TemporaryFile {
 public:
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&& other) noexcept;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Appends bytes.
  void append(const void* bytes, std::size_t count);
  // Reads `count` bytes from `offset` on; they must have been appended.
  void read(void* bytes, std::size_t count, std::uint64_t offset) const;

 private:
  std::string folder_;
  int descriptor_ = -1;
};

}  // namespace cuarbiter
