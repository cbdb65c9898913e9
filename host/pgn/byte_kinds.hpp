// The kinds of byte that block masks tell apart, by two look-ups of sixteen entries: the kinds that
// a byte's upper half allows and those that its lower half allows have the byte's own in common.
#pragma once

#include <cstdint>

namespace cuarbiter {

enum ByteKind : std::uint8_t {
  kKindControl = 1,  // NUL, tab, line ends
  kKindBlank = 2,    // the space and !
  kKindQuery = 4,    // ?
  kKindDot = 8,
  kKindMark = 16,  // $ ( )
  kKindSemicolon = 32,
  kKindDigit = 64,
};
inline constexpr std::uint8_t kKindsOfStop = kKindMark | kKindSemicolon;
inline constexpr std::uint8_t kKindsOfGap =
    kKindControl | kKindBlank | kKindQuery | kKindDot | kKindsOfStop;

namespace detail {

struct KindTable {
  std::uint8_t kinds[16] = {};
};

constexpr KindTable make_upper_kinds() {
  KindTable table{};
  table.kinds[0x0] = kKindControl;
  table.kinds[0x2] = kKindBlank | kKindDot | kKindMark;
  table.kinds[0x3] = kKindQuery | kKindSemicolon | kKindDigit;
  return table;
}

constexpr KindTable make_lower_kinds() {
  KindTable table{};
  const auto add = [&table](unsigned first, unsigned last, unsigned kind) {
    for (unsigned i = first; i <= last; ++i)
      table.kinds[i] = static_cast<std::uint8_t>(table.kinds[i] | kind);
  };
  add(0x0, 0x0, kKindControl | kKindBlank);
  add(0x9, 0xD, kKindControl);
  add(0x1, 0x1, kKindBlank);
  add(0xF, 0xF, kKindQuery);
  add(0xE, 0xE, kKindDot);
  add(0x4, 0x4, kKindMark);
  add(0x8, 0x9, kKindMark);
  add(0xB, 0xB, kKindSemicolon);
  add(0x0, 0x9, kKindDigit);
  return table;
}

}  // namespace detail

inline constexpr detail::KindTable kUpperKinds = detail::make_upper_kinds();
inline constexpr detail::KindTable kLowerKinds = detail::make_lower_kinds();

}  // namespace cuarbiter
