// Positions and move tokens from text that the tests know to be right. Not the product's readers:
// a test of the kernels must not depend on them.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "host/batch/uint128.hpp"
#include "host/rules/make_move.hpp"
#include "host/rules/movegen.hpp"
#include "host/rules/position.hpp"
#include "host/rules/san_token.hpp"

namespace cuarbiter::test {

inline constexpr std::string_view kStartFen =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
inline constexpr std::string_view kKiwipeteFen =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

inline PieceType piece_of(char letter) {
  constexpr std::string_view kLetters = ".PNBRQK";
  const char upper = static_cast<char>(letter & ~32);
  return static_cast<PieceType>(kLetters.find(upper));
}

// A correct FEN. Castling letters are KQkq (outermost rooks) or the files of the rooks.
inline Position board_of(std::string_view fen) {
  Position white;  // seen by White, mirrored at the end for Black
  std::size_t at = 0;
  for (int rank = 7, file = 0; fen[at] != ' '; ++at) {
    const char c = fen[at];
    if (c == '/') {
      --rank;
      file = 0;
    } else if (c <= '8') {
      file += c - '0';
    } else {
      put_piece(white, 8 * rank + file, piece_of(c), c >= 'a');
      ++file;
    }
  }
  const bool black = fen[++at] == 'b';
  for (at += 2; fen[at] != ' '; ++at) {
    const char c = fen[at];
    if (c == '-') continue;
    const bool theirs = c >= 'a';
    const char right = static_cast<char>(c & ~32);
    const BoardView<Bitboard> v = view(white);
    const Bitboard own = theirs ? v.them : v.us;
    const Bitboard row = theirs ? kRank8 : kRank1;
    const Bitboard king = v.kings() & own;
    Bitboard rook = v.c & ~(v.a ^ v.b) & own & row;
    if (right == 'K') {
      rook = square_bit(highest_square(rook & ~(king - 1)));
    } else if (right == 'Q') {
      rook = square_bit(lowest_square(rook & (king - 1)));
    } else {
      rook &= kFileA << (right - 'A');
    }
    white.a |= rook;
    white.b |= rook;
  }
  Position p = black ? flipped(white) : white;
  const char file = fen[++at];
  if (file != '-') {
    const Bitboard target = square_bit(40 + file - 'a');
    if (en_passant_is_legal(p, target)) p.d |= target;
  }
  return p;
}

// A correct SAN move, "O-O", "--" (null move) or "?" (unreadable).
inline SanToken token_of(std::string_view san) {
  if (san == "?") return SanToken::special(SanToken::kUnreadable);
  if (san == "--") return SanToken::special(SanToken::kNullMove);
  unsigned suffix = SanToken::kNoSuffix;
  if (san.back() == '+') suffix = SanToken::kCheckSuffix;
  if (san.back() == '#') suffix = SanToken::kMateSuffix;
  if (suffix != SanToken::kNoSuffix) san.remove_suffix(1);
  if (san == "O-O") return SanToken::special(SanToken::kCastleKingside).set_suffix(suffix);
  if (san == "O-O-O") return SanToken::special(SanToken::kCastleQueenside).set_suffix(suffix);
  SanToken token;
  token.set_suffix(suffix);
  if (san[san.size() - 2] == '=') {
    token.set_promotion(piece_of(san.back()));
    san.remove_suffix(2);
  }
  const auto digit = [](char c) { return static_cast<unsigned>(c - '0'); };
  const auto column = [](char c) { return static_cast<unsigned>(c - 'a'); };
  token.set_target(column(san[san.size() - 2]) + 8 * (digit(san.back()) - 1));
  san.remove_suffix(2);
  unsigned piece = static_cast<unsigned>(PieceType::pawn);
  if (!san.empty() && san.front() < 'a') {
    piece = static_cast<unsigned>(piece_of(san.front()));
    san.remove_prefix(1);
  }
  token.set_piece(piece);
  unsigned file = 0;
  unsigned rank = 0;
  for (const char c : san) {
    if (c == 'x') {
      token.add(SanToken::kCaptureBit);
    } else if (c <= '8') {
      rank = digit(c);
    } else {
      file = column(c) + 1;
    }
  }
  return token.set_origin(file, rank);
}

// Positions from random games, the same on each call. `count` of them, of all phases.
inline std::vector<Position> random_positions(std::size_t count, std::uint64_t seed = 1) {
  std::vector<Position> positions;
  Position p = board_of(kStartFen);
  unsigned ply = 0;
  while (positions.size() < count) {
    positions.push_back(p);
    std::vector<Position> children;
    for_each_child(p, [&](const Position& child) { children.push_back(child); });
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    if (children.empty() || ++ply == 160) {
      p = board_of(positions.size() % 2 ? kKiwipeteFen : kStartFen);
      ply = 0;
    } else {
      p = children[(seed >> 33) % children.size()];
    }
  }
  return positions;
}

// perft by the plainest recursion.
inline std::uint64_t plain_perft(const Position& p, unsigned depth) {
  if (depth == 0) return 1;
  std::uint64_t nodes = 0;
  for_each_child(p, [&](const Position& child) { nodes += plain_perft(child, depth - 1); });
  return nodes;
}

// The number of paths of 0, 1 ... depth plies, by adding up the paths to each position ply by ply.
inline std::vector<Uint128> path_counts(const Position& root, unsigned depth) {
  using Key = std::tuple<Bitboard, Bitboard, Bitboard, Bitboard>;
  std::map<Key, Uint128> level;
  level[{root.a, root.b, root.c, root.d}] = Uint128{1, 0};
  std::vector<Uint128> counts;
  for (unsigned ply = 0; ply <= depth; ++ply) {
    Uint128 sum{0, 0};
    std::map<Key, Uint128> next;
    for (const auto& [key, paths] : level) {
      sum += paths;
      const Position p{std::get<0>(key), std::get<1>(key), std::get<2>(key), std::get<3>(key)};
      for_each_child(p, [&, n = paths](const Position& c) { next[{c.a, c.b, c.c, c.d}] += n; });
    }
    counts.push_back(sum);
    level = std::move(next);
  }
  return counts;
}

}  // namespace cuarbiter::test
