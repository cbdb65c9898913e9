// Real archives and crafted files of the shared folder: what is known to be in them.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "host/io/source.hpp"
#include "tests/support/pgn_run.hpp"
#include "tests/support/shared_folder.hpp"

namespace cuarbiter {
namespace {

using namespace test;

struct ArchiveTotals {
  std::uint64_t games = 0;
  std::uint64_t plies = 0;            // legal plies of the main lines
  std::uint64_t main_tokens = 0;      // moves of the main lines, legal or not
  std::uint64_t variation_moves = 0;  // moves of variations, as written
  std::uint64_t nul_bytes = 0;
  std::map<std::string, std::uint64_t> codes;
  // Game, fullmove number and code of every error about a move.
  std::vector<std::tuple<std::uint64_t, std::uint32_t, std::string>> faulty_moves;
};

ArchiveTotals totals_of(const std::string& path) {
  ArchiveTotals totals;
  const std::unique_ptr<ByteSource> source = open_source(path);
  GameBatch batch;
  std::vector<Finding> findings;
  for_each_slab(*source, {}, [&](const Slab& slab) {
    batch.clear();
    findings.clear();
    lex_slab(slab, {}, batch);
    cpu_for_pgn().replay(batch.replay);
    judge_slab(slab, batch, kRulesProfiles[0], findings);
    for (const GameVerdict& v : batch.replay.game_verdicts) totals.plies += v.plies;
    for (const ReplayGame& g : batch.replay.games) {
      for (std::uint32_t s = 0; s < g.segment_count; ++s) {
        (s ? totals.variation_moves : totals.main_tokens) +=
            batch.replay.segments[g.segment_begin + s].token_count;
      }
    }
    for (const Finding& f : findings) {
      const std::string code(code_name(f.code));
      ++totals.codes[code];
      if (f.code == Code::pgn_nul_byte) {
        std::uint32_t at = f.at;
        while (at < slab.size && slab.text[at++] == '\0') ++totals.nul_bytes;
      }
      if (code.substr(0, 5) == "move." && f.severity == Severity::error) {
        totals.faulty_moves.emplace_back(totals.games + 1 + f.game, (f.ply + 1) / 2, code);
      }
    }
    totals.games += batch.games.size();
  });
  return totals;
}

std::string archive(const std::string& name) {
  return shared_path("pgn/" + name + ".pgn.zst");
}

TEST(Archives, Master) {
  const std::string path = archive("master");
  if (path.empty()) GTEST_SKIP() << kNoSharedFolder;
  const ArchiveTotals t = totals_of(path);
  EXPECT_EQ(t.games, 308031u);
  // 25,392,315 moves are written; six of them are the two illegal ones and what follows them.
  EXPECT_EQ(t.main_tokens, 25392315u);
  EXPECT_EQ(t.plies, 25392309u);
  EXPECT_EQ(t.variation_moves, 0u);
  EXPECT_EQ(t.nul_bytes, 4u);
  const std::vector<std::tuple<std::uint64_t, std::uint32_t, std::string>> faulty = {
      {131452, 38, "move.illegal"}, {173141, 31, "move.illegal"}};
  EXPECT_EQ(t.faulty_moves, faulty);
}

TEST(Archives, Clocks) {
  const std::string path = archive("clocks");
  if (path.empty()) GTEST_SKIP() << kNoSharedFolder;
  const ArchiveTotals t = totals_of(path);
  EXPECT_EQ(t.games, 2392u);
  EXPECT_EQ(t.plies, 162148u);
  EXPECT_EQ(t.variation_moves, 17389u);
  EXPECT_TRUE(t.faulty_moves.empty());
}

TEST(Archives, Engine) {
  const std::string path = archive("engine");
  if (path.empty()) GTEST_SKIP() << kNoSharedFolder;
  const ArchiveTotals t = totals_of(path);
  EXPECT_EQ(t.games, 578u);
  EXPECT_EQ(t.plies, 145999u);
  EXPECT_EQ(t.variation_moves, 0u);
  EXPECT_TRUE(t.faulty_moves.empty());
}

TEST(Archives, Annotated) {
  const std::string path = archive("annotated");
  if (path.empty()) GTEST_SKIP() << kNoSharedFolder;
  const ArchiveTotals t = totals_of(path);
  // 2,851 as peers count, who begin another game after each of the 114 tags that they cannot read.
  const std::uint64_t bad_tags = t.codes.at("pgn.tag-syntax") + t.codes.at("pgn.unterminated-tag");
  EXPECT_EQ(bad_tags, 114u);
  EXPECT_EQ(t.games, 2737u);
  EXPECT_EQ(t.games + bad_tags, 2851u);
  // Peers count 201,596 plies in main lines and 100,071 in variations, moves behind faulty ones
  // among them; ours are the legal plies and everything written.
  EXPECT_EQ(t.plies, 201402u);
  EXPECT_EQ(t.main_tokens, 201870u);
  EXPECT_EQ(t.variation_moves, 100111u);
  std::set<std::uint64_t> faulty;
  for (const auto& [game, number, code] : t.faulty_moves) faulty.insert(game);
  EXPECT_EQ(faulty.size(), 19u);  // 44 as peers read the file
}

TEST(Archives, Chess960) {
  const std::string path = archive("chess960");
  if (path.empty()) GTEST_SKIP() << kNoSharedFolder;
  const ArchiveTotals t = totals_of(path);
  EXPECT_EQ(t.games, 126137u);
  EXPECT_EQ(t.plies, 6270284u);
  EXPECT_TRUE(t.faulty_moves.empty());
}

TEST(Crafted, EveryFileAsExpected) {
  const std::string path = shared_path("pgn/crafted/EXPECT.tsv");
  if (path.empty()) GTEST_SKIP() << kNoSharedFolder;
  std::ifstream list(path);
  std::string line;
  std::getline(list, line);
  std::size_t files = 0;
  while (std::getline(list, line)) {
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    const std::string name = line.substr(0, tab);
    const std::string expected = line.substr(tab + 1);
    const std::unique_ptr<ByteSource> source = open_source(shared_path("pgn/crafted/" + name));
    const PgnRun run = run_pgn(*source);
    ++files;
    if (expected == "yes") {
      // The files leave out tags of the roster; that alone is no answer.
      std::size_t said = 0;
      for (const PgnFinding& f : run.findings) said += f.code == "pgn.tag-missing" ? 0 : 1;
      EXPECT_GT(said, 0u) << name;
    } else {
      EXPECT_EQ(run.errors(), 0u) << name << testing::PrintToString(run.places());
    }
  }
  EXPECT_GE(files, 80u);
}

}  // namespace
}  // namespace cuarbiter
