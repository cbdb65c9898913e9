// Walking down to the first difference.
#include "cli/perft_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "host/batch/uint128_text.hpp"
#include "host/notation/fen.hpp"

namespace cuarbiter {
namespace {

using Counts = std::vector<std::pair<std::string, Uint128>>;  // sorted by move

// Our counts below each move.
Counts divide(PerftCounter& counter, const PerftRoot& root, unsigned depth) {
  const auto moves = children(root);
  std::vector<Position> rows;
  for (const auto& move : moves) rows.push_back(move.second);
  std::vector<Uint128> nodes(rows.size(), Uint128{1, 0});
  if (depth > 1 && !rows.empty()) counter.count(rows, depth - 1, nodes);
  Counts out;
  for (std::size_t i = 0; i < moves.size(); ++i) out.emplace_back(moves[i].first, nodes[i]);
  return out;
}

Uint128 sum(const Counts& counts) {
  Uint128 total{};
  for (const auto& count : counts) total += count.second;
  return total;
}

std::vector<std::string> names(const Counts& counts) {
  std::vector<std::string> out;
  for (const auto& count : counts) out.push_back(count.first);
  return out;
}

std::vector<std::string> without(const std::vector<std::string>& from,
                                 const std::vector<std::string>& what) {
  std::vector<std::string> out;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::back_inserter(out));
  return out;
}

bool capture_or_pawn_move(const Position& before, const Position& after) {
  const auto men = [](const Position& p) { return p.a | p.b | p.c; };
  const auto pawns = [](const Position& p) { return p.a & ~p.b & ~p.c; };
  return std::popcount(men(before)) != std::popcount(men(after)) ||
         pawns(before) != pawns(flipped(after));
}

// Makes the child the root. The FEN's counters go on as in a game.
void descend(PerftRoot& root, const Position& child) {
  root.halfmove_clock = capture_or_pawn_move(root.position, child) ? 0 : root.halfmove_clock + 1;
  if (root.black) ++root.fullmove_number;
  root.black = !root.black;
  root.position = child;
}

std::string fen_of(const PerftRoot& root) {
  return write_fen(root.position, root.black ? Color::black : Color::white, root.halfmove_clock,
                   root.fullmove_number);
}

}  // namespace

PerftComparison compare_perft(PerftCounter& counter, UciEngine& engine, const PerftRoot& root,
                              unsigned depth) {
  PerftComparison result;
  engine.set_chess960(root.chess960);
  PerftRoot at = root;
  for (bool first = true;; first = false, --depth) {
    const Counts ours = divide(counter, at, depth);
    const Counts theirs = engine.perft(root.fen, result.path, depth).moves;
    if (first) {
      result.nodes = sum(ours);
      result.engine_nodes = sum(theirs);
      result.equal = ours == theirs;
      if (result.equal) return result;
    }
    result.missing = without(names(ours), names(theirs));
    result.extra = without(names(theirs), names(ours));
    if (!result.missing.empty() || !result.extra.empty()) {
      result.position = fen_of(at);
      if (!result.path.empty() &&
          engine.perft(result.position, {}, 1).moves == divide(counter, at, 1)) {
        result.remark = "set up from this FEN alone the engine lists the right moves";
      }
      return result;
    }
    const auto differs = std::mismatch(ours.begin(), ours.end(), theirs.begin()).first;
    if (differs == ours.end() || depth == 1) {
      result.position = fen_of(at);
      result.remark = depth == 1 ? "the engine counts a move more or less than once"
                                 : "the engine does not repeat the count that differed above";
      return result;
    }
    const auto moves = children(at);
    const std::size_t index = static_cast<std::size_t>(differs - ours.begin());
    result.path.push_back(moves[index].first);
    descend(at, moves[index].second);
  }
}

}  // namespace cuarbiter
