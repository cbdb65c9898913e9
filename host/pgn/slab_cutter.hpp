// Cuts text that comes in blocks into slabs of whole frames, in bounded memory.
//
// A block is put into the slab that will be made of it, looked at by itself, and cut off in the
// order of the text. The first two can go on for several blocks at once; to cut takes a look at
// the text up to the first game that starts in the block, if the look at the block has found that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/pgn/frame_scan.hpp"
#include "host/pgn/slab.hpp"

namespace cuarbiter {

// A block of text in a slab's buffer.
struct TextBlock {
  std::size_t bytes = 0;
  bool last = false;  // no text follows
  std::uint64_t lines = 0;
  bool plain_ascii = false;  // as in Slab
  FrameLook look;
};

class SlabCutter {
 public:
  // `file` numbers the slabs.
  explicit SlabCutter(std::uint32_t file, const FramerOptions& options = {});

  // Before the first block: the text does not begin the file. Its first byte begins a frame, and
  // has this offset and line.
  void start_at(std::uint64_t offset, std::uint64_t line) {
    started_ = true;
    offset_ = offset;
    line_ = line;
  }

  // Where a block of up to `bytes` bytes is to be put.
  static std::span<char> room(Slab& slab, std::size_t bytes);
  // Looks at block.bytes bytes put there. Any number of threads may, each with another slab.
  void look(Slab& slab, TextBlock& block) const;
  // In the order of the text: takes the block in, and makes of the slab the next one. It has no
  // frames where no frame is complete yet, and in a file of UTF-16. A slab holds so many frames at
  // most: as long as behind(), further ones are had with blocks of no text.
  void cut(Slab& slab, const TextBlock& block);

  // Whole frames wait to be given.
  bool behind() const { return behind_; }
  // The last block was taken in.
  bool ended() const { return ended_; }
  // All of it was given.
  bool done() const { return ended_ && !behind_; }
  // Where the next slab will begin: offset and line of what was not given yet.
  std::uint64_t offset() const { return offset_; }
  std::uint64_t line() const { return line_; }

 private:
  void begin_slab(Slab& slab, std::size_t block_bytes);
  void go_on_with_held(Slab& slab, std::size_t block_bytes);
  void begin_file(Slab& slab);
  void hold(Slab& slab);
  void finish_slab(Slab& slab, std::size_t cut);

  FramerOptions options_;
  FrameScan scan_;
  std::uint32_t file_;
  std::vector<char> carry_;              // text behind the last cut
  std::uint64_t carry_lines_ = 0;        // line ends in it
  bool carry_plain_ = true;              // as plain_ascii in Slab
  std::uint64_t lines_read_ = 0;         // in the slab being made, with what was left out since
  std::vector<Elision> carry_elisions_;  // what is missing from carry_
  std::vector<ElidedNul> carry_nuls_;
  Slab held_;  // a slab that has no whole frame yet
  bool holds_ = false;
  std::uint64_t offset_ = 0;  // file offset of what was not given
  std::uint64_t line_ = 1;
  bool started_ = false;
  bool ended_ = false;
  bool behind_ = false;
};

}  // namespace cuarbiter
