// A run over archives as one HTML page: counts, files, and the first faulty positions on boards.
// The page holds everything it needs: no scripts, nothing is loaded from anywhere.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/report/diagnostic.hpp"

namespace cuarbiter {

// What a file, or the run, adds up to.
struct ReportRow {
  std::string name;
  std::string fault;  // why it could not be read (further); empty: it could
  std::uint64_t games = 0, plies = 0, bytes = 0;
  std::uint64_t games_with_errors = 0, errors = 0, warnings = 0;
};

// How often something occurred, by its name.
class NameCounts {
 public:
  void add(std::string_view name, std::uint64_t count = 1);
  void add(const NameCounts& other);
  void clear() { counts_.clear(); }

  struct Count {
    std::string name;
    std::uint64_t count;
  };
  // In the order of first occurrence, and the most frequent first (by name where equal).
  const std::vector<Count>& counts() const { return counts_; }
  std::vector<Count> sorted() const;

 private:
  std::vector<Count> counts_;
};

// A problem with the position it occurred in. All text may hold any byte.
struct ReportPosition {
  std::string file;
  std::uint64_t game = 0, line = 0;
  std::uint32_t ply = 0;
  std::string white, black;  // the players
  std::string move;          // as written
  std::string fen;           // before the move
  Severity severity{};
  Code code{};
  std::string message;
};

struct ArchiveReport {
  ReportRow total;
  std::uint64_t files = 0;      // all of them
  std::vector<ReportRow> rows;  // the first ones
  std::array<std::uint64_t, kCodeCount> codes{};
  NameCounts results, ends, draws;  // of the games: result, state at the end, why drawn
  std::vector<ReportPosition> positions;
  std::string rules;              // name of the profile
  std::optional<double> seconds;  // the run took, where that is known
  std::string made_at;            // date and time
  bool stopped = false;           // before the end of the input
};

// Appends the whole page, UTF-8. Text from the input is escaped; control characters, characters
// that reverse the direction of writing and bytes that are not UTF-8 are shown as \xNN.
// Thread-safe.
void append_html_report(std::string& out, const ArchiveReport& report);

}  // namespace cuarbiter
