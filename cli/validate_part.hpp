// The records of validate's parts (--shard), and of its checkpoints.
//
// A part has, for each piece of a file that the shard has, in order:
//   {"type":"piece","file":3,"name":"a.pgn","from":[0,0],"to":[70012,0]}
//   problems and, with --games, games, as in JSON Lines, but for "game", "line" and "offset", which
//   count from the piece's beginning, and a field "column" at the end of games
//   with --duplicates {"type":"key",...,"key":"…"} for each game that has one, with the same
//   numbers, where the problem would be that merge may make of it
//   {"type":"fault",...} where the file could not be read further
//   {"type":"piece_end","file":3,"lines":…,"ends_file":false,"totals":{…}}
// "ends_file": no more of the file is read, though there may be more (UTF-16). "from" and "to" are
// the coded and text numbers of a TextPlace; "to" is null at a file's end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/file_pieces.hpp"
#include "cli/validate_job.hpp"
#include "host/report/json.hpp"
#include "host/report/json_read.hpp"

namespace cuarbiter {

// The field with which a game of a part ends.
inline constexpr std::string_view kPartColumn = "column";

// The field `name` with everything that totals hold.
void append_totals(JsonObject& object, std::string_view name, const ValidateTotals& totals);
// Reads it back; nothing when it is not there or not whole.
std::optional<ValidateTotals> read_totals(const JsonValue& record, std::string_view name);

// Puts the records of pieces and faults between those of the jobs. Not thread-safe.
class PartRecords {
 public:
  // Keeps a reference to all pieces of the shard.
  explicit PartRecords(const std::vector<FilePiece>& pieces) : pieces_(pieces) {}

  // Of a checkpoint: `opened` pieces have their head, the last of them is not ended unless
  // `ended`, and the totals and lines of that so far.
  struct State {
    std::size_t opened = 0;
    bool ended = true;
    std::uint64_t lines = 0;
    bool ends_file = false;
    ValidateTotals totals;
  };
  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

  // Takes the next job in order, its totals counted, and puts around its data what belongs there.
  void add(ValidateJob& job);
  // What is still missing when no job follows.
  std::string rest();

 private:
  void open_up_to(std::string& out, std::size_t piece);
  void end(std::string& out);

  const std::vector<FilePiece>& pieces_;
  State state_;
};

}  // namespace cuarbiter
