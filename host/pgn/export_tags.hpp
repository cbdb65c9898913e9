// The tag pairs of one game in export format (PGN standard 8.1): the seven tag roster first, then
// the others by their names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/pgn/repair.hpp"
#include "host/pgn/tag_pair.hpp"

namespace cuarbiter {

// What is known of a game beyond its tags, for their repair.
struct TagFacts {
  StatedResult result;
  const ReplayStart* start = nullptr;    // null when the game was not replayed
  const GameVerdict* verdict = nullptr;  // the same
  std::uint32_t fullmove_number = 1;     // of the first move
};

// One object serves game after game.
class ExportTags {
 public:
  void clear() { used_ = 0; }
  // Takes a pair as read_tag_pair gave it.
  void add(const TagPair& tag);
  // Sets the Result, fills in what the roster lacks and puts the pairs in their order.
  void arrange(const StatedResult& result);
  // Repairs what has one right answer; to be called before arrange(). Repeated pairs of the same
  // value go; the date, FEN, SetUp, PlyCount and the encoding are put right.
  void repair(const TagFacts& facts);
  // Appends the pairs, a line each.
  void write(std::string& out) const;

 private:
  struct Entry {
    std::string name, value;
    std::size_t rank = 0;  // in the roster; behind it for all others
  };

  Entry& append(std::string_view name, std::string_view value);
  Entry* find(std::string_view name);
  void repair_start(const TagFacts& facts);
  void drop_repeated();

  std::vector<Entry> entries_;  // the first used_ of them
  std::size_t used_ = 0;
  std::vector<std::uint32_t> order_;
};

}  // namespace cuarbiter
