// Random games for property tests: from the start position and from Chess960 start positions, the
// same ones for the same seed on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/notation/fen.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter::test_support {

// SplitMix64: fixed by its constants, unlike the standard library's distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // 0 .. bound - 1
  unsigned below(unsigned bound) { return static_cast<unsigned>(next() % bound); }

 private:
  std::uint64_t state_;
};

// A random Chess960 start position (Guidelines II.2: bishops on opposite colours, the king between
// the rooks), as Shredder-FEN.
inline std::string random_chess960_fen(Random& random) {
  std::string rank(8, '.');
  const auto put_on_free = [&](unsigned index, char piece) {
    for (char& square : rank) {
      if (square == '.' && index-- == 0) {
        square = piece;
        return;
      }
    }
  };
  rank[2 * random.below(4)] = 'b';
  rank[2 * random.below(4) + 1] = 'b';
  put_on_free(random.below(6), 'q');
  put_on_free(random.below(5), 'n');
  put_on_free(random.below(4), 'n');
  put_on_free(0, 'r');
  put_on_free(0, 'k');
  put_on_free(0, 'r');
  std::string upper = rank;
  for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
  const char low = static_cast<char>('a' + rank.find('r'));
  const char high = static_cast<char>('a' + rank.rfind('r'));
  const std::string rights{static_cast<char>(high - 32), static_cast<char>(low - 32), high, low};
  return rank + "/pppppppp/8/8/8/8/PPPPPPPP/" + upper + " w " + rights + " - 0 1";
}

inline std::vector<Move> legal_moves(const Position& position) {
  std::vector<Move> moves;
  for_each_legal_move(position, [&](Move move) { moves.push_back(move); });
  return moves;
}

struct PlayedPosition {
  Position position;
  Color side_to_move;
  std::uint32_t halfmove_clock;
  std::uint32_t fullmove_number;

  bool black() const { return side_to_move == Color::black; }
  std::string fen() const {
    return write_fen(position, side_to_move, halfmove_clock, fullmove_number);
  }
};

// Plays `games` games of at most `plies` plies and calls f(const PlayedPosition&, chess960) for
// every position, the first and the last included. Every other game is Chess960. Captures, pawn
// moves and castling are taken more often than blind chance would.
template <class F>
void play_random_games(std::uint64_t seed, unsigned games, unsigned plies, F&& f) {
  Random random(seed);
  for (unsigned game = 0; game < games; ++game) {
    const bool chess960 = game % 2 == 1;
    const std::string start = chess960 ? random_chess960_fen(random) : std::string(kStartFen);
    const FenResult first = read_fen(start);
    PlayedPosition p{first.position, first.side_to_move, 0, 1};
    for (unsigned ply = 0;; ++ply) {
      f(p, chess960);
      const std::vector<Move> moves = legal_moves(p.position);
      if (moves.empty() || ply == plies) break;
      Move move = moves[random.below(static_cast<unsigned>(moves.size()))];
      for (int attempt = 0; attempt < 2; ++attempt) {
        if (is_zeroing(p.position, move) || move.kind == MoveKind::castling) break;
        move = moves[random.below(static_cast<unsigned>(moves.size()))];
      }
      p.halfmove_clock = is_zeroing(p.position, move) ? 0 : p.halfmove_clock + 1;
      if (p.black()) ++p.fullmove_number;
      p.side_to_move = opposite(p.side_to_move);
      p.position = make_move(p.position, move);
    }
  }
}

}  // namespace cuarbiter::test_support
