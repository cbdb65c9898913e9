// Files and standard input read with read(2), and with pread(2) what was reserved.
#include "host/io/source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

class FileSource : public ByteSource {
 public:
  FileSource(int descriptor, bool owned, std::string name)
      : descriptor_(descriptor), owned_(owned), name_(std::move(name)) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override {
    if (owned_) ::close(descriptor_);
    if (wake_ >= 0) ::close(wake_);
  }

  // Finds out what kind of file it is. Separate from the constructor, so that the descriptor is
  // closed when it throws.
  void inspect(const SourceOptions& options) {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) throw io_error_from_errno(name_, "read", errno);
    if (S_ISDIR(status.st_mode)) throw io_error_from_errno(name_, "read", EISDIR);
    const bool part = options.begin != 0 || options.end != UINT64_MAX;
    if (!S_ISREG(status.st_mode)) {
      if (part) throw IoError(name_ + ": cannot read a part of what is no regular file");
      // Without it only interrupt() does nothing.
      wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
      return;
    }
    off_t at = std::max<off_t>(::lseek(descriptor_, 0, SEEK_CUR), 0);
    if (part) {
      at = ::lseek(descriptor_, static_cast<off_t>(options.begin), SEEK_SET);
      if (at < 0) throw io_error_from_errno(name_, "read", errno);
      left_ = options.end - std::min(options.begin, options.end);
    }
    size_ = std::min(left_, static_cast<std::uint64_t>(std::max<off_t>(status.st_size - at, 0)));
    // Advice only: its result does not matter.
    static_cast<void>(::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL));
  }

  std::size_t read(std::span<char> into) override {
    constexpr std::size_t kMostPerCall = std::size_t{1} << 30;
    if (into.empty() || ended_) return 0;
    const auto room = static_cast<std::size_t>(
        std::min<std::uint64_t>(std::min(into.size(), kMostPerCall), left_));
    for (;;) {
      if (wake_ >= 0 && failure_ == 0 && !wait_for_bytes()) {
        ended_ = true;
        return 0;
      }
      const ssize_t got = failure_ != 0 ? -1 : ::read(descriptor_, into.data(), room);
      if (got > 0) {
        consumed_ += static_cast<std::uint64_t>(got);
        left_ -= static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
      }
      if (got == 0) {
        ended_ = true;
        return 0;
      }
      if (failure_ == 0 && errno == EINTR) continue;
      if (failure_ == 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        // Somebody made the descriptor non-blocking: wait for bytes as read(2) would have.
        static_cast<void>(wait_for_bytes());
        continue;
      }
      if (failure_ == 0) failure_ = errno;
      throw io_error_from_errno(name_, "read", failure_);
    }
  }

  std::optional<std::uint64_t> reserve(std::size_t bytes) override {
    if (!size_ || ended_ || failure_ != 0 || *size_ - std::min(*size_, consumed_) < bytes) {
      return std::nullopt;
    }
    const off_t behind = ::lseek(descriptor_, static_cast<off_t>(bytes), SEEK_CUR);
    if (behind < 0) return std::nullopt;
    consumed_ += bytes;
    left_ -= bytes;
    return static_cast<std::uint64_t>(behind) - bytes;
  }
  std::size_t fetch(std::uint64_t place, std::span<char> into) const override {
    for (;;) {
      const ssize_t got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(place));
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw io_error_from_errno(name_, "read", errno);
    }
  }

  const std::string& name() const override { return name_; }
  std::optional<std::uint64_t> size_bytes() const override { return size_; }
  std::uint64_t consumed_bytes() const override { return consumed_; }
  void interrupt() noexcept override {
    const std::uint64_t once = 1;
    if (wake_ >= 0) static_cast<void>(!::write(wake_, &once, sizeof once));
  }

 private:
  // Waits until read(2) has something to tell; false when interrupted.
  bool wait_for_bytes() {
    pollfd waiting[2] = {{descriptor_, POLLIN, 0}, {wake_, POLLIN, 0}};
    while (::poll(waiting, wake_ >= 0 ? 2 : 1, -1) < 0 && errno == EINTR) {
    }
    return waiting[1].revents == 0;
  }

  int descriptor_;
  int wake_ = -1;  // becomes readable by interrupt(); only where read(2) may wait for a writer
  bool owned_;
  std::string name_;
  std::optional<std::uint64_t> size_;
  std::uint64_t consumed_ = 0;
  std::uint64_t left_ = UINT64_MAX;  // of the part to be read
  bool ended_ = false;
  int failure_ = 0;
};

// Fills `into` by read(bytes so far, what is left of it).
template <class Read>
std::size_t fill(std::span<char> into, std::exception_ptr& fault, Read&& read) {
  std::size_t filled = 0;
  try {
    while (filled < into.size()) {
      const std::size_t got = read(filled, into.subspan(filled));
      if (got == 0) break;
      filled += got;
    }
  } catch (...) {
    fault = std::current_exception();
  }
  return filled;
}

}  // namespace

std::size_t read_whole(ByteSource& source, std::span<char> into, std::exception_ptr& fault) {
  return fill(into, fault, [&](std::size_t, std::span<char> rest) { return source.read(rest); });
}

std::size_t fetch_whole(const ByteSource& source, std::uint64_t place, std::span<char> into,
                        std::exception_ptr& fault) {
  return fill(into, fault, [&](std::size_t filled, std::span<char> rest) {
    return source.fetch(place + filled, rest);
  });
}

IoError io_error_from_errno(const std::string& name, const char* action, int error_number) {
  return IoError(name + ": cannot " + action + ": " +
                 std::generic_category().message(error_number));
}

std::unique_ptr<ByteSource> open_raw_source(const std::string& path, const SourceOptions& options) {
  std::unique_ptr<FileSource> source;
  if (path == "-") {
    source = std::make_unique<FileSource>(STDIN_FILENO, false, "<stdin>");
  } else {
    int descriptor;
    do {
      descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) throw io_error_from_errno(path, "open", errno);
    source = std::make_unique<FileSource>(descriptor, true, path);
  }
  source->inspect(options);
  return source;
}

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

}  // namespace cuarbiter
