// Where the lexer puts the faults it finds: up to a number a game, so that text which is nothing
// but faults cannot fill the memory. Errors and warnings have a number each: no flood of warnings
// hides an error.
#pragma once

#include <cstdint>
#include <string_view>

#include "host/pgn/game_batch.hpp"

namespace cuarbiter {

class TextProblems {
 public:
  static constexpr std::uint32_t kMostOfAKind = 1000;

  explicit TextProblems(GameBatch& batch) : batch_(batch) {}

  // What follows belongs to game number `game` of the batch (its size for the game to come).
  void begin(std::uint32_t game) {
    game_ = game;
    told_[0] = told_[1] = 0;
  }
  // The same, but goes on counting.
  void belongs_to(std::uint32_t game) { game_ = game; }

  // With a message of its own; `at` is a slab position.
  void add(Severity severity, Code code, std::uint32_t at, std::string_view detail,
           std::uint32_t ply = 0);
  void add(Code code, std::uint32_t at, std::string_view detail, std::uint32_t ply = 0) {
    add(code_severity(code), code, at, detail, ply);
  }
  // About a piece of text, which the message will quote.
  void add_text(Severity severity, Code code, TextSpan text, std::uint32_t ply = 0);
  void add_text(Code code, TextSpan text, std::uint32_t ply = 0) {
    add_text(code_severity(code), code, text, ply);
  }

 private:
  // False when enough has been told of this game; then once that there is more.
  bool room(Severity severity, Code code, std::uint32_t at);
  TextProblem& append(Severity severity, Code code, std::uint32_t at, std::string_view detail);

  GameBatch& batch_;
  std::uint32_t game_ = 0;
  std::uint32_t told_[2] = {0, 0};  // by severity
};

}  // namespace cuarbiter
