#include "host/io/temporary_file.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

#include "host/io/error.hpp"

namespace cuarbiter {

TemporaryFile::TemporaryFile() {
  const char* named = ::getenv("TMPDIR");
  folder_ = named != nullptr && *named != '\0' ? named : "/tmp";
  std::string path = folder_ + "/.cuarbiter-XXXXXX";
  descriptor_ = ::mkstemp(path.data());
  if (descriptor_ < 0) throw io_error_from_errno(folder_, "create a temporary file in it", errno);
  static_cast<void>(::unlink(path.c_str()));
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : folder_(std::move(other.folder_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

TemporaryFile& TemporaryFile::operator=(TemporaryFile&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void TemporaryFile::append(const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count != 0) {
    const ssize_t put = ::write(descriptor_, at, std::min<std::size_t>(count, SSIZE_MAX));
    if (put >= 0) {
      at += put;
      count -= static_cast<std::size_t>(put);
    } else if (errno != EINTR) {
      throw io_error_from_errno(folder_, "write to a temporary file in it", errno);
    }
  }
}

void TemporaryFile::read(void* bytes, std::size_t count, std::uint64_t offset) const {
  char* at = static_cast<char*>(bytes);
  while (count != 0) {
    const ssize_t got = ::pread(descriptor_, at, std::min<std::size_t>(count, SSIZE_MAX),
                                static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw io_error_from_errno(folder_, "read a temporary file in it", got < 0 ? errno : EIO);
    }
    at += got;
    count -= static_cast<std::size_t>(got);
    offset += static_cast<std::uint64_t>(got);
  }
}

}  // namespace cuarbiter
