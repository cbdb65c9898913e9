// The prover against all there is in classes of three and four men: which positions can still be
// won is counted out backwards from the mates, by code of its own that knows squares and men only.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host/proof/prover.hpp"
#include "host/rules/attacks.hpp"
#include "host/rules/make_move.hpp"

namespace cuarbiter {
namespace {

// The winner has a king and one man, the loser a king and at most one. Squares as the winner sees
// them; a man of type none stands nowhere.
struct Class {
  PieceType winner, loser;
};

constexpr int kWinnersKing = 0, kLosersKing = 1, kWinnersMan = 2, kLosersMan = 3;

struct State {
  std::array<int, 4> at;
  bool winner_moves;

  std::uint32_t index() const {
    return static_cast<std::uint32_t>(((at[0] * 64 + at[1]) * 64 + at[2]) * 64 + at[3]) * 2u +
           (winner_moves ? 1 : 0);
  }
  static State of(std::uint32_t i) {
    State s;
    s.winner_moves = (i & 1) != 0;
    i /= 2;
    for (int m = 3; m >= 0; --m, i /= 64)
      s.at[static_cast<std::size_t>(m)] = static_cast<int>(i % 64);
    return s;
  }
};

class Table {
 public:
  // Where the loser has a pawn, the tables of what it may become.
  explicit Table(Class men, std::vector<const Table*> promoted = {})
      : types_{PieceType::king, PieceType::king, men.winner, men.loser},
        promoted_(std::move(promoted)),
        legal_(kStates, false),
        winnable_(kStates, false) {
    const std::uint32_t step = men.loser == PieceType::none ? 128 : 1;
    for (std::uint32_t i = 0; i < kStates; ++i) {
      if (step == 128 && i % 128 >= 2) continue;  // one place for nobody
      legal_[i] = is_legal(State::of(i));
    }
    std::vector<std::uint32_t> found, next;
    for (std::uint32_t i = 0; i < kStates; ++i) {
      if (!legal_[i]) continue;
      const State s = State::of(i);
      if (!s.winner_moves && (is_mate(s) || promotes_well(s))) {
        winnable_[i] = true;
        found.push_back(i);
      }
    }
    while (!found.empty()) {
      next.clear();
      for (const std::uint32_t i : found) {
        unmove(State::of(i), [&](const State& before) {
          const std::uint32_t j = before.index();
          if (!legal_[j] || winnable_[j]) return;
          winnable_[j] = true;
          next.push_back(j);
        });
      }
      found.swap(next);
    }
  }

  static constexpr std::uint32_t kStates = 64u * 64 * 64 * 64 * 2;
  bool legal(std::uint32_t i) const { return legal_[i]; }
  bool winnable(std::uint32_t i) const { return winnable_[i]; }

  Position position(const State& s) const {
    Position p;
    for (int m = 0; m < 4; ++m) {
      if (types_[m] != PieceType::none) put_piece(p, s.at[m], types_[m], m % 2 != 0);
    }
    return s.winner_moves ? p : flipped(p);
  }

 private:
  bool there(int m) const { return types_[m] != PieceType::none; }
  Bitboard occupied(const State& s) const {
    Bitboard all = 0;
    for (int m = 0; m < 4; ++m) all |= there(m) ? square_bit(s.at[m]) : 0;
    return all;
  }
  // Squares that a man attacks; the loser's pawn looks down.
  Bitboard attacks(const State& s, int m, Bitboard all) const {
    const Bitboard at = square_bit(s.at[m]);
    switch (types_[m]) {
      case PieceType::king:
        return king_attacks(at);
      case PieceType::knight:
        return knight_attacks(at);
      case PieceType::bishop:
        return bishop_attacks(s.at[m], all);
      case PieceType::rook:
        return rook_attacks(s.at[m], all);
      case PieceType::queen:
        return rook_attacks(s.at[m], all) | bishop_attacks(s.at[m], all);
      case PieceType::pawn:
        return m == kLosersMan ? shift<kSouthEast>(at) | shift<kSouthWest>(at)
                               : shift<kNorthEast>(at) | shift<kNorthWest>(at);
      default:
        return 0;
    }
  }
  bool attacked(const State& s, int king, bool by_winner) const {
    const Bitboard all = occupied(s);
    for (int m = by_winner ? 0 : 1; m < 4; m += 2) {
      if (there(m) && (attacks(s, m, all) & square_bit(s.at[king]))) return true;
    }
    return false;
  }
  bool is_legal(const State& s) const {
    int men = 0;
    for (int m = 0; m < 4; ++m) {
      men += there(m) ? 1 : 0;
      if (types_[m] == PieceType::pawn && (s.at[m] < 8 || s.at[m] >= 56)) return false;
    }
    if (popcount(occupied(s)) != men) return false;
    return !attacked(s, s.winner_moves ? kLosersKing : kWinnersKing, s.winner_moves);
  }
  bool is_mate(const State& s) const {
    if (!attacked(s, kLosersKing, true)) return false;
    const Bitboard all = occupied(s);
    const Bitboard own =
        square_bit(s.at[kLosersKing]) | (there(kLosersMan) ? square_bit(s.at[kLosersMan]) : 0);
    for (int m = 1; m < 4; m += 2) {
      if (!there(m)) continue;
      Bitboard to = attacks(s, m, all) & ~own;
      if (types_[m] == PieceType::pawn) {
        to &= all;
        const Bitboard one = (square_bit(s.at[m]) >> 8) & ~all;
        to |= one | (s.at[m] >= 48 ? (one >> 8) & ~all : 0);
      }
      for (; to; to &= to - 1) {
        State after = s;
        after.at[static_cast<std::size_t>(m)] = lowest_square(to);
        if (after.at[kWinnersKing] == after.at[m]) continue;
        // A man that has been taken gives no check: only the king is left then.
        const bool taken = after.at[kWinnersMan] == after.at[m];
        const Bitboard king = square_bit(after.at[kLosersKing]);
        const bool checked = taken ? (king_attacks(square_bit(after.at[kWinnersKing])) & king) != 0
                                   : attacked(after, kLosersKing, true);
        if (!checked) return false;
      }
    }
    return true;
  }
  bool promotes_well(const State& s) const {
    if (types_[kLosersMan] != PieceType::pawn || s.at[kLosersMan] >= 16) return false;
    State after = s;
    after.at[kLosersMan] -= 8;
    after.winner_moves = true;
    if (occupied(s) & square_bit(after.at[kLosersMan])) return false;
    for (const Table* table : promoted_) {
      if (table->legal(after.index()) && table->winnable(after.index())) return true;
    }
    return false;
  }
  // Calls f(before) for every state from which a move without a capture leads here.
  template <class F>
  void unmove(const State& s, F&& f) const {
    const Bitboard all = occupied(s);
    for (int m = s.winner_moves ? 1 : 0; m < 4; m += 2) {
      if (!there(m)) continue;
      Bitboard from = attacks(s, m, all) & ~all;
      if (types_[m] == PieceType::pawn) {
        const Bitboard one = (square_bit(s.at[m]) << 8) & ~all;
        from = one | (s.at[m] / 8 == 4 ? (one << 8) & ~all : 0);
      }
      for (; from; from &= from - 1) {
        State before = s;
        before.at[static_cast<std::size_t>(m)] = lowest_square(from);
        before.winner_moves = !s.winner_moves;
        f(before);
      }
    }
  }

  std::array<PieceType, 4> types_;
  std::vector<const Table*> promoted_;
  std::vector<bool> legal_, winnable_;
};

// Every state that cannot be won and every step-th of the others; returns how many could not.
unsigned compare(const Table& table, unsigned step) {
  Prover prover({1'000'000});
  unsigned lost = 0, seen = 0, wrong = 0;
  for (std::uint32_t i = 0; i < Table::kStates && wrong < 10; ++i) {
    if (!table.legal(i)) continue;
    const bool winnable = table.winnable(i);
    lost += winnable ? 0 : 1;
    if (winnable && ++seen % step != 0) continue;
    const State s = State::of(i);
    const Winnable answer = prover.prove(table.position(s), s.winner_moves);
    if (answer == (winnable ? Winnable::yes : Winnable::no)) continue;
    ++wrong;
    ADD_FAILURE() << "kings " << s.at[0] << ' ' << s.at[1] << " men " << s.at[2] << ' ' << s.at[3]
                  << (s.winner_moves ? " winner" : " loser")
                  << " to move: " << (winnable ? "can" : "cannot") << " be won, answer "
                  << static_cast<int>(answer);
  }
  EXPECT_GT(seen, 100000u);
  return lost;
}

TEST(SmallMaterial, QueenOrRookAgainstTheKing) {
  EXPECT_GT(compare(Table({PieceType::queen, PieceType::none}), 1), 100u);
  EXPECT_GT(compare(Table({PieceType::rook, PieceType::none}), 1), 100u);
}

TEST(SmallMaterial, BishopAgainstKnight) {
  EXPECT_GT(compare(Table({PieceType::bishop, PieceType::knight}), 4001), 10u);
}

TEST(SmallMaterial, KnightAgainstOneMan) {
  const Table knight({PieceType::knight, PieceType::knight});
  const Table bishop({PieceType::knight, PieceType::bishop});
  const Table rook({PieceType::knight, PieceType::rook});
  EXPECT_GT(compare(bishop, 4001), 10u);
  const Table pawn({PieceType::knight, PieceType::pawn}, {&knight, &bishop, &rook});
  EXPECT_GT(compare(pawn, 4001), 10u);
}

}  // namespace
}  // namespace cuarbiter
