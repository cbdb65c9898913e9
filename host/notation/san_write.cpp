// Writing moves: canonical SAN (PGN standard 8.2.3) and UCI moves; reading UCI moves.
#include "host/notation/san_text.hpp"
#include "host/rules/count.hpp"
#include "host/rules/make_move.hpp"
#include "host/rules/san_match.hpp"

namespace cuarbiter {

namespace {

constexpr char kPieceLetters[] = "-PNBRQK";

char file_letter(unsigned square) {
  return static_cast<char>('a' + (square & 7));
}
char rank_digit(unsigned square, bool black) {
  return static_cast<char>('1' + ((square >> 3) ^ (black ? 7u : 0u)));
}

// 8.2.3.4: nothing when the man is alone, else the file, else the rank, else both. Only men that
// may legally go there count.
void append_origin(std::string& out, const BoardView<Bitboard>& v, PieceType piece, Move move,
                   bool black) {
  const Bitboard others = legal_movers(v, piece, move.to) & ~square_bit(move.from);
  if (!others) return;
  const bool shares_file = others & (kFileA << (move.from & 7));
  const bool shares_rank = others & (kRank1 << (move.from & 56));
  if (!shares_file || shares_rank) out += file_letter(move.from);
  if (shares_file) out += rank_digit(move.from, black);
}

}  // namespace

void append_square(std::string& out, unsigned square, bool black) {
  out += file_letter(square);
  out += rank_digit(square, black);
}

void append_san(std::string& out, const Position& position, Move move, bool black) {
  const BoardView<Bitboard> v = view(position);
  if (move.kind == MoveKind::castling) {
    out += move.to > move.from ? "O-O" : "O-O-O";
  } else {
    const PieceType piece = piece_at(position, move.from);
    const bool capture =
        move.kind == MoveKind::en_passant || (v.occupied & square_bit(move.to)) != 0;
    if (piece == PieceType::pawn) {
      if (capture) out += file_letter(move.from);
    } else {
      out += kPieceLetters[static_cast<unsigned>(piece)];
      if (piece != PieceType::king) append_origin(out, v, piece, move, black);
    }
    if (capture) out += 'x';
    append_square(out, move.to, black);
    if (move.promotion != PieceType::none) {
      out += '=';
      out += kPieceLetters[static_cast<unsigned>(move.promotion)];
    }
  }
  const Position after = make_move(position, move);
  if (in_check(after)) out += has_legal_move(after) ? '+' : '#';
}

std::string san_text(const Position& position, Move move, bool black) {
  std::string out;
  append_san(out, position, move, black);
  return out;
}

void append_uci(std::string& out, Move move, bool black, bool chess960) {
  unsigned to = move.to;
  if (move.kind == MoveKind::castling && !chess960) to = move.to > move.from ? 6 : 2;
  append_square(out, move.from, black);
  append_square(out, to, black);
  constexpr char kSmallLetters[] = "-pnbrqk";
  if (move.promotion != PieceType::none) {
    out += kSmallLetters[static_cast<unsigned>(move.promotion)];
  }
}

std::string uci_text(Move move, bool black, bool chess960) {
  std::string out;
  append_uci(out, move, black, chess960);
  return out;
}

std::optional<Move> read_uci(const Position& position, std::string_view text, bool black) {
  if (text.size() != 4 && text.size() != 5) return std::nullopt;
  for (std::size_t i = 0; i < 4; i += 2) {
    if (text[i] < 'a' || text[i] > 'h' || text[i + 1] < '1' || text[i + 1] > '8') {
      return std::nullopt;
    }
  }
  const auto square = [&](std::size_t at) {
    return 8 * static_cast<unsigned>(text[at + 1] - '1') + static_cast<unsigned>(text[at] - 'a');
  };
  SanToken token;
  const unsigned from = square(0);
  token.set_target(square(2)).set_origin((from & 7) + 1, (from >> 3) + 1);
  if (text.size() == 5) {
    switch (text[4]) {
      case 'n':
        token.set_promotion(PieceType::knight);
        break;
      case 'b':
        token.set_promotion(PieceType::bishop);
        break;
      case 'r':
        token.set_promotion(PieceType::rook);
        break;
      case 'q':
        token.set_promotion(PieceType::queen);
        break;
      default:
        return std::nullopt;
    }
  }
  const Match match = match_san(position, token, black);
  if (match.status != MatchStatus::ok) return std::nullopt;
  return match.move;
}

}  // namespace cuarbiter
