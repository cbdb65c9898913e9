#include "cli/validate_duplicates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace cuarbiter {

std::string duplicate_message(const std::string& file_name, const SeenAt& first) {
  return fmt::format("the same moves between the same players as in {}:{}, game {}", file_name,
                     first.line, first.game);
}

bool Duplicates::find(ValidateJob& job) {
  if (job.batch.games.empty()) return false;
  const std::uint32_t file = job.slab.file;
  if (names_.size() <= file) names_.resize(std::size_t{file} + 1);
  if (names_[file].empty()) names_[file] = job.file;
  bool any = false;
  for (std::uint32_t g = 0; g < job.keys.size(); ++g) {
    const GameKey& key = job.keys[g];
    if (!key.known || !key.moves) continue;
    const SeenAt here{file, job.first_game + g, job.lines[g]};
    const std::optional<SeenAt> first = store_.insert(key.value.hi, key.value.lo, here);
    if (!first) continue;
    Finding finding;
    finding.code = Code::game_duplicate;
    finding.severity = code_severity(finding.code);
    finding.game = g;
    finding.at = job.batch.games[g].text.begin;
    finding.message = duplicate_message(names_[first->file], *first);
    finding.first = FirstSeen{first->file, first->game, first->line};
    job.findings.push_back(std::move(finding));
    any = true;
  }
  if (any) {
    std::stable_sort(job.findings.begin(), job.findings.end(),
                     [](const Finding& x, const Finding& y) {
                       return x.game != y.game ? x.game < y.game : x.at < y.at;
                     });
  }
  return any;
}

}  // namespace cuarbiter
