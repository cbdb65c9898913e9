// Who can still win, on the sets of positions in the shared folder: every answer against the label,
// every yes played out to the mate.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "host/notation/fen.hpp"
#include "host/proof/prover.hpp"
#include "host/rules/movegen.hpp"
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

// Every `step`-th position of a set; CUARBITER_ALL_POSITIONS in the environment takes all.
void check(const std::string& name, unsigned step, unsigned most_open) {
  const std::string path = test::shared_path("draw-states/" + name);
  if (path.empty()) GTEST_SKIP() << test::kNoSharedFolder;
  if (std::getenv("CUARBITER_ALL_POSITIONS")) step = 1;
  std::ifstream file(path);
  Prover prover;
  std::string line;
  unsigned read = 0, questions = 0, open = 0;
  while (std::getline(file, line)) {
    if (line.size() < 4 || line[0] == '#' || read++ % step != 0) continue;
    const FenResult f = read_fen(std::string_view(line).substr(3));
    if (!f.computable) continue;
    for (const bool white : {true, false}) {
      const bool us = white != f.black();
      const Winnable answer = prover.prove(f.position, us);
      const bool expected = line[white ? 0 : 1] != '-';
      ++questions;
      if (answer == Winnable::open) {
        ++open;
        continue;
      }
      EXPECT_EQ(answer == Winnable::yes, expected) << line;
      if (answer == Winnable::no) continue;
      EXPECT_TRUE(mates(f.position, prover.line(), us)) << line;
    }
  }
  EXPECT_GT(questions, 1000u);
  EXPECT_LE(open, most_open) << "of " << questions;
}

TEST(Winnability, HardSet) {
  check("winnability-hard.txt", 5, 12);
}

TEST(Winnability, GamesOfASite) {
  check("winnability-lichess.txt", 40, 0);
}

}  // namespace
}  // namespace cuarbiter
