// A file read at places of one's own choice.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <span>
#include <string>

#include "host/io/error.hpp"

namespace cuarbiter {

// A regular file read at any place.
class PlacedFile {
 public:
  explicit PlacedFile(const std::string& path) : path_(path) {
    do {
      descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) throw io_error_from_errno(path, "open", errno);
  }
  PlacedFile(const PlacedFile&) = delete;
  PlacedFile& operator=(const PlacedFile&) = delete;
  ~PlacedFile() { ::close(descriptor_); }

  std::uint64_t size() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) throw io_error_from_errno(path_, "read", errno);
    if (!S_ISREG(status.st_mode)) throw IoError(path_ + ": this is no regular file");
    return static_cast<std::uint64_t>(status.st_size);
  }
  // Fills `into` as far as the file goes.
  std::size_t read_at(std::uint64_t offset, std::span<char> into) const {
    std::size_t count = 0;
    while (count != into.size()) {
      const ssize_t got = ::pread(descriptor_, into.data() + count, into.size() - count,
                                  static_cast<off_t>(offset + count));
      if (got == 0) break;
      if (got > 0) {
        count += static_cast<std::size_t>(got);
      } else if (errno != EINTR) {
        throw io_error_from_errno(path_, "read", errno);
      }
    }
    return count;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace cuarbiter
