// CSV rows (RFC 4180 section 2).
#include "host/report/csv.hpp"

#include <charconv>

namespace cuarbiter {
namespace {

bool needs_quotes(std::string_view text) {
  if (text.empty()) return false;
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  return blank(text.front()) || blank(text.back()) ||
         text.find_first_of(",\"\r\n") != std::string_view::npos;
}

template <typename T>
void append_number(std::string& out, T value) {
  char digits[24];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, result.ptr);
}

}  // namespace

CsvRow& CsvRow::field(std::string_view text) {
  separator();
  if (!needs_quotes(text)) {
    out_.append(text);
    return *this;
  }
  out_.push_back('"');
  for (std::size_t quote; (quote = text.find('"')) != std::string_view::npos;) {
    out_.append(text.substr(0, quote));
    out_.append("\"\"");
    text.remove_prefix(quote + 1);
  }
  out_.append(text);
  out_.push_back('"');
  return *this;
}

void CsvRow::end() {
  if (fields_ == 1 && out_.size() == start_) out_.append("\"\"");
  out_.push_back('\n');
}

void CsvRow::append_signed(std::int64_t value) {
  append_number(out_, value);
}
void CsvRow::append_unsigned(std::uint64_t value) {
  append_number(out_, value);
}

}  // namespace cuarbiter
