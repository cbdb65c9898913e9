// The flags that choose the rules: --rules and --move-limit.
#pragma once

#include <string>

#include "host/batch/rules_profile.hpp"

namespace CLI {
class App;
}

namespace cuarbiter {

struct RulesTyped {
  std::string profile = "fide";
  std::string move_limit;
};

void add_rules_options(CLI::App& command, RulesTyped& typed);

// Throws UsageError.
RulesProfile meant(const RulesTyped& typed);

}  // namespace cuarbiter
