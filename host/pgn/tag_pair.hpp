// One tag pair of the tag pair section (PGN standard 8.1): [Name "value"].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/pgn/text_scan.hpp"

namespace cuarbiter {

enum class TagFault : std::uint8_t {
  none,
  syntax,        // no quotes around the value, no value, or text between the value and the bracket
  unterminated,  // the quote or the bracket never closes on this line
};

struct TagPair {
  std::string_view name;       // letters, digits, underscores; may be empty with a fault
  std::string_view value;      // as written: escapes are still in it
  const char* next = nullptr;  // first byte after the pair, or the line's end with a fault
  TagFault fault = TagFault::none;
  bool escaped = false;     // the value holds a backslash
  bool bad_escape = false;  // a backslash before something other than a quote or a backslash
};

// True when a tag pair seems to begin at p: a bracket and a letter, a digit or an underscore,
// blanks allowed between. A bracket before anything else is not a tag pair ("[%clk").
bool at_tag_pair(const char* p, const char* end);

// Reads the pair that begins at p (where at_tag_pair holds). Never goes past the line that p is in.
// A faulty pair still gives the best reading of its name and value.
TagPair read_tag_pair(const char* p, const char* end);

// The pair of the usual form that begins at p.
inline TagPair usual_tag_pair(const char* p, UsualTag usual) {
  TagPair tag;
  tag.name = {p + 1, usual.open - std::size_t{2}};
  tag.value = {p + usual.open + 1, usual.close - usual.open - std::size_t{1}};
  tag.next = p + usual.close + 2;
  return tag;
}

// The value with its escapes resolved (PGN standard 7); an undefined escape keeps its backslash.
std::string unescape_tag_value(std::string_view value);

}  // namespace cuarbiter
