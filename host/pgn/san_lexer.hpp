// The fast path of move tokens: canonical SAN (PGN standard 8.2.3) straight to a packed token. What
// it does not know is left to read_san.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "host/pgn/byte_scan.hpp"
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

// What a byte says as the first of a move (bits of SanToken: its piece) and as what is told of the
// origin; kNoSan where it cannot stand there.
inline constexpr std::uint32_t kNoSan = 1u << 31;

constexpr std::array<std::uint32_t, 256> make_first_bytes() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t& entry : table) entry = kNoSan;
  const auto set = [&table](char c, PieceType piece) {
    table[static_cast<unsigned char>(c)] = static_cast<std::uint32_t>(piece) << 6;
  };
  for (char c = 'a'; c <= 'h'; ++c) set(c, PieceType::pawn);
  set('N', PieceType::knight);
  set('B', PieceType::bishop);
  set('R', PieceType::rook);
  set('Q', PieceType::queen);
  set('K', PieceType::king);
  return table;
}

constexpr std::array<std::uint32_t, 256> make_origin_bytes() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t& entry : table) entry = kNoSan;
  for (std::uint32_t i = 0; i < 8; ++i) {
    table['a' + i] = (i + 1) << 9;
    table['1' + i] = (i + 1) << 13;
  }
  return table;
}

inline constexpr std::array<std::uint32_t, 256> kFirstBytes = make_first_bytes();
inline constexpr std::array<std::uint32_t, 256> kOriginBytes = make_origin_bytes();

// The usual moves without a branch on their form: a piece or pawn, at most one character of the
// origin, perhaps a capture, no promotion. nullptr for everything else.
inline const char* lex_usual_san(const char* p, SanToken& token) {
  // A move of at most eight characters ends here.
  const char* const end =
      find_any<' ', '\n', '\r', '{', ')', '(', '$', '!', '?', ';', '}', '\t'>(p, p + 16);
  std::uint64_t text;
  std::memcpy(&text, p, sizeof text);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  text = __builtin_bswap64(text);
#endif
  auto length = static_cast<unsigned>(end - p);
  if (length < 2 || length > 7) return nullptr;
  const unsigned last = static_cast<unsigned>(text >> (8 * (length - 1))) & 255;
  const unsigned check = last == '+', mate = last == '#';
  length -= check | mate;
  const std::uint32_t piece = kFirstBytes[text & 255];
  const unsigned pawn = piece == static_cast<std::uint32_t>(PieceType::pawn) << 6;
  // What follows the piece: of a pawn, all of it.
  const std::uint64_t body = text >> (8 * (1 - pawn));
  const unsigned size = length - (1 - pawn);
  if (size < 2) return nullptr;
  const unsigned before = size - 2;
  const std::uint32_t target = static_cast<std::uint32_t>(body >> (8 * before));
  const std::uint32_t file = (target & 255) - 'a', rank = ((target >> 8) & 255) - '1';
  const unsigned takes = (static_cast<unsigned>((body << 8) >> (8 * before)) & 255) == 'x';
  const unsigned told = before - takes;
  const std::uint32_t origin = kOriginBytes[body & 255] & (0 - static_cast<std::uint32_t>(told));
  // A pawn tells its file exactly when it takes, and goes to the next one; promotions are not here.
  const std::uint32_t step = (origin >> 9) - 1 - file;
  const bool pawn_wrong = pawn && (told != takes || rank == 0 || rank == 7 ||
                                   (takes && step != 1 && step != ~std::uint32_t{0}));
  if ((file | rank) > 7 || told > 1 || ((piece | origin) & kNoSan) || pawn_wrong) return nullptr;
  token.bits = piece | file | (rank << 3) | origin | (takes ? SanToken::kCaptureBit : 0) |
               ((check | (mate << 1)) << 21);
  return end;
}

}  // namespace detail

// Reads the canonical move at p into `token` and returns its end, or nullptr when the text is not
// one. At least 16 bytes must be readable at p.
inline const char* lex_canonical_san(const char* p, SanToken& token) {
  using namespace detail;
  if (const char* end = lex_usual_san(p, token)) return end;
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
