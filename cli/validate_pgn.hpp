// validate --format pgn: the games of each slab in export format, those that --keep asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/game_run.hpp"
#include "cli/validate_command.hpp"
#include "host/pgn/export_writer.hpp"

namespace cuarbiter {

// Thread-safe: workers share one. Keeps references.
class ValidatePgn {
 public:
  ValidatePgn(const ValidateArguments& arguments, const GameRun& run, Backend& backend)
      : arguments_(arguments), run_(run), backend_(backend) {}

  // Adds a finding for each comment whose middle is not in the slab: the game cannot be written
  // whole.
  static void find_left_out(GameJob& job);

  // Appends the first `games` games of a judged job, in so far as they are wanted, and with --keep
  // all the text that belongs to no game. Returns the number of games written.
  std::uint64_t write(std::string& out, const GameJob& job, std::uint64_t games) const;

 private:
  friend class ValidatePgnFrames;

  std::vector<bool> wanted(const GameJob& job) const;
  bool is_faulty(const Finding& finding) const;
  void look_again(const GameJob& job, std::vector<bool>& faulty) const;

  const ValidateArguments& arguments_;
  const GameRun& run_;
  Backend& backend_;
};

// The same frame by frame. Keeps references.
class ValidatePgnFrames {
 public:
  ValidatePgnFrames(const ValidatePgn& pgn, const GameJob& job);

  bool done() const { return frame_ >= job_.slab.frames.size(); }
  // Slab position at which the next frame begins.
  std::uint32_t position() const { return job_.slab.frames[frame_].begin; }
  // Appends what is wanted of the next frame, in so far as it belongs to the first `games` games of
  // the job. Returns the number of games written.
  std::uint64_t write(std::string& out, std::uint64_t games = UINT64_MAX);

 private:
  const GameJob& job_;
  bool all_;
  std::vector<bool> keep_;  // of the games, unless all are
  ExportWriter writer_;
  std::size_t frame_ = 0;
  std::uint32_t game_ = 0;  // the first that is not in a frame before
};

}  // namespace cuarbiter
