#include "host/pgn/slab_cutter.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cuarbiter {
namespace {

// The number of line ends; `plain_ascii` as in Slab.
std::uint64_t count_lines(const char* text, std::size_t size, bool& plain_ascii) {
  TextBytes bytes;
  const std::uint64_t lines = text_scan().count_and_look(text, size, bytes);
  plain_ascii = bytes.plain_ascii && !bytes.has_nul;
  return lines;
}

// Room in front of a block for what the one before it leaves over: a game, mostly.
constexpr std::size_t kCarryRoom = std::size_t{128} << 10;

}  // namespace

SlabCutter::SlabCutter(std::uint32_t file, const FramerOptions& options)
    : options_(options), scan_(options), file_(file) {}

std::span<char> SlabCutter::room(Slab& slab, std::size_t bytes) {
  slab.text.restart(kCarryRoom, bytes + Slab::kPadding);
  return {slab.text.data(), bytes};
}

void SlabCutter::look(Slab& slab, TextBlock& block) const {
  slab.size = block.bytes;
  slab.pad();
  block.lines = count_lines(slab.text.data(), block.bytes, block.plain_ascii);
  FrameScan::look(options_, slab, block.look);
}

void SlabCutter::cut(Slab& slab, const TextBlock& block) {
  const bool none = ended_ || block.bytes == 0;
  const std::size_t bytes = none ? 0 : block.bytes;
  if (holds_) {
    go_on_with_held(slab, bytes);
  } else {
    begin_slab(slab, bytes);
  }
  const std::size_t at = slab.size - bytes;
  if (!none) {
    // The two bytes of a CRLF are one line end.
    const char* text = slab.text.data() + at;
    lines_read_ += block.lines - (at != 0 && text[-1] == '\r' && text[0] == '\n' ? 1 : 0);
    scan_.expect(block.look, static_cast<std::ptrdiff_t>(at));
    slab.plain_ascii = slab.plain_ascii && block.plain_ascii;
  }
  ended_ = ended_ || block.last;
  behind_ = false;
  if (!started_) {
    if (slab.size < 4 && !ended_) return hold(slab);
    begin_file(slab);
    if (slab.utf16) return;
    if (slab.byte_order_mark && !none) {
      scan_.expect(block.look, static_cast<std::ptrdiff_t>(at) - 3);
    }
  }
  slab.pad();
  for (;;) {
    scan_.scan(slab, ended_);
    if (slab.frames.size() > (ended_ ? options_.max_frames : 1)) {
      behind_ = ended_ || slab.frames.size() > options_.max_frames;
      finish_slab(slab, slab.frames.back().begin);
      break;
    }
    scan_.cut_long_frame(slab);
    if (!ended_) {
      hold(slab);
      break;
    }
    // The comment never closed: the game inside it is a game.
    if (scan_.lose_open_comment(slab)) continue;
    finish_slab(slab, slab.size);
    break;
  }
  scan_.expect_nothing();
}

// The slab begins with what the last one left over, in front of the block.
void SlabCutter::begin_slab(Slab& slab, std::size_t block_bytes) {
  if (block_bytes == 0) room(slab, 0);
  slab.text.prepend(carry_.data(), carry_.size(), block_bytes);
  slab.size = carry_.size() + block_bytes;
  slab.pad();
  lines_read_ = carry_lines_;
  carry_.clear();
  slab.frames.assign(1, Frame{});
  slab.tags.clear();
  slab.plain_ascii = carry_plain_;
  slab.elisions.swap(carry_elisions_);
  slab.elided_nuls.swap(carry_nuls_);
  carry_elisions_.clear();
  carry_nuls_.clear();
  slab.offset = offset_;
  slab.line = line_;
  slab.file = file_;
  slab.starts_file = !started_;
  slab.byte_order_mark = slab.utf16 = false;
  scan_.restart();
}

// The slab is the one that waits for more text, with the block behind it.
void SlabCutter::go_on_with_held(Slab& slab, std::size_t block_bytes) {
  std::swap(slab, held_);
  holds_ = false;
  const std::size_t size = slab.size + block_bytes + Slab::kPadding;
  if (slab.text.size() < size) slab.text.resize(std::max(size, 2 * slab.size));
  if (block_bytes != 0) {
    std::memcpy(slab.text.data() + slab.size, held_.text.data(), block_bytes);
  }
  slab.size += block_bytes;
  slab.pad();
}

void SlabCutter::begin_file(Slab& slab) {
  started_ = true;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(slab.text[i]); };
  if (slab.size >= 3 && byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF) {
    slab.byte_order_mark = true;
    slab.size -= 3;
    slab.text.drop_front(3);
    offset_ = slab.offset = 3;
  } else if (slab.size >= 2 &&
             ((byte(0) == 0xFF && byte(1) == 0xFE) || (byte(0) == 0xFE && byte(1) == 0xFF))) {
    slab.utf16 = true;
  } else if (slab.size >= 4 && ((byte(0) == 0 && byte(2) == 0 && byte(1) && byte(3)) ||
                                (byte(1) == 0 && byte(3) == 0 && byte(0) && byte(2)))) {
    slab.utf16 = true;
  }
  if (slab.utf16) {
    slab.size = 0;
    slab.frames.clear();
    ended_ = true;
  }
}

void SlabCutter::hold(Slab& slab) {
  std::swap(slab, held_);
  holds_ = true;
  slab.clear();
}

void SlabCutter::finish_slab(Slab& slab, std::size_t cut) {
  carry_.assign(slab.text.data() + cut, slab.text.data() + slab.size);
  carry_lines_ = count_lines(carry_.data(), carry_.size(), carry_plain_);
  if (cut != slab.size) slab.frames.pop_back();
  slab.size = cut;
  slab.pad();
  const auto position = static_cast<std::uint32_t>(cut);
  if (slab.elisions.empty()) {
    offset_ = slab.offset + cut;
    line_ = slab.line + lines_read_ - carry_lines_;
  } else {
    const Location where = Locator(slab).locate(position);
    offset_ = where.offset;
    line_ = where.line;
  }
  // What is missing from the text behind the cut goes along with it.
  std::erase_if(slab.elisions, [&](const Elision& e) {
    if (e.at <= position) return false;
    carry_elisions_.push_back(Elision{e.at - position, e.bytes, e.lines, e.tail});
    return true;
  });
  std::erase_if(slab.elided_nuls, [&](const ElidedNul& nul) {
    if (nul.at <= position) return false;
    carry_nuls_.push_back(ElidedNul{nul.at - position, nul.offset, nul.line});
    return true;
  });
}

}  // namespace cuarbiter
