// The vocabulary of the rules core: squares, piece types, moves. Plain data, the same for every
// target.
//
// Squares are numbered a1 = 0, b1 = 1 ... h8 = 63. Inside a Position the board is seen by the
// mover: for Black to move the ranks are mirrored (a8 becomes square 0), the files stay.
#pragma once

#include <cstdint>

namespace cuarbiter {

using Bitboard = std::uint64_t;
using Square = std::uint8_t;  // 0..63, or kNoSquare

inline constexpr Square kNoSquare = 64;

// The 3-bit piece code of Position. castling_rook is a rook that may still castle; everywhere else
// it is a rook.
enum class PieceType : std::uint8_t {
  none = 0,
  pawn = 1,
  knight = 2,
  bishop = 3,
  rook = 4,
  queen = 5,
  king = 6,
  castling_rook = 7,
};

enum class Color : std::uint8_t { white = 0, black = 1 };

constexpr Color opposite(Color c) {
  return c == Color::white ? Color::black : Color::white;
}

// The side to move and the other one, as bits of a set.
enum SideBit : std::uint8_t { kSideUs = 1, kSideThem = 2 };

enum class MoveKind : std::uint8_t { normal = 0, double_push = 1, en_passant = 2, castling = 3 };

// One move, in the mover's view. A castling move goes from the king's square to the castling rook's
// square, which names it without doubt in Chess960 too. `promotion` is PieceType::none or the new
// piece (knight, bishop, rook, queen).
struct Move {
  Square from = 0;
  Square to = 0;
  PieceType promotion = PieceType::none;
  MoveKind kind = MoveKind::normal;

  friend constexpr bool operator==(const Move&, const Move&) = default;
};

}  // namespace cuarbiter
