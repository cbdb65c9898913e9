#include "host/pgn/framer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "host/pgn/byte_scan.hpp"
#include "host/pgn/char_class.hpp"
#include "host/pgn/game_start.hpp"
#include "host/pgn/tag_pair.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kReadBytes = std::size_t{256} << 10;
constexpr std::size_t kCommentHead = std::size_t{64} << 10;  // what is kept of a long comment
constexpr std::size_t kCommentTail = 64;
// What a line is can be told from so many bytes of it, or is not: so the answer does not depend on
// how much of it has been read.
constexpr std::size_t kLongLine = std::size_t{64} << 10;
constexpr std::size_t kManyNuls = 16;     // told of one piece of text left out
constexpr std::size_t kMarkerReach = 64;  // of a line's end, where a termination marker may stand

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}

// The position of the first of Bytes at or after `at`, or `end`.
template <char... Bytes>
std::size_t find_stop(const char* text, std::size_t at, std::size_t end) {
  return static_cast<std::size_t>(find_any<Bytes...>(text + at, text + end) - text);
}

std::size_t find_byte(const char* text, std::size_t at, std::size_t end, char byte) {
  const void* found = at < end ? std::memchr(text + at, byte, end - at) : nullptr;
  return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text) : end;
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

Framer::Framer(ByteSource& source, std::uint32_t file, const FramerOptions& options)
    : source_(source), options_(options), file_(file) {}

bool Framer::read_more(Slab& slab) {
  if (slab.text.size() < slab.size + kReadBytes + Slab::kPadding) {
    slab.text.resize(std::max(slab.size + kReadBytes + Slab::kPadding, slab.text.size() * 2));
  }
  std::size_t n = 0;
  try {
    n = source_.read({slab.text.data() + slab.size, kReadBytes});
  } catch (...) {
    fault_ = std::current_exception();
  }
  // Counted while it is near. The two bytes of a CRLF are one line end.
  const char* fresh = slab.text.data() + slab.size;
  lines_read_ += count_line_ends({fresh, n});
  if (n && slab.size && fresh[-1] == '\r' && fresh[0] == '\n') --lines_read_;
  slab.size += n;
  if (n == 0) ended_ = true;
  return n != 0;
}

void Framer::pad(Slab& slab) {
  if (slab.text.size() < slab.size + Slab::kPadding) {
    slab.text.resize(slab.size + Slab::kPadding);
  }
  std::memset(slab.text.data() + slab.size, 0,
              slab.text.size() - slab.size < 4096 ? slab.text.size() - slab.size : 4096);
}

void Framer::begin_slab(Slab& slab) {
  slab.size = carry_.size();
  lines_read_ = carry_lines_;
  if (slab.text.size() < slab.size + Slab::kPadding) {
    slab.text.resize(slab.size + Slab::kPadding);
  }
  std::copy(carry_.begin(), carry_.end(), slab.text.begin());
  carry_.clear();
  slab.frames.assign(1, Frame{});
  slab.elisions.swap(carry_elisions_);
  slab.elided_nuls.swap(carry_nuls_);
  carry_elisions_.clear();
  carry_nuls_.clear();
  slab.offset = offset_;
  slab.line = line_;
  slab.file = file_;
  slab.starts_file = !started_;
  slab.byte_order_mark = false;
  slab.utf16 = false;
  state_ = State::line_start;
  pos_ = 0;
  line_begin_ = 0;
  movetext_ = event_ = blank_before_ = marker_before_ = false;
  candidate_ = 0;
  if (started_) return;
  started_ = true;
  while (slab.size < 4 && read_more(slab)) {
  }
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(slab.text[i]); };
  if (slab.size >= 3 && byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF) {
    slab.byte_order_mark = true;
    slab.size -= 3;
    std::memmove(slab.text.data(), slab.text.data() + 3, slab.size);
    offset_ = slab.offset = 3;
  } else if (slab.size >= 2 &&
             ((byte(0) == 0xFF && byte(1) == 0xFE) || (byte(0) == 0xFE && byte(1) == 0xFF))) {
    slab.utf16 = true;
  } else if (slab.size >= 4 && ((byte(0) == 0 && byte(2) == 0 && byte(1) && byte(3)) ||
                                (byte(1) == 0 && byte(3) == 0 && byte(0) && byte(2)))) {
    slab.utf16 = true;
  }
  if (slab.utf16) {
    slab.size = 0;
    slab.frames.clear();
    ended_ = true;
  }
}

bool Framer::next(Slab& slab) {
  if (started_ && ended_ && carry_.empty()) {
    if (fault_) std::rethrow_exception(fault_);
    return false;
  }
  begin_slab(slab);
  if (slab.utf16) return true;
  std::size_t target = options_.slab_bytes;
  for (;;) {
    // Text is scanned piece by piece, while it is near.
    do {
      if (!ended_ && slab.size < target) read_more(slab);
      pad(slab);
      scan(slab);
    } while (!ended_ && slab.size < target && slab.frames.size() <= options_.max_frames);
    if (slab.frames.size() > (ended_ ? options_.max_frames : 1)) {
      finish_slab(slab, slab.frames.back().begin);
      return true;
    }
    cut_long_frame(slab);
    if (ended_) {
      if (state_ == State::comment && candidate_) {
        // The comment never closed: the game inside it is a game.
        lose_comment(slab);
        continue;
      }
      pad(slab);
      finish_slab(slab, slab.size);
      return true;
    }
    target = slab.size + options_.slab_bytes;
  }
}

void Framer::finish_slab(Slab& slab, std::size_t cut) {
  carry_.assign(slab.text.data() + cut, slab.text.data() + slab.size);
  carry_lines_ = count_line_ends({carry_.data(), carry_.size()});
  const bool whole = cut == slab.size;
  if (!whole) slab.frames.pop_back();
  slab.size = cut;
  pad(slab);
  const auto position = static_cast<std::uint32_t>(cut);
  if (slab.elisions.empty()) {
    offset_ = slab.offset + cut;
    line_ = slab.line + lines_read_ - carry_lines_;
  } else {
    const Location where = Locator(slab).locate(position);
    offset_ = where.offset;
    line_ = where.line;
  }
  // What is missing from the text behind the cut goes along with it.
  std::erase_if(slab.elisions, [&](const Elision& e) {
    if (e.at <= position) return false;
    carry_elisions_.push_back(Elision{e.at - position, e.bytes, e.lines, e.tail});
    return true;
  });
  std::erase_if(slab.elided_nuls, [&](const ElidedNul& nul) {
    if (nul.at <= position) return false;
    carry_nuls_.push_back(ElidedNul{nul.at - position, nul.offset, nul.line});
    return true;
  });
}

// Stops, too, when a frame begins that is one too many: it must not have been changed when it is
// scanned again.
bool Framer::scan(Slab& slab) {
  while (slab.frames.size() <= options_.max_frames) {
    bool more = false;
    switch (state_) {
      case State::line_start:
        more = scan_line_start(slab);
        break;
      case State::in_line:
        more = scan_in_line(slab);
        break;
      case State::comment:
        more = scan_comment(slab);
        break;
      case State::skip_line:
        more = scan_skip_line(slab);
        break;
    }
    if (!more) return false;
  }
  return false;
}

// At a line end: steps over it.
bool Framer::take_line_end(Slab& slab) {
  const char* text = slab.text.data();
  if (text[pos_] == '\r') {
    if (pos_ + 1 == slab.size && !ended_) return false;
    if (pos_ + 1 < slab.size && text[pos_ + 1] == '\n') ++pos_;
  }
  ++pos_;
  line_begin_ = pos_;
  state_ = State::line_start;
  return true;
}

bool Framer::scan_line_start(Slab& slab) {
  const char* text = slab.text.data();
  if (scan_usual_tags(slab)) return true;
  std::size_t at = pos_;
  // Files joined one behind the other bring their byte order marks along.
  if (at < slab.size && text[at] == kByteOrderMark[0]) {
    if (slab.size - at < 3 && !ended_) return false;
    if (slab.size - at >= 3 && std::memcmp(text + at, kByteOrderMark, 3) == 0) at += 3;
  }
  const std::size_t blank_end = std::min(slab.size, pos_ + kLongLine);
  while (at < blank_end && is_blank(text[at])) ++at;
  if (at - pos_ >= kLongLine) {
    movetext_ = true;
    blank_before_ = marker_before_ = false;
    state_ = State::in_line;
    pos_ = at;
    return true;
  }
  if (at == slab.size) return false;
  if (text[at] == '\n' || text[at] == '\r') {
    pos_ = at;
    if (!take_line_end(slab)) return false;
    blank_before_ = true;
    return true;
  }
  if (text[pos_] == '%' || text[at] == ';') {
    state_ = State::skip_line;
    return true;
  }
  if (text[at] == '[') {
    const std::size_t end = find_line_end(text, at, std::min(slab.size, at + kLongLine));
    if (end == slab.size && !ended_ && end - at < kLongLine) return false;
    if (at_tag_pair(text + at, text + end)) return scan_tags(slab, at);
  }
  if (movetext_ && blank_before_ && marker_before_ && text[at] == '1') {
    if (at + 1 == slab.size && !ended_) return false;
    if (at + 1 < slab.size && text[at + 1] == '.') begin_frame(slab, pos_);
  }
  movetext_ = true;
  blank_before_ = marker_before_ = false;
  state_ = State::in_line;
  return true;
}

// Lines of one pair of the usual form each, from the one that begins here on; false when it is
// something else.
bool Framer::scan_usual_tags(Slab& slab) {
  const char* text = slab.text.data();
  bool any = false;
  while (pos_ < slab.size && text[pos_] == '[') {
    const UsualTag usual = scan_.usual_tag(text + pos_);
    const std::size_t next = pos_ + usual.close + 2;
    if (usual.close == 0 || next + 1 >= slab.size || (text[next] != '\n' && text[next] != '\r')) {
      break;
    }
    const bool event = usual.open == 7 && std::memcmp(text + pos_ + 1, "Event", 5) == 0;
    if (movetext_ || (event && event_ && blank_before_)) {
      begin_frame(slab, pos_);
      return true;
    }
    event_ = event_ || event;
    blank_before_ = false;
    pos_ = next;
    any = true;
    if (!take_line_end(slab)) break;
  }
  return any;
}

bool Framer::scan_tags(Slab& slab, std::size_t at) {
  const char* text = slab.text.data();
  const char* end = text + find_line_end(text, at, std::min(slab.size, at + kLongLine));
  const std::size_t line = pos_;
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
  if (movetext_ || (event && event_ && blank_before_)) begin_frame(slab, line);
  event_ = event_ || event;
  blank_before_ = false;
  pos_ += consumed;
  if (at_line_end) {
    state_ = State::skip_line;
  } else {
    movetext_ = true;
    state_ = State::in_line;
  }
  return true;
}

// In a line or a comment: moves on over plain movetext. What stands behind is left to the scan by
// lines.
void Framer::skip_plain(const Slab& slab) {
  PlainText text;
  text.in_comment = state_ == State::comment;
  text.at = text.in_comment ? comment_rest() : pos_;
  text.comment_begin = comment_begin_;
  text.line_begin = line_begin_;
  scan_.skip_plain(slab.text.data(), slab.size, kCommentHead, text);
  comment_begin_ = text.comment_begin;
  line_begin_ = text.line_begin;
  if (text.in_comment) {
    if (state_ != State::comment) candidate_ = 0;
    state_ = State::comment;
    comment_seen_ = text.at;
  } else {
    state_ = State::in_line;
    pos_ = text.at;
  }
}

bool Framer::scan_in_line(Slab& slab) {
  skip_plain(slab);
  if (state_ == State::comment) return true;
  const char* text = slab.text.data();
  pos_ = find_stop<'{', ';', '\n', '\r'>(text, pos_, slab.size);
  if (pos_ == slab.size) return false;
  if (text[pos_] == '{') {
    comment_begin_ = pos_;
    comment_seen_ = pos_ + 1;
    candidate_ = 0;
    state_ = State::comment;
    return true;
  }
  if (text[pos_] == ';') {
    state_ = State::skip_line;
    return true;
  }
  const std::size_t end = pos_;
  const std::size_t begin = line_begin_;
  if (!take_line_end(slab)) return false;
  marker_before_ = ends_with_marker(text, begin, end);
  return true;
}

bool Framer::scan_skip_line(Slab& slab) {
  pos_ = find_line_end(slab.text.data(), pos_, slab.size);
  return pos_ != slab.size && take_line_end(slab);
}

// Where the look at an open comment goes on. A game's start may be split over two reads: it begins
// with the last bytes seen.
std::size_t Framer::comment_rest() const {
  return std::max(comment_begin_ + 1, comment_seen_ - std::min<std::size_t>(comment_seen_, 12));
}

bool Framer::scan_comment(Slab& slab) {
  if (!candidate_) {
    skip_plain(slab);
    if (state_ != State::comment) return true;
  }
  const char* text = slab.text.data();
  // One look for the end of the comment and for lines in it that a game may begin with.
  std::size_t close = candidate_ ? find_byte(text, comment_seen_, slab.size, '}') : comment_rest();
  while (!candidate_) {
    close = find_stop<'}', '\n', '\r'>(text, close, slab.size);
    if (close == slab.size || text[close] == '}') break;
    ++close;
    if (close < slab.size && text[close] == '[' && looks_like_game(text, close, slab.size)) {
      candidate_ = close;
      close = find_byte(text, close, slab.size, '}');
    }
  }
  const bool closed = close != slab.size;
  if (candidate_) {
    const std::size_t open = find_byte(text, std::max(candidate_, comment_seen_), close, '{');
    if (open < close || (closed ? close : slab.size) - candidate_ > kLostBraceReach) {
      lose_comment(slab);
      return true;
    }
  }
  if (closed) {
    close_comment(slab, close);
    return true;
  }
  comment_seen_ = slab.size;
  // At the end of the text as for one that closes: what is kept does not depend on reads.
  const bool long_so_far = slab.size - comment_begin_ > 2 * options_.long_comment_bytes;
  if (!candidate_ && (ended_ || long_so_far)) {
    std::size_t end = slab.size;
    elide_comment(slab, end);
    comment_seen_ = end;
  }
  pos_ = slab.size;
  return false;
}

// The comment ends with the "}" at `end`; the line goes on.
void Framer::close_comment(Slab& slab, std::size_t end) {
  elide_comment(slab, end);
  pos_ = end + 1;
  line_begin_ = pos_;
  candidate_ = 0;
  state_ = State::in_line;
}

// The comment has lost its brace: it ends where a game seems to start in it.
void Framer::lose_comment(Slab& slab) {
  std::size_t end = candidate_;
  elide_comment(slab, end);
  begin_frame(slab, end);
}

namespace {

// The NUL bytes `more` go the way of the text from `begin` to `end`, as do those that were left out
// in there before. Of one gap the first few are kept.
void merge_nuls(Slab& slab, std::uint32_t begin, std::uint32_t end, std::vector<ElidedNul>& more) {
  std::erase_if(slab.elided_nuls, [&](const ElidedNul& nul) {
    if (nul.at < begin || nul.at > end) return false;
    more.push_back(ElidedNul{begin, nul.offset, nul.line});
    return true;
  });
  std::sort(more.begin(), more.end(),
            [](const ElidedNul& x, const ElidedNul& y) { return x.offset < y.offset; });
  if (more.size() > kManyNuls) more.resize(kManyNuls);
  const auto behind = std::find_if(slab.elided_nuls.begin(), slab.elided_nuls.end(),
                                   [&](const ElidedNul& nul) { return nul.at > end; });
  for (auto nul = behind; nul != slab.elided_nuls.end(); ++nul) nul->at -= end - begin;
  slab.elided_nuls.insert(behind, more.begin(), more.end());
}

// Takes out the bytes begin .. end; positions from `end` on move down by the bytes taken.
std::size_t take_out(Slab& slab, std::size_t begin, std::size_t end) {
  char* text = slab.text.data();
  const auto find_gap = [&] {
    return std::lower_bound(slab.elisions.begin(), slab.elisions.end(), begin,
                            [](const Elision& e, std::size_t at) { return e.at < at; });
  };
  auto gap = find_gap();
  bool known = gap != slab.elisions.end() && gap->at == begin;
  // A CRLF is not torn apart: its two bytes are one line end.
  if (!known && begin > 0 && text[begin - 1] == '\r' && text[begin] == '\n') {
    ++begin;
    gap = find_gap();
    known = gap != slab.elisions.end() && gap->at == begin;
  }
  if (end > begin && text[end - 1] == '\r' && text[end] == '\n') --end;
  if (end <= begin) return 0;
  const auto at = static_cast<std::uint32_t>(begin);
  const auto stop = static_cast<std::uint32_t>(end);
  Locator locator(slab);
  const Location from = locator.locate(at);
  std::vector<ElidedNul> nuls;
  for (std::size_t i = find_byte(text, begin, end, '\0'); i != end && nuls.size() < kManyNuls;
       i = find_byte(text, i + 1, end, '\0')) {
    const Location where = locator.locate(static_cast<std::uint32_t>(i));
    nuls.push_back(ElidedNul{at, where.offset, where.line});
  }
  const Location to = locator.locate(stop);
  Elision all = known ? *gap : Elision{at, 0, 0, 0};
  all.bytes += to.offset - from.offset;
  all.lines += to.line - from.line;
  if (all.lines) {
    all.tail = to.line != from.line ? to.column - 1 : all.tail + (to.offset - from.offset);
  }
  // Gaps inside what is taken out become part of this one; those behind it move.
  const std::uint32_t n = stop - at;
  std::erase_if(slab.elisions, [&](const Elision& e) { return e.at >= at && e.at <= stop; });
  for (Elision& e : slab.elisions) {
    if (e.at > stop) e.at -= n;
  }
  slab.elisions.insert(find_gap(), all);
  merge_nuls(slab, at, stop, nuls);
  std::memmove(text + begin, text + end, slab.size - end);
  slab.size -= n;
  return n;
}

}  // namespace

// Takes the middle out of the comment when it is long; `end` is its end so far and moves along.
void Framer::elide_comment(Slab& slab, std::size_t& end) {
  const bool elided = !slab.elisions.empty() && slab.elisions.back().at > comment_begin_;
  const std::size_t length = end - comment_begin_;
  if (!elided && length <= options_.long_comment_bytes) return;
  const std::size_t begin = elided ? slab.elisions.back().at : comment_begin_ + kCommentHead;
  if (end < begin + kCommentTail) return;
  end -= take_out(slab, begin, end - kCommentTail);
  pad(slab);
}

// The frame that begins last is cut when what is scanned of it passes the limit: the bytes between
// are taken out as they come.
void Framer::cut_long_frame(Slab& slab) {
  Frame& frame = slab.frames.back();
  const std::size_t keep = frame.begin + options_.max_frame_bytes;
  std::size_t seen = state_ == State::comment ? comment_begin_ : pos_;
  if (state_ == State::in_line) {
    seen = std::max(std::min(line_begin_, pos_), pos_ - std::min(pos_, kMarkerReach));
  }
  if (ended_ && state_ != State::comment) seen = slab.size;
  if (seen <= keep) return;
  frame.too_long = true;
  const std::size_t n = take_out(slab, keep, seen);
  pos_ -= n;
  line_begin_ = line_begin_ >= seen ? line_begin_ - n : std::min(line_begin_, seen - n);
  comment_begin_ -= std::min(comment_begin_, n);
  comment_seen_ -= std::min(comment_seen_, n);
  if (candidate_) candidate_ -= n;
  pad(slab);
}

// A new frame begins at `at`, which is the start of a line; the scan goes on there.
void Framer::begin_frame(Slab& slab, std::size_t at) {
  Frame& before = slab.frames.back();
  const std::size_t keep = before.begin + options_.max_frame_bytes;
  if (at > keep) {
    before.too_long = true;
    at -= take_out(slab, keep, at);
    pad(slab);
  }
  if (at != before.begin) slab.frames.push_back(Frame{static_cast<std::uint32_t>(at), false});
  pos_ = line_begin_ = at;
  movetext_ = event_ = blank_before_ = marker_before_ = false;
  candidate_ = 0;
  state_ = State::line_start;
}

}  // namespace cuarbiter
