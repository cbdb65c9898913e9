// Reading the block form of perft suites: lines of `id`, `epd` and `perft`.
#include "host/notation/perft_block.hpp"

#include <algorithm>

#include "host/notation/fen_fields.hpp"

namespace cuarbiter {

using namespace fen_detail;

namespace {

// The word at the start of a line and where the rest begins.
struct Words {
  std::string_view first;
  std::string_view rest;
  std::size_t rest_offset = 0;
};

Words split(std::string_view line) {
  const Field first = next_field(line, 0);
  std::size_t end = line.size();
  while (end && is_blank(line[end - 1])) --end;
  const std::size_t rest = std::min(skip_blanks(line, first.offset + first.text.size()), end);
  return Words{first.text, line.substr(rest, end - rest), rest};
}

bool read_count(std::string_view text, PerftCount& count) {
  const Field depth = next_field(text, 0);
  const Field nodes = next_field(text, depth.offset + depth.text.size());
  const std::size_t end = nodes.offset + nodes.text.size();
  const auto digits = [](std::string_view s) {
    return !s.empty() && std::all_of(s.begin(), s.end(), is_digit);
  };
  if (!digits(depth.text) || depth.text.size() > 3 || !digits(nodes.text) ||
      skip_blanks(text, end) != text.size()) {
    return false;
  }
  count.depth = 0;
  for (char c : depth.text) count.depth = count.depth * 10 + static_cast<unsigned>(c - '0');
  const std::size_t first = std::min(nodes.text.find_first_not_of('0'), nodes.text.size() - 1);
  count.nodes = nodes.text.substr(first);
  return true;
}

}  // namespace

bool PerftBlockReader::starts_like_block(std::string_view line) {
  const std::string_view word = next_field(line, 0).text;
  return word == "id" || word == "epd" || word == "fen" || word == "perft";
}

void PerftBlockReader::close() {
  if (!open_.position.empty()) {
    done_ = std::move(open_);
    ready_ = true;
  }
  open_ = PerftBlock{};
}

PerftBlockReader::Line PerftBlockReader::read(std::string_view line, std::uint64_t number) {
  if (is_comment_or_blank(line)) return Line::taken;
  const Words words = split(line);
  if (words.first == "id") {
    close();
    open_.id = words.rest;
    return Line::taken;
  }
  if (words.first == "epd" || words.first == "fen") {
    if (!open_.position.empty()) close();
    open_.position = words.rest;
    open_.line = number;
    open_.column = static_cast<unsigned>(words.rest_offset) + 1;
    return open_.position.empty() ? Line::broken : Line::taken;
  }
  if (words.first == "perft") {
    PerftCount count;
    count.column = static_cast<unsigned>(words.rest_offset) + 1;
    if (open_.position.empty() || !read_count(words.rest, count)) return Line::broken;
    open_.counts.push_back(std::move(count));
    return Line::taken;
  }
  return Line::other_form;
}

void PerftBlockReader::finish() {
  close();
}

}  // namespace cuarbiter
