// The tag pair section of a game: which tags the reading depends on, and what may be wrong with
// them (PGN standard 8.1, 9.7; the Variant tag as Lichess, ChessBase and others write it).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "host/pgn/game_batch.hpp"
#include "host/pgn/slab.hpp"
#include "host/pgn/tag_pair.hpp"
#include "host/pgn/text_problems.hpp"

namespace cuarbiter {

// Collects the tags of one game and turns them into its record. One object serves game after game.
class TagSection {
 public:
  explicit TagSection(const Slab& slab) : slab_(slab) {}

  void clear();
  bool empty() const { return names_.empty() && !faulty_; }
  // Takes one pair, as read_tag_pair gave it, that began at slab position `at`. Faults of the pair
  // itself and duplicates are reported at once.
  void add(const TagPair& tag, std::uint32_t at, TextProblems& problems);

  // All tags are read: fills the record (Result, start position, variant), sets `start` for the
  // replay, reports what is missing or contradictory. `at` is where the game begins.
  void finish(std::uint32_t at, bool chess960, GameRecord& game, TextProblems& problems,
              ReplayStart& start);

 private:
  struct Value {
    TextSpan span;
    std::uint32_t at = 0;  // of the tag
    bool escaped = false;
    bool there = false;
  };

  std::string_view text(const Value& value) const;
  void take(Value& value, const TagPair& tag, std::uint32_t at);
  void check_roster(std::uint32_t at, TextProblems& problems) const;
  void read_start(bool chess960, GameRecord& game, TextProblems& problems, ReplayStart& start);

  bool given_before(std::string_view name);

  const Slab& slab_;
  std::vector<std::string_view> names_;
  std::uint64_t name_marks_ = 0;  // a bit for each of names_, by a hash
  bool faulty_ = false;
  std::uint32_t roster_ = 0;  // bits of the seven tag roster seen
  Value result_, fen_, setup_, variant_, termination_, termination_details_, ply_count_, date_;
  Value white_, black_;
};

}  // namespace cuarbiter
