// Writing FEN in normal form: PGN standard 16.1, X-FEN for castling rooks that are not the
// outermost.
#include <array>
#include <charconv>
#include <cstring>

#include "host/notation/fen.hpp"
#include "host/rules/attacks.hpp"

namespace cuarbiter {

namespace {

// A rank as text, by the squares that are occupied: digits for the gaps, and where the letters go.
struct RankText {
  char text[8] = {};
  std::uint8_t slot[8] = {};  // by file
  std::uint8_t length = 0;
};

constexpr std::array<RankText, 256> make_rank_texts() {
  std::array<RankText, 256> table{};
  for (unsigned row = 0; row < 256; ++row) {
    RankText& rank = table[row];
    unsigned gap = 0;
    for (unsigned file = 0; file <= 8; ++file) {
      const bool man = file < 8 && ((row >> file) & 1);
      if (file < 8 && !man) {
        ++gap;
        continue;
      }
      if (gap) rank.text[rank.length++] = static_cast<char>('0' + gap);
      gap = 0;
      if (man) rank.slot[file] = rank.length++;
    }
  }
  return table;
}
constexpr std::array<RankText, 256> kRankTexts = make_rank_texts();

void append_placement(std::string& out, const Position& board) {
  constexpr char kMen[] = "-PNBRQKR-pnbrqkr";
  char text[8 * 9];
  char* to = text;
  const Bitboard occupied = board.a | board.b | board.c;
  for (int first = 56; first >= 0; first -= 8) {
    unsigned row = static_cast<unsigned>(occupied >> first) & 0xFF;
    const RankText& rank = kRankTexts[row];
    std::memcpy(to, rank.text, sizeof rank.text);
    for (; row; row &= row - 1) {
      const int file = lowest_square(row), square = first + file;
      to[rank.slot[file]] =
          kMen[((board.a >> square) & 1) | (((board.b >> square) & 1) << 1) |
               (((board.c >> square) & 1) << 2) | (((board.d >> square) & 1) << 3)];
    }
    to += rank.length;
    *to++ = '/';
  }
  out.append(text, static_cast<std::size_t>(to - text) - 1);
}

// The rights of one side: kingside before queenside.
void append_rights(std::string& out, const BoardView<Bitboard>& v, Bitboard men, int home,
                   bool shredder) {
  const Bitboard rank = kRank1 << home;
  const Bitboard king = v.kings() & men & rank;
  Bitboard rights = v.castling_rooks() & men & rank;
  const Bitboard rooks = (v.rooks() | v.castling_rooks()) & men & rank;
  while (rights) {
    const int rook = highest_square(rights);
    const Bitboard bit = square_bit(rook);
    rights ^= bit;
    const bool kingside = bit > king;
    const Bitboard outer = rooks & (kingside ? ~(bit | (bit - 1)) : bit - 1);
    char letter = static_cast<char>('A' + rook - home);
    if (!shredder && !outer) letter = kingside ? 'K' : 'Q';
    out += home ? static_cast<char>(letter | 0x20) : letter;
  }
}

void append_number(std::string& out, std::uint32_t number) {
  char digits[12];
  const auto end = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, end.ptr);
}

}  // namespace

void append_epd_fields(std::string& out, const Position& position, Color side_to_move,
                       const FenWriteOptions& options) {
  const bool black = side_to_move == Color::black;
  const Position board = black ? flipped(position) : position;
  const BoardView<Bitboard> v = view(board);
  append_placement(out, board);
  out += black ? " b " : " w ";
  const std::size_t before = out.size();
  append_rights(out, v, v.us, 0, options.shredder);
  append_rights(out, v, v.them, 56, options.shredder);
  if (out.size() == before) out += '-';
  out += ' ';
  const Bitboard en_passant = view(position).en_passant;
  if (en_passant) {
    const int square = lowest_square(en_passant) ^ (black ? 56 : 0);
    out += static_cast<char>('a' + (square & 7));
    out += static_cast<char>('1' + (square >> 3));
  } else {
    out += '-';
  }
}

void append_fen(std::string& out, const Position& position, Color side_to_move,
                std::uint32_t halfmove_clock, std::uint32_t fullmove_number,
                const FenWriteOptions& options) {
  append_epd_fields(out, position, side_to_move, options);
  out += ' ';
  append_number(out, halfmove_clock);
  out += ' ';
  append_number(out, fullmove_number);
}

std::string write_fen(const Position& position, Color side_to_move, std::uint32_t halfmove_clock,
                      std::uint32_t fullmove_number, const FenWriteOptions& options) {
  std::string out;
  out.reserve(96);
  append_fen(out, position, side_to_move, halfmove_clock, fullmove_number, options);
  return out;
}

Position start_position() {
  Position p;
  constexpr PieceType kBackRank[] = {
      PieceType::castling_rook, PieceType::knight, PieceType::bishop, PieceType::queen,
      PieceType::king,          PieceType::bishop, PieceType::knight, PieceType::castling_rook};
  for (int file = 0; file < 8; ++file) {
    put_piece(p, file, kBackRank[file], false);
    put_piece(p, file + 8, PieceType::pawn, false);
    put_piece(p, file + 48, PieceType::pawn, true);
    put_piece(p, file + 56, kBackRank[file], true);
  }
  return p;
}

}  // namespace cuarbiter
