// Decimal text of 128-bit counts: three limbs of 19 decimal digits hold any of them.
#include "host/batch/uint128_text.hpp"

#include <charconv>

namespace cuarbiter {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kLimb = 10'000'000'000'000'000'000u;  // 10^19
constexpr int kLimbDigits = 19;

// All 19 digits, with leading zeros.
void append_limb(std::string& out, std::uint64_t limb) {
  char digits[kLimbDigits];
  for (int i = kLimbDigits - 1; i >= 0; --i, limb /= 10) {
    digits[i] = static_cast<char>('0' + limb % 10);
  }
  out.append(digits, kLimbDigits);
}

void append_word(std::string& out, std::uint64_t word) {
  char digits[20];
  const auto result = std::to_chars(digits, digits + sizeof digits, word);
  out.append(digits, result.ptr);
}

}  // namespace

void append_decimal(std::string& out, const Uint128& value) {
  Wide rest = (Wide{value.hi} << 64) | value.lo;
  const auto low = static_cast<std::uint64_t>(rest % kLimb);
  rest /= kLimb;
  if (rest == 0) return append_word(out, low);
  const auto middle = static_cast<std::uint64_t>(rest % kLimb);
  const auto high = static_cast<std::uint64_t>(rest / kLimb);
  if (high == 0) {
    append_word(out, middle);
  } else {
    append_word(out, high);
    append_limb(out, middle);
  }
  append_limb(out, low);
}

std::string to_string(const Uint128& value) {
  std::string out;
  append_decimal(out, value);
  return out;
}

std::optional<Uint128> parse_uint128(std::string_view text) {
  if (text.empty()) return std::nullopt;
  Uint128 value{};
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    Uint128 next{static_cast<std::uint64_t>(c - '0'), 0};
    if (add_product(next, value, 10)) return std::nullopt;
    value = next;
  }
  return value;
}

}  // namespace cuarbiter
