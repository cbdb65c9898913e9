// A slab: a run of whole frames of PGN text in memory, with what it takes to name any byte of it by
// file offset, line and column.
//
// A frame is a piece of text that begins where a new game's tag pair section begins (or at the
// start of the file). Where frames begin depends on the text alone, never on how it was read or cut
// into slabs. Everything about a frame can be told from the frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "host/pgn/text_buffer.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {

// Text left out of the slab: the middle of a very long comment, or the rest of a frame that is too
// long. No CRLF is torn apart by it.
struct Elision {
  std::uint32_t at = 0;     // slab position of the first byte behind what is missing; above 0
  std::uint64_t bytes = 0;  // how many are missing
  std::uint64_t lines = 0;  // line ends among them
  std::uint64_t tail = 0;   // bytes behind the last of these line ends
};

// A NUL byte in text that was left out: its place in the file.
struct ElidedNul {
  std::uint32_t at = 0;  // position of the elision
  std::uint64_t offset = 0, line = 0;
};

struct Frame {
  std::uint32_t begin = 0;  // slab position; the frame ends where the next one begins
  bool too_long = false;    // cut at the limit; the rest up to the next frame was skipped
};

struct Slab {
  // The first kPadding bytes past `size` are zero.
  static constexpr std::size_t kPadding = 64;
  TextBuffer text;
  std::size_t size = 0;
  std::vector<Frame> frames;
  std::vector<Elision> elisions;  // by position
  std::vector<ElidedNul> elided_nuls;
  std::uint64_t offset = 0;  // file offset of text[0], in decoded bytes
  std::uint64_t line = 1;    // line number of text[0]; a slab begins at a line's start
  std::uint32_t file = 0;    // number of the file
  bool starts_file = false;
  bool byte_order_mark = false;  // the file's UTF-8 mark was taken off before text[0]
  bool utf16 = false;            // the file is UTF-16: nothing of it is read
  // What was seen on the way and need not be looked for again.
  std::vector<SlabTag> tags;  // by position; there may be others
  bool plain_ascii = false;   // true: all bytes are ASCII, and none is NUL

  std::uint32_t frame_end(std::size_t frame) const {
    return frame + 1 < frames.size() ? frames[frame + 1].begin : static_cast<std::uint32_t>(size);
  }
  // Makes the padding zero.
  void pad() {
    if (text.size() < size + kPadding) text.resize(size + kPadding);
    std::memset(text.data() + size, 0, kPadding);
  }
  // Empty, as before anything was read into it; the memory stays.
  void clear();
  // Where the frame begins that holds a position.
  std::uint32_t frame_begin_at(std::uint32_t position) const;
  std::string_view view(std::uint32_t begin, std::uint32_t end) const {
    return {text.data() + begin, end - begin};
  }
};

struct Location {
  std::uint64_t offset = 0;  // bytes from the start of the (decoded) file, from 0
  std::uint64_t line = 0;    // from 1
  std::uint64_t column = 0;  // bytes from the start of the line, from 1
};

// Line ends in `text`: LF, CRLF and CR alone each count once.
std::uint64_t count_line_ends(std::string_view text);

// Turns slab positions into locations. Asked in rising order it walks the text once.
class Locator {
 public:
  explicit Locator(const Slab& slab) : slab_(slab) { restart(); }
  Location locate(std::uint32_t position);

 private:
  void restart();
  void walk(std::uint32_t to, bool cut);

  const Slab& slab_;
  std::uint32_t at_ = 0;
  std::size_t next_ = 0;  // the first elision that at_ has not passed
  Location where_;        // of at_
};

}  // namespace cuarbiter
