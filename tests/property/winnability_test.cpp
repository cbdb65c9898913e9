// The prover against the plain truth: everything that can be reached from a position, counted out
// one ply after the other with nothing left out, where that is little enough.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "host/notation/fen.hpp"
#include "host/proof/position_pool.hpp"
#include "host/proof/prover.hpp"
#include "host/rules/movegen.hpp"
#include "tests/support/random_play.hpp"

namespace cuarbiter {
namespace {

using test_support::Random;

struct Truth {
  bool complete = false;  // everything was counted out
  bool us = false;        // a mate by the side to move of the root was met
  bool them = false;
};

Truth count_out(const Position& root, std::size_t most) {
  Truth truth;
  PositionPool pool;
  pool.clear();
  pool.add(root, true);
  for (std::uint32_t i = 0; i < pool.size(); ++i) {
    if (pool.size() > most) return truth;
    const Position p = pool.position(i);
    const bool us = pool.winner_moves(i);
    if (in_check(p) && !has_legal_move(p)) (us ? truth.them : truth.us) = true;
    for_each_child(p, [&](const Position& child) { pool.add(child, !us); });
  }
  truth.complete = true;
  return truth;
}

// Kings, a wall of pawns face to face if wanted, and a few men more.
std::string random_position(Random& random, bool wall, unsigned men) {
  std::string board(64, '.');
  const auto put = [&](char piece, unsigned low, unsigned high) {
    for (int i = 0; i < 100; ++i) {
      char& square = board[8 * low + random.below(8 * (high - low))];
      if (square != '.') continue;
      square = piece;
      return;
    }
  };
  // Every other file; now and then a pawn is missing.
  for (unsigned file = random.below(2); wall && file < 8; file += 2) {
    if (random.below(8) != 0) board[8 * 3 + file] = 'p';
    if (random.below(8) != 0) board[8 * 4 + file] = 'P';
  }
  put('K', 0, 8);
  put('k', 0, 8);
  for (unsigned i = 0; i < men; ++i) {
    const char piece = "BbNnPpRrBb"[random.below(10)];
    const bool pawn = piece == 'P' || piece == 'p';
    put(piece, pawn ? 1 : 0, pawn ? 7 : 8);
  }
  std::string fen;
  for (unsigned i = 0; i < 64; ++i) {
    if (i && i % 8 == 0) fen += '/';
    fen += board[i] == '.' ? '1' : board[i];
  }
  return fen + (random.below(2) ? " w - - 0 1" : " b - - 0 1");
}

// Where a mate exists no choice of shadows may exclude it.
void expect_no_shadow_proof(const Position& position, bool us, const Mobility& mobility,
                            Random& random) {
  ShadowSearch search;
  for (unsigned choice = 0; choice < 6; ++choice) {
    Bitboard shadows = 0;
    for (int i = 0; i < mobility.count(); ++i) {
      const Mobility::Man& man = mobility.man(i);
      const bool pawn = man.type == PieceType::pawn;
      if (man.king()) continue;
      if (choice == 0 ? !pawn : random.below(4) < (pawn ? choice / 2 : choice)) shadows |= man.home;
    }
    EXPECT_FALSE(search.excludes_mate(position, us, mobility, shadows, 20000))
        << write_fen(position, Color::white, 0, 1) << (us ? " us" : " them") << ", shadows "
        << shadows;
  }
  ShadowProof proof;
  EXPECT_FALSE(proof.excludes_mate(position, us, mobility, 5000, 10000));
}

// Compares positions with the truth; returns how many answers were compared, by answer.
std::array<unsigned, 2> compare(std::uint64_t seed, unsigned count, bool wall, unsigned men,
                                std::size_t most) {
  Random random(seed);
  Prover prover({20000});
  std::array<unsigned, 2> compared{};
  for (unsigned i = 0; i < count; ++i) {
    const std::string fen = random_position(random, wall, men);
    const FenResult f = read_fen(fen);
    if (!f.valid()) continue;
    const Truth truth = count_out(f.position, most);
    for (const bool us : {true, false}) {
      const bool met = us ? truth.us : truth.them;
      if (!met && !truth.complete) continue;
      const Winnable answer = prover.prove(f.position, us);
      EXPECT_NE(answer, met ? Winnable::no : Winnable::yes) << fen << (us ? " us" : " them");
      if (met) {
        EXPECT_TRUE(Mobility(f.position, us).mate_is_possible()) << fen;
        Mobility deep(f.position, us);
        deep.deepen();
        EXPECT_TRUE(deep.mate_is_possible()) << fen;
        expect_no_shadow_proof(f.position, us, deep, random);
      }
      if (answer != Winnable::open) ++compared[met ? 1 : 0];
    }
  }
  return compared;
}

TEST(Winnability, FewMen) {
  const auto [no, yes] = compare(1, 80, false, 1, 600'000);
  EXPECT_GT(no, 40u);
  EXPECT_GT(yes, 10u);
  EXPECT_GT(compare(2, 60, false, 2, 60'000)[1], 3u);
}

// More men than can be counted out: where a mate is met soon, nothing may exclude it.
TEST(Winnability, WallsWithPieces) {
  for (const unsigned men : {2u, 3u, 4u}) {
    EXPECT_GT(compare(100 + men, 150, true, men, 8'000)[1], 1u) << men;
  }
  EXPECT_GT(compare(110, 300, false, 8, 8'000)[1], 3u);
}

TEST(Winnability, Walls) {
  const auto [no, yes] = compare(77, 200, true, 0, 60'000);
  EXPECT_GT(no, 20u);
  EXPECT_GT(yes, 3u);
  const auto [no1, yes1] = compare(78, 100, true, 1, 120'000);
  EXPECT_GT(no1 + yes1, 3u);
}

}  // namespace
}  // namespace cuarbiter
