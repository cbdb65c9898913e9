// Canonical SAN (PGN standard 8.2.3) straight to a packed token. What it does not know is left to
// read_san.
#pragma once

#include <cstdint>

#include "host/pgn/char_class.hpp"
#include "host/rules/san_token.hpp"

namespace cuarbiter {

namespace detail {

inline unsigned file_index(char c) {
  return static_cast<unsigned char>(c) - unsigned{'a'};
}
inline unsigned rank_index(char c) {
  return static_cast<unsigned char>(c) - unsigned{'1'};
}
inline bool is_file(char c) {
  return file_index(c) < 8;
}
inline bool is_rank(char c) {
  return rank_index(c) < 8;
}

inline std::uint32_t target_bits(char file, char rank) {
  return file_index(file) | (rank_index(rank) << 3);
}

}  // namespace detail

// Reads the canonical move at p into `token` and returns its end, or nullptr when the text is not
// one. At least 16 bytes must be readable at p.
inline const char* lex_canonical_san(const char* p, SanToken& token) {
  using namespace detail;
  std::uint32_t bits = 0;
  const char c = p[0];
  if (is_file(c)) {
    bits = static_cast<std::uint32_t>(PieceType::pawn) << 6;
    if (is_rank(p[1])) {
      bits |= target_bits(c, p[1]);
      p += 2;
    } else if (p[1] == 'x' && is_file(p[2]) && is_rank(p[3]) && (p[2] - c == 1 || c - p[2] == 1)) {
      bits |= target_bits(p[2], p[3]) | ((file_index(c) + 1) << 9) | SanToken::kCaptureBit;
      p += 4;
    } else {
      return nullptr;
    }
    const std::uint32_t rank = (bits >> 3) & 7;
    if (rank == 7 || rank == 0) {
      if (p[0] != '=') return nullptr;
      std::uint32_t piece;
      switch (p[1]) {
        case 'Q':
          piece = static_cast<std::uint32_t>(PieceType::queen);
          break;
        case 'R':
          piece = static_cast<std::uint32_t>(PieceType::rook);
          break;
        case 'B':
          piece = static_cast<std::uint32_t>(PieceType::bishop);
          break;
        case 'N':
          piece = static_cast<std::uint32_t>(PieceType::knight);
          break;
        default:
          return nullptr;
      }
      bits |= piece << 17;
      p += 2;
    }
  } else {
    PieceType piece;
    switch (c) {
      case 'N':
        piece = PieceType::knight;
        break;
      case 'B':
        piece = PieceType::bishop;
        break;
      case 'R':
        piece = PieceType::rook;
        break;
      case 'Q':
        piece = PieceType::queen;
        break;
      case 'K':
        piece = PieceType::king;
        break;
      case 'O':
        if (p[1] != '-' || p[2] != 'O') return nullptr;
        if (p[3] == '-' && p[4] == 'O') {
          bits = SanToken::special(SanToken::kCastleQueenside).bits;
          p += 5;
        } else {
          bits = SanToken::special(SanToken::kCastleKingside).bits;
          p += 3;
        }
        goto suffix;
      default:
        return nullptr;
    }
    bits = static_cast<std::uint32_t>(piece) << 6;
    ++p;
    // What is told of the origin comes before the last square.
    if (is_file(p[0]) && is_rank(p[1]) && !is_file(p[2]) && p[2] != 'x') {
      bits |= target_bits(p[0], p[1]);
      p += 2;
    } else {
      if (is_file(p[0]) && !is_rank(p[1])) {
        bits |= (file_index(p[0]) + 1) << 9;
        ++p;
      } else if (is_file(p[0])) {
        bits |= ((file_index(p[0]) + 1) << 9) | ((rank_index(p[1]) + 1) << 13);
        p += 2;
      } else if (is_rank(p[0])) {
        bits |= (rank_index(p[0]) + 1) << 13;
        ++p;
      }
      if (p[0] == 'x') {
        bits |= SanToken::kCaptureBit;
        ++p;
      }
      if (!is_file(p[0]) || !is_rank(p[1])) return nullptr;
      bits |= target_bits(p[0], p[1]);
      p += 2;
    }
  }
suffix:
  if (*p == '+') {
    bits |= SanToken::kCheckSuffix << 21;
    ++p;
  } else if (*p == '#') {
    bits |= SanToken::kMateSuffix << 21;
    ++p;
  }
  if (!is_char(*p, kCharEndsMove)) return nullptr;
  token.bits = bits;
  return p;
}

}  // namespace cuarbiter
