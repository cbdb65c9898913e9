// Fuzz target: any bytes as a PGN archive, through framer, lexer, replay, judge and export writer.
// Nothing of what is found or written may depend on where slabs and reads are cut, every finding
// must lie in the text, and what was written in export format is the same games, clean in its form
// and written again without a change.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "host/notation/fen.hpp"
#include "tests/support/export_run.hpp"

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

// What export format has no room for, whatever stood in the text before. Games that are not judged
// keep their words.
bool is_of_form(const test::PgnFinding& f) {
  for (const char* code :
       {"pgn.tag-syntax", "pgn.unterminated-comment", "pgn.unterminated-variation",
        "pgn.unterminated-tag", "pgn.nul-byte", "pgn.result-missing", "pgn.tag-missing",
        "pgn.move-number", "pgn.nested-comment", "pgn.reserved", "pgn.nag-glyph",
        "pgn.result-spelling", "pgn.game-too-long"}) {
    if (f.code == code) return true;
  }
  return false;
}

void check_export(const std::string& text, const test::PgnRun& run, const test::PgnOptions& options,
                  bool fix) {
  const std::string once = test::export_pgn(text, fix, options);
  test::PgnOptions unbounded = options;
  unbounded.max_frame_bytes = std::size_t{8} << 20;
  require(test::export_pgn(once, fix, unbounded) == once, "written again it changes");
  const test::PgnRun again = test::run_pgn(once, unbounded);
  require(again.games.size() == run.games.size(), "games are lost or won by writing");
  for (std::size_t i = 0; i < run.games.size(); ++i) {
    const test::PgnGame& before = run.games[i];
    const test::PgnGame& after = again.games[i];
    require(before.replayed == after.replayed, "a game is judged no more by writing");
    require(before.fen == after.fen && before.plies() == after.plies(), "a game has changed");
    require(before.verdict.broken == after.verdict.broken, "a game is broken or mended");
  }
  for (const test::PgnFinding& f : again.findings) {
    if (f.game > again.games.size()) continue;
    const test::PgnGame& game = again.games[f.game - 1];
    require(!is_of_form(f) || !game.replayed, "written in a wrong form");
    require(f.code != "pgn.result-mismatch" || !fix, "a result is not repaired");
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
  check_export(text, whole, options, false);
  check_export(text, whole, options, true);
  const std::string written = test::export_pgn(text, true, options);
  options.slab_bytes = std::size_t{1} + data[2];
  options.most_per_read = std::size_t{1} + data[1] % 61;
  same(test::run_pgn(text, options), whole);
  require(test::export_pgn(text, true, options) == written, "what is written depends on sizes");
  return 0;
}
