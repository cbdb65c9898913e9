// A reader for small JSON documents (RFC 8259) in test data. Not for untrusted text: what is wrong
// throws.
#pragma once

#include <cctype>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuarbiter::test {

class Json {
 public:
  enum class Kind { null, boolean, number, string, array, object };

  static Json parse(std::string_view text) {
    Reader reader{text, 0};
    Json value = reader.value();
    reader.blanks();
    if (reader.at != text.size()) throw std::runtime_error("JSON: text behind the value");
    return value;
  }

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::null; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }
  bool is_string() const { return kind_ == Kind::string; }
  bool boolean() const { return need(Kind::boolean), boolean_; }
  double number() const { return need(Kind::number), number_; }
  const std::string& string() const { return need(Kind::string), string_; }
  const std::vector<Json>& items() const { return need(Kind::array), items_; }
  const std::vector<std::pair<std::string, Json>>& members() const {
    return need(Kind::object), members_;
  }
  // The member of that name, or null.
  const Json* find(std::string_view name) const {
    for (const auto& [key, value] : members_) {
      if (key == name) return &value;
    }
    return nullptr;
  }
  const Json& at(std::string_view name) const {
    const Json* value = find(name);
    if (!value) throw std::runtime_error("JSON: no member " + std::string(name));
    return *value;
  }

 private:
  void need(Kind kind) const {
    if (kind_ != kind) throw std::runtime_error("JSON: a value of another kind");
  }

  struct Reader {
    std::string_view text;
    std::size_t at;

    [[noreturn]] void fail() const {
      throw std::runtime_error("JSON: cannot be read at byte " + std::to_string(at));
    }
    void blanks() {
      while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != text.npos) ++at;
    }
    char peek() {
      blanks();
      if (at == text.size()) fail();
      return text[at];
    }
    void expect(char c) {
      if (peek() != c) fail();
      ++at;
    }
    bool take(std::string_view word) {
      if (text.substr(at, word.size()) != word) return false;
      at += word.size();
      return true;
    }

    Json value() {
      Json out;
      const char c = peek();
      if (c == '{') {
        out.kind_ = Kind::object;
        ++at;
        while (peek() != '}') {
          if (!out.members_.empty()) expect(',');
          peek();
          std::string key = string();
          expect(':');
          out.members_.emplace_back(std::move(key), value());
        }
        ++at;
      } else if (c == '[') {
        out.kind_ = Kind::array;
        ++at;
        while (peek() != ']') {
          if (!out.items_.empty()) expect(',');
          out.items_.push_back(value());
        }
        ++at;
      } else if (c == '"') {
        out.kind_ = Kind::string;
        out.string_ = string();
      } else if (take("null")) {
        out.kind_ = Kind::null;
      } else if (take("true") || take("false")) {
        out.kind_ = Kind::boolean;
        out.boolean_ = text[at - 2] == 'u';
      } else {
        out.kind_ = Kind::number;
        std::size_t end = at;
        while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) ||
                                     std::string_view("+-.eE").find(text[end]) != text.npos)) {
          ++end;
        }
        if (end == at) fail();
        out.number_ = std::strtod(std::string(text.substr(at, end - at)).c_str(), nullptr);
        at = end;
      }
      return out;
    }

    unsigned hex() {
      unsigned value = 0;
      for (int i = 0; i < 4; ++i, ++at) {
        if (at == text.size()) fail();
        const char c = text[at];
        const char lower = static_cast<char>(c | 32);
        if (c >= '0' && c <= '9') {
          value = value * 16 + static_cast<unsigned>(c - '0');
        } else if (lower >= 'a' && lower <= 'f') {
          value = value * 16 + static_cast<unsigned>(lower - 'a') + 10;
        } else {
          fail();
        }
      }
      return value;
    }

    static void append_utf8(std::string& out, unsigned code) {
      const auto byte = [&](unsigned b) { out += static_cast<char>(b); };
      if (code < 0x80) {
        byte(code);
      } else if (code < 0x800) {
        byte(0xC0 | (code >> 6));
        byte(0x80 | (code & 63));
      } else if (code < 0x10000) {
        byte(0xE0 | (code >> 12));
        byte(0x80 | ((code >> 6) & 63));
        byte(0x80 | (code & 63));
      } else {
        byte(0xF0 | (code >> 18));
        byte(0x80 | ((code >> 12) & 63));
        byte(0x80 | ((code >> 6) & 63));
        byte(0x80 | (code & 63));
      }
    }

    std::string string() {
      if (at == text.size() || text[at] != '"') fail();
      ++at;
      std::string out;
      for (;;) {
        if (at == text.size()) fail();
        const char c = text[at++];
        if (c == '"') return out;
        if (c != '\\') {
          out += c;
          continue;
        }
        if (at == text.size()) fail();
        const char escape = text[at++];
        constexpr std::string_view kFrom = "\"\\/bfnrt";
        constexpr std::string_view kTo = "\"\\/\b\f\n\r\t";
        if (escape == 'u') {
          unsigned code = hex();
          if (code >= 0xD800 && code < 0xDC00 && take("\\u")) {
            code = 0x10000 + ((code - 0xD800) << 10) + (hex() - 0xDC00);
          }
          append_utf8(out, code);
        } else if (kFrom.find(escape) != kFrom.npos) {
          out += kTo[kFrom.find(escape)];
        } else {
          fail();
        }
      }
    }
  };

  Kind kind_ = Kind::null;
  bool boolean_ = false;
  double number_ = 0;
  std::string string_;
  std::vector<Json> items_;
  std::vector<std::pair<std::string, Json>> members_;
};

}  // namespace cuarbiter::test
