// Roots for perft: positions gathered into large calls of the backend, answers in input order.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/perft_command.hpp"
#include "cli/progress.hpp"
#include "host/backend.hpp"
#include "host/notation/epd.hpp"

namespace cuarbiter {

// Positions a call of Backend::perft gets at most.
inline constexpr std::size_t kRootsPerCall = 65536;

// What is known of one root.
struct PerftRoot {
  Position position;
  std::uint64_t line = 1;
  std::string fen;  // the normal form
  std::uint32_t halfmove_clock = 0;
  std::uint32_t fullmove_number = 1;
  bool black = false;
  bool chess960 = false;  // castling in UCI is written king takes rook
};

PerftRoot make_root(const FenResult& fen, std::uint64_t line, bool chess960);

// The children of a root by the UCI moves that lead to them, sorted by move.
std::vector<std::pair<std::string, Position>> children(const PerftRoot& root);

// Counts on a backend, with progress, and adds up nodes and time. Not thread-safe.
class PerftCounter {
 public:
  PerftCounter(Backend& backend, const PerftArguments& arguments);

  // nodes[i] belongs to roots[i]; any number of roots.
  void count(std::span<const Position> roots, unsigned depth, std::span<Uint128> nodes);
  // The same with the statistics of the leaf moves.
  void count(std::span<const Position> roots, unsigned depth, std::span<PerftStats> stats);

  // Says on standard error, unless --quiet, how much was counted and how fast.
  void report() const;

 private:
  using Clock = std::chrono::steady_clock;

  // Calls call(first, count, options) for parts of the roots.
  template <class F>
  void in_calls(std::span<const Position> roots, unsigned depth, F&& call);

  // Adds what a root has to the nodes of the run, which stop at 2^128 - 1.
  void sum_up(const Uint128& nodes);

  // What a call will count, where it is worth an estimate; then how far it is.
  void expect(std::span<const Position> roots, unsigned depth);
  void show(double so_far);

  Backend& backend_;
  const PerftArguments& arguments_;
  Progress progress_;
  Uint128 nodes_{};
  double seconds_ = 0;
  double expected_ = 0;  // of the call at hand; 0: not known
  std::optional<std::pair<Clock::time_point, double>>
      first_;  // when it showed nodes, and the share
};

}  // namespace cuarbiter
