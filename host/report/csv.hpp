// Comma-separated rows after RFC 4180, written straight onto a string. Two choices the RFC leaves
// or that practice has made: rows end in LF alone, and bytes go out as they came in, whatever their
// encoding.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace cuarbiter {

// A row being appended to `out`, which must outlive it and not be touched meanwhile:
//   CsvRow(out).field("perft").field(1).end();
class CsvRow {
 public:
  explicit CsvRow(std::string& out) : out_(out), start_(out.size()) {}

  // Quoted when it holds a comma, a quote, a line end, or blanks at an end.
  CsvRow& field(std::string_view text);
  CsvRow& field(const char* text) { return field(std::string_view(text)); }
  CsvRow& field(bool value) { return field(std::string_view(value ? "true" : "false")); }
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>) CsvRow& field(T value) {
    separator();
    if constexpr (std::signed_integral<T>) {
      append_signed(static_cast<std::int64_t>(value));
    } else {
      append_unsigned(static_cast<std::uint64_t>(value));
    }
    return *this;
  }
  CsvRow& empty() { return field(std::string_view()); }

  // Ends the row. A row whose only field is empty is written as "" so that it is not a blank line.
  void end();

 private:
  void separator() {
    if (fields_++ != 0) out_.push_back(',');
  }
  void append_signed(std::int64_t value);
  void append_unsigned(std::uint64_t value);

  std::string& out_;
  std::size_t start_;
  std::size_t fields_ = 0;
};

}  // namespace cuarbiter
