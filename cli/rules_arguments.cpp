// Rules flags and what they mean.
#include "cli/rules_arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"
#include "host/report/terminal.hpp"

namespace cuarbiter {

void add_rules_options(CLI::App& command, RulesTyped& typed) {
  command.add_option("--rules", typed.profile, "draw and end rules")
      ->type_name("fide|fide-2001|qq")
      ->group("Rules");
  command
      .add_option("--move-limit", typed.move_limit,
                  "moves without capture or pawn move in place of 50 (and 1.5 N of 75)")
      ->type_name("N")
      ->group("Rules");
}

RulesProfile meant(const RulesTyped& typed) {
  const std::optional<RulesProfile> profile = find_rules_profile(typed.profile);
  if (!profile) {
    std::string names;
    for (const RulesProfile& known : kRulesProfiles) {
      names += (names.empty() ? "" : ", ") + std::string(known.name);
    }
    throw UsageError(
        fmt::format("--rules: there is no profile \"{}\"; use {}", visible(typed.profile), names));
  }
  if (typed.move_limit.empty()) return *profile;
  return with_move_limit(*profile,
                         whole_number(typed.move_limit, "--move-limit", 1, kMostMoveLimit));
}

}  // namespace cuarbiter
