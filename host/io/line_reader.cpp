// Lines out of big blocks: memchr finds the line ends, only the beginning of an unfinished line is
// ever moved.
#include "host/io/line_reader.hpp"

#include <algorithm>
#include <cstring>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;

bool is_nul(char c) {
  return c == '\0';
}

// True when more bytes are needed to tell how the text is encoded.
bool encoding_undecided(std::string_view first) {
  if (first.empty()) return true;
  const auto lead = static_cast<unsigned char>(first[0]);
  if (first.size() == 1) return lead != '\n';
  if (first.size() == 2) return lead == 0xef || is_nul(first[0]) != is_nul(first[1]);
  return first.size() == 3 && is_nul(first[0]) != is_nul(first[1]);
}

bool has_utf16_form(std::string_view first) {
  if (first.starts_with("\xff\xfe") || first.starts_with("\xfe\xff")) return true;
  return first.size() >= 4 && is_nul(first[0]) != is_nul(first[1]) &&
         is_nul(first[0]) == is_nul(first[2]) && is_nul(first[1]) == is_nul(first[3]);
}

}  // namespace

LineReader::LineReader(ByteSource& source, std::size_t max_line_bytes)
    : source_(source), max_line_bytes_(std::max<std::size_t>(max_line_bytes, 1)) {}

bool LineReader::next(Line& line) {
  start();
  if (skip_lf_) {
    skip_lf_ = false;
    if ((begin_ != end_ || fill()) && buffer_[begin_] == '\n') ++begin_;
  }
  searched_ = begin_;
  line = Line{};
  std::size_t stop = find_end();
  while (stop == end_ && end_ - begin_ <= max_line_bytes_) {
    searched_ = end_;
    const bool more = fill();
    stop = find_end();
    if (!more) break;
  }
  if (begin_ == end_) {
    if (fault_) std::rethrow_exception(fault_);
    return false;
  }
  line.number = ++number_;
  line.offset = buffer_offset_ + begin_;
  if (stop - begin_ > max_line_bytes_) {
    line.truncated = true;
    stop = skip_rest(stop);
  }
  line.terminated = stop != end_;
  const std::size_t length = std::min(stop - begin_, max_line_bytes_);
  line.text = std::string_view(buffer_.data() + begin_, length);
  begin_ = stop;
  if (!line.terminated) return true;
  const bool carriage_return = buffer_[begin_++] == '\r';
  if (carriage_return && begin_ == end_) {
    skip_lf_ = true;
  } else if (carriage_return && buffer_[begin_] == '\n') {
    ++begin_;
  }
  return true;
}

bool LineReader::looks_utf16() {
  start();
  return utf16_;
}

void LineReader::start() {
  if (started_) return;
  started_ = true;
  while (encoding_undecided({buffer_.data(), end_}) && fill()) {
  }
  const std::string_view first(buffer_.data(), end_);
  utf16_ = has_utf16_form(first);
  if (first.starts_with("\xef\xbb\xbf")) begin_ = 3;
}

// First LF or CR at or after searched_, or end_. The next LF is remembered, so that a block of many
// lines ended by CR alone is not searched for it again and again.
std::size_t LineReader::find_end() {
  const char* const bytes = buffer_.data();
  if (searched_ == end_) return end_;
  if (!next_lf_known_ || next_lf_ < searched_) {
    const void* lf = std::memchr(bytes + searched_, '\n', end_ - searched_);
    next_lf_ =
        lf != nullptr ? static_cast<std::size_t>(static_cast<const char*>(lf) - bytes) : end_;
    next_lf_known_ = true;
  }
  if (next_lf_ == searched_) return next_lf_;
  const void* cr = std::memchr(bytes + searched_, '\r', next_lf_ - searched_);
  return cr != nullptr ? static_cast<std::size_t>(static_cast<const char*>(cr) - bytes) : next_lf_;
}

// Reads more bytes behind those not given out yet, which move to the front when room runs out.
// False at the end of the input or when the source has failed.
bool LineReader::fill() {
  if (ended_) return false;
  if (begin_ == end_ || buffer_.size() - end_ < kBlock) move_to_front();
  if (buffer_.size() - end_ < kBlock) {
    buffer_.resize(std::min(std::max(2 * buffer_.size(), end_ + 2 * kBlock),
                            std::max(max_line_bytes_, end_) + 2 * kBlock));
  }
  std::size_t got = 0;
  try {
    got = source_.read(std::span(buffer_).subspan(end_));
  } catch (const IoError&) {
    fault_ = std::current_exception();
  }
  if (next_lf_known_ && next_lf_ == end_) next_lf_known_ = false;
  end_ += got;
  ended_ = got == 0;
  return got != 0;
}

void LineReader::move_to_front() {
  if (begin_ == 0) return;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  buffer_offset_ += begin_;
  end_ -= begin_;
  searched_ -= begin_;
  if (next_lf_known_) {
    next_lf_known_ = next_lf_ >= begin_;
    next_lf_ -= next_lf_known_ ? begin_ : 0;
  }
  begin_ = 0;
}

// Drops the bytes of a too long line behind its first max_line_bytes_, which stay at begin_. Takes
// and returns the line's end as find_end() gives it; offsets of later bytes stay right.
std::size_t LineReader::skip_rest(std::size_t stop) {
  while (stop == end_) {
    const std::size_t kept_end = begin_ + max_line_bytes_;
    const std::size_t dropped = end_ - kept_end;
    end_ = searched_ = kept_end;
    buffer_offset_ += dropped;
    next_lf_known_ = false;
    if (!fill()) return end_;
    stop = find_end();
  }
  return stop;
}

}  // namespace cuarbiter
