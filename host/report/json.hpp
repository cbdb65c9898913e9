// JSON (RFC 8259) written onto a string: fields in the order of the calls, no memory but the
// string's own. One object a line makes JSON Lines.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace cuarbiter {

// Appends `text` as a JSON string with its quotes. It must be valid UTF-8.
void append_json_string(std::string& out, std::string_view text);

// True when all of `text` is ASCII that a JSON string takes as it is.
bool is_plain_json(std::string_view text);

// Appends base64 (RFC 4648, with padding), no quotes.
void append_base64(std::string& out, std::string_view bytes);

// An object being appended to `out`, which must outlive it and not be touched meanwhile: the text
// is put together here and reaches `out` in pieces, the last with the end.
//   JsonObject(out).string("type", "perft").integer("line", 1).end_line();
// Field names are our own ASCII words that need no escaping; those known when compiling are the
// quicker ones. open_array() and open_object() nest to any depth; each needs its close. Nothing is
// checked: the calls are the grammar.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { *to_++ = '{'; }
  JsonObject(const JsonObject&) = delete;
  JsonObject& operator=(const JsonObject&) = delete;

  // Text that is not valid UTF-8 is written as base64 in a field called NAME_base64.
  JsonObject& string(std::string_view name, std::string_view value);
  template <std::size_t N>
  JsonObject& string(const char (&name)[N], std::string_view value) {
    return is_plain_json(value) ? plain(name, value) : string(std::string_view(name, N - 1), value);
  }
  // The same for text that is known to be ASCII without quotes, backslashes and control characters.
  template <std::size_t N>
  JsonObject& plain(const char (&name)[N], std::string_view value) {
    key(name);
    return quoted(value);
  }
  // The same, made for text of 32 to 96 bytes, as lines of positions are: six times sixteen cover
  // that without a branch on how long it is.
  template <std::size_t N>
  JsonObject& plain_line(const char (&name)[N], std::string_view value) {
    const std::size_t size = value.size();
    if (size < 32 || size > 96) return plain(name, value);
    key(name);
    make_room();
    *to_++ = '"';
    const std::size_t third = size < 48 ? size - 16 : 32, fourth = size < 48 ? 0 : size - 48;
    for (const std::size_t at :
         {std::size_t{0}, std::size_t{16}, third, fourth, size - 32, size - 16}) {
      std::memcpy(to_ + at, value.data() + at, 16);
    }
    to_ += size;
    *to_++ = '"';
    return *this;
  }
  template <std::size_t N, std::integral T>
  requires(!std::same_as<T, bool>) JsonObject& integer(const char (&name)[N], T value) {
    key(name);
    return append_integer(value);
  }
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonObject& integer(std::string_view name, T value) {
    key(name);
    return append_integer(value);
  }
  template <std::size_t N>
  JsonObject& boolean(const char (&name)[N], bool value) {
    key(name);
    return value ? literal("true") : literal("false");
  }
  JsonObject& boolean(std::string_view name, bool value);
  JsonObject& null(std::string_view name);
  // `json` is a complete JSON value.
  JsonObject& raw(std::string_view name, std::string_view json);
  // `json` is what another object wrote between its braces: one field or more.
  JsonObject& fields(std::string_view json) {
    comma();
    copy(json);
    return *this;
  }

  template <std::size_t N>
  JsonObject& open_array(const char (&name)[N]) {
    key(name);
    return open('[');
  }
  JsonObject& open_array(std::string_view name);
  template <std::size_t N>
  JsonObject& open_object(const char (&name)[N]) {
    key(name);
    return open('{');
  }
  JsonObject& open_object(std::string_view name);
  // Elements of the open array. string_item: bytes that are not UTF-8 become U+FFFD, as an element
  // has no name to change.
  JsonObject& string_item(std::string_view value);
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonObject& integer_item(T value) {
    comma();
    return append_integer(value);
  }
  JsonObject& raw_item(std::string_view json);
  JsonObject& open_object_item() {
    comma();
    return open('{');
  }
  JsonObject& close_array() { return close(']'); }
  JsonObject& close_object() { return close('}'); }

  // Closes the outermost object; end_line() also ends the line.
  void end() {
    make_room();
    *to_++ = '}';
    flush();
  }
  void end_line() {
    make_room();
    *to_++ = '}';
    *to_++ = '\n';
    flush();
  }

 private:
  // After make_room() there is room for kRoom bytes: a name, a number and what stands around them.
  static constexpr std::size_t kPiece = 1024;
  static constexpr std::size_t kRoom = 128;
  static constexpr std::size_t kLongestName = 64;

  void flush() {
    out_.append(piece_, static_cast<std::size_t>(to_ - piece_));
    to_ = piece_;
  }
  void make_room() {
    if (to_ > piece_ + (kPiece - kRoom)) flush();
  }
  // Copies any number of bytes; leaves no room behind them but for a byte or two.
  void copy(std::string_view text) {
    if (text.size() > static_cast<std::size_t>(piece_ + (kPiece - 4) - to_)) {
      copy_past(text);
      return;
    }
    to_ += text.copy(to_, text.size());
  }
  void copy_past(std::string_view text);

  void comma() {
    make_room();
    *to_ = ',';
    to_ += first_ ? 0 : 1;
    first_ = false;
  }
  template <std::size_t N>
  void key(const char (&name)[N]) {
    static_assert(N - 1 <= kLongestName);
    comma();
    *to_++ = '"';
    std::memcpy(to_, name, N - 1);
    to_ += N - 1;
    *to_++ = '"';
    *to_++ = ':';
  }
  void key(std::string_view name, std::string_view suffix = {});
  JsonObject& quoted(std::string_view value) {
    *to_++ = '"';
    copy(value);
    *to_++ = '"';
    return *this;
  }
  // Behind a key.
  template <std::size_t N>
  JsonObject& literal(const char (&value)[N]) {
    static_assert(N <= 8);
    std::memcpy(to_, value, N - 1);
    to_ += N - 1;
    return *this;
  }
  JsonObject& open(char bracket) {
    *to_++ = bracket;
    first_ = true;
    return *this;
  }
  JsonObject& close(char bracket) {
    make_room();
    *to_++ = bracket;
    first_ = false;
    return *this;
  }
  void escaped(std::string_view text);

  template <std::integral T>
  JsonObject& append_integer(T value) {
    if constexpr (std::signed_integral<T>) {
      if (value < 0) {
        append_signed(static_cast<std::int64_t>(value));
        return *this;
      }
    }
    const auto number = static_cast<std::uint64_t>(value);
    if (number < 10) {
      *to_++ = static_cast<char>('0' + number);
    } else if (number < 100) {
      *to_++ = static_cast<char>('0' + number / 10);
      *to_++ = static_cast<char>('0' + number % 10);
    } else {
      append_unsigned(number);
    }
    return *this;
  }
  void append_signed(std::int64_t value);
  void append_unsigned(std::uint64_t value);

  std::string& out_;
  bool first_ = true;
  char* to_ = piece_;
  char piece_[kPiece];
};

}  // namespace cuarbiter
