// Fuzz target: any bytes as lines, read in blocks of any size with a limit of any size, against a
// reader that has all of the text before it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "host/io/line_reader.hpp"
#include "host/io/memory_source.hpp"

using namespace cuarbiter;

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "lines_fuzz: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t limit = std::size_t{1} + data[0];
  const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  MemorySource source(text, "f", std::size_t{1} + data[1]);
  LineReader reader(source, limit);
  std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  std::uint64_t number = 0;
  Line line;
  while (reader.next(line)) {
    require(at < text.size(), "a line behind the end");
    const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    const std::string_view whole = std::string_view(text).substr(at, end - at);
    require(line.number == ++number, "a line's number");
    require(line.offset == at, "a line's offset");
    require(line.text == whole.substr(0, limit), "a line's text");
    require(line.truncated == (whole.size() > limit), "a line too long and not said to be, or not");
    require(line.terminated == (end != text.size()), "a line's end");
    at = end;
    if (at != text.size()) at += text.compare(at, 2, "\r\n") == 0 ? 2 : 1;
  }
  require(at == text.size(), "lines are missing");
  require(!reader.failed() && !reader.next(line), "the end does not stay the end");
  return 0;
}
