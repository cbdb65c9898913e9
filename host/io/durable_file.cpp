// Write, flush, rename, flush the folder.
#include "host/io/durable_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

// File systems without a way to flush say so by these; there is then nothing to wait for.
bool flushed(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

void flush_folder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // not readable: the rename stands all the same
  static_cast<void>(flushed(descriptor));
  ::close(descriptor);
}

}  // namespace

void write_durably(const std::string& path, std::string_view bytes) {
  const std::string temporary = path + ".tmp";
  const int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) throw io_error_from_errno(temporary, "create", errno);
  int error = write_all(descriptor, bytes) && flushed(descriptor) ? 0 : errno;
  if (::close(descriptor) != 0 && error == 0 && errno != EINTR) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    throw io_error_from_errno(path, "write to", error);
  }
  flush_folder(path);
}

}  // namespace cuarbiter
