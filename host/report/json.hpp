// JSON (RFC 8259) written straight onto a string: fields in the order of the calls, no memory but
// the string's own. One object a line makes JSON Lines.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace cuarbiter {

// Appends `text` as a JSON string with its quotes. It must be valid UTF-8.
void append_json_string(std::string& out, std::string_view text);

// Appends base64 (RFC 4648, with padding), no quotes.
void append_base64(std::string& out, std::string_view bytes);

// An object being appended to `out`, which must outlive it and not be touched meanwhile:
//   JsonObject(out).string("type", "perft").integer("line", 1).end_line();
// Field names are our own ASCII words that need no escaping. open_array() and open_object() nest to
// any depth; each needs its close. Nothing is checked: the calls are the grammar.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_.push_back('{'); }

  // Text that is not valid UTF-8 is written as base64 in a field called NAME_base64.
  JsonObject& string(std::string_view name, std::string_view value);
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonObject& integer(std::string_view name, T value) {
    key(name);
    return append_integer(value);
  }
  JsonObject& boolean(std::string_view name, bool value);
  JsonObject& null(std::string_view name);
  // `json` is a complete JSON value.
  JsonObject& raw(std::string_view name, std::string_view json);

  JsonObject& open_array(std::string_view name);
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
  JsonObject& open_object_item();
  JsonObject& close_array();
  JsonObject& close_object();

  // Closes the outermost object; end_line() also ends the line.
  void end() { out_.push_back('}'); }
  void end_line() { out_.append("}\n", 2); }

 private:
  void comma() {
    if (!first_) out_.push_back(',');
    first_ = false;
  }
  void key(std::string_view name, std::string_view suffix = {});
  template <std::integral T>
  JsonObject& append_integer(T value) {
    if constexpr (std::signed_integral<T>) {
      append_signed(static_cast<std::int64_t>(value));
    } else {
      append_unsigned(static_cast<std::uint64_t>(value));
    }
    return *this;
  }
  void append_signed(std::int64_t value);
  void append_unsigned(std::uint64_t value);

  std::string& out_;
  bool first_ = true;
};

}  // namespace cuarbiter
