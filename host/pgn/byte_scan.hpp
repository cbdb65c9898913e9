// The next of a few bytes in a text, and where they stand in a block of 64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "host/pgn/bytes16.hpp"

namespace cuarbiter {

// The first byte in [p, end) that is one of Bytes, or `end`. Reads nothing outside.
template <char... Bytes>
inline const char* find_any(const char* p, const char* end) {
  for (; end - p >= 16; p += 16) {
    const unsigned hit = first_hit(Bytes16(p).any_of<Bytes...>());
    if (hit != 16) return p + hit;
  }
  while (p != end && !((*p == Bytes) || ...)) ++p;
  return p;
}

// The position of the first `byte` at or after `at`, or `end`.
inline std::size_t find_byte(const char* text, std::size_t at, std::size_t end, char byte) {
  const void* found = at < end ? std::memchr(text + at, byte, end - at) : nullptr;
  return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text) : end;
}

inline constexpr unsigned kBlockBytes = 64;

// Sixty-four bytes of text. A mask has a bit for each of them, the first one's lowest.
class Block64 {
 public:
  explicit Block64(const char* p) : a_(p), b_(p + 16), c_(p + 32), d_(p + 48) {}

  template <char... Bytes>
  std::uint64_t any() const {
    return mask([](const Bytes16& x) { return x.any_of<Bytes...>(); });
  }
  std::uint64_t within(char first, char last) const {
    return mask([=](const Bytes16& x) { return x.within(first, last); });
  }
  std::uint64_t words() const {
    return mask([](const Bytes16& x) { return x.words(); });
  }
  std::uint64_t beyond_ascii() const {
    return mask([](const Bytes16& x) { return x.beyond_ascii(); });
  }

 private:
  template <class F>
  std::uint64_t mask(F&& hits) const {
    return mask_of(hits(a_), hits(b_), hits(c_), hits(d_));
  }

  Bytes16 a_, b_, c_, d_;
};

// Bit i of the result is the parity of bits 0 .. i.
inline std::uint64_t prefix_parity(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

}  // namespace cuarbiter
