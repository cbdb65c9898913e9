// Amounts of memory as people write them, such as 512M, 1.5GiB or 80%.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cuarbiter {

// Bytes from a decimal number and a unit. No unit or B: bytes. K, M, G, T and KiB, MiB, GiB, TiB:
// powers of 1024; KB, MB, GB, TB: powers of 1000; case does not matter. Nothing when the text is no
// such amount, is 0, or is 2^63 bytes or more.
std::optional<std::uint64_t> parse_size(std::string_view text);

// "80%": 1 to 100. Nothing when the text is no such share.
std::optional<unsigned> parse_percent(std::string_view text);

// "1.5 GiB", "512 MiB", "17 B".
std::string size_text(std::uint64_t bytes);

}  // namespace cuarbiter
