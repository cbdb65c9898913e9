// Byte sources: where input comes from, as one pull interface over files, standard input and the
// decoders that wrap them.
#pragma once

#include <cstddef>
#include <cstdint>
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
};

// Opens `path`, or standard input for "-", and decodes zstd, gzip, bzip2 and xz by content; any
// other content is handed out as it is. Throws IoError (missing file, directory, no permission, a
// container that is not decoded here). Standard input's descriptor is left open at the end.
std::unique_ptr<ByteSource> open_source(const std::string& path);

// The same without decoding.
std::unique_ptr<ByteSource> open_raw_source(const std::string& path);

// True when the descriptor is a terminal.
bool is_terminal(int descriptor);

}  // namespace cuarbiter
