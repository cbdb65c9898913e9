// A recursive reader of JSON.
#include "host/report/json_read.hpp"

#include <charconv>

namespace cuarbiter {

// Every function leaves at_ behind what it took and returns false when the text is not JSON.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  bool document(JsonValue& value) {
    if (!read(value, 0)) return false;
    blanks();
    return at_ == text_.size();
  }

 private:
  using Kind = JsonValue::Kind;

  void blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char c) {
    if (next() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool read(JsonValue& value, unsigned depth) {
    if (depth > JsonValue::kMostDepth) return false;
    blanks();
    switch (next()) {
      case '{':
        value.kind_ = Kind::object;
        return object(value, depth);
      case '[':
        value.kind_ = Kind::array;
        return array(value, depth);
      case '"':
        value.kind_ = Kind::string;
        return string(value.text_);
      case 't':
      case 'f':
        value.kind_ = Kind::boolean;
        value.boolean_ = next() == 't';
        return take(value.boolean_ ? "true" : "false");
      case 'n':
        return take("null");
      default:
        value.kind_ = Kind::number;
        return number(value.text_);
    }
  }

  bool object(JsonValue& value, unsigned depth) {
    ++at_;
    blanks();
    if (take('}')) return true;
    for (;;) {
      blanks();
      std::string name;
      if (next() != '"' || !string(name) || value.find(name) != nullptr) return false;
      blanks();
      if (!take(':')) return false;
      value.members_.emplace_back(std::move(name), JsonValue());
      if (!read(value.members_.back().second, depth + 1)) return false;
      blanks();
      if (take('}')) return true;
      if (!take(',')) return false;
    }
  }

  bool array(JsonValue& value, unsigned depth) {
    ++at_;
    blanks();
    if (take(']')) return true;
    for (;;) {
      value.items_.emplace_back();
      if (!read(value.items_.back(), depth + 1)) return false;
      blanks();
      if (take(']')) return true;
      if (!take(',')) return false;
    }
  }

  bool digits(std::string& out) {
    const std::size_t start = at_;
    while (next() >= '0' && next() <= '9') out += text_[at_++];
    return at_ != start;
  }

  bool number(std::string& out) {
    if (take('-')) out += '-';
    const bool zero = next() == '0';
    const std::size_t start = at_;
    if (!digits(out) || (zero && at_ - start != 1)) return false;
    if (take('.')) {
      out += '.';
      if (!digits(out)) return false;
    }
    if (next() == 'e' || next() == 'E') {
      out += text_[at_++];
      if (next() == '+' || next() == '-') out += text_[at_++];
      if (!digits(out)) return false;
    }
    return true;
  }

  // Four hexadecimal digits.
  bool unit(unsigned& value) {
    const std::string_view hex = text_.substr(at_, 4);
    const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
    if (hex.size() != 4 || error != std::errc() || end != hex.data() + 4) return false;
    at_ += 4;
    return true;
  }

  static void append_utf8(std::string& out, unsigned c) {
    const auto tail = [&](unsigned shift) {
      out += static_cast<char>(0x80 | ((c >> shift) & 0x3f));
    };
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += static_cast<char>(0xc0 | (c >> 6));
      tail(0);
    } else if (c < 0x10000) {
      out += static_cast<char>(0xe0 | (c >> 12));
      tail(6);
      tail(0);
    } else {
      out += static_cast<char>(0xf0 | (c >> 18));
      tail(12);
      tail(6);
      tail(0);
    }
  }

  bool escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const char name = next();
    ++at_;
    if (name == 'u') {
      unsigned high = 0, low = 0;
      if (!unit(high)) return false;
      if (high >= 0xd800 && high < 0xdc00) {
        if (!take("\\u") || !unit(low) || low < 0xdc00 || low >= 0xe000) return false;
        high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
      } else if (high >= 0xdc00 && high < 0xe000) {
        return false;
      }
      append_utf8(out, high);
      return true;
    }
    const std::size_t which = kNames.find(name);
    if (which == std::string_view::npos) return false;
    out += kMeanings[which];
    return true;
  }

  bool string(std::string& out) {
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        out += c;
      } else if (at_ >= text_.size() || !escape(out)) {
        return false;
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<JsonValue> JsonValue::parse(std::string_view text) {
  JsonValue value;
  if (!JsonReader(text).document(value)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> JsonValue::integer() const {
  std::uint64_t value = 0;
  const char* const end = text_.data() + text_.size();
  if (kind_ != Kind::number) return std::nullopt;
  const auto [stop, error] = std::from_chars(text_.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

const JsonValue* JsonValue::find(std::string_view name) const {
  for (const auto& [key, value] : members_) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::optional<std::string> JsonValue::string(std::string_view name) const {
  const JsonValue* const value = find(name);
  if (value == nullptr || value->kind_ != Kind::string) return std::nullopt;
  return value->text_;
}

std::optional<std::uint64_t> JsonValue::integer(std::string_view name) const {
  const JsonValue* const value = find(name);
  return value == nullptr ? std::nullopt : value->integer();
}

std::optional<std::string> JsonValue::bytes(std::string_view name) const {
  if (auto text = string(name)) return text;
  const auto coded = string(std::string(name) + "_base64");
  return coded ? decoded_base64(*coded) : std::nullopt;
}

std::optional<std::string> decoded_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const bool last = at + 4 == text.size();
    const unsigned padding = !last ? 0 : text[at + 3] != '=' ? 0 : text[at + 2] != '=' ? 1 : 2;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      std::size_t digit = 0;
      if (i < 4 - padding) digit = kDigits.find(text[at + i]);
      if (digit == std::string_view::npos) return std::nullopt;
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
    }
    for (unsigned i = 0; i < 3 - padding; ++i) out += static_cast<char>(bits >> (16 - 8 * i) & 255);
  }
  return out;
}

}  // namespace cuarbiter
