// Where the frames of a text begin, found as the text comes.
//
// A frame begins at a line that begins with a tag pair after movetext, or with an Event tag after a
// blank line when the section before had one already, or with move number 1 after a blank line when
// the text before ended with a termination marker. Braces hide all of that: "[Event" inside a
// comment begins nothing. A comment is taken to be unterminated when it seems to hold a game's
// start (an Event tag after a blank line) and then another "{" or the end of the file comes before
// its "}": the frame ends there, so that one missing brace cannot swallow the archive.
//
// A scan knows nothing of what stood before a frame. So a text can be looked at from any place that
// may be a frame's begin, and what was found holds once a frame turns out to begin there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/pgn/slab.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {

struct FramerOptions {
  std::size_t slab_bytes = std::size_t{1} << 20;       // wanted; a longer frame makes a longer slab
  std::size_t max_frame_bytes = std::size_t{8} << 20;  // a frame is cut there
  std::size_t long_comment_bytes = std::size_t{128} << 10;  // a longer comment loses its middle
  std::size_t max_frames = 8192;                            // of one slab
};

// Where a scan is, by positions in its slab.
struct ScanPlace {
  enum class In : std::uint8_t { line_start, line, comment, skipped_line };

  In in = In::line_start;
  bool movetext = false;       // the frame has something other than tags
  bool event = false;          // the tag section has an Event tag
  bool blank_before = false;   // the line before is blank
  bool marker_before = false;  // the last line of movetext ended with a termination marker
  std::size_t pos = 0;
  std::size_t line_begin = 0;
  std::size_t comment_begin = 0;
  std::size_t comment_seen = 0;  // the comment is scanned up to here
  std::size_t candidate = 0;     // where a game seems to start inside the comment; 0 none

  static ScanPlace frame_begin(std::size_t at);
  void move_by(std::ptrdiff_t bytes);
};

// What stands in a piece of text if a frame begins at the first of `frames`, by positions in that
// piece. No frames: nothing is known.
struct FrameLook {
  std::vector<Frame> frames;
  std::vector<SlabTag> tags;
  ScanPlace end;  // behind the last of them
};

class FrameScan {
 public:
  explicit FrameScan(const FramerOptions& options) : options_(options) {}

  // At the begin of a slab, which is that of a frame.
  void restart() { place_ = {}; }
  // What is known of the text from `at` of the slab on; kept by reference until expect_nothing().
  void expect(const FrameLook& look, std::ptrdiff_t at) {
    look_ = look.frames.empty() ? nullptr : &look;
    look_at_ = at;
  }
  void expect_nothing() { look_ = nullptr; }

  // Adds the frames that begin in the slab's text, which `ended` or will go on, as far as they can
  // be told; one more than max_frames at most, and that one is left as it is. Comments and frames
  // beyond their limits lose text.
  void scan(Slab& slab, bool ended);
  // Scans text of which not all may be seen. What begins a game is seldom far.
  static void look(const FramerOptions& options, Slab& slab, FrameLook& found);

  // Cuts the last frame of the slab, if what is scanned of it passes the limit.
  void cut_long_frame(Slab& slab);
  // At the end of the text: whether it ends in a comment that has lost its brace. Then its frame
  // is given up where a game seems to start; scan() goes on there.
  bool lose_open_comment(Slab& slab);

 private:
  using In = ScanPlace::In;

  // All of these return false when they need more text.
  bool step(Slab& slab);
  bool scan_line_start(Slab& slab);
  bool scan_usual_tags(Slab& slab);
  bool scan_tags(Slab& slab, std::size_t at);
  bool scan_line(Slab& slab);
  bool scan_comment(Slab& slab);
  bool scan_skipped_line(Slab& slab);
  bool take_line_end(Slab& slab);
  void skip_plain(const Slab& slab);
  std::size_t comment_rest() const;

  bool begin_frame(Slab& slab, std::size_t at);
  bool adopt_look(Slab& slab, std::size_t at);
  void close_comment(Slab& slab, std::size_t end);
  void lose_comment(Slab& slab);
  void elide_comment(Slab& slab, std::size_t& end);
  std::size_t leave_out(Slab& slab, std::size_t begin, std::size_t end);

  const TextScan& scan_ = text_scan();
  FramerOptions options_;
  ScanPlace place_;
  bool ended_ = false;
  const FrameLook* look_ = nullptr;
  std::ptrdiff_t look_at_ = 0;
  bool looking_ = false;  // the text must stay as it is
  bool gave_up_ = false;  // it could not
};

}  // namespace cuarbiter
