// Cuts a stream of PGN text into slabs of whole frames, in bounded memory.
//
// A frame begins at a line that begins with a tag pair after movetext, or with an Event tag after a
// blank line when the section before had one already, or with move number 1 after a blank line when
// the text before ended with a termination marker. Braces hide all of that: "[Event" inside a
// comment begins nothing. A comment is taken to be unterminated when it seems to hold a game's
// start (an Event tag after a blank line) and then another "{" or the end of the file comes before
// its "}": the frame ends there, so that one missing brace cannot swallow the archive.
#pragma once

#include <cstdint>
#include <vector>

#include "host/io/source.hpp"
#include "host/pgn/slab.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {

struct FramerOptions {
  std::size_t slab_bytes = std::size_t{1} << 20;       // wanted; a longer frame makes a longer slab
  std::size_t max_frame_bytes = std::size_t{8} << 20;  // a frame is cut there
  std::size_t long_comment_bytes = std::size_t{128} << 10;  // a longer comment loses its middle
  std::size_t max_frames = 8192;                            // of one slab
};

class Framer {
 public:
  // Keeps a reference to the source. `file` numbers the slabs.
  Framer(ByteSource& source, std::uint32_t file, const FramerOptions& options = {});

  // Before the first slab: the text does not begin the file. Its first byte begins a frame, and has
  // this offset and line.
  void start_at(std::uint64_t offset, std::uint64_t line) {
    started_ = true;
    offset_ = offset;
    line_ = line;
  }
  // Where the next slab will begin: offset and line of what was not given yet.
  std::uint64_t offset() const { return offset_; }
  std::uint64_t line() const { return line_; }

  // Fills the next slab; false at the end. When the source fails, the text before the fault is
  // given as the file's last slab and the next call throws the source's IoError.
  bool next(Slab& slab);

 private:
  enum class State : std::uint8_t { line_start, in_line, comment, skip_line };

  void begin_slab(Slab& slab);
  bool read_more(Slab& slab);
  void pad(Slab& slab);
  void finish_slab(Slab& slab, std::size_t cut);

  // Scans as far as the text allows. All of these return false when they need more text.
  bool scan(Slab& slab);
  bool scan_line_start(Slab& slab);
  bool scan_usual_tags(Slab& slab);
  bool scan_tags(Slab& slab, std::size_t at);
  bool scan_in_line(Slab& slab);
  bool scan_comment(Slab& slab);
  bool scan_skip_line(Slab& slab);
  void skip_plain(const Slab& slab);
  std::size_t comment_rest() const;
  bool take_line_end(Slab& slab);

  void begin_frame(Slab& slab, std::size_t at);
  void close_comment(Slab& slab, std::size_t end);
  void lose_comment(Slab& slab);
  void elide_comment(Slab& slab, std::size_t& end);
  void cut_long_frame(Slab& slab);

  const TextScan& scan_ = text_scan();
  ByteSource& source_;
  FramerOptions options_;
  std::uint32_t file_;
  std::vector<char> carry_;              // text behind the last cut
  std::uint64_t carry_lines_ = 0;        // line ends in it
  std::uint64_t lines_read_ = 0;         // in the slab being made, with what was left out since
  std::vector<Elision> carry_elisions_;  // what is missing from carry_
  std::vector<ElidedNul> carry_nuls_;
  std::uint64_t offset_ = 0;  // file offset of carry_
  std::uint64_t line_ = 1;
  bool started_ = false;
  bool ended_ = false;  // the source has no more
  std::exception_ptr fault_;

  // State of the scan, within the slab being made.
  State state_ = State::line_start;
  std::size_t pos_ = 0;
  std::size_t line_begin_ = 0;
  bool movetext_ = false;       // the frame has something other than tags
  bool event_ = false;          // the tag section has an Event tag
  bool blank_before_ = false;   // the line before is blank
  bool marker_before_ = false;  // the last line of movetext ended with a termination marker
  std::size_t comment_begin_ = 0;
  std::size_t comment_seen_ = 0;  // the comment is scanned up to here
  std::size_t candidate_ = 0;     // where a game seems to start inside the comment; 0 none
};

}  // namespace cuarbiter
