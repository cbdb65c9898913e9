// A 128-bit count. Node counts pass 2^64 (perft(14) of the start position), on the device too, so
// this is plain arithmetic on two words: one body for every compiler, nothing but <cstdint>.
#pragma once

#include <cstdint>

namespace cuarbiter {

// The value hi * 2^64 + lo. An aggregate without initialisers, so that arrays of it stay trivial:
// `Uint128{}` is zero, `Uint128{n, 0}` is n.
struct Uint128 {
  std::uint64_t lo;
  std::uint64_t hi;

  friend constexpr bool operator==(const Uint128& a, const Uint128& b) {
    return a.lo == b.lo && a.hi == b.hi;
  }
  friend constexpr bool operator<(const Uint128& a, const Uint128& b) {
    return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo;
  }
  friend constexpr bool operator>(const Uint128& a, const Uint128& b) { return b < a; }
  friend constexpr bool operator<=(const Uint128& a, const Uint128& b) { return !(b < a); }
  friend constexpr bool operator>=(const Uint128& a, const Uint128& b) { return !(a < b); }

  constexpr bool is_zero() const { return (lo | hi) == 0; }
};

// The full product of two words.
constexpr Uint128 product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kLow = 0xffffffffu;
  const std::uint64_t a0 = a & kLow, a1 = a >> 32, b0 = b & kLow, b1 = b >> 32;
  const std::uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
  const std::uint64_t middle = (p00 >> 32) + (p01 & kLow) + (p10 & kLow);
  return Uint128{(p00 & kLow) | (middle << 32), p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32)};
}

// sum += value, modulo 2^128. Returns true when the sum passed 2^128.
constexpr bool add(Uint128& sum, const Uint128& value) {
  const std::uint64_t lo = sum.lo + value.lo;
  const std::uint64_t carry = lo < value.lo ? 1 : 0;
  const std::uint64_t hi = sum.hi + value.hi;
  const bool over = hi < value.hi || hi + carry < carry;
  sum.lo = lo;
  sum.hi = hi + carry;
  return over;
}
constexpr bool add(Uint128& sum, std::uint64_t value) {
  return add(sum, Uint128{value, 0});
}

// sum += a * b, modulo 2^128. Returns true when the sum passed 2^128.
constexpr bool add_product(Uint128& sum, std::uint64_t a, std::uint64_t b) {
  return add(sum, product(a, b));
}
// The same with a 128-bit factor. Returns true when the product or the sum passed 2^128.
constexpr bool add_product(Uint128& sum, const Uint128& a, std::uint64_t b) {
  const Uint128 high = product(a.hi, b);
  Uint128 value = product(a.lo, b);
  const bool over_middle = add(value, Uint128{0, high.lo});
  const bool over_sum = add(sum, value);
  return high.hi != 0 || over_middle || over_sum;
}

constexpr Uint128& operator+=(Uint128& sum, const Uint128& value) {
  add(sum, value);
  return sum;
}
constexpr Uint128 operator+(Uint128 a, const Uint128& b) {
  add(a, b);
  return a;
}

// The nearest double or one next to it, for speeds.
constexpr double to_double(const Uint128& value) {
  return static_cast<double>(value.hi) * 18446744073709551616.0 + static_cast<double>(value.lo);
}

}  // namespace cuarbiter
