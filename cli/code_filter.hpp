// Which codes a run is about: --only and --ignore.
#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "host/pgn/judge.hpp"
#include "host/report/diagnostic.hpp"

namespace cuarbiter {

// Lets through the codes named by --only (all without it) but for those named by --ignore. What it
// holds back is neither reported nor counted and makes no game faulty.
class CodeFilter {
 public:
  CodeFilter() { wanted_.set(); }
  // Each text is a code ("san.case"), a group ("san" or "san.*"), or several with commas between
  // them. Throws UsageError where a name is not known or nothing would be left.
  CodeFilter(const std::vector<std::string>& only, const std::vector<std::string>& ignore);

  bool wants(Code code) const { return wanted_[static_cast<std::size_t>(code)]; }
  // Takes out what it does not let through.
  void apply(std::vector<Finding>& findings) const;

 private:
  std::bitset<kCodeCount> wanted_;
};

}  // namespace cuarbiter
