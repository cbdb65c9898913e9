#include "host/pgn/line_filler.hpp"

#include <algorithm>

#include "host/report/utf8.hpp"

namespace cuarbiter {

std::size_t character_count(std::string_view text) {
  const std::size_t plain = ascii_prefix(text);
  if (plain == text.size() || !valid_utf8(text)) return text.size();
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

void LineFiller::flush() {
  if (word_.empty()) return;
  const std::size_t width = character_count(word_);
  if (column_ != 0) {
    const bool fits = column_ + 1 + width <= kWidth;
    out_ += fits ? ' ' : '\n';
    column_ = fits ? column_ + 1 : 0;
  }
  out_ += word_;
  column_ += width;
  word_.clear();
}

void LineFiller::put(std::string_view word) {
  if (word.front() == '%' && opened_.empty() && !word_.empty()) {
    word_ += ' ';
  } else {
    flush();
  }
  if (!opened_.empty()) {
    word_ += opened_;
    opened_.clear();
  }
  word_ += word;
}

bool LineFiller::close() {
  if (!opened_.empty()) {
    opened_.pop_back();
    return false;
  }
  word_ += ')';
  return true;
}

void LineFiller::finish() {
  flush();
  if (column_ != 0) out_ += '\n';
  column_ = 0;
}

}  // namespace cuarbiter
