// Output through write(2), every call checked. A file is built under a temporary name in its own
// folder, so that renaming it is one step and nobody ever sees half of it.
#include "host/io/sink.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

// Another name each time; that nobody else took it is the exclusive creation's business.
std::string temporary_name(const std::string& folder) {
  std::random_device random;
  char text[64];
  std::snprintf(text, sizeof text, ".cuarbiter-%ld-%08x%08x.tmp", static_cast<long>(::getpid()),
                static_cast<unsigned>(random()), static_cast<unsigned>(random()));
  return folder + text;
}

std::string without_links(const std::string& path) {
  char* const resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string out(resolved);
  std::free(resolved);
  return out;
}

int open_retrying(const char* path, int flags, mode_t mode) {
  int descriptor;
  do {
    descriptor = ::open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

}  // namespace

std::unique_ptr<Sink> open_sink(const std::string& path) {
  std::unique_ptr<Sink> sink(new Sink);
  sink->buffer_.reserve(kBufferBytes);
  if (path.empty() || path == "-") {
    sink->name_ = "<stdout>";
    sink->descriptor_ = STDOUT_FILENO;
    sink->standard_output_ = true;
    return sink;
  }
  sink->name_ = path;
  sink->target_ = path;
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) throw io_error_from_errno(path, "create", errno);
  if (exists && S_ISDIR(status.st_mode)) throw io_error_from_errno(path, "write to", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    sink->descriptor_ = open_retrying(path.c_str(), O_WRONLY, 0);
    if (sink->descriptor_ < 0) throw io_error_from_errno(path, "open for writing", errno);
    return sink;
  }
  if (exists) {
    // Renaming would replace even a file that is write-protected.
    if (::access(path.c_str(), W_OK) != 0) throw io_error_from_errno(path, "write to", errno);
    sink->target_ = without_links(path);
  }
  do {
    sink->temporary_ = temporary_name(folder_of(sink->target_));
    sink->descriptor_ = open_retrying(sink->temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  } while (sink->descriptor_ < 0 && errno == EEXIST);
  if (sink->descriptor_ < 0) {
    const int error = errno;
    sink->temporary_.clear();
    throw io_error_from_errno(path, "create a temporary file in its folder", error);
  }
  // A file system that keeps no permissions does not matter here.
  if (exists) static_cast<void>(::fchmod(sink->descriptor_, status.st_mode & 0777));
  return sink;
}

Sink::~Sink() {
  if (temporary_.empty() && descriptor_ >= 0 && failure_ == 0) {
    try {
      flush();
    } catch (const std::exception&) {
      // A destructor has nobody to tell; close() and commit() report.
    }
  }
  abandon();
}

void Sink::write(std::string_view bytes) {
  check_usable();
  bytes_written_ += bytes.size();
  if (bytes.size() >= kBufferBytes) {
    flush();
    write_out(bytes.data(), bytes.size());
    return;
  }
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  buffer_.append(bytes);
}

void Sink::flush() {
  check_usable();
  if (buffer_.empty()) return;
  write_out(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void Sink::sync() {
  flush();
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) {
    fail("write to", errno);
  }
}

void Sink::close() {
  if (closed_) return;
  flush();
  // Some file systems tell of a full disk only on closing. Standard output itself stays open:
  // closing a copy asks the same question.
  const int descriptor = standard_output_ ? ::dup(descriptor_) : descriptor_;
  descriptor_ = -1;
  closed_ = true;
  // After EINTR the descriptor is closed on Linux; a failed dup leaves nothing to ask.
  if (descriptor >= 0 && ::close(descriptor) != 0 && errno != EINTR) fail("write to", errno);
}

void Sink::commit() {
  close();
  if (failure_ != 0) check_usable();
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int error = errno;
    remove_temporary();
    fail("rename the finished file to it", error);
  }
  temporary_.clear();
}

void Sink::abandon() noexcept {
  if (descriptor_ >= 0 && !standard_output_) ::close(descriptor_);
  descriptor_ = -1;
  closed_ = true;
  buffer_.clear();
  remove_temporary();
}

void Sink::remove_temporary() noexcept {
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  temporary_.clear();
}

void Sink::write_out(const char* bytes, std::size_t count) {
  while (count != 0) {
    const ssize_t put = ::write(descriptor_, bytes, std::min<std::size_t>(count, SSIZE_MAX));
    if (put >= 0) {
      bytes += put;
      count -= static_cast<std::size_t>(put);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      // Somebody made the descriptor non-blocking: wait for room as write(2) would have.
      pollfd waiting{descriptor_, POLLOUT, 0};
      static_cast<void>(::poll(&waiting, 1, -1));
    } else if (errno != EINTR) {
      fail("write to", errno);
    }
  }
}

// Throws what failed before, once more; using a closed sink is a mistake in the program.
void Sink::check_usable() {
  if (failure_ != 0) fail("write to", failure_);
  if (closed_) throw std::logic_error(name_ + ": used after closing");
}

void Sink::fail(const char* action, int error_number) {
  failure_ = error_number;
  buffer_.clear();
  if (error_number == EPIPE) throw ClosedPipe();
  throw io_error_from_errno(name_, action, error_number);
}

}  // namespace cuarbiter
