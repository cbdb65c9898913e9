// Statistics of leaf moves: known positions, and against making every move and looking for
// attackers.
#include "host/rules/leaf_stats.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/board_text.hpp"

namespace cuarbiter {
namespace {

using test::board_of;
using Columns = std::array<unsigned, kLeafColumns>;

Columns columns(const LeafStats& stats) {
  Columns out{};
  for (unsigned c = 0; c < kLeafColumns; ++c) out[c] = stats.count[c];
  return out;
}

// The definitions, word by word: from the men on the two boards, not from sets of check squares.
Columns slow_stats(const Position& p) {
  Columns n{};
  for_each_legal_move(p, [&](Move m) {
    const Position child = make_move(p, m);
    const BoardView<Bitboard> before = view(p), after = view(child);
    ++n[kLeafNodes];
    // The mover's men are "them" after the move.
    const int men = popcount(before.them);
    if (popcount(after.us) < men) ++n[kLeafCaptures];
    if (m.kind == MoveKind::en_passant) ++n[kLeafEnPassants];
    if (m.kind == MoveKind::castling) ++n[kLeafCastles];
    if (popcount(after.pawns() & after.them) < popcount(before.pawns() & before.us)) {
      ++n[kLeafPromotions];
    }
    const Bitboard king = after.kings() & after.us;
    const Bitboard checkers = attackers_of(after, king, after.occupied, after.them);
    if (!checkers) return;
    ++n[kLeafChecks];
    // Arrived: where the mover's men stand that did not stand there before, the captured man's
    // square included.
    const Bitboard stood = mirror_ranks(before.us);
    Bitboard arrived = after.them & ~stood;
    // In Chess960 a castling man may arrive where the other one stood.
    if (m.kind == MoveKind::castling) {
      arrived = mirror_ranks(m.to > m.from ? Bitboard{0x60} : Bitboard{0x0C});
    }
    if (popcount(checkers) == 2) {
      ++n[kLeafDoubleChecks];
    } else if (!(checkers & arrived)) {
      ++n[kLeafDiscoveredChecks];
    }
    unsigned answers = 0;
    for_each_legal_move(child, [&](Move) { ++answers; });
    if (answers == 0) ++n[kLeafCheckmates];
  });
  return n;
}

Columns moves_added_up(const Position& p) {
  Columns n{};
  for_each_legal_move(p, [&](Move m) {
    const LeafStats one = move_stats(p, m);
    for (unsigned c = 0; c < kLeafColumns; ++c) n[c] += one.count[c];
  });
  return n;
}

void expect_stats(const char* fen, const Columns& expected) {
  EXPECT_EQ(columns(leaf_stats(board_of(fen))), expected) << fen;
  EXPECT_EQ(moves_added_up(board_of(fen)), expected) << fen;
  EXPECT_EQ(slow_stats(board_of(fen)), expected) << fen;
}

// Columns: nodes, captures, en passants, castles, promotions, checks, discovered, double, mates.
// The same by python-chess.
TEST(LeafStats, EnPassantDiscoversACheck) {
  expect_stats("4k3/8/8/3pP3/8/8/8/4R2K w - d6 0 1", {14, 1, 1, 0, 0, 1, 1, 0, 0});
}

TEST(LeafStats, EnPassantChecksTwice) {
  // The pawn and the rook behind it.
  expect_stats("8/4k3/8/3pP3/8/8/8/4R2K w - d6 0 1", {14, 1, 1, 0, 0, 1, 0, 1, 0});
  // The rook behind the capturing pawn and the bishop behind the captured one.
  expect_stats("8/8/4k3/3pP3/2B5/8/8/4R2K w - d6 0 1", {21, 2, 1, 0, 0, 2, 0, 1, 0});
}

TEST(LeafStats, CastlingChecks) {
  // O-O, Rf1, Rh8: the rook that castles has moved.
  expect_stats("5k2/8/8/8/8/8/8/4K2R w K - 0 1", {15, 0, 0, 1, 0, 3, 0, 0, 0});
}

TEST(LeafStats, PromotionDiscoversACheck) {
  // exd8=B and =N uncover the rook; exd8=Q and =R check as well.
  expect_stats("3nk3/4P3/8/8/8/8/8/4R2K w - - 0 1", {18, 4, 0, 0, 4, 4, 2, 2, 0});
}

TEST(LeafStats, PromotionChecksAlongThePawnsOwnLine) {
  // e8=Q and e8=R check over e7; dxc8=Q and =B over d7.
  expect_stats("8/4P3/8/4k3/8/8/8/7K w - - 0 1", {7, 0, 0, 0, 4, 2, 0, 0, 0});
  expect_stats("2n5/3P4/8/5k2/8/8/8/7K w - - 0 1", {11, 4, 0, 0, 8, 2, 0, 0, 0});
}

TEST(LeafStats, AMateIsACheck) {
  // Ra8 is mate, and no other move checks.
  expect_stats("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", {16, 0, 0, 0, 0, 1, 0, 0, 1});
}

TEST(LeafStats, ADoublePushIsNoMateWhereEnPassantAnswers) {
  // g4 checks the king on h5. A pawn on h4 takes in passing; a bishop there cannot help.
  expect_stats("6R1/8/R7/7k/7p/5K2/6P1/8 w - - 0 1", {33, 0, 0, 0, 0, 5, 0, 0, 0});
  expect_stats("6R1/8/R7/7k/7b/5K2/6P1/8 w - - 0 1", {32, 0, 0, 0, 0, 5, 0, 0, 1});
}

TEST(LeafStats, WithoutMoves) {
  expect_stats("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", {});
  expect_stats("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", {});
}

TEST(LeafStats, RandomGames) {
  Columns sum{};
  for (const Position& p : test::random_positions(20000)) {
    const Columns expected = slow_stats(p);
    ASSERT_EQ(columns(leaf_stats(p)), expected) << p.a << ' ' << p.b << ' ' << p.c << ' ' << p.d;
    ASSERT_EQ(moves_added_up(p), expected);
    for (unsigned c = 0; c < kLeafColumns; ++c) sum[c] += expected[c];
  }
  for (unsigned c = 0; c < kLeafColumns; ++c) EXPECT_GT(sum[c], 20u) << "column " << c;
}

// Few men and open lines: what random games seldom bring. The men are dropped at random; where the
// side not to move is in check the board is left out.
TEST(LeafStats, RandomBoards) {
  std::uint64_t seed = 7;
  const auto random = [&](unsigned bound) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((seed >> 33) % bound);
  };
  Columns sum{};
  unsigned tried = 0;
  while (tried < 30000) {
    Position p;
    Bitboard taken = 0;
    const auto drop = [&](PieceType piece, bool enemy) {
      int square = 0;
      do {
        square = static_cast<int>(random(64));
        if (piece == PieceType::pawn) square = 8 + square % 48;
      } while (taken & square_bit(square));
      taken |= square_bit(square);
      put_piece(p, square, piece, enemy);
    };
    drop(PieceType::king, false);
    drop(PieceType::king, true);
    const unsigned men = 3 + random(14);
    for (unsigned i = 0; i < men; ++i) {
      drop(static_cast<PieceType>(1 + random(5)), random(3) == 0);
    }
    if (opponent_in_check(p)) continue;
    // Where a pawn can be taken in passing, let it be so.
    Bitboard passed = view(p).pawns() & view(p).them & (kRank4 << 8);
    for (; passed; passed &= passed - 1) {
      const Bitboard victim = passed & (0 - passed);
      if ((view(p).occupied & (victim << 8 | victim << 16)) == 0 &&
          legal_en_passant(view(p), victim)) {
        p.d |= victim << 8;
        break;
      }
    }
    ++tried;
    const Columns expected = slow_stats(p);
    ASSERT_EQ(columns(leaf_stats(p)), expected) << p.a << ' ' << p.b << ' ' << p.c << ' ' << p.d;
    ASSERT_EQ(moves_added_up(p), expected);
    for (unsigned c = 0; c < kLeafColumns; ++c) sum[c] += expected[c];
  }
  EXPECT_GT(sum[kLeafEnPassants], 20u);
  EXPECT_GT(sum[kLeafDiscoveredChecks], 1000u);
  EXPECT_GT(sum[kLeafDoubleChecks], 100u);
}

}  // namespace
}  // namespace cuarbiter
