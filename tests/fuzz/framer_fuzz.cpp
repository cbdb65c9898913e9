// Fuzz target: any bytes as a PGN archive, through the framer alone. Where frames begin must not
// depend on where slabs and reads are cut, every byte of the text must lie in a slab or be told as
// left out, and places must be those found by counting.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "host/io/memory_source.hpp"
#include "host/pgn/framer.hpp"

using namespace cuarbiter;

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "framer_fuzz: %s\n", what);
  std::abort();
}

struct Start {
  std::uint64_t offset = 0, line = 0;
  bool too_long = false;

  friend bool operator==(const Start&, const Start&) = default;
};

// Lines are counted as everywhere: LF, CRLF and CR alone end one.
std::uint64_t line_of(const std::string& text, std::uint64_t offset) {
  return 1 + count_line_ends(std::string_view(text).substr(0, offset));
}

void check_slab(const std::string& text, const Slab& slab, std::uint64_t at, bool whole) {
  require(slab.offset == at, "a slab does not begin where the one before it ended");
  require(slab.text.size() >= slab.size + Slab::kPadding, "a slab without padding");
  for (std::size_t i = slab.size; i < slab.size + Slab::kPadding; ++i) {
    require(slab.text[i] == 0, "padding that is not zero");
  }
  require(slab.line == line_of(text, slab.offset), "a slab's line");
  require(!slab.frames.empty() && slab.frames.front().begin == 0, "a slab without a frame");
  if (!whole) return;
  require(std::memcmp(slab.text.data(), text.data() + slab.offset, slab.size) == 0,
          "a slab's text is not the file's");
}

std::vector<Start> frames(const std::string& text, const FramerOptions& options,
                          std::size_t most_per_read) {
  MemorySource source(text, "f", most_per_read);
  Framer framer(source, 1, options);
  std::vector<Start> starts;
  std::uint64_t at = 0;
  Slab slab;
  while (framer.next(slab)) {
    if (slab.utf16) return starts;
    if (slab.byte_order_mark) at += 3;
    check_slab(text, slab, at, slab.elisions.empty());
    Locator locator(slab);
    std::uint32_t before = 0;
    for (const Frame& frame : slab.frames) {
      require(frame.begin >= before && frame.begin <= slab.size, "frames are out of order");
      before = frame.begin;
      const Location where = locator.locate(frame.begin);
      require(where.offset <= text.size() && where.line == line_of(text, where.offset),
              "a frame's place");
      starts.push_back({where.offset, where.line, frame.too_long});
    }
    at += slab.size;
    for (const Elision& e : slab.elisions) {
      require(e.at > 0 && e.at <= slab.size, "an elision outside the slab");
      at += e.bytes;
    }
  }
  require(at == text.size(), "bytes are missing");
  return starts;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  FramerOptions options;
  if (data[0] & 1) options.max_frame_bytes = 16 + data[1];
  const std::string text(reinterpret_cast<const char*>(data) + 3, size - 3);
  const std::vector<Start> whole = frames(text, options, SIZE_MAX);
  options.slab_bytes = std::size_t{1} + data[2];
  options.max_frames = std::size_t{1} + data[2] % 7;
  require(frames(text, options, std::size_t{1} + data[1] % 61) == whole, "frames depend on sizes");
  return 0;
}
