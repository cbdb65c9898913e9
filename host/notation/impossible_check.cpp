// Checks that no last move can have given, by taking back every move that the other side may have
// made (FIDE 3.9.2: whoever moved left no check standing before).
//
// A check is possible when some last move can be taken back so that the king now in check was not
// attacked before it. Only what is certain counts: which men were captured, and how the game came
// there, is left open.
#include "host/notation/fen_fields.hpp"
#include "host/rules/make_move.hpp"

namespace cuarbiter::fen_detail {

namespace {

// Retraction of one move of theirs. The board is seen by the side in check; their pawns move down.
class Retraction {
 public:
  explicit Retraction(const Position& position) : p_(position), v_(view(position)) {
    p_.d &= v_.occupied;  // what may be captured next says nothing here
    spare_us_ = popcount(v_.us) < 16;
    spare_our_pawn_ = spare_us_ && popcount(v_.pawns() & v_.us) < 8;
    spare_their_pawn_ = popcount(v_.pawns() & v_.them) < 8;
    king_may_move_ = !(v_.castling_rooks() & v_.them);
  }

  bool exists() const {
    // A man that gives check comes first: it is most often the one that moved.
    const Bitboard checkers = checking_men();
    return any_of(checkers) || any_of(v_.them & ~checkers) || castling();
  }

 private:
  Bitboard checking_men() const {
    const int king = lowest_square(v_.kings() & v_.us);
    const Bitboard bit = square_bit(king);
    return v_.them & ((rook_attacks(king, v_.occupied) & v_.orthogonal_sliders()) |
                      (bishop_attacks(king, v_.occupied) & v_.diagonal_sliders()) |
                      (knight_attacks(bit) & v_.knights()) |
                      ((shift<kNorthEast>(bit) | shift<kNorthWest>(bit)) & v_.pawns()));
  }

  bool any_of(Bitboard men) const {
    while (men) {
      const int square = lowest_square(men);
      men &= men - 1;
      if (moved_to(square)) return true;
    }
    return false;
  }

  bool moved_to(int square) const {
    const Bitboard bit = square_bit(square);
    const Bitboard empty = ~v_.occupied;
    switch (code_at(p_, square)) {
      case PieceType::pawn:
        return pawn_moved_to(square);
      case PieceType::knight:
        return piece_moved_to(square, knight_attacks(bit) & empty) || promoted_on(square);
      case PieceType::bishop:
        return piece_moved_to(square, bishop_attacks(square, v_.occupied) & empty) ||
               promoted_on(square);
      case PieceType::rook:
        return piece_moved_to(square, rook_attacks(square, v_.occupied) & empty) ||
               promoted_on(square);
      case PieceType::queen:
        return piece_moved_to(square, (rook_attacks(square, v_.occupied) |
                                       bishop_attacks(square, v_.occupied)) &
                                          empty) ||
               promoted_on(square);
      case PieceType::king:
        return king_may_move_ && piece_moved_to(square, king_attacks(bit) & empty);
      default:
        return false;  // a castling rook has not moved
    }
  }

  bool piece_moved_to(int square, Bitboard origins) const {
    const PieceType code = code_at(p_, square);
    while (origins) {
      const int from = lowest_square(origins);
      origins &= origins - 1;
      if (safe_before(square, from, code, false)) return true;
      if (spare_us_ && safe_before(square, from, code, true)) return true;
    }
    return false;
  }

  bool pawn_moved_to(int square) const {
    const int rank = square >> 3;
    if (rank > 5) return false;
    const Bitboard empty = ~v_.occupied;
    const auto is_empty = [&](int at) { return (empty >> at) & 1; };
    if (is_empty(square + 8)) {
      if (safe_before(square, square + 8, PieceType::pawn, false)) return true;
      if (rank == 4 && is_empty(square + 16) &&
          safe_before(square, square + 16, PieceType::pawn, false)) {
        return true;
      }
    }
    Bitboard sides = pawn_origins(square) & empty;
    while (sides) {
      const int from = lowest_square(sides);
      sides &= sides - 1;
      if (spare_us_ && safe_before(square, from, PieceType::pawn, true)) return true;
      const bool passed = rank == 2 && is_empty(square + 8) && is_empty(square - 8);
      if (passed && spare_our_pawn_ && safe_before_en_passant(square, from)) return true;
    }
    return false;
  }

  bool promoted_on(int square) const {
    if (square > 7 || !spare_their_pawn_) return false;
    const Bitboard empty = ~v_.occupied;
    if (((empty >> (square + 8)) & 1) && safe_before(square, square + 8, PieceType::pawn, false)) {
      return true;
    }
    Bitboard sides = pawn_origins(square) & empty;
    while (sides && spare_us_) {
      const int from = lowest_square(sides);
      sides &= sides - 1;
      if (safe_before(square, from, PieceType::pawn, true)) return true;
    }
    return false;
  }

  // Whence a pawn of theirs captures on `square`.
  static Bitboard pawn_origins(int square) {
    const Bitboard bit = square_bit(square);
    return shift<kNorthEast>(bit) | shift<kNorthWest>(bit);
  }

  // Castling, Chess960 included: from any squares of the back rank with nothing between.
  bool castling() const {
    if (!king_may_move_) return false;
    for (const bool kingside : {true, false}) {
      const int king_to = kingside ? 62 : 58;
      const int rook_to = kingside ? 61 : 59;
      if (!(v_.kings() & v_.them & square_bit(king_to)) ||
          !(v_.rooks() & v_.them & square_bit(rook_to))) {
        continue;
      }
      const Bitboard others = v_.occupied & ~square_bit(king_to) & ~square_bit(rook_to);
      for (int king = 57; king <= 62; ++king) {
        const int first = kingside ? king + 1 : 56;
        const int last = kingside ? 63 : king - 1;
        for (int rook = first; rook <= last; ++rook) {
          const int low =
              kingside ? (king < rook_to ? king : rook_to) : (rook < king_to ? rook : king_to);
          const int high =
              kingside ? (rook > king_to ? rook : king_to) : (king > rook_to ? king : rook_to);
          const Bitboard way = (square_bit(high) << 1) - square_bit(low);
          if (!(others & way) && safe_before_castling(king_to, rook_to, king, rook)) return true;
        }
      }
    }
    return false;
  }

  static void take_off(Position& q, int square) {
    const Bitboard keep = ~square_bit(square);
    q.a &= keep;
    q.b &= keep;
    q.c &= keep;
    q.d &= keep;
  }

  // True when our king was not attacked before their man went from `from` to `to`.
  bool safe_before(int to, int from, PieceType code, bool captured) const {
    Position q = p_;
    take_off(q, to);
    put_piece(q, from, code, true);
    if (captured) put_piece(q, to, PieceType::knight, false);
    return !in_check(q);
  }

  bool safe_before_en_passant(int to, int from) const {
    Position q = p_;
    take_off(q, to);
    put_piece(q, from, PieceType::pawn, true);
    put_piece(q, to + 8, PieceType::pawn, false);
    return !in_check(q);
  }

  bool safe_before_castling(int king_to, int rook_to, int king, int rook) const {
    Position q = p_;
    take_off(q, king_to);
    take_off(q, rook_to);
    put_piece(q, king, PieceType::king, true);
    put_piece(q, rook, PieceType::rook, true);
    return !in_check(q);
  }

  Position p_;
  BoardView<Bitboard> v_;
  bool spare_us_;
  bool spare_our_pawn_;
  bool spare_their_pawn_;
  bool king_may_move_;
};

}  // namespace

bool check_is_possible(const Position& position) {
  return !in_check(position) || Retraction(position).exists();
}

}  // namespace cuarbiter::fen_detail
