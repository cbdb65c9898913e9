// A short digest of a run's input, to tell one input from another by accident mixed up: no defence
// against anyone who wants to deceive. FNV-1a with 64 bits, mixed at the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cuarbiter {

class Digest {
 public:
  // Pieces are told apart: "ab" and "c" is not "a" and "bc".
  void add(std::string_view piece) {
    for (const char c : piece) byte(static_cast<unsigned char>(c));
    add(static_cast<std::uint64_t>(piece.size()));
  }
  void add(std::uint64_t value) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
      byte(static_cast<unsigned char>(value >> shift));
    }
  }

  // 16 hexadecimal digits.
  std::string text() const {
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93u;
    mixed = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93u;
    mixed ^= mixed >> 32;
    std::string out;
    for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[(mixed >> shift) & 15];
    return out;
  }

 private:
  void byte(unsigned char value) { state_ = (state_ ^ value) * 0x100000001b3u; }

  std::uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace cuarbiter
