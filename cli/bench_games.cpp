// Random games from a fixed seed.
#include "cli/bench_games.hpp"

#include "host/notation/fen.hpp"
#include "host/notation/san_text.hpp"
#include "host/rules/game_state.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

constexpr unsigned kMostPlies = 160;

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace

BenchGames make_bench_games(unsigned games) {
  BenchGames out;
  SplitMix random(20220301);
  out.batch.starts.push_back({start_position(), 0, 0});
  std::vector<Move> moves;
  for (unsigned g = 0; g < games; ++g) {
    ReplaySegment segment;
    segment.token_begin = static_cast<std::uint32_t>(out.batch.tokens.size());
    Position position = start_position();
    bool black = false;
    for (unsigned ply = 0; ply < kMostPlies; ++ply) {
      moves.clear();
      for_each_legal_move(position, [&](Move move) { moves.push_back(move); });
      if (moves.empty() || insufficient_material(view(position))) break;
      const Move move = moves[random.next() % moves.size()];
      out.positions.push_back(position);
      out.batch.tokens.push_back(read_san(san_text(position, move, black)));
      position = make_move(position, move);
      black = !black;
    }
    segment.token_count = static_cast<std::uint32_t>(out.batch.tokens.size()) - segment.token_begin;
    out.batch.games.push_back({static_cast<std::uint32_t>(out.batch.segments.size()), 1, 0});
    out.batch.segments.push_back(segment);
  }
  return out;
}

}  // namespace cuarbiter
