// Byte sources: where input comes from, as one pull interface over files, standard input and the
// decoders that wrap them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace cuarbiter {

// A stream of bytes read once from front to back. Not thread-safe: one reader at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Puts up to into.size() bytes at the front of `into` and returns how many. It may return fewer
  // than asked before the end; 0 means the end (or an empty `into`), and stays 0 from then on.
  // Throws IoError when the source fails; every byte before the fault has been handed out by then,
  // and calling again throws the same error.
  virtual std::size_t read(std::span<char> into) = 0;

  // The name for messages: the path as given, "<stdin>" for standard input.
  virtual const std::string& name() const = 0;

  // Bytes on disk (compressed bytes for compressed input) when known: a regular file's size at
  // opening. A file may grow or shrink while it is read, so this serves progress only.
  virtual std::optional<std::uint64_t> size_bytes() const = 0;

  // Bytes taken from the disk or pipe so far (compressed bytes for compressed input).
  virtual std::uint64_t consumed_bytes() const = 0;

  // Takes the next `bytes` bytes out of the stream for fetch(), which reads them from any thread,
  // also while others fetch or read; read() goes on behind them. The place to fetch them from;
  // nothing where that cannot be done (pipes, decoders, fewer bytes left by the size at opening).
  virtual std::optional<std::uint64_t> reserve(std::size_t bytes) {
    static_cast<void>(bytes);
    return std::nullopt;
  }
  // As read(), from a place that was reserved or a byte behind: 0 where the file has shrunk, which
  // is its end then. Throws IoError.
  virtual std::size_t fetch(std::uint64_t place, std::span<char> into) const {
    static_cast<void>(place);
    static_cast<void>(into);
    return 0;
  }

  // Nobody wants more bytes: a read() that waits for a pipe's writer, now or later, comes back with
  // 0 bytes instead of waiting on. May be called from any thread, also while another one reads.
  virtual void interrupt() noexcept {}
};

// Reads as many bytes as there is room for, or as there are. Fewer: the source has ended, or it has
// failed with what is in `fault` then.
std::size_t read_whole(ByteSource& source, std::span<char> into, std::exception_ptr& fault);
// The same of what was reserved.
std::size_t fetch_whole(const ByteSource& source, std::uint64_t place, std::span<char> into,
                        std::exception_ptr& fault);

// What part of a file is read, and by whom.
struct SourceOptions {
  // Threads that decode ahead of the reader. 0: the reading thread decodes when it reads. Several
  // are of use for zstd data of many frames; other codecs take one.
  unsigned decode_threads = 0;
  // The bytes of the file that are read, compressed ones of a compressed file: to be cut at the
  // borders of frames (list_zstd_frames). Anything but the default takes a regular file.
  std::uint64_t begin = 0;
  std::uint64_t end = UINT64_MAX;
};

// Opens `path`, or standard input for "-", and decodes zstd, gzip, bzip2 and xz by content; any
// other content is handed out as it is. Throws IoError (missing file, directory, no permission, a
// container that is not decoded here). Standard input's descriptor is left open at the end.
std::unique_ptr<ByteSource> open_source(const std::string& path, const SourceOptions& options = {});

// The same without decoding.
std::unique_ptr<ByteSource> open_raw_source(const std::string& path,
                                            const SourceOptions& options = {});

// True when the descriptor is a terminal.
bool is_terminal(int descriptor);

}  // namespace cuarbiter
