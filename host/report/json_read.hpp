// JSON (RFC 8259) read back: one small document, such as a line of JSON Lines, into a tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuarbiter {

// A value. Copyable; owns everything below it.
class JsonValue {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  // Reads a whole document; nothing when the text is not JSON, nests deeper than kMostDepth, or
  // names a member of one object twice. Text is taken as it is: bytes are not checked for UTF-8.
  static std::optional<JsonValue> parse(std::string_view text);
  static constexpr unsigned kMostDepth = 32;

  Kind kind() const { return kind_; }
  bool is_object() const { return kind_ == Kind::object; }
  // The text of a string, the digits of a number as they were written; empty for other kinds.
  const std::string& text() const { return text_; }
  bool boolean() const { return boolean_; }
  // A number that is a whole one below 2^64.
  std::optional<std::uint64_t> integer() const;
  // Elements of an array, members of an object in their order; empty for other kinds.
  const std::vector<JsonValue>& items() const { return items_; }
  const std::vector<std::pair<std::string, JsonValue>>& members() const { return members_; }

  // The member of that name; null when there is none or this is no object.
  const JsonValue* find(std::string_view name) const;
  // The text of the string member of that name; nothing when there is none.
  std::optional<std::string> string(std::string_view name) const;
  std::optional<std::uint64_t> integer(std::string_view name) const;
  // The text of that name as JsonObject::string() wrote it: the string member, or what the member
  // NAME_base64 stands for; nothing when there is neither.
  std::optional<std::string> bytes(std::string_view name) const;

 private:
  friend class JsonReader;

  Kind kind_ = Kind::null;
  bool boolean_ = false;
  std::string text_;
  std::vector<JsonValue> items_;
  std::vector<std::pair<std::string, JsonValue>> members_;
};

// What base64 (RFC 4648, with padding) stands for; nothing when the text is no such thing.
std::optional<std::string> decoded_base64(std::string_view text);

}  // namespace cuarbiter
