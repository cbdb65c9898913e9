// CSV rows (RFC 4180 section 2).
#include "host/report/csv.hpp"

#include <array>
#include <charconv>

namespace cuarbiter {
namespace {

// Marks the bytes that only stand inside quotes.
constexpr std::array<bool, 256> make_quoted() {
  std::array<bool, 256> quoted{};
  for (const unsigned char c : {',', '"', '\r', '\n'}) quoted[c] = true;
  return quoted;
}
constexpr std::array<bool, 256> kQuoted = make_quoted();

bool needs_quotes(std::string_view text) {
  if (text.empty()) return false;
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  bool quoted = blank(text.front()) || blank(text.back());
  for (const char c : text) quoted |= kQuoted[static_cast<unsigned char>(c)];
  return quoted;
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
