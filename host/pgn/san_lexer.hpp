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

// The usual moves by tables: what comes before the target is at most two bytes, the capture mark
// left out. Each says bits of SanToken (a piece, the file or rank of the origin) and, above them,
// what kind of byte it is.
inline constexpr unsigned kFormShift = 24;
inline constexpr std::uint32_t kFormFile = 1, kFormRank = 2, kFormPiece = 3;  // the second byte
inline constexpr std::uint32_t kFormFirstPiece = 4, kFormTakes = 8, kFormWrong = 16;
inline constexpr std::uint32_t kPawnBits = static_cast<std::uint32_t>(PieceType::pawn) << 6;

template <bool kFirst>
constexpr std::array<std::uint32_t, 256> make_san_bytes() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t& entry : table) entry = kFormWrong << kFormShift;
  table[0] = 0;
  const auto set = [&](char c, PieceType piece) {
    table[static_cast<unsigned char>(c)] = (static_cast<std::uint32_t>(piece) << 6) |
                                           ((kFirst ? kFormFirstPiece : kFormPiece) << kFormShift);
  };
  set('N', PieceType::knight);
  set('B', PieceType::bishop);
  set('R', PieceType::rook);
  set('Q', PieceType::queen);
  set('K', PieceType::king);
  for (std::uint32_t i = 0; i < 8 && !kFirst; ++i) {
    table['a' + i] = ((i + 1) << 9) | (kFormFile << kFormShift);
    table['1' + i] = ((i + 1) << 13) | (kFormRank << kFormShift);
  }
  return table;
}

// By form: bits of SanToken to add, and bit 31 where no move looks so.
constexpr std::array<std::uint32_t, 32> make_san_forms() {
  std::array<std::uint32_t, 32> table{};
  for (std::uint32_t form = 0; form < 32; ++form) {
    const std::uint32_t takes = form & kFormTakes;
    const std::uint32_t men = form & ~kFormTakes;
    if (men == 0 && !takes) {
      table[form] = kPawnBits;
    } else if (men == kFormFile && takes) {
      table[form] = kPawnBits | SanToken::kCaptureBit;
    } else if (men == kFormPiece || men == (kFormFirstPiece | kFormFile) ||
               men == (kFormFirstPiece | kFormRank)) {
      table[form] = takes ? SanToken::kCaptureBit : 0;
    } else {
      table[form] = 1u << 31;
    }
  }
  return table;
}

// By the last byte: how many bits of text a check suffix takes, and its bits of SanToken.
constexpr std::array<std::uint32_t, 256> make_san_suffixes() {
  std::array<std::uint32_t, 256> table{};
  table['+'] = 8 | (SanToken::kCheckSuffix << 21);
  table['#'] = 8 | (SanToken::kMateSuffix << 21);
  return table;
}

inline constexpr std::array<std::uint32_t, 256> kSanFirstBytes = make_san_bytes<true>();
inline constexpr std::array<std::uint32_t, 256> kSanSecondBytes = make_san_bytes<false>();
inline constexpr std::array<std::uint32_t, 32> kSanForms = make_san_forms();
inline constexpr std::array<std::uint32_t, 256> kSanSuffixes = make_san_suffixes();

// The usual moves, without a branch on their form: a piece or pawn, at most one character of the
// origin, perhaps a capture, no promotion. False for everything else. The text of `length` bytes is
// the whole token; at least 8 bytes must be readable.
inline bool read_usual_san(const char* p, unsigned length, SanToken& token) {
  std::uint64_t text;
  std::memcpy(&text, p, sizeof text);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  text = __builtin_bswap64(text);
#endif
  if (length - 2 > 5) return false;
  // To the upper end, without the suffix: the target stands in the last two bytes.
  text <<= 64 - 8 * length;
  const std::uint32_t suffix = kSanSuffixes[text >> 56];
  text <<= suffix & 63;
  const auto target = static_cast<std::uint32_t>(text >> 48) - ('a' | ('1' << 8));
  const std::uint32_t takes = ((text >> 40) & 255) == 'x' ? 8 : 0;
  const std::uint64_t front = text << (16 + takes);
  const std::uint32_t told = kSanSecondBytes[front >> 56] | kSanFirstBytes[(front >> 48) & 255];
  const std::uint32_t form = kSanForms[(told >> kFormShift) | takes];
  const std::uint32_t square = (target & 7) + (target >> 5);
  token.bits = (told & ((1u << kFormShift) - 1)) + (form & ~(1u << 31)) + (suffix & (3u << 21)) +
               (square & 63);
  // A pawn on the last rank promotes; one that takes comes from the next file.
  constexpr std::uint64_t kEdges = 0xFF000000000000FFu;
  const std::uint64_t edge = (kEdges >> (square & 63)) & (form / kPawnBits);
  const std::uint32_t aside = (((told >> 9) & 15) - (target & 7)) & ~2u;
  const std::uint32_t astray = aside & (0 - ((form / kPawnBits) & (takes / 8)));
  return ((target & ~0x0707u) | (front << 16) | (form >> 31) | (edge & 1) | astray) == 0;
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
