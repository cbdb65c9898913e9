// Diagnostics as text.
#include "cli/messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

void append_severity(std::string& out, bool is_error, bool color) {
  append_colored(out, is_error ? TextColor::red : TextColor::yellow,
                 is_error ? "error:" : "warning:", color);
  out += ' ';
}

}  // namespace

void say(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void append_located(std::string& out, std::string_view file, std::uint64_t line,
                    std::uint64_t column, bool is_error, std::string_view message,
                    std::string_view code, bool color) {
  append_visible(out, file);
  fmt::format_to(std::back_inserter(out), ":{}:{}: ", line, column);
  append_severity(out, is_error, color);
  append_visible(out, message);
  if (!code.empty()) fmt::format_to(std::back_inserter(out), " [{}]", code);
  out += '\n';
}

void append_error(std::string& out, std::string_view message, bool color) {
  out += "cuarbiter: ";
  append_severity(out, true, color);
  append_visible(out, message);
  out += '\n';
}

}  // namespace cuarbiter
