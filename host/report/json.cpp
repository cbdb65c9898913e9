// JSON strings (RFC 8259 section 7), base64 (RFC 4648 section 4) and the object writer.
#include "host/report/json.hpp"

#include <charconv>
#include <cstring>

#include "host/report/utf8.hpp"

namespace cuarbiter {
namespace {

constexpr char kHex[] = "0123456789abcdef";
constexpr std::size_t kNumber = 20;  // digits or sign of any integer

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

// Length of the beginning of `text` that goes out as it is.
std::size_t plain_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at + 8 <= text.size() && !word_needs_escape(text.data() + at)) at += 8;
  while (at < text.size() && !needs_escape(text[at])) ++at;
  return at;
}

// The escape of a character that needs one.
struct Escape {
  char text[6];
  std::uint8_t length;
};
Escape escape_of(char c) {
  const auto two = [](char second) { return Escape{{'\\', second}, 2}; };
  switch (c) {
    case '"':
    case '\\':
      return two(c);
    case '\b':
      return two('b');
    case '\f':
      return two('f');
    case '\n':
      return two('n');
    case '\r':
      return two('r');
    case '\t':
      return two('t');
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  return Escape{{'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]}, 6};
}

// Calls put(bytes) for the pieces of `text` with its escapes.
template <class Put>
void for_each_escaped(std::string_view text, Put&& put) {
  for (;;) {
    const std::size_t plain = plain_prefix(text);
    put(text.substr(0, plain));
    if (plain == text.size()) return;
    const Escape escape = escape_of(text[plain]);
    put(std::string_view(escape.text, escape.length));
    text.remove_prefix(plain + 1);
  }
}

}  // namespace

bool is_plain_json(std::string_view text) {
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

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  for_each_escaped(text, [&](std::string_view bytes) { out.append(bytes); });
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
  if (is_plain_json(value)) {
    key(name);
    return quoted(value);
  }
  const bool utf8 = valid_utf8(value);
  key(name, utf8 ? std::string_view() : "_base64");
  *to_++ = '"';
  if (utf8) {
    escaped(value);
  } else {
    flush();
    append_base64(out_, value);
  }
  make_room();
  *to_++ = '"';
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
  copy(json);
  return *this;
}

JsonObject& JsonObject::open_array(std::string_view name) {
  key(name);
  return open('[');
}

JsonObject& JsonObject::open_object(std::string_view name) {
  key(name);
  return open('{');
}

JsonObject& JsonObject::string_item(std::string_view value) {
  comma();
  *to_++ = '"';
  while (!value.empty()) {
    std::size_t valid = 0;
    for (std::size_t step; (step = utf8_sequence(value.substr(valid))) != 0;) valid += step;
    escaped(value.substr(0, valid));
    value.remove_prefix(valid);
    if (value.empty()) break;
    copy("\xef\xbf\xbd");
    value.remove_prefix(1);
  }
  make_room();
  *to_++ = '"';
  return *this;
}

JsonObject& JsonObject::raw_item(std::string_view json) {
  comma();
  copy(json);
  return *this;
}

void JsonObject::escaped(std::string_view text) {
  for_each_escaped(text, [&](std::string_view bytes) { copy(bytes); });
}

void JsonObject::copy_past(std::string_view text) {
  flush();
  if (text.size() > kPiece / 2) {
    out_.append(text);
    return;
  }
  std::memcpy(to_, text.data(), text.size());
  to_ += text.size();
}

void JsonObject::key(std::string_view name, std::string_view suffix) {
  comma();
  *to_++ = '"';
  copy(name);
  copy(suffix);
  make_room();
  *to_++ = '"';
  *to_++ = ':';
}

void JsonObject::append_signed(std::int64_t value) {
  to_ = std::to_chars(to_, to_ + kNumber, value).ptr;
}
void JsonObject::append_unsigned(std::uint64_t value) {
  to_ = std::to_chars(to_, to_ + kNumber, value).ptr;
}

}  // namespace cuarbiter
