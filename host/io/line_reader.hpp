// Lines of text out of a byte source, in bounded memory: LF, CRLF and CR alone all end a line, in
// any mix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string_view>
#include <vector>

#include "host/io/source.hpp"

namespace cuarbiter {

struct Line {
  std::string_view text;     // without its line end; valid until the next call of next()
  std::uint64_t number = 0;  // counted from 1
  std::uint64_t offset = 0;  // of its first byte in the (decoded) stream, from 0
  bool truncated = false;    // longer than the limit: `text` is its beginning, the rest is skipped
  bool terminated = false;   // false for a last line that ends with the input instead
};

// Not thread-safe. Keeps a reference to the source, which must outlive it.
class LineReader {
 public:
  static constexpr std::size_t kDefaultMaxLineBytes = std::size_t{1} << 20;

  // Lines longer than `max_line_bytes` (at least 1) are truncated. Memory: that and a block.
  explicit LineReader(ByteSource& source, std::size_t max_line_bytes = kDefaultMaxLineBytes);

  // Reads the next line; false at the end. A UTF-8 byte order mark at the start of the input is not
  // part of the first line (its offset is then 3). NUL bytes are kept. When the source fails, the
  // bytes before the fault are given as a last line that is not terminated, failed() is true from
  // then on, and the next call throws the source's IoError.
  bool next(Line& line);

  // True when the input starts with a UTF-16 byte order mark or looks like UTF-16 without one
  // (every other byte of its first four is NUL). May be called before the first line.
  bool looks_utf16();

  // True when the source has failed; next() throws once the bytes before the fault are used up.
  bool failed() const { return fault_ != nullptr; }

 private:
  bool fill();
  void start();
  void move_to_front();
  std::size_t find_end();
  std::size_t skip_rest(std::size_t stop);

  ByteSource& source_;
  std::size_t max_line_bytes_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;     // first byte not given out yet
  std::size_t end_ = 0;       // end of the bytes in the buffer
  std::size_t searched_ = 0;  // no line end lies between begin_ and here
  std::size_t next_lf_ = 0;   // first LF at or after searched_, or end_; valid if known
  bool next_lf_known_ = false;
  std::uint64_t buffer_offset_ = 0;  // stream offset of buffer_[0]
  std::uint64_t number_ = 0;
  bool started_ = false;
  bool ended_ = false;
  bool skip_lf_ = false;  // the last line ended in CR: an LF right here belongs to it
  bool utf16_ = false;
  std::exception_ptr fault_;
};

}  // namespace cuarbiter
