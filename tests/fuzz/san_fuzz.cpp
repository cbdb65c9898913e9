// Fuzz target: any bytes as a move, in positions with everything that moves can be. A move that is
// found must be one of the legal ones, and its canonical SAN must name it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "host/notation/fen.hpp"
#include "host/notation/san_text.hpp"
#include "host/rules/movegen.hpp"
#include "host/rules/san_match.hpp"

using namespace cuarbiter;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

const char* const kPositions[] = {
    "r3k2r/1P6/8/3Pp3/2p5/1P1N2N1/5P2/R3K2R w KQkq e6 0 30",
    "r3k2r/1p1n4/8/8/3pP3/5B2/1p3Q1Q/R3K2R b KQkq e3 0 30",
    "1r1kr3/ppp4p/8/8/8/8/PPP4P/1R1KR1BN w EBeb - 0 1",
};

void check(const FenResult& fen, std::string_view text) {
  std::vector<Move> moves;
  for_each_legal_move(fen.position, [&](Move move) { moves.push_back(move); });
  const bool checked = in_check(fen.position);
  const Match match = match_san(fen.position, read_san(text), fen.black());
  if (match.status == MatchStatus::ok) {
    require(std::find(moves.begin(), moves.end(), match.move) != moves.end());
    const std::string san = san_text(fen.position, match.move, fen.black());
    const Match again = match_san(fen.position, read_san(san), fen.black());
    require(again.status == MatchStatus::ok && again.move == match.move && again.spelling == 0);
  }
  const std::optional<Move> uci = read_uci(fen.position, text, fen.black());
  require(!uci || std::find(moves.begin(), moves.end(), *uci) != moves.end());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<FenResult> positions = [] {
    std::vector<FenResult> all;
    for (const char* text : kPositions) all.push_back(read_fen(text));
    return all;
  }();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  unsigned glyph = 0;
  read_san(text, &glyph);
  require(glyph <= size);
  for (const FenResult& fen : positions) check(fen, text);
  return 0;
}
