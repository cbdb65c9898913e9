#include "host/io/append_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;

}  // namespace

AppendFile::AppendFile(const std::string& path, std::uint64_t length)
    : path_(path), length_(length) {
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("create", errno);
  struct stat status {};
  int error = ::fstat(descriptor_, &status) == 0 ? 0 : errno;
  const bool regular = error == 0 && S_ISREG(status.st_mode);
  const bool whole = regular && static_cast<std::uint64_t>(status.st_size) >= length;
  if (whole && ::ftruncate(descriptor_, static_cast<off_t>(length)) != 0) error = errno;
  if (whole && error == 0) return;
  ::close(descriptor_);
  if (error != 0) fail("write to", error);
  throw IoError(path + (regular ? ": is shorter than it was" : ": this is no regular file"));
}

AppendFile::~AppendFile() {
  ::close(descriptor_);
}

void AppendFile::write(std::string_view bytes) {
  buffer_ += bytes;
  length_ += bytes.size();
  if (buffer_.size() >= kBufferBytes) flush();
}

void AppendFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t put = ::write(descriptor_, rest.data(), rest.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("write to", errno);
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  buffer_.clear();
}

void AppendFile::sync() {
  flush();
  // File systems without a way to flush say so by these.
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) {
    fail("write to", errno);
  }
}

void AppendFile::read_all(const std::function<void(std::string_view)>& take) {
  flush();
  std::vector<char> block(kBufferBytes);
  std::uint64_t at = 0;
  while (at < length_) {
    const ssize_t got =
        ::pread(descriptor_, block.data(), std::min<std::uint64_t>(block.size(), length_ - at),
                static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", errno);
    if (got == 0) throw IoError(path_ + ": is shorter than it was");
    at += static_cast<std::uint64_t>(got);
    take({block.data(), static_cast<std::size_t>(got)});
  }
}

void AppendFile::fail(const char* action, int error_number) const {
  throw io_error_from_errno(path_, action, error_number);
}

}  // namespace cuarbiter
