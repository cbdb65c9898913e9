// validate --format pgn: the games of each slab in export format, those that --keep asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/game_run.hpp"
#include "cli/validate_command.hpp"

namespace cuarbiter {

// Thread-safe: workers share one. Keeps references.
class ValidatePgn {
 public:
  ValidatePgn(const ValidateArguments& arguments, const GameRun& run, Backend& backend)
      : arguments_(arguments), run_(run), backend_(backend) {}

  // Adds a finding for each comment whose middle is not in the slab: the game cannot be written
  // whole.
  static void find_left_out(GameJob& job);

  // Appends the first `games` games of a judged job, in so far as they are wanted, to its data, and
  // with --keep all the text that belongs to no game. Returns the number of games written.
  std::uint64_t write(GameJob& job, std::uint64_t games) const;

 private:
  std::vector<bool> wanted(const GameJob& job) const;
  bool is_faulty(const Finding& finding) const;
  void look_again(const GameJob& job, std::vector<bool>& faulty) const;

  const ValidateArguments& arguments_;
  const GameRun& run_;
  Backend& backend_;
};

}  // namespace cuarbiter
