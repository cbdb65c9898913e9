// Passes over text with AVX2: 32 bytes at a time.
#include <immintrin.h>

#include "host/pgn/block_looks.hpp"
#include "host/pgn/byte_kinds.hpp"
#include "host/pgn/move_run.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

__m256i table_of(const detail::KindTable& table) {
  return _mm256_broadcastsi128_si256(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.kinds)));
}

std::uint64_t parity_up_to(std::uint64_t bits) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(bits)), _mm_set1_epi8(-1), 0);
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
}

struct Block {
  explicit Block(const char* text)
      : first(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(text))),
        second(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + 32))) {}
  template <char... Bytes>
  std::uint64_t any() const {
    __m256i low = _mm256_setzero_si256(), high = low;
    ((low = _mm256_or_si256(low, _mm256_cmpeq_epi8(first, _mm256_set1_epi8(Bytes)))), ...);
    ((high = _mm256_or_si256(high, _mm256_cmpeq_epi8(second, _mm256_set1_epi8(Bytes)))), ...);
    return joined(low, high);
  }
  std::uint64_t words() const {
    const auto words_of = [](__m256i bytes) {
      const __m256i small = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
      return _mm256_or_si256(_mm256_or_si256(within(small, 'a', 'z'), within(bytes, '0', '9')),
                             _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('_')));
    };
    return joined(words_of(first), words_of(second));
  }
  static __m256i within(__m256i bytes, char from, char to) {
    const __m256i behind = _mm256_sub_epi8(bytes, _mm256_set1_epi8(from));
    const __m256i most = _mm256_set1_epi8(static_cast<char>(to - from));
    return _mm256_cmpeq_epi8(_mm256_min_epu8(behind, most), behind);
  }
  bool may_be_odd(const char* text) const {
    const Block before(text - 1);
    const auto odd = [](__m256i bytes, __m256i behind) {
      const __m256i starts = _mm256_cmpeq_epi8(behind, _mm256_set1_epi8('\n'));
      // Up to '%', or beyond ASCII.
      const __m256i low = _mm256_cmpgt_epi8(_mm256_set1_epi8('%' + 1), bytes);
      const __m256i bracket = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('['));
      const __m256i rare = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\r')),
                                           _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(';')));
      return _mm256_or_si256(rare, _mm256_and_si256(starts, _mm256_or_si256(low, bracket)));
    };
    const __m256i all = _mm256_or_si256(odd(first, before.first), odd(second, before.second));
    return _mm256_testz_si256(all, all) == 0;
  }

  static std::uint64_t joined(__m256i low, __m256i high) {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
           (static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(high)))
            << 32);
  }

  __m256i first, second;
};

using WordLook = WordLookOf<Block>;
using PlainLook = PlainLookOf<Block>;

struct ByteTally {
  void add(const Block& block) {
    all = _mm256_or_si256(all, _mm256_or_si256(block.first, block.second));
    least = _mm256_min_epu8(least, _mm256_min_epu8(block.first, block.second));
  }
  bool has_nul() const {
    return _mm256_movemask_epi8(_mm256_cmpeq_epi8(least, _mm256_setzero_si256())) != 0;
  }
  bool has_beyond_ascii() const { return _mm256_movemask_epi8(all) != 0; }

  __m256i all = _mm256_setzero_si256(), least = _mm256_set1_epi8(-1);
};

struct LineTally {
  static constexpr std::size_t kMost = 127;  // counts of a byte each, two a block
  void add(const Block& block) {
    const __m256i lf = _mm256_set1_epi8('\n'), return_ = _mm256_set1_epi8('\r');
    counts = _mm256_sub_epi8(counts, _mm256_cmpeq_epi8(block.first, lf));
    counts = _mm256_sub_epi8(counts, _mm256_cmpeq_epi8(block.second, lf));
    cr = _mm256_or_si256(cr, _mm256_or_si256(_mm256_cmpeq_epi8(block.first, return_),
                                             _mm256_cmpeq_epi8(block.second, return_)));
  }
  std::uint64_t lf() const {
    const __m256i sums = _mm256_sad_epu8(counts, _mm256_setzero_si256());
    return static_cast<std::uint64_t>(
        _mm256_extract_epi64(sums, 0) + _mm256_extract_epi64(sums, 1) +
        _mm256_extract_epi64(sums, 2) + _mm256_extract_epi64(sums, 3));
  }
  bool has_cr() const { return _mm256_testz_si256(cr, cr) == 0; }

  __m256i counts = _mm256_setzero_si256(), cr = _mm256_setzero_si256();
};

// What two tables have in common about each byte; bytes beyond ASCII have nothing: a look-up by one
// with its high bit set gives 0.
__m256i kinds_of(__m256i bytes, __m256i upper, __m256i lower) {
  const __m256i half = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
  return _mm256_and_si256(_mm256_shuffle_epi8(lower, bytes), _mm256_shuffle_epi8(upper, half));
}

void append_places(std::uint32_t* places, std::uint32_t first, std::uint64_t bits) {
  const auto put = [&](unsigned i) {
    places[i] = first + static_cast<std::uint32_t>(_tzcnt_u64(bits));
    bits = _blsr_u64(bits);
  };
  // Four at a time: without a branch for each.
  do {
    put(0);
    put(1);
    put(2);
    put(3);
    places += 4;
  } while (bits);
}

class MaskMaker {
 public:
  MoveMasks of(const char* text) const {
    const Block block(text);
    const __m256i first = kinds_of(block.first, upper_, lower_);
    const __m256i second = kinds_of(block.second, upper_, lower_);
    const auto bytes_without = [&](std::uint8_t kinds) {
      const __m256i bits = _mm256_set1_epi8(static_cast<char>(kinds));
      const __m256i zero = _mm256_setzero_si256();
      return Block::joined(_mm256_cmpeq_epi8(_mm256_and_si256(first, bits), zero),
                           _mm256_cmpeq_epi8(_mm256_and_si256(second, bits), zero));
    };
    MoveMasks m;
    m.no_gap = bytes_without(kKindsOfGap);
    m.stop = ~bytes_without(kKindsOfStop);
    m.open = block.any<'{'>();
    m.close = block.any<'}'>();
    return m;
  }

 private:
  __m256i upper_ = table_of(kUpperKinds), lower_ = table_of(kLowerKinds);
};

}  // namespace
}  // namespace cuarbiter

#include "host/pgn/text_scan_body.hpp"
// The reader of moves is made of what that defines.
#include "host/pgn/move_run_body.hpp"

namespace cuarbiter {

const TextScan& text_scan_avx2() {
  static constexpr TextScan table = {read_moves,    skip_plain,     usual_tag,      usual_tags,
                                     look_at_bytes, count_and_look, count_line_ends};
  return table;
}

}  // namespace cuarbiter
