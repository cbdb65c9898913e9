// Names of codes and of groups of codes to a set of codes.
#include "cli/code_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/arguments.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {
namespace {

using CodeSet = std::bitset<kCodeCount>;

// The codes of one name: a code's own, or the part before the dot, with or without ".*".
CodeSet codes_named(std::string_view name) {
  CodeSet found;
  std::string_view group = name;
  if (group.ends_with(".*")) group.remove_suffix(2);
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    const std::string_view code = code_name(static_cast<Code>(i));
    if (code == name || code.substr(0, code.find('.')) == group) found.set(i);
  }
  return found;
}

CodeSet codes_of(const std::vector<std::string>& texts, const char* flag) {
  CodeSet codes;
  for (const std::string& text : texts) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      const std::string_view name = std::string_view(text).substr(at, comma - at);
      const CodeSet found = codes_named(name);
      if (found.none()) {
        throw UsageError(
            fmt::format("{}: there is no code \"{}\"; \"cuarbiter codes\" lists them all", flag,
                        visible(name)));
      }
      codes |= found;
      at = comma + 1;
    }
  }
  return codes;
}

}  // namespace

CodeFilter::CodeFilter(const std::vector<std::string>& only,
                       const std::vector<std::string>& ignore) {
  wanted_.set();
  if (!only.empty()) wanted_ = codes_of(only, "--only");
  wanted_ &= ~codes_of(ignore, "--ignore");
  if (wanted_.none()) throw UsageError("--only and --ignore leave no code to look for");
}

void CodeFilter::apply(std::vector<Finding>& findings) const {
  if (wanted_.all()) return;
  std::erase_if(findings, [&](const Finding& f) { return !wants(f.code); });
}

}  // namespace cuarbiter
