// Fuzz target: any bytes as a PGN archive, through framer, lexer, replay and judge. Nothing of what
// is found may depend on where slabs and reads are cut, and every finding must lie in the text.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "host/notation/fen.hpp"
#include "tests/support/pgn_run.hpp"

using namespace cuarbiter;

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "pgn_fuzz: %s\n", what);
  std::abort();
}

void check(const test::PgnRun& run, std::size_t size) {
  require(run.sorted, "findings are out of order");
  for (const test::PgnFinding& f : run.findings) {
    require(f.offset <= size && f.line >= 1 && f.column >= 1, "a finding lies outside the text");
    require(!f.message.empty() && f.message.size() < 2000, "a finding's message");
    require(f.game >= 1 && f.game <= run.games.size() + 1, "a finding of no game");
    require(f.fen.empty() || read_fen(f.fen).computable, "a finding's FEN cannot be read");
  }
  for (const test::PgnGame& game : run.games) {
    require(game.offset < size || size == 0, "a game lies outside the text");
    require(!game.replayed || read_fen(game.fen).computable, "a final FEN cannot be read");
  }
}

void same(const test::PgnRun& x, const test::PgnRun& y) {
  require(x.frames == y.frames, "frames depend on sizes");
  require(x.findings == y.findings, "findings depend on sizes");
  require(x.games.size() == y.games.size(), "games depend on sizes");
  for (std::size_t i = 0; i < x.games.size(); ++i) {
    require(x.games[i].offset == y.games[i].offset && x.games[i].fen == y.games[i].fen &&
                x.games[i].plies() == y.games[i].plies(),
            "a game depends on sizes");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  test::PgnOptions options;
  options.chess960 = (data[0] & 1) != 0;
  if (data[0] & 2) options.max_frame_bytes = 16 + data[1];
  const std::string text(reinterpret_cast<const char*>(data) + 3, size - 3);
  const test::PgnRun whole = test::run_pgn(text, options);
  check(whole, text.size());
  options.slab_bytes = std::size_t{1} + data[2];
  options.most_per_read = std::size_t{1} + data[1] % 61;
  same(test::run_pgn(text, options), whole);
  return 0;
}
