#include "host/pgn/frame_scan.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "host/pgn/byte_scan.hpp"
#include "host/pgn/char_class.hpp"
#include "host/pgn/game_start.hpp"
#include "host/pgn/slab_gap.hpp"
#include "host/pgn/tag_pair.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kCommentHead = std::size_t{64} << 10;  // what is kept of a long comment
constexpr std::size_t kCommentTail = 64;
// What a line is can be told from so many bytes of it, or is not: so the answer does not depend on
// how much of it has been read.
constexpr std::size_t kLongLine = std::size_t{64} << 10;
// A look at a text goes from a game that starts in its first bytes.
constexpr std::size_t kLookReach = std::size_t{256} << 10;
constexpr std::size_t kMarkerReach = 64;  // of a line's end, where a termination marker may stand

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}

// The position of the first of Bytes at or after `at`, or `end`.
template <char... Bytes>
std::size_t find_stop(const char* text, std::size_t at, std::size_t end) {
  return static_cast<std::size_t>(find_any<Bytes...>(text + at, text + end) - text);
}

std::size_t find_line_end(const char* text, std::size_t at, std::size_t end) {
  const std::size_t lf = find_byte(text, at, end, '\n');
  return find_byte(text, at, lf, '\r');
}

// True when the line that ends before `end` closes with a termination marker.
bool ends_with_marker(const char* text, std::size_t begin, std::size_t end) {
  begin = std::max(begin, end - std::min(end, kMarkerReach));
  while (end > begin && is_blank(text[end - 1])) --end;
  const std::string_view line(text + begin, end - begin);
  for (const std::string_view marker : {"1-0", "0-1", "1/2-1/2", "*"}) {
    if (line.size() >= marker.size() && line.substr(line.size() - marker.size()) == marker) {
      return line.size() == marker.size() || is_blank(line[line.size() - marker.size() - 1]);
    }
  }
  return false;
}

}  // namespace

ScanPlace ScanPlace::frame_begin(std::size_t at) {
  ScanPlace place;
  place.pos = place.line_begin = at;
  return place;
}

void ScanPlace::move_by(std::ptrdiff_t bytes) {
  for (std::size_t* at : {&pos, &line_begin, &comment_begin, &comment_seen, &candidate}) {
    // What has no place yet, as a comment's begin before the first one, stays without.
    if (*at != 0) *at = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(*at) + bytes);
  }
}

void FrameScan::scan(Slab& slab, bool ended) {
  ended_ = ended;
  while (slab.frames.size() <= options_.max_frames && !gave_up_ && step(slab)) {
  }
}

void FrameScan::look(const FramerOptions& options, Slab& slab, FrameLook& found) {
  found.frames.clear();
  const std::string_view text = slab.view(0, static_cast<std::uint32_t>(slab.size));
  std::size_t at = 0;
  do {
    at = text.substr(0, kLookReach).find("\n[Event ", at);
    if (at == std::string_view::npos) return;
    ++at;
  } while (!looks_like_game(text.data(), at, text.size()));
  slab.frames.assign(1, Frame{static_cast<std::uint32_t>(at), false});
  slab.tags.clear();
  FrameScan scan(options);
  scan.looking_ = true;
  scan.place_ = ScanPlace::frame_begin(at);
  scan.scan(slab, false);
  if (scan.gave_up_ || slab.frames.size() > options.max_frames) return;
  found.frames.swap(slab.frames);
  found.tags.swap(slab.tags);
  found.end = scan.place_;
}

bool FrameScan::step(Slab& slab) {
  switch (place_.in) {
    case In::line_start:
      return scan_line_start(slab);
    case In::line:
      return scan_line(slab);
    case In::comment:
      return scan_comment(slab);
    case In::skipped_line:
      return scan_skipped_line(slab);
  }
  return false;
}

// At a line end: steps over it.
bool FrameScan::take_line_end(Slab& slab) {
  const char* text = slab.text.data();
  if (text[place_.pos] == '\r') {
    if (place_.pos + 1 == slab.size && !ended_) return false;
    if (place_.pos + 1 < slab.size && text[place_.pos + 1] == '\n') ++place_.pos;
  }
  ++place_.pos;
  place_.line_begin = place_.pos;
  place_.in = In::line_start;
  return true;
}

bool FrameScan::scan_line_start(Slab& slab) {
  const char* text = slab.text.data();
  if (scan_usual_tags(slab)) return true;
  std::size_t at = place_.pos;
  // Files joined one behind the other bring their byte order marks along.
  if (at < slab.size && text[at] == kByteOrderMark[0]) {
    if (slab.size - at < 3 && !ended_) return false;
    if (slab.size - at >= 3 && std::memcmp(text + at, kByteOrderMark, 3) == 0) at += 3;
  }
  const std::size_t blank_end = std::min(slab.size, place_.pos + kLongLine);
  while (at < blank_end && is_blank(text[at])) ++at;
  if (at - place_.pos >= kLongLine) {
    place_.movetext = true;
    place_.blank_before = place_.marker_before = false;
    place_.in = In::line;
    place_.pos = at;
    return true;
  }
  if (at == slab.size) return false;
  if (text[at] == '\n' || text[at] == '\r') {
    place_.pos = at;
    if (!take_line_end(slab)) return false;
    place_.blank_before = true;
    return true;
  }
  if (text[place_.pos] == '%' || text[at] == ';') {
    place_.in = In::skipped_line;
    return true;
  }
  if (text[at] == '[') {
    const std::size_t end = find_line_end(text, at, std::min(slab.size, at + kLongLine));
    if (end == slab.size && !ended_ && end - at < kLongLine) return false;
    if (at_tag_pair(text + at, text + end)) return scan_tags(slab, at);
  }
  if (place_.movetext && place_.blank_before && place_.marker_before && text[at] == '1') {
    if (at + 1 == slab.size && !ended_) return false;
    if (at + 1 < slab.size && text[at + 1] == '.') begin_frame(slab, place_.pos);
  }
  place_.movetext = true;
  place_.blank_before = place_.marker_before = false;
  place_.in = In::line;
  return true;
}

// Lines of one pair of the usual form each, from the one that begins here on; false when it is
// something else.
bool FrameScan::scan_usual_tags(Slab& slab) {
  if (place_.pos >= slab.size || slab.text[place_.pos] != '[') return false;
  SlabTag tags[32];
  const char* text = slab.text.data();
  std::size_t end = place_.pos;
  const unsigned count = scan_.usual_tags(text, end, slab.size, tags, std::size(tags));
  if (count == 0) return false;
  for (unsigned i = 0; i < count; ++i) {
    const SlabTag tag = tags[i];
    const bool event = tag.open == 7 && std::memcmp(text + tag.at + 1, "Event", 5) == 0;
    if (place_.movetext || (event && place_.event && place_.blank_before)) {
      const std::size_t size = slab.size;
      // When more is known, or text was taken out, those behind are no longer these.
      if (begin_frame(slab, tag.at) || slab.size != size) return true;
    }
    place_.event = place_.event || event;
    place_.blank_before = false;
    slab.tags.push_back(tag);
  }
  place_.pos = place_.line_begin = end;
  return true;
}

bool FrameScan::scan_tags(Slab& slab, std::size_t at) {
  const char* text = slab.text.data();
  const char* end = text + find_line_end(text, at, std::min(slab.size, at + kLongLine));
  const std::size_t line = place_.pos;
  bool event = false;
  const char* p = text + at;
  do {
    const TagPair tag = read_tag_pair(p, end);
    event = event || tag.name == "Event";
    p = tag.next;
    while (p != end && is_blank(*p)) ++p;
  } while (at_tag_pair(p, end));
  const std::size_t consumed = static_cast<std::size_t>(p - text) - line;
  // A line too long to see to its end is all tags as far as it is seen.
  const bool at_line_end = p == end;
  if ((place_.movetext || (event && place_.event && place_.blank_before)) &&
      begin_frame(slab, line)) {
    return true;
  }
  place_.event = place_.event || event;
  place_.blank_before = false;
  place_.pos += consumed;
  if (at_line_end) {
    place_.in = In::skipped_line;
  } else {
    place_.movetext = true;
    place_.in = In::line;
  }
  return true;
}

// In a line or a comment: moves on over plain movetext. What stands behind is left to the scan by
// lines.
void FrameScan::skip_plain(const Slab& slab) {
  PlainText text;
  text.in_comment = place_.in == In::comment;
  text.at = text.in_comment ? comment_rest() : place_.pos;
  text.comment_begin = place_.comment_begin;
  text.line_begin = place_.line_begin;
  scan_.skip_plain(slab.text.data(), slab.size, kCommentHead, text);
  place_.comment_begin = text.comment_begin;
  place_.line_begin = text.line_begin;
  if (text.in_comment) {
    if (place_.in != In::comment) place_.candidate = 0;
    place_.in = In::comment;
    place_.comment_seen = text.at;
  } else {
    place_.in = In::line;
    place_.pos = text.at;
  }
}

bool FrameScan::scan_line(Slab& slab) {
  skip_plain(slab);
  if (place_.in == In::comment) return true;
  const char* text = slab.text.data();
  place_.pos = find_stop<'{', ';', '\n', '\r'>(text, place_.pos, slab.size);
  if (place_.pos == slab.size) return false;
  if (text[place_.pos] == '{') {
    place_.comment_begin = place_.pos;
    place_.comment_seen = place_.pos + 1;
    place_.candidate = 0;
    place_.in = In::comment;
    return true;
  }
  if (text[place_.pos] == ';') {
    place_.in = In::skipped_line;
    return true;
  }
  const std::size_t end = place_.pos;
  const std::size_t begin = place_.line_begin;
  if (!take_line_end(slab)) return false;
  place_.marker_before = ends_with_marker(text, begin, end);
  return true;
}

bool FrameScan::scan_skipped_line(Slab& slab) {
  place_.pos = find_line_end(slab.text.data(), place_.pos, slab.size);
  return place_.pos != slab.size && take_line_end(slab);
}

// Where the look at an open comment goes on. A game's start may be split over two reads: it begins
// with the last bytes seen.
std::size_t FrameScan::comment_rest() const {
  return std::max(place_.comment_begin + 1,
                  place_.comment_seen - std::min<std::size_t>(place_.comment_seen, 12));
}

bool FrameScan::scan_comment(Slab& slab) {
  if (!place_.candidate) {
    skip_plain(slab);
    if (place_.in != In::comment) return true;
  }
  const char* text = slab.text.data();
  // One look for the end of the comment and for lines in it that a game may begin with.
  std::size_t close =
      place_.candidate ? find_byte(text, place_.comment_seen, slab.size, '}') : comment_rest();
  while (!place_.candidate) {
    close = find_stop<'}', '\n', '\r'>(text, close, slab.size);
    if (close == slab.size || text[close] == '}') break;
    ++close;
    if (close < slab.size && text[close] == '[' && looks_like_game(text, close, slab.size)) {
      place_.candidate = close;
      close = find_byte(text, close, slab.size, '}');
    }
  }
  const bool closed = close != slab.size;
  if (place_.candidate) {
    const std::size_t open =
        find_byte(text, std::max(place_.candidate, place_.comment_seen), close, '{');
    if (open < close || (closed ? close : slab.size) - place_.candidate > kLostBraceReach) {
      lose_comment(slab);
      return true;
    }
  }
  if (closed) {
    close_comment(slab, close);
    return true;
  }
  place_.comment_seen = slab.size;
  // At the end of the text as for one that closes: what is kept does not depend on reads.
  const bool long_so_far = slab.size - place_.comment_begin > 2 * options_.long_comment_bytes;
  if (!place_.candidate && (ended_ || long_so_far)) {
    std::size_t end = slab.size;
    elide_comment(slab, end);
    place_.comment_seen = end;
  }
  place_.pos = slab.size;
  return false;
}

// The comment ends with the "}" at `end`; the line goes on.
void FrameScan::close_comment(Slab& slab, std::size_t end) {
  elide_comment(slab, end);
  place_.pos = end + 1;
  place_.line_begin = place_.pos;
  place_.candidate = 0;
  place_.in = In::line;
}

// The comment has lost its brace: it ends where a game seems to start in it.
void FrameScan::lose_comment(Slab& slab) {
  std::size_t end = place_.candidate;
  elide_comment(slab, end);
  begin_frame(slab, end);
}

bool FrameScan::lose_open_comment(Slab& slab) {
  if (place_.in != In::comment || !place_.candidate) return false;
  lose_comment(slab);
  return true;
}

// Takes text out of the slab, unless it is only looked at. What is known of text behind moves
// along.
std::size_t FrameScan::leave_out(Slab& slab, std::size_t begin, std::size_t end) {
  if (looking_) {
    gave_up_ = true;
    return 0;
  }
  const std::size_t n = take_out(slab, begin, end);
  slab.pad();
  // Those behind have moved.
  while (!slab.tags.empty() && slab.tags.back().at + 64 >= begin) slab.tags.pop_back();
  if (look_) {
    const std::ptrdiff_t known = look_at_ + static_cast<std::ptrdiff_t>(look_->frames[0].begin);
    if (static_cast<std::ptrdiff_t>(end) > known) {
      look_ = nullptr;
    } else {
      look_at_ -= static_cast<std::ptrdiff_t>(n);
    }
  }
  return n;
}

// Takes the middle out of the comment when it is long; `end` is its end so far and moves along.
void FrameScan::elide_comment(Slab& slab, std::size_t& end) {
  const bool elided = !slab.elisions.empty() && slab.elisions.back().at > place_.comment_begin;
  const std::size_t length = end - place_.comment_begin;
  if (!elided && length <= options_.long_comment_bytes) return;
  const std::size_t begin = elided ? slab.elisions.back().at : place_.comment_begin + kCommentHead;
  if (end < begin + kCommentTail) return;
  end -= leave_out(slab, begin, end - kCommentTail);
}

// The bytes between the limit and the next frame are taken out as they come.
void FrameScan::cut_long_frame(Slab& slab) {
  Frame& frame = slab.frames.back();
  const std::size_t keep = frame.begin + options_.max_frame_bytes;
  ScanPlace& p = place_;
  std::size_t seen = p.in == In::comment ? p.comment_begin : p.pos;
  if (p.in == In::line) {
    seen = std::max(std::min(p.line_begin, p.pos), p.pos - std::min(p.pos, kMarkerReach));
  }
  if (ended_ && p.in != In::comment) seen = slab.size;
  if (seen <= keep) return;
  frame.too_long = true;
  const std::size_t n = leave_out(slab, keep, seen);
  p.pos -= n;
  p.line_begin = p.line_begin >= seen ? p.line_begin - n : std::min(p.line_begin, seen - n);
  p.comment_begin -= std::min(p.comment_begin, n);
  p.comment_seen -= std::min(p.comment_seen, n);
  if (p.candidate) p.candidate -= n;
}

// A new frame begins at `at`, which is the start of a line; the scan goes on there. True: what
// stands there was known, and the scan goes on behind it.
bool FrameScan::begin_frame(Slab& slab, std::size_t at) {
  Frame& before = slab.frames.back();
  const std::size_t keep = before.begin + options_.max_frame_bytes;
  if (at > keep) {
    before.too_long = true;
    at -= leave_out(slab, keep, at);
  }
  if (at != before.begin) {
    if (adopt_look(slab, at)) return true;
    slab.frames.push_back(Frame{static_cast<std::uint32_t>(at), false});
  }
  place_ = ScanPlace::frame_begin(at);
  return false;
}

bool FrameScan::adopt_look(Slab& slab, std::size_t at) {
  if (!look_ || static_cast<std::ptrdiff_t>(at) !=
                    look_at_ + static_cast<std::ptrdiff_t>(look_->frames[0].begin)) {
    return false;
  }
  if (slab.frames.size() + look_->frames.size() > options_.max_frames) return false;
  for (const Frame& frame : look_->frames) {
    const std::ptrdiff_t begin = look_at_ + static_cast<std::ptrdiff_t>(frame.begin);
    slab.frames.push_back(Frame{static_cast<std::uint32_t>(begin), false});
  }
  for (const SlabTag& tag : look_->tags) {
    const std::ptrdiff_t at_tag = look_at_ + static_cast<std::ptrdiff_t>(tag.at);
    slab.tags.push_back({static_cast<std::uint32_t>(at_tag), tag.open, tag.close});
  }
  place_ = look_->end;
  place_.move_by(look_at_);
  look_ = nullptr;
  return true;
}

}  // namespace cuarbiter
