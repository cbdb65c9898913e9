// FEN as nearly all files have it: six fields with one space between them, as the standard writes
// them (PGN standard, 16.1). One pass over the bytes, with hardly a branch that depends on them;
// whatever else there is to say of a line, the reader of all lines says it.
#include <array>
#include <cstring>

#include "host/notation/fen_fields.hpp"
#include "host/rules/attacks.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace cuarbiter::fen_detail {

namespace {

// Squares are laid out in the order of the text, a rank every sixteen bytes: a slash takes the
// eight behind a rank, so that a rank too long or too short leaves no slash where one belongs.
constexpr std::size_t kRankBytes = 16;
constexpr std::size_t kBoardEnd = 7 * kRankBytes + 8;  // behind the last square
// Bytes are looked at in blocks, up to those that hold eight letters a rank and the slashes.
constexpr std::size_t kBlock = 8;
constexpr std::size_t kLongestPlacement = 9 * kBlock;
constexpr std::size_t kBoardBytes = 8 * kLongestPlacement;  // were all of it 8s

// What stands behind the placement is not shorter, so that a block never passes the line's end.
constexpr std::string_view kShortestRest = " w - - 0 1";
static_assert(kShortestRest.size() >= kBlock);

constexpr Bitboard kEFile = kFileA << 4;
constexpr std::uint8_t kSlash = 0x40;
constexpr std::uint8_t kGap = 0x80;  // where a digit's empty squares begin

// What a byte means in a placement: what goes on its first square, the men that it adds, and how
// many squares it takes, 0 for what does not belong there.
struct Step {
  std::uint8_t code = 0;
  std::uint8_t width = 0;
};
struct PlacementTable {
  std::array<Step, 256> step{};
  std::array<MenCounts, 256> men{};
};

constexpr PlacementTable make_table() {
  PlacementTable table;
  constexpr char kLetters[] = "pnbrqk";
  for (unsigned kind = 0; kind < 6; ++kind) {
    const unsigned char c = static_cast<unsigned char>(kLetters[kind]);
    table.step[c] = {static_cast<std::uint8_t>((kind + 1) | 8), 1};
    table.step[c - 32u] = {static_cast<std::uint8_t>(kind + 1), 1};
    table.men[c] = one_man(kind, true);
    table.men[c - 32u] = one_man(kind, false);
  }
  for (unsigned char c = '1'; c <= '8'; ++c) {
    table.step[c] = {kGap, static_cast<std::uint8_t>(c - '0')};
  }
  table.step['/'] = {kSlash, static_cast<std::uint8_t>(kRankBytes - 8)};
  return table;
}
constexpr PlacementTable kTable = make_table();

// The bits of one kind in the codes of the board, seen by White: bit `kBit` of each byte.
template <int kBit>
Bitboard plane(const std::uint8_t* board) {
  Bitboard bits = 0;
#if defined(__SSE2__)
  for (std::size_t rank = 0; rank < 8; rank += 2) {
    const auto* at = reinterpret_cast<const __m128i*>(board + rank * kRankBytes);
    // The second rank of the text is the lower one.
    const __m128i two = _mm_unpacklo_epi64(_mm_load_si128(at + 1), _mm_load_si128(at));
    const unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_slli_epi16(two, 7 - kBit)));
    bits |= static_cast<Bitboard>(mask) << (8 * (6 - rank));
  }
#else
  for (std::size_t rank = 0; rank < 8; ++rank) {
    for (std::size_t file = 0; file < 8; ++file) {
      const Bitboard bit = (board[rank * kRankBytes + file] >> kBit) & 1u;
      bits |= bit << (8 * (7 - rank) + file);
    }
  }
#endif
  return bits;
}

// Reads the placement at the beginning of a line; returns its length, 0 when it is not plain.
std::size_t read_plain_placement(std::string_view line, FenFields& fields) {
  alignas(16) std::uint8_t board[kBoardBytes];
  std::memset(board, 0, 8 * kRankBytes);
  const std::size_t most = line.size() < kLongestPlacement ? line.size() : kLongestPlacement;
  const char* const text = line.data();
  std::size_t at = 0, square = 0;
  MenCounts men = 0;
  for (bool more = true; more;) {
    if (at + kBlock > most) return 0;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kBlock; ++i) {
      const auto c = static_cast<unsigned char>(text[at]);
      const Step step = kTable.step[c];
      if (step.width == 0) {
        more = false;
        break;
      }
      board[square] = step.code;
      square += step.width;
      men += kTable.men[c];
      ++at;
    }
  }
  if (square != kBoardEnd) return 0;
  std::uint8_t slashes = kSlash;
  for (std::size_t rank = 0; rank < 7; ++rank) slashes &= board[rank * kRankBytes + 8];
  if (slashes != kSlash) return 0;
  Position& p = fields.board;
  p.a = plane<0>(board);
  p.b = plane<1>(board);
  p.c = plane<2>(board);
  p.d = plane<3>(board);
  // Digits stand where empty squares begin, and nowhere else: none follows another.
  const Bitboard occupied = p.a | p.b | p.c, empty = ~occupied;
  if (plane<7>(board) != (empty & ~((empty << 1) & ~kFileA))) return 0;
  // With more men a count could spill over into the next one.
  if (popcount(occupied) > 32) return 0;
  fields.men = men;
  return at;
}

// The field between two offsets of a line.
Field field(std::string_view line, std::size_t begin, std::size_t end) {
  return Field{std::string_view(line.data() + begin, end - begin), begin};
}

// Reads the rights that stand at `at`. Those of KQkq in that order, each with king and rook at
// home, are found here; what else there may be is left to read_castling. Returns the offset of the
// space behind the field, 0 where there is none.
std::size_t read_plain_castling(std::string_view line, std::size_t at, FenFields& fields) {
  const std::size_t begin = at;
  // At most five bytes of the ten that there are at least.
  const auto take = [&](char letter) {
    const Bitboard here = line[at] == letter ? 1 : 0;
    at += here;
    return here;
  };
  const Bitboard white_king = take('K'), white_queen = take('Q');
  const Bitboard black_king = take('k'), black_queen = take('q');
  at += ((at == begin) & (line[at] == '-')) ? 1 : 0;
  const BoardView<Bitboard> v = view(fields.board);
  const Bitboard white = white_king << 7 | white_queen;
  const Bitboard black = black_king << 63 | black_queen << 56;
  const Bitboard white_home = white | (white_king | white_queen) << 4;
  const Bitboard black_home = black | (black_king | black_queen) << 60;
  const Bitboard men = (v.rooks() & ~kEFile) | (v.kings() & kEFile);
  const Bitboard away = (white_home & ~(men & v.us)) | (black_home & ~(men & v.them));
  fields.rights_read = away == 0 && at != begin && line[at] == ' ';
  fields.rights = white | black;
  if (!fields.rights_read) {
    at = begin;
    while (at < line.size() && !is_blank(line[at]) && line[at] != ';') ++at;
    if (at == begin || at == line.size() || line[at] != ' ') return 0;
  }
  fields.castling = field(line, begin, at);
  return at;
}

// Reads the number that stands between two offsets: at most nine digits, no zeros before it. False
// when there is anything else. Those of up to three digits, nearly all, are read without branches.
bool read_plain_number(std::string_view line, std::size_t begin, std::size_t end,
                       std::uint32_t& value) {
  const std::size_t length = end - begin;
  if (length - 1 > 8) return false;
  const char* const text = line.data() + begin;
  const auto digit = [](char c) { return static_cast<std::uint32_t>(c - '0'); };
  const auto zero_first = static_cast<unsigned>((text[0] == '0') & (length > 1));
  if (length <= 3) {
    // From the end, where the digits that are not there count for nothing.
    const std::uint32_t two = length > 1 ? 1 : 0, three = length > 2 ? 1 : 0;
    const std::uint32_t ones = digit(text[length - 1]);
    const std::uint32_t tens = digit(text[two ? length - 2 : 0]) * two;
    const std::uint32_t hundreds = digit(text[0]) * three;
    value = ones + 10 * tens + 100 * hundreds;
    return ((ones > 9) | (tens > 9) | (hundreds > 9) | zero_first) == 0;
  }
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < length; ++i) {
    if (!is_digit(text[i])) return false;
    number = number * 10 + digit(text[i]);
  }
  value = number;
  return zero_first == 0;
}

}  // namespace

bool read_plain_fields(std::string_view line, FenFields& fields, FenCounters& counters) {
  const std::size_t placement = read_plain_placement(line, fields);
  if (placement == 0 || line.size() < placement + kShortestRest.size()) return false;
  const char* const text = line.data();
  const char side = text[placement + 1];
  if ((text[placement] != ' ') | ((side != 'w') & (side != 'b')) | (text[placement + 2] != ' ')) {
    return false;
  }
  fields.line = line;
  fields.placement = field(line, 0, placement);
  fields.side = field(line, placement + 1, placement + 2);
  const std::size_t castling_end = read_plain_castling(line, placement + 3, fields);
  if (castling_end == 0 || line.size() < castling_end + 6) return false;
  const std::size_t en_passant = castling_end + 1;
  const bool none = text[en_passant] == '-';
  if (!none &&
      (text[en_passant] < 'a' || text[en_passant] > 'h' || !is_digit(text[en_passant + 1]))) {
    return false;
  }
  fields.end = en_passant + (none ? 1 : 2);
  fields.en_passant = field(line, en_passant, fields.end);
  const std::size_t halfmove = fields.end + 1;
  std::size_t halfmove_end = halfmove + 1;
  if (text[fields.end] != ' ') return false;
  // Nearly all have one or two digits.
  halfmove_end += halfmove_end < line.size() && is_digit(text[halfmove_end]) ? 1 : 0;
  while (halfmove_end < line.size() && is_digit(text[halfmove_end])) ++halfmove_end;
  const std::size_t fullmove = halfmove_end + 1;
  if (fullmove >= line.size() || text[halfmove_end] != ' ' ||
      !read_plain_number(line, halfmove, halfmove_end, counters.halfmove) ||
      !read_plain_number(line, fullmove, line.size(), counters.fullmove)) {
    return false;
  }
  counters.halfmove_field = field(line, halfmove, halfmove_end);
  counters.fullmove_field = field(line, fullmove, line.size());
  counters.both_read = true;
  fields.placement_read = fields.side_read = true;
  fields.count = 4;
  fields.plain = true;
  return true;
}

}  // namespace cuarbiter::fen_detail
