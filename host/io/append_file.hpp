// A file that grows, and that a later process goes on with from a length it knows to be on the
// disk: what a long run has written when it is stopped or killed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace cuarbiter {

// Buffered (256 KiB). Not thread-safe. Failures throw IoError.
class AppendFile {
 public:
  // Opens or makes the file and cuts it to `length` bytes; a shorter one is a fault.
  AppendFile(const std::string& path, std::uint64_t length);
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  void write(std::string_view bytes);
  // Hands everything written so far to the system.
  void flush();
  // flush(), then waits until it is on the disk.
  void sync();
  // Bytes of the file, with those that wait in the buffer.
  std::uint64_t length() const { return length_; }
  // Calls take(bytes) with the whole file in pieces, after a flush(). What is written afterwards
  // still goes to the end.
  void read_all(const std::function<void(std::string_view)>& take);

 private:
  [[noreturn]] void fail(const char* action, int error_number) const;

  std::string path_;
  std::string buffer_;
  std::uint64_t length_;
  int descriptor_ = -1;
};

}  // namespace cuarbiter
