// A move as written, packed into 32 bits: what the lexer hands to the replay kernel.
//
// It says what SAN (PGN standard 8.2.3) or one of its common relatives says and no more: the piece,
// the target, what is told of the origin, the promotion, the marks. Whether a legal move answers to
// it is decided by match_san. Squares are absolute (a1 = 0), not mirrored for Black.
#pragma once

#include <cstdint>

#include "host/rules/types.hpp"

namespace cuarbiter {

// Deviations from export format that show in the text alone.
enum SanStyle : std::uint32_t {
  kStyleCastling = 1u << 24,    // 0-0, o-o
  kStylePromotion = 1u << 25,   // e8Q, e8(Q), e8/Q, e8=q
  kStyleCase = 1u << 26,        // nf3, NF3
  kStyleLong = 1u << 27,        // Ng1-f3, e2e4, g1f3
  kStyleFigurine = 1u << 28,    // a piece as a Unicode chess symbol
  kStylePawnLetter = 1u << 29,  // Pe4
  kStyleEnPassant = 1u << 30,   // exd6e.p.
  kStyleMate = 1u << 31,        // ++ for #, or words in place of the suffix
};
inline constexpr std::uint32_t kStyleMask = 0xFF000000u;

struct SanToken {
  // bits 0..5 target, 6..8 piece (kAnyPiece, a PieceType pawn..king, kSpecial), 9..12 origin file +
  // 1 or 0, 13..16 origin rank + 1 or 0, 17..19 promotion, 20 capture mark, 21..22 suffix, 23
  // target rank unknown (short pawn capture "ed"), 24..31 SanStyle.
  std::uint32_t bits = 0;

  static constexpr unsigned kAnyPiece = 0;
  static constexpr unsigned kSpecial = 7;
  // What a kSpecial token means stands in the target bits.
  static constexpr unsigned kCastleKingside = 0;
  static constexpr unsigned kCastleQueenside = 1;
  static constexpr unsigned kNullMove = 2;
  static constexpr unsigned kUnreadable = 3;

  static constexpr std::uint32_t kCaptureBit = 1u << 20;
  static constexpr std::uint32_t kShortCaptureBit = 1u << 23;
  static constexpr unsigned kNoSuffix = 0, kCheckSuffix = 1, kMateSuffix = 2, kDoublePlus = 3;

  constexpr unsigned target() const { return bits & 63; }
  constexpr unsigned piece() const { return (bits >> 6) & 7; }
  constexpr unsigned origin_file() const { return (bits >> 9) & 15; }   // 1..8, 0 unknown
  constexpr unsigned origin_rank() const { return (bits >> 13) & 15; }  // 1..8, 0 unknown
  constexpr PieceType promotion() const { return static_cast<PieceType>((bits >> 17) & 7); }
  constexpr bool capture() const { return (bits & kCaptureBit) != 0; }
  constexpr unsigned suffix() const { return (bits >> 21) & 3; }
  constexpr bool short_capture() const { return (bits & kShortCaptureBit) != 0; }
  constexpr std::uint32_t style() const { return bits & kStyleMask; }

  constexpr SanToken& set_target(unsigned square) {
    bits = (bits & ~63u) | square;
    return *this;
  }
  constexpr SanToken& set_piece(unsigned piece) {
    bits = (bits & ~(7u << 6)) | (piece << 6);
    return *this;
  }
  // One-based; 0 for unknown.
  constexpr SanToken& set_origin(unsigned file, unsigned rank) {
    bits = (bits & ~(0xFFu << 9)) | (file << 9) | (rank << 13);
    return *this;
  }
  constexpr SanToken& set_promotion(PieceType piece) {
    bits = (bits & ~(7u << 17)) | (static_cast<unsigned>(piece) << 17);
    return *this;
  }
  constexpr SanToken& set_suffix(unsigned suffix) {
    bits = (bits & ~(3u << 21)) | (suffix << 21);
    return *this;
  }
  constexpr SanToken& add(std::uint32_t flags) {
    bits |= flags;
    return *this;
  }
  static constexpr SanToken special(unsigned meaning) {
    return SanToken{}.set_piece(kSpecial).set_target(meaning);
  }

  friend constexpr bool operator==(const SanToken&, const SanToken&) = default;
};

}  // namespace cuarbiter
