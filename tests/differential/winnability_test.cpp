// Who can still win, on the sets of positions in the shared folder: every answer against the label,
// every yes played out to the mate, and no more unknown than stated.
//
// By default a part of each set; CUARBITER_ALL_POSITIONS in the environment takes all.
// CUARBITER_PROOF_THREADS sets the number of threads. The time that the proofs took is printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "host/notation/fen.hpp"
#include "host/proof/prover.hpp"
#include "host/proof/quick_proof.hpp"
#include "host/rules/movegen.hpp"
#include "tests/support/random_play.hpp"
#include "tests/support/shared_folder.hpp"

namespace cuarbiter {
namespace {

bool mates(Position p, const std::vector<Move>& line, bool us) {
  for (const Move move : line) {
    bool legal = false;
    for_each_legal_move(p, [&](Move m) { legal |= m == move; });
    if (!legal) return false;
    p = make_move(p, move);
    us = !us;
  }
  return !us && in_check(p) && !has_legal_move(p);
}

struct Question {
  std::string line;  // of the file
  Position position;
  bool us = false;
  bool expected = false;
  Winnable answer = Winnable::open;
  bool mates = false;  // the line of a yes does
};

std::vector<Question> read_questions(const std::string& path, unsigned step) {
  std::ifstream file(path);
  std::vector<Question> questions;
  std::string line;
  unsigned read = 0;
  while (std::getline(file, line)) {
    if (line.size() < 4 || line[0] == '#' || read++ % step != 0) continue;
    const FenResult f = read_fen(std::string_view(line).substr(3));
    if (!f.computable) continue;
    for (const bool white : {true, false}) {
      questions.push_back({line, f.position, white != f.black(), line[white ? 0 : 1] != '-'});
    }
  }
  return questions;
}

void answer(std::vector<Question>& questions) {
  const char* wanted = std::getenv("CUARBITER_PROOF_THREADS");
  const unsigned threads = wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10))
                                  : std::min(8u, std::thread::hardware_concurrency());
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t used = std::clock();
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    Prover prover;
    for (std::size_t i = 0; (i = next++) < questions.size();) {
      Question& q = questions[i];
      q.answer = prover.prove(q.position, q.us);
      q.mates = q.answer == Winnable::yes && mates(q.position, prover.line(), q.us);
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  std::cout << questions.size() << " questions, " << wall.count() << " s on "
            << std::max(1u, threads) << " threads, processor time "
            << static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC << " s\n";
}

void check(const std::string& name, unsigned step, unsigned most_open) {
  const std::string path = test::shared_path("draw-states/" + name);
  if (path.empty()) GTEST_SKIP() << test::kNoSharedFolder;
  if (std::getenv("CUARBITER_ALL_POSITIONS")) step = 1;
  std::vector<Question> questions = read_questions(path, step);
  answer(questions);
  unsigned open = 0;
  for (const Question& q : questions) {
    const char* side = q.us ? " (to move)" : " (not to move)";
    if (q.answer == Winnable::open) {
      ++open;
      std::cout << "unknown: " << q.line << side << '\n';
      continue;
    }
    EXPECT_EQ(q.answer == Winnable::yes, q.expected) << q.line << side;
    EXPECT_EQ(q.answer == Winnable::yes, q.mates) << q.line << side;
  }
  EXPECT_GT(questions.size(), 1000u);
  EXPECT_LE(open, most_open) << "of " << questions.size();
}

// What material and the quick proofs exclude is never won; returns how much of what cannot be won
// they leave open.
unsigned left_open(const std::string& path) {
  unsigned open = 0;
  for (const Question& q : read_questions(path, 1)) {
    const BoardView<Bitboard> v = view(q.position);
    const bool mated = in_check(q.position) && !has_legal_move(q.position);
    const bool no = mated ? q.us
                          : material_cannot_win(v, q.us ? v.us : v.them) ||
                                quickly_excluded(q.position, q.us ? kSideUs : kSideThem) != 0;
    EXPECT_FALSE(no && q.expected) << q.line << (q.us ? " (to move)" : " (not to move)");
    open += !no && !q.expected ? 1 : 0;
  }
  return open;
}

TEST(Winnability, QuickProofs) {
  const std::string hard = test::shared_path("draw-states/winnability-hard.txt");
  if (hard.empty()) GTEST_SKIP() << test::kNoSharedFolder;
  // Of 2,410 noes in games of a site none stays open, of 2,877 hard ones about a quarter.
  EXPECT_EQ(left_open(test::shared_path("draw-states/winnability-lichess.txt")), 0u);
  EXPECT_LE(left_open(hard), 2877u * 3 / 10);
}

TEST(Winnability, HardSet) {
  check("winnability-hard.txt", 5, 0);
}

// Random men of a position as shadows, no kings.
Bitboard random_shadows(const Mobility& mobility, test_support::Random& random) {
  const unsigned kind = random.below(4);
  Bitboard shadows = 0;
  for (int i = 0; i < mobility.count(); ++i) {
    const Mobility::Man& man = mobility.man(i);
    const bool pawn = man.type == PieceType::pawn;
    const unsigned chance = random.below(8);
    const bool taken = kind == 0   ? !pawn
                       : kind == 1 ? chance < 4
                       : kind == 2 ? chance < (pawn ? 1u : 5u)
                                   : man.role == kLoser;
    if (taken && !man.king()) shadows |= man.home;
  }
  return shadows;
}

// On the way to a mate no choice of shadows may exclude it: positions of the set, some with a man
// less, and what their lines lead to.
TEST(Winnability, NoShadowsExcludeAMate) {
  const std::string path = test::shared_path("draw-states/winnability-hard.txt");
  if (path.empty()) GTEST_SKIP() << test::kNoSharedFolder;
  test_support::Random random(5);
  Prover prover({20'000});
  ShadowSearch search;
  unsigned checked = 0;
  for (const Question& q : read_questions(path, 4)) {
    Position root = q.position;
    const BoardView<Bitboard> v = view(root);
    const Bitboard gone = square_bit(static_cast<int>(random.below(64))) & ~v.kings();
    if (v.castling_rooks()) continue;
    if (!v.en_passant) {
      root.a &= ~gone;
      root.b &= ~gone;
      root.c &= ~gone;
      root.d &= ~gone;
    }
    if (opponent_in_check(root) || prover.prove(root, q.us) != Winnable::yes) continue;
    std::vector<Position> way{root};
    for (const Move move : prover.line()) way.push_back(make_move(way.back(), move));
    for (int i = 0; i < 6 && way.size() > 1; ++i) {
      const unsigned ply = i < 2 ? 0 : random.below(static_cast<unsigned>(way.size()) - 1);
      const bool us = q.us == (ply % 2 == 0);
      Mobility mobility(way[ply], us);
      mobility.deepen();
      EXPECT_TRUE(mobility.mate_is_possible()) << q.line << " ply " << ply;
      const Bitboard shadows = random_shadows(mobility, random);
      EXPECT_FALSE(search.excludes_mate(way[ply], us, mobility, shadows, 3000))
          << q.line << " without " << gone << " ply " << ply << " shadows " << shadows;
      ++checked;
    }
  }
  EXPECT_GT(checked, 3000u);
}

TEST(Winnability, GamesOfASite) {
  check("winnability-lichess.txt", 40, 0);
}

}  // namespace
}  // namespace cuarbiter
