// Another engine's perft, by the Universal Chess Interface (UCI, 2006) and the `go perft` that many
// engines add to it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/batch/uint128.hpp"
#include "host/io/child_process.hpp"
#include "host/io/error.hpp"

namespace cuarbiter {

// The engine cannot be started, has died, does not answer or does not know `go perft`: the message
// names it and what it said last. Exit status 3.
class EngineError : public IoError {
 public:
  using IoError::IoError;
};

// What an engine said to `go perft`.
struct EngineDivide {
  std::vector<std::pair<std::string, Uint128>> moves;  // sorted by move; repetitions are kept
  std::optional<Uint128> total;                        // what it gave as the sum
};

// Takes what a line of output tells: a move and its count ("e2e4: 20", "info string 1. e2e4 - 20"),
// or the sum ("Nodes searched: 400", "Total: 400"). False for any other line.
bool take_divide_line(std::string_view line, EngineDivide& divide);

// Not thread-safe. Every call throws EngineError.
class UciEngine {
 public:
  // Starts `command` by the shell and makes sure that it knows `go perft`. An answer to a perft may
  // take up to `patience`.
  UciEngine(const std::string& command, std::chrono::seconds patience);
  ~UciEngine();

  const std::string& name() const { return name_; }

  // Castling as king takes rook from now on, or not.
  void set_chess960(bool chess960);

  // Its perft of `depth` plies (at least 1) below the position reached from `fen` by `moves`.
  EngineDivide perft(const std::string& fen, const std::vector<std::string>& moves, unsigned depth);

 private:
  using Clock = std::chrono::steady_clock;

  void send(const std::string& line);
  // The next line; false after a silence up to `deadline`.
  bool receive(std::string& line, Clock::time_point deadline);
  void wait_for(std::string_view word);
  EngineDivide ask(const std::string& position, unsigned depth, Clock::time_point deadline);
  [[noreturn]] void fail(const std::string& what);

  std::string name_;
  std::chrono::seconds patience_;
  ChildProcess process_;
  std::string last_line_;
  bool knows_chess960_ = false;
  bool chess960_ = false;
  bool tells_total_ = false;
};

}  // namespace cuarbiter
