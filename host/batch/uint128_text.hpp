// Decimal text of 128-bit counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/batch/uint128.hpp"

namespace cuarbiter {

// Appends the value in decimal, without sign, leading zeros or separators (at most 39 digits).
void append_decimal(std::string& out, const Uint128& value);

std::string to_string(const Uint128& value);

// Reads a decimal number: digits only, one at least, leading zeros allowed. Nothing when `text` has
// anything else or the value is 2^128 or more.
std::optional<Uint128> parse_uint128(std::string_view text);

}  // namespace cuarbiter
