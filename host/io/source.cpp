// Files and standard input read with read(2).
#include "host/io/source.hpp"

#include <fcntl.h>
#include <poll.h>
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
  }

  // Finds out what kind of file it is. Separate from the constructor, so that the descriptor is
  // closed when it throws.
  void inspect() {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) throw io_error_from_errno(name_, "read", errno);
    if (S_ISDIR(status.st_mode)) throw io_error_from_errno(name_, "read", EISDIR);
    if (!S_ISREG(status.st_mode)) return;
    const off_t at = std::max<off_t>(::lseek(descriptor_, 0, SEEK_CUR), 0);
    size_ = static_cast<std::uint64_t>(std::max<off_t>(status.st_size - at, 0));
    // Advice only: its result does not matter.
    static_cast<void>(::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL));
  }

  std::size_t read(std::span<char> into) override {
    constexpr std::size_t kMostPerCall = std::size_t{1} << 30;
    if (into.empty() || ended_) return 0;
    for (;;) {
      const ssize_t got =
          failure_ != 0 ? -1
                        : ::read(descriptor_, into.data(), std::min(into.size(), kMostPerCall));
      if (got > 0) {
        consumed_ += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
      }
      if (got == 0) {
        ended_ = true;
        return 0;
      }
      if (failure_ == 0 && errno == EINTR) continue;
      if (failure_ == 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        // Somebody made the descriptor non-blocking: wait for bytes as read(2) would have.
        pollfd waiting{descriptor_, POLLIN, 0};
        static_cast<void>(::poll(&waiting, 1, -1));
        continue;
      }
      if (failure_ == 0) failure_ = errno;
      throw io_error_from_errno(name_, "read", failure_);
    }
  }

  const std::string& name() const override { return name_; }
  std::optional<std::uint64_t> size_bytes() const override { return size_; }
  std::uint64_t consumed_bytes() const override { return consumed_; }

 private:
  int descriptor_;
  bool owned_;
  std::string name_;
  std::optional<std::uint64_t> size_;
  std::uint64_t consumed_ = 0;
  bool ended_ = false;
  int failure_ = 0;
};

}  // namespace

IoError io_error_from_errno(const std::string& name, const char* action, int error_number) {
  return IoError(name + ": cannot " + action + ": " +
                 std::generic_category().message(error_number));
}

std::unique_ptr<ByteSource> open_raw_source(const std::string& path) {
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
  source->inspect();
  return source;
}

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

}  // namespace cuarbiter
