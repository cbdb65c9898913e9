// Fuzz target: any bytes as a position line. What can be computed must be written and read back as
// the same position, and its legal moves counted and listed alike.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "host/notation/epd.hpp"
#include "host/notation/perft_block.hpp"
#include "host/notation/san_text.hpp"
#include "host/rules/movegen.hpp"

using namespace cuarbiter;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const FenResult& fen) {
  for (const FenDefect& d : fen.defects) require(d.column >= 1 && !d.message.empty());
  if (!fen.computable) return;
  const std::string text =
      write_fen(fen.position, fen.side_to_move, fen.halfmove_clock, fen.fullmove_number);
  const FenResult again = read_fen(text, FenOptions{.chess960 = fen.chess960});
  require(again.computable);
  require(same_position(again.position, fen.position));
  require(again.side_to_move == fen.side_to_move && again.halfmove_clock == fen.halfmove_clock &&
          again.fullmove_number == fen.fullmove_number);
  int moves = 0;
  for_each_legal_move(fen.position, [&](Move move) {
    ++moves;
    require(!opponent_in_check(make_move(fen.position, move)));
  });
  require(moves == count_legal_moves(fen.position));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const FenOptions options{.chess960 = (data[0] & 1) != 0};
  const std::string_view line(reinterpret_cast<const char*>(data) + 1, size - 1);
  const FenResult fen = read_fen(line, options);
  check(fen);
  require(!fen.normal || write_fen(fen.position, fen.side_to_move, fen.halfmove_clock,
                                   fen.fullmove_number) == line);
  check(read_position_line(line, options).fen);
  check(read_epd(line, options).fen);
  PerftBlockReader blocks;
  blocks.read("epd 8/8/8/8/8/8/8/8 w - -", 1);
  blocks.read(line, 2);
  blocks.finish();
  return 0;
}
