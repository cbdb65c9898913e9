// Reading and writing amounts of memory.
#include "cli/size_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace cuarbiter {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The number of bytes a unit stands for; 0 when it is none.
double unit_bytes(std::string_view unit) {
  std::string text;
  for (const char c : unit) text.push_back(lower(c));
  if (text.empty() || text == "b") return 1;
  constexpr std::string_view kLetters = "kmgt";
  const std::size_t power = kLetters.find(text[0]);
  if (power == std::string_view::npos) return 0;
  const std::string_view rest = std::string_view(text).substr(1);
  if (rest.empty() || rest == "ib") return std::pow(1024.0, static_cast<double>(power + 1));
  if (rest == "b") return std::pow(1000.0, static_cast<double>(power + 1));
  return 0;
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  if (text.empty() || ((text[0] < '0' || text[0] > '9') && text[0] != '.')) return std::nullopt;
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  const auto used = static_cast<std::size_t>(end - text.data());
  const double bytes = std::floor(number * unit_bytes(text.substr(used)));
  if (!(bytes >= 1.0) || bytes >= 9223372036854775808.0) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

std::optional<unsigned> parse_percent(std::string_view text) {
  if (text.size() < 2 || text.back() != '%') return std::nullopt;
  text.remove_suffix(1);
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < 1 || value > 100) return std::nullopt;
  return value;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 7> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < kUnits.size()) {
    value /= 1024.0;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes);
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace cuarbiter
