// Fuzz target: any bytes as a PGN archive that is cut in parts, as validate --shard cuts plain
// text. The parts must hold every byte once, begin where frames of the whole text do, and give its
// frames, whatever the number of parts and however the text is read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/io/memory_source.hpp"
#include "host/pgn/framer.hpp"
#include "host/pgn/game_border.hpp"
#include "host/pgn/game_start.hpp"

using namespace cuarbiter;

namespace {

// A byte that stands for much white space where the input says so: what is far in a text is far
// beyond what a fuzzer's inputs hold.
constexpr char kFarByte = '\x01';
constexpr std::size_t kFarBytes = kLostBraceReach * 5 / 8;
constexpr unsigned kMostFar = 2;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "border_fuzz: %s\n", what);
  std::abort();
}

struct PlacedFrame {
  std::uint64_t offset = 0, line = 0;
  std::string text;  // as far as it is kept

  friend bool operator==(const PlacedFrame&, const PlacedFrame&) = default;
};

struct Part {
  std::vector<PlacedFrame> frames;
  std::uint64_t bytes = 0, line_ends = 0;
  bool utf16 = false;
};

// Reads text of a file in which `offset` bytes and `line` - 1 lines come before it.
Part read_part(std::string_view text, std::uint64_t offset, std::uint64_t line,
               std::size_t slab_bytes, std::size_t most_per_read) {
  MemorySource source(std::string(text), "part", most_per_read);
  FramerOptions options;
  options.slab_bytes = slab_bytes;
  Framer framer(source, 1, options);
  if (offset != 0) framer.start_at(offset, line);
  Part part;
  Slab slab;
  while (framer.next(slab)) {
    part.utf16 = part.utf16 || slab.utf16;
    Locator locator(slab);
    for (std::size_t i = 0; i < slab.frames.size(); ++i) {
      const std::uint32_t begin = slab.frames[i].begin, end = slab.frame_end(i);
      const Location where = locator.locate(begin);
      if (begin == end) continue;
      part.frames.push_back({where.offset, where.line, std::string(slab.view(begin, end))});
    }
  }
  part.bytes = framer.offset() - offset;
  part.line_ends = framer.line() - line;
  return part;
}

std::optional<std::uint64_t> border(std::string_view text, std::uint64_t from,
                                    std::size_t most_per_read) {
  MemorySource source(std::string(text.substr(from)), "text", most_per_read);
  const auto found = find_game_border(source);
  if (!found) return std::nullopt;
  require(*found > 0 && *found < text.size() - from, "a border outside the text");
  return from + *found;
}

// Without braces nothing hides a game: the second start that shows is a border, if none is before.
void check_found(std::string_view text, std::uint64_t from, std::optional<std::uint64_t> found) {
  const std::string_view rest = text.substr(from);
  if (rest.find_first_of("{}") != std::string_view::npos) return;
  unsigned starts = 0;
  for (std::size_t at = 0; (at = rest.find(kGameStart, at)) != std::string_view::npos; ++at) {
    if (looks_like_game(rest.data(), at, rest.size()) && ++starts == 2) {
      require(found && *found <= from + at, "a border was overlooked");
      return;
    }
  }
}

std::string with_distances(std::string_view typed) {
  std::string text;
  unsigned far = 0;
  for (const char c : typed) {
    if (c == kFarByte && far < kMostFar) {
      text.append(kFarBytes, ' ');
      ++far;
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const std::string_view typed(reinterpret_cast<const char*>(data) + 3, size - 3);
  const bool far = (data[0] & 1) != 0;
  const std::string text = far ? with_distances(typed) : std::string(typed);
  // Many parts and small reads would take long for texts of megabytes.
  const std::size_t parts = std::size_t{1} + data[0] / 2 % (far ? 4 : 16);
  const std::size_t slab_bytes = (std::size_t{1} + data[1]) << (far ? 12 : 0);
  const std::size_t most_per_read = (std::size_t{1} + data[2] % 61) << (far ? 14 : 0);

  const Part whole = read_part(text, 0, 1, std::size_t{1} << 20, SIZE_MAX);
  // Nothing of such a file is read, whatever its later parts would be.
  if (whole.utf16) return 0;
  require(whole.bytes == text.size(), "bytes are missing from the whole");

  std::vector<std::uint64_t> begins = {0};
  for (std::size_t i = 1; i < parts; ++i) {
    const std::uint64_t from = text.size() * i / parts;
    const auto found = border(text, from, SIZE_MAX);
    require(border(text, from, most_per_read) == found, "a border depends on reads");
    check_found(text, from, found);
    require(found.value_or(text.size()) >= begins.back(), "a later start finds an earlier place");
    begins.push_back(found.value_or(text.size()));
  }
  begins.push_back(text.size());

  std::size_t next = 0;
  std::uint64_t line = 1;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::uint64_t begin = begins[i], end = begins[i + 1];
    if (begin == end) continue;
    const Part part = read_part(std::string_view(text).substr(begin, end - begin), begin, line,
                                slab_bytes, most_per_read);
    require(part.bytes == end - begin, "bytes are missing from a part");
    for (const PlacedFrame& frame : part.frames) {
      require(next < whole.frames.size(), "a part has a frame more than the whole");
      require(frame == whole.frames[next++], "a part's frame is not that of the whole");
    }
    line += part.line_ends;
  }
  require(next == whole.frames.size(), "frames are missing");
  return 0;
}
