// Where output goes: standard output or a file that appears under its name only when complete.
// Every write and close is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace cuarbiter {

// Buffered output (256 KiB). Not thread-safe. Any failure throws IoError (the message names the
// file and the system's reason), or ClosedPipe when the reader of a pipe has gone; SIGPIPE must be
// ignored for that. After a failure nothing more is written.
class Sink {
 public:
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  // A file that was not committed is removed; what standard output still buffers is written if it
  // can be.
  ~Sink();

  void write(std::string_view bytes);
  // Hands everything buffered to the system.
  void flush();
  // flush(), then waits until the file's bytes are on the disk (nothing to wait for on a pipe).
  void sync();
  // Writes what is buffered, closes, and reports what closing reports. A file is still under its
  // temporary name then. Afterwards only commit() or abandon() may follow. A second call does
  // nothing.
  void close();
  // close(), then gives a file its name, replacing an older one. On standard output and on files
  // written directly the same as close(). A second call does nothing.
  void commit();
  // Drops what is buffered and removes the temporary file.
  void abandon() noexcept;

  // The name for messages: the path as given, "<stdout>" for standard output.
  const std::string& name() const { return name_; }
  // The temporary file's path while there is one, else empty: for a signal handler that must
  // unlink it.
  const std::string& temporary_path() const { return temporary_; }
  // Bytes given to write() so far.
  std::uint64_t bytes_written() const { return bytes_written_; }
  // The descriptor written to, for asking whether it is a terminal; -1 when closed.
  int descriptor() const { return descriptor_; }

 private:
  friend std::unique_ptr<Sink> open_sink(const std::string& path);
  Sink() = default;
  void write_out(const char* bytes, std::size_t count);
  void check_usable();
  [[noreturn]] void fail(const char* action, int error_number);
  void remove_temporary() noexcept;

  std::string name_;
  std::string target_;     // what commit() renames to
  std::string temporary_;  // what is written meanwhile; empty when written directly
  std::string buffer_;
  int descriptor_ = -1;
  bool standard_output_ = false;
  int failure_ = 0;  // errno of the first failure
  bool closed_ = false;
  std::uint64_t bytes_written_ = 0;
};

// "" or "-" is standard output, anything else a file. A new or regular file is written as a
// temporary file in the same folder (created exclusively, permissions by the umask or those of the
// file it replaces); a symbolic link to a file keeps pointing to the new one. An existing target
// that is no regular file (/dev/null, a FIFO) is written directly. Throws IoError: no such folder,
// a directory, no permission.
std::unique_ptr<Sink> open_sink(const std::string& path);

}  // namespace cuarbiter
