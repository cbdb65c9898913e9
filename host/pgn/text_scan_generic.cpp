// Passes over text by plain comparisons, with what every processor of the kind has.
#include <bit>

#include "host/pgn/block_looks.hpp"
#include "host/pgn/byte_scan.hpp"
#include "host/pgn/move_run.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

struct Block : Block64 {
  using Block64::Block64;
  bool may_be_odd(const char* text) const {
    return (any<'\r', ';'>() | Block64(text - 1).any<'\n'>()) != 0;
  }
};

using WordLook = WordLookOf<Block>;
using PlainLook = PlainLookOf<Block>;

struct ByteTally {
  void add(const Block& block) {
    nul |= block.any<'\0'>();
    beyond |= block.beyond_ascii();
  }
  bool has_nul() const { return nul != 0; }
  bool has_beyond_ascii() const { return beyond != 0; }

  std::uint64_t nul = 0, beyond = 0;
};

struct LineTally {
  static constexpr std::size_t kMost = 64;
  void add(const Block& block) {
    count += static_cast<unsigned>(__builtin_popcountll(block.any<'\n'>()));
    cr |= block.any<'\r'>();
  }
  std::uint64_t lf() const { return count; }
  bool has_cr() const { return cr != 0; }

  std::uint64_t count = 0, cr = 0;
};

std::uint64_t parity_up_to(std::uint64_t bits) {
  return prefix_parity(bits);
}

void append_places(std::uint32_t* places, std::uint32_t first, std::uint64_t bits) {
  for (; bits; bits &= bits - 1) {
    *places++ = first + static_cast<std::uint32_t>(std::countr_zero(bits));
  }
}

struct MaskMaker {
  MoveMasks of(const char* text) const {
    const Block block(text);
    MoveMasks m;
    m.stop = block.within('(', ')') | block.any<';', '$'>();
    m.no_gap =
        ~(m.stop | block.within('\t', '\r') | block.within(' ', '!') | block.any<'\0', '?', '.'>());
    m.open = block.any<'{'>();
    m.close = block.any<'}'>();
    return m;
  }
};

}  // namespace
}  // namespace cuarbiter

#include "host/pgn/text_scan_body.hpp"
// The reader of moves is made of what that defines.
#include "host/pgn/move_run_body.hpp"

namespace cuarbiter {

const TextScan& text_scan_generic() {
  static constexpr TextScan table = {read_moves,    skip_plain,     usual_tag,      usual_tags,
                                     look_at_bytes, count_and_look, count_line_ends};
  return table;
}

}  // namespace cuarbiter
