// JSON strings (RFC 8259 section 7), base64 (RFC 4648 section 4) and the object writer.
#include "host/report/json.hpp"

#include <charconv>
#include <cstring>

#include "host/report/utf8.hpp"

namespace cuarbiter {
namespace {

constexpr char kHex[] = "0123456789abcdef";

constexpr bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// True when one of eight bytes may need an escape; a false alarm is possible, a miss is not.
bool word_needs_escape(const char* bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u, kHigh = 0x8080808080808080u;
  std::uint64_t word;
  std::memcpy(&word, bytes, 8);
  const auto below = [](std::uint64_t w, std::uint64_t limit) {
    return (w - kOnes * limit) & ~w & kHigh;
  };
  return (below(word, 0x20) | below(word ^ (kOnes * '"'), 1) | below(word ^ (kOnes * '\\'), 1)) !=
         0;
}

// True when all of `text` is ASCII that needs no escape.
bool is_plain(std::string_view text) {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    if ((word & 0x8080808080808080u) != 0 || word_needs_escape(text.data() + at)) return false;
  }
  for (; at < text.size(); ++at) {
    if (needs_escape(text[at]) || static_cast<unsigned char>(text[at]) >= 0x80) return false;
  }
  return true;
}

// Length of the beginning of `text` that goes out as it is.
std::size_t plain_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at + 8 <= text.size() && !word_needs_escape(text.data() + at)) at += 8;
  while (at < text.size() && !needs_escape(text[at])) ++at;
  return at;
}

void append_escape(std::string& out, char c) {
  switch (c) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\b':
      out.append("\\b");
      return;
    case '\f':
      out.append("\\f");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  out.append("\\u00");
  out.push_back(kHex[byte >> 4]);
  out.push_back(kHex[byte & 15]);
}

void append_escaped(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t plain = plain_prefix(text);
    out.append(text.data(), plain);
    if (plain == text.size()) return;
    append_escape(out, text[plain]);
    text.remove_prefix(plain + 1);
  }
}

template <typename T>
void append_number(std::string& out, T value) {
  char digits[24];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, result.ptr);
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  append_escaped(out, text);
  out.push_back('"');
}

void append_base64(std::string& out, std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::size_t at = 0;
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u;
  };
  for (; at < bytes.size(); at += 3) {
    const std::uint32_t group = byte(0) << 16 | byte(1) << 8 | byte(2);
    const std::size_t left = bytes.size() - at;
    out.push_back(kDigits[group >> 18]);
    out.push_back(kDigits[(group >> 12) & 63]);
    out.push_back(left > 1 ? kDigits[(group >> 6) & 63] : '=');
    out.push_back(left > 2 ? kDigits[group & 63] : '=');
  }
}

JsonObject& JsonObject::string(std::string_view name, std::string_view value) {
  if (is_plain(value)) {
    key(name);
    out_.push_back('"');
    out_.append(value);
    out_.push_back('"');
  } else if (valid_utf8(value)) {
    key(name);
    append_json_string(out_, value);
  } else {
    key(name, "_base64");
    out_.push_back('"');
    append_base64(out_, value);
    out_.push_back('"');
  }
  return *this;
}

JsonObject& JsonObject::boolean(std::string_view name, bool value) {
  return raw(name, value ? "true" : "false");
}

JsonObject& JsonObject::null(std::string_view name) {
  return raw(name, "null");
}

JsonObject& JsonObject::raw(std::string_view name, std::string_view json) {
  key(name);
  out_.append(json);
  return *this;
}

JsonObject& JsonObject::open_array(std::string_view name) {
  key(name);
  out_.push_back('[');
  first_ = true;
  return *this;
}

JsonObject& JsonObject::open_object(std::string_view name) {
  key(name);
  out_.push_back('{');
  first_ = true;
  return *this;
}

JsonObject& JsonObject::string_item(std::string_view value) {
  comma();
  out_.push_back('"');
  while (!value.empty()) {
    std::size_t valid = 0;
    for (std::size_t step; (step = utf8_sequence(value.substr(valid))) != 0;) valid += step;
    append_escaped(out_, value.substr(0, valid));
    value.remove_prefix(valid);
    if (value.empty()) break;
    out_.append("\xef\xbf\xbd");
    value.remove_prefix(1);
  }
  out_.push_back('"');
  return *this;
}

JsonObject& JsonObject::raw_item(std::string_view json) {
  comma();
  out_.append(json);
  return *this;
}

JsonObject& JsonObject::open_object_item() {
  comma();
  out_.push_back('{');
  first_ = true;
  return *this;
}

JsonObject& JsonObject::close_array() {
  out_.push_back(']');
  first_ = false;
  return *this;
}

JsonObject& JsonObject::close_object() {
  out_.push_back('}');
  first_ = false;
  return *this;
}

void JsonObject::key(std::string_view name, std::string_view suffix) {
  // Most keys go out in one piece.
  constexpr std::size_t kPiece = 48;
  if (name.size() <= kPiece && suffix.empty()) {
    char piece[kPiece + 4];
    char* to = piece;
    if (!first_) *to++ = ',';
    first_ = false;
    *to++ = '"';
    std::memcpy(to, name.data(), name.size());
    to += name.size();
    *to++ = '"';
    *to++ = ':';
    out_.append(piece, static_cast<std::size_t>(to - piece));
    return;
  }
  comma();
  out_.push_back('"');
  out_.append(name);
  out_.append(suffix);
  out_.append("\":", 2);
}

void JsonObject::append_signed(std::int64_t value) {
  append_number(out_, value);
}
void JsonObject::append_unsigned(std::uint64_t value) {
  append_number(out_, value);
}

}  // namespace cuarbiter
