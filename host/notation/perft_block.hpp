// The block form of perft suites:
//
//   id gentest-1
//   epd rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
//   perft 1 20
//   perft 2 400
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/notation/epd.hpp"

namespace cuarbiter {

struct PerftBlock {
  std::string id;          // empty when none was given
  std::string position;    // FEN or EPD, to be read by read_position_line
  std::uint64_t line = 0;  // where the position stands, as the caller counts
  unsigned column = 1;     // of the position in that line, 1-based
  std::vector<PerftCount> counts;
};

// Takes lines one by one and gives whole blocks back. Not thread safe.
class PerftBlockReader {
 public:
  enum class Line {
    taken,       // belongs to a block, or is blank or a comment
    other_form,  // does not start with id, epd, fen or perft
    broken,      // a perft line that cannot be read, or one before any position
  };

  // True when the line starts with one of the words of this form.
  static bool starts_like_block(std::string_view line);

  // Reads one line without its line end. `number` is the caller's line number.
  Line read(std::string_view line, std::uint64_t number);

  // The input has ended: the last block is complete.
  void finish();

  // True when a complete block waits. take() hands it out; call it after each read() and finish().
  bool ready() const { return ready_; }
  PerftBlock take() {
    ready_ = false;
    return std::exchange(done_, PerftBlock{});
  }

 private:
  void close();

  PerftBlock open_;
  PerftBlock done_;
  bool ready_ = false;
};

}  // namespace cuarbiter
