// Passes over PGN text, 64 bytes at a time: what moves stand there, how far plain movetext goes,
// what bytes there are at all. Compiled for each instruction set; all give the same answers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuarbiter {

inline constexpr unsigned kMaskBytes = 64;

struct MoveRun;
struct WordCache;

// Movetext on its way to be cut into frames.
struct PlainText {
  std::size_t at = 0;             // what comes before is behind us
  bool in_comment = false;        // `at` is inside a comment
  std::size_t comment_begin = 0;  // the brace that opened it
  std::size_t line_begin = 0;     // behind the last line end or comment
};

// What is known of a text's bytes.
struct TextBytes {
  bool has_nul = false;
  bool plain_ascii = true;
};

// The quotes of a tag pair of the usual form, behind its bracket; 0 and 0: it is of another one.
struct UsualTag {
  std::uint32_t open = 0, close = 0;
};

// The same with the place of its bracket in a slab.
struct SlabTag {
  std::uint32_t at = 0;
  std::uint8_t open = 0, close = 0;
};

struct TextScan {
  // Reads moves, numbers that fit and plain comments as far as nothing else comes (run.at: there,
  // or at the brace of a comment that does not close or is not plain). True: so far there is no
  // room for more moves; to be called again once those are taken and `count` is 0.
  bool (*read_moves)(MoveRun& run, WordCache& cache);

  // Moves on over whole blocks of movetext in which every brace opens or closes a comment, no
  // comment gets longer than `longest` bytes and 16 KiB, no line begins with anything but movetext
  // and none in a comment with "[". `size` bytes are readable at `text`; about the last 64 are left
  // alone.
  void (*skip_plain)(const char* text, std::size_t size, std::size_t longest, PlainText& state);

  // Whether the 64 bytes at `text`, the first of them a bracket, begin with [Name "value"] without
  // an escape.
  UsualTag (*usual_tag)(const char* text);
  // Lines of one usual pair each, from the one at `at` on: writes `most` of them at most and
  // returns how many. The closing quote is within 62 bytes of the bracket, or within 250 where 320
  // bytes are there. `at` moves behind them. LF or CRLF ends a line, with a byte before `size`
  // behind it.
  unsigned (*usual_tags)(const char* text, std::size_t& at, std::size_t size, SlabTag* tags,
                         unsigned most);

  TextBytes (*look_at_bytes)(const char* text, std::size_t size);
  // Both at once: sets `bytes` and returns the number of line ends.
  std::uint64_t (*count_and_look)(const char* text, std::size_t size, TextBytes& bytes);

  // LF, CRLF and CR alone each count once.
  std::uint64_t (*count_line_ends)(const char* text, std::size_t size);
};

const TextScan& text_scan_generic();
#if defined(__x86_64__)
const TextScan& text_scan_avx2();
const TextScan& text_scan_avx512();
#endif

// The one to use here: that of chosen_instruction_set(), or of the widest. Thread-safe.
const TextScan& text_scan();

}  // namespace cuarbiter
