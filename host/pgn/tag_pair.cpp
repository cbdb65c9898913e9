#include "host/pgn/tag_pair.hpp"

#include "host/pgn/char_class.hpp"

namespace cuarbiter {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

bool is_name_character(char c) {
  return is_char(c, kCharTagName);
}

const char* skip_blanks(const char* p, const char* end) {
  while (p != end && is_blank(*p)) ++p;
  return p;
}

std::string_view between(const char* from, const char* to) {
  return {from, static_cast<std::size_t>(to - from)};
}

std::string_view trimmed(const char* from, const char* to) {
  while (from != to && is_blank(*from)) ++from;
  while (to != from && is_blank(to[-1])) --to;
  return between(from, to);
}

}  // namespace

bool at_tag_pair(const char* p, const char* end) {
  if (p == end || *p != '[') return false;
  p = skip_blanks(p + 1, end);
  return p != end && is_name_character(*p) && *p != '-' && *p != '+' && *p != '#' && *p != '=' &&
         *p != ':';
}

TagPair read_tag_pair(const char* p, const char* end) {
  TagPair tag;
  p = skip_blanks(p + 1, end);
  const char* name = p;
  while (p != end && is_name_character(*p)) ++p;
  tag.name = between(name, p);
  p = skip_blanks(p, end);
  if (p == end || *p != '"') {
    // No opening quote: the value runs to the bracket that closes the line's pair.
    const char* value = p;
    while (p != end && *p != ']' && !is_line_end(*p)) ++p;
    tag.value = trimmed(value, p);
    if (!tag.value.empty() && tag.value.back() == '"') tag.value.remove_suffix(1);
    const bool closed = p != end && *p == ']';
    tag.fault = closed ? TagFault::syntax : TagFault::unterminated;
    tag.next = closed ? p + 1 : p;
    return tag;
  }
  const char* value = ++p;
  for (;; ++p) {
    while (p != end && !is_char(*p, kCharStopsTag)) ++p;
    if (p == end || *p != '\\') break;
    tag.escaped = true;
    if (p + 1 != end && (p[1] == '"' || p[1] == '\\')) {
      ++p;
    } else {
      tag.bad_escape = true;
    }
  }
  if (p == end || is_line_end(*p)) {
    // No closing quote on this line: leave out the bracket if the line ends with one.
    const char* stop = p;
    while (stop != value && is_blank(stop[-1])) --stop;
    if (stop != value && stop[-1] == ']') --stop;
    tag.value = trimmed(value, stop);
    tag.fault = TagFault::unterminated;
    tag.next = p;
    return tag;
  }
  tag.value = between(value, p);
  p = skip_blanks(p + 1, end);
  if (p != end && *p == ']') {
    tag.next = p + 1;
    return tag;
  }
  if (p == end || is_line_end(*p)) {
    tag.fault = TagFault::unterminated;
    tag.next = p;
    return tag;
  }
  // A quote inside the value that should have been escaped, or stray text: the last quote before
  // the line's last bracket ends the value.
  const char* stop = p;
  while (stop != end && !is_line_end(*stop)) ++stop;
  const char* bracket = stop;
  while (bracket != p && bracket[-1] != ']') --bracket;
  tag.fault = TagFault::syntax;
  tag.next = stop;
  if (bracket != p) {
    const char* quote = bracket - 1;
    while (quote != p && quote[-1] != '"') --quote;
    if (quote != p) tag.value = between(value, quote - 1);
    tag.next = bracket;
  }
  return tag;
}

std::string unescape_tag_value(std::string_view value) {
  std::string out;
  out.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size() && (value[i + 1] == '"' || value[i + 1] == '\\')) {
      ++i;
    }
    out.push_back(value[i]);
  }
  return out;
}

}  // namespace cuarbiter
