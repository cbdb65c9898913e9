// A part of the text of one file, compressed or not, read as a source of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "host/io/source.hpp"

namespace cuarbiter {

// A place in the text of a file: so many bytes of text behind what is decoded from a byte of the
// file on. That byte is 0 or the first one of a zstd frame; in a file that is not compressed it is
// any one, and the text is then at most what lies behind it.
struct TextPlace {
  std::uint64_t coded = 0;
  std::uint64_t text = 0;

  friend bool operator==(const TextPlace&, const TextPlace&) = default;
};

struct TextRange {
  TextPlace begin;
  std::optional<TextPlace> end;  // nothing: the end of the file
  // What faults call the number of bytes of text before `begin`.
  std::uint64_t number = 0;
};

// Opens the range, decoded by `decode_threads` as in SourceOptions. A range that is not the whole
// takes a regular file. Places behind the end of the text are the end. Throws IoError; so does
// reading, as the source of the whole file would.
std::unique_ptr<ByteSource> open_text_range(const std::string& path, const TextRange& range,
                                            unsigned decode_threads);

// The range without its first `bytes` bytes of text, with its number raised by them. Frames of zstd
// that say how long their text is are passed over without decoding them. Throws IoError.
TextRange without_first(const std::string& path, const TextRange& range, std::uint64_t bytes);

}  // namespace cuarbiter
