// Movetext on lines of less than 80 characters (PGN standard 8.2.1): as many words on a line as
// there is room for, one space between them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cuarbiter {

class LineFiller {
 public:
  static constexpr std::size_t kWidth = 79;  // characters of a line at most; a longer word is alone

  // Appends to `out`, which must outlive it, from the start of a line.
  explicit LineFiller(std::string& out) : out_(out) {}

  bool empty() const { return column_ == 0 && word_.empty(); }

  // The next word, not empty. One that begins with "%" stays on the line of the word before, since
  // at a line's start it would be an escape.
  void put(std::string_view word);
  // A word in front of which nothing but "(" stands on the line of a parenthesis just opened.
  void open() { opened_ += '('; }
  // Behind the last word. False without a word since open(): there is no parenthesis at all then.
  bool close();
  // Ends the last line, if there is one.
  void finish();

 private:
  void flush();

  std::string& out_;
  std::string word_;    // the last word, not yet on its line
  std::string opened_;  // parentheses in front of the next one
  std::size_t column_ = 0;
};

// The number of characters: of UTF-8, or of bytes where the text is not valid UTF-8.
std::size_t character_count(std::string_view text);

}  // namespace cuarbiter
