// Passes over text with AVX-512: 64 bytes at a time.
#include <immintrin.h>

#include "host/pgn/byte_kinds.hpp"
#include "host/pgn/move_run.hpp"
#include "host/pgn/text_scan.hpp"

namespace cuarbiter {
namespace {

__m512i table_of(const detail::KindTable& table) {
  return _mm512_maskz_broadcast_i32x4(
      0xFFFF, _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.kinds)));
}

std::uint64_t parity_up_to(std::uint64_t bits) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(bits)), _mm_set1_epi8(-1), 0);
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
}

struct Numbers {
  alignas(64) std::uint8_t bytes[64] = {};
};
constexpr Numbers make_numbers() {
  Numbers numbers;
  for (unsigned i = 0; i < 64; ++i) numbers.bytes[i] = static_cast<std::uint8_t>(i);
  return numbers;
}
constexpr Numbers kByteNumbers = make_numbers();

struct Block {
  explicit Block(const char* text) : bytes(_mm512_loadu_si512(text)) {}
  template <char... Bytes>
  std::uint64_t any() const {
    return (_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(Bytes)) | ...);
  }
  __m512i bytes;
};

// The byte everywhere, in a register that keeps it: GCC makes constants anew at each use.
__m512i kept(char byte) {
  __m512i all = _mm512_set1_epi8(byte);
  asm("" : "+v"(all));
  return all;
}

class WordLook {
 public:
  std::uint64_t words(const Block& block) const {
    const __m512i small = _mm512_or_si512(block.bytes, case_);
    const __mmask64 letters = _mm512_cmple_epu8_mask(_mm512_sub_epi8(small, a_), letters_);
    const __mmask64 digits = _mm512_cmple_epu8_mask(_mm512_sub_epi8(block.bytes, zero_), digits_);
    return letters | digits | _mm512_cmpeq_epi8_mask(block.bytes, underscore_);
  }

 private:
  __m512i case_ = kept(0x20), a_ = kept('a'), letters_ = kept('z' - 'a'), zero_ = kept('0');
  __m512i digits_ = kept('9' - '0'), underscore_ = kept('_');
};

class PlainLook {
 public:
  std::uint64_t opens(const Block& block) const {
    return _mm512_cmpeq_epi8_mask(block.bytes, open_);
  }
  std::uint64_t closes(const Block& block) const {
    return _mm512_cmpeq_epi8_mask(block.bytes, close_);
  }
  bool may_be_odd(const Block& block, const char* text) const {
    const __m512i bytes = block.bytes;
    // A zero byte: up to '%' or beyond ASCII, as signed numbers go.
    const __m512i low = _mm512_subs_epu8(_mm512_xor_si512(bytes, sign_), percent_);
    const __m512i begins = _mm512_min_epu8(low, _mm512_xor_si512(bytes, bracket_));
    // A zero byte: that behind a LF (0xBE: a ^ b | c), a CR or a semicolon.
    const __m512i line = _mm512_ternarylogic_epi64(_mm512_loadu_si512(text - 1), lf_, begins, 0xBE);
    const __m512i other =
        _mm512_min_epu8(_mm512_xor_si512(bytes, cr_), _mm512_xor_si512(bytes, semicolon_));
    const __m512i all = _mm512_min_epu8(line, other);
    return _mm512_testn_epi8_mask(all, all) != 0;
  }

 private:
  __m512i open_ = kept('{'), close_ = kept('}'), lf_ = kept('\n'), cr_ = kept('\r');
  __m512i sign_ = kept('\x80'), percent_ = kept('\x80' + '%'), bracket_ = kept('['),
          semicolon_ = kept(';');
};

struct ByteTally {
  void add(const Block& block) {
    all = _mm512_or_si512(all, block.bytes);
    least = _mm512_min_epu8(least, block.bytes);
  }
  bool has_nul() const { return _mm512_testn_epi8_mask(least, least) != 0; }
  bool has_beyond_ascii() const { return _mm512_movepi8_mask(all) != 0; }

  __m512i all = _mm512_setzero_si512(), least = _mm512_set1_epi8(-1);
};

struct LineTally {
  static constexpr std::size_t kMost = 255;  // counts of a byte each
  void add(const Block& block) {
    const __mmask64 lf = _mm512_cmpeq_epi8_mask(block.bytes, _mm512_set1_epi8('\n'));
    counts = _mm512_mask_sub_epi8(counts, lf, counts, _mm512_set1_epi8(-1));
    cr = _mm512_min_epu8(cr, _mm512_xor_si512(block.bytes, _mm512_set1_epi8('\r')));
  }
  std::uint64_t lf() const {
    std::uint64_t sums[8], sum = 0;
    _mm512_storeu_si512(sums, _mm512_sad_epu8(counts, _mm512_setzero_si512()));
    for (const std::uint64_t part : sums) sum += part;
    return sum;
  }
  bool has_cr() const { return _mm512_testn_epi8_mask(cr, cr) != 0; }

  __m512i counts = _mm512_setzero_si512(), cr = _mm512_set1_epi8(-1);
};

void append_places(std::uint32_t* places, std::uint32_t first, std::uint64_t bits) {
  const __m512i numbers = _mm512_maskz_compress_epi8(bits, _mm512_load_si512(kByteNumbers.bytes));
  const __m512i base = _mm512_set1_epi32(static_cast<int>(first));
  const auto put = [&](int i, __m128i some) {
    _mm512_storeu_si512(places + 16 * i,
                        _mm512_add_epi32(_mm512_maskz_cvtepu8_epi32(0xFFFF, some), base));
  };
  put(0, _mm512_maskz_extracti32x4_epi32(0xF, numbers, 0));
  const auto count = _mm_popcnt_u64(bits);
  if (count > 16) put(1, _mm512_maskz_extracti32x4_epi32(0xF, numbers, 1));
  if (count > 32) {
    put(2, _mm512_maskz_extracti32x4_epi32(0xF, numbers, 2));
    put(3, _mm512_maskz_extracti32x4_epi32(0xF, numbers, 3));
  }
}

class MaskMaker {
 public:
  MoveMasks of(const char* text) const {
    const Block block(text);
    // A byte beyond ASCII has no kind by its lower half: a look-up with its high bit set gives 0.
    const __m512i half = _mm512_and_si512(_mm512_srli_epi16(block.bytes, 4), half_);
    const __m512i kinds = _mm512_and_si512(_mm512_shuffle_epi8(lower_, block.bytes),
                                           _mm512_shuffle_epi8(upper_, half));
    MoveMasks m;
    m.no_gap = _mm512_testn_epi8_mask(kinds, gap_);
    m.stop = _mm512_test_epi8_mask(kinds, stop_);
    m.open = braces_.opens(block);
    m.close = braces_.closes(block);
    return m;
  }

 private:
  PlainLook braces_;
  __m512i gap_ = kept(static_cast<char>(kKindsOfGap)), half_ = kept(15);
  __m512i stop_ = kept(static_cast<char>(kKindsOfStop));
  __m512i upper_ = table_of(kUpperKinds), lower_ = table_of(kLowerKinds);
};

}  // namespace
}  // namespace cuarbiter

#include "host/pgn/text_scan_body.hpp"
// The reader of moves is made of what that defines.
#include "host/pgn/move_run_body.hpp"

namespace cuarbiter {

const TextScan& text_scan_avx512() {
  static constexpr TextScan table = {read_moves,    skip_plain,     usual_tag,      usual_tags,
                                     look_at_bytes, count_and_look, count_line_ends};
  return table;
}

}  // namespace cuarbiter
