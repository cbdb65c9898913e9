// The records of validate's parts (--shard), and of its checkpoints.
//
// A part has, for each piece of a file that the shard has, in order:
//   {"type":"piece","file":3,"name":"a.pgn","from":[0,0],"to":[70012,0]}
//   problems and, with --games, games, as in JSON Lines, but for "game", "line" and "offset", which
//   count from the piece's beginning, and a field "column" at the end of games
//   with --duplicates {"type":"key",...,"key":"…"} for each game that has one, with the same
//   numbers, where the problem would be that merge may make of it
//   with --format pgn {"type":"games","text":"…"}: what is written of the frame before it
//   with --report {"type":"players","white":"…","black":"…"} behind the first problems whose
//   positions the page may show, as many as it may show
//   {"type":"fault",...} where the file could not be read further
//   {"type":"piece_end","file":3,"lines":…,"ends_file":false,"totals":{…}}, with --report and a
//   field "kinds"
// "ends_file": no more of the file is read, though there may be more (UTF-16). "from" and "to" are
// the coded and text numbers of a TextPlace; "to" is null at a file's end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/file_pieces.hpp"
#include "cli/validate_job.hpp"
#include "host/report/json.hpp"
#include "host/report/json_read.hpp"

namespace cuarbiter {

// The field with which a game of a part ends.
inline constexpr std::string_view kPartColumn = "column";

// Fields of a part's head: "format" is there for parts that hold games, "report" for those that
// hold what --report needs.
inline constexpr const char* kPartFormat = "format";
inline constexpr const char* kPartReport = "report";

// Appends text of games, as records of a bounded length.
void append_part_games(std::string& out, std::string_view text);

// The field `name` with everything that totals hold.
void append_totals(JsonObject& object, std::string_view name, const ValidateTotals& totals);
// Reads it back; nothing when it is not there or not whole.
std::optional<ValidateTotals> read_totals(const JsonValue& record, std::string_view name);

// The same for what games are.
void append_kinds(JsonObject& object, std::string_view name, const GameKinds& kinds);
std::optional<GameKinds> read_kinds(const JsonValue& record, std::string_view name);

// Puts the records of pieces and faults between those of the jobs. Not thread-safe.
class PartRecords {
 public:
  // Keeps a reference to all pieces of the shard. `report`: with what the page needs.
  PartRecords(const std::vector<FilePiece>& pieces, bool report)
      : pieces_(pieces), for_report_(report) {}

  // Of a checkpoint: `opened` pieces have their head, the last of them is not ended unless
  // `ended`, and the totals and lines of that so far.
  struct State {
    std::size_t opened = 0;
    bool ended = true;
    std::uint64_t lines = 0;
    bool ends_file = false;
    ValidateTotals totals;
    GameKinds kinds;
    std::uint64_t players = 0;  // records of them
  };
  const State& state() const { return state_; }
  void restore(State state) { state_ = std::move(state); }

  // Takes the next job in order, its totals counted, and puts around its data what belongs there.
  void add(ValidateJob& job);
  // What is still missing when no job follows.
  std::string rest();

 private:
  void keep_first_players(std::string& data);
  void open_up_to(std::string& out, std::size_t piece);
  void end(std::string& out);

  const std::vector<FilePiece>& pieces_;
  bool for_report_;
  State state_;
};

}  // namespace cuarbiter
