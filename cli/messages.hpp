// What the program says on standard error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cuarbiter {

// Writes to standard error at once, past any buffer. A failure to do so is passed over.
void say(std::string_view text);

// Appends "FILE:LINE:COLUMN: error: MESSAGE [CODE]" and a line end. Untrusted text is made harmless
// for a terminal. An empty code is left out.
void append_located(std::string& out, std::string_view file, std::uint64_t line,
                    std::uint64_t column, bool is_error, std::string_view message,
                    std::string_view code, bool color);

// Appends "cuarbiter: error: MESSAGE" and a line end.
void append_error(std::string& out, std::string_view message, bool color);

}  // namespace cuarbiter
