#include "host/pgn/game_border.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "host/io/error.hpp"
#include "host/pgn/byte_scan.hpp"
#include "host/pgn/framer.hpp"
#include "host/pgn/game_start.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;
// What stands before a game's start and decides whether it is one: two line ends.
constexpr std::size_t kBlankLine = 4;

// Text at hand, then the source's.
class TextThenSource : public ByteSource {
 public:
  TextThenSource(std::string_view text, ByteSource& source) : text_(text), source_(source) {}

  std::size_t read(std::span<char> into) override {
    if (text_.empty()) return source_.read(into);
    const std::size_t count = std::min(text_.size(), into.size());
    std::memcpy(into.data(), text_.data(), count);
    text_.remove_prefix(count);
    return count;
  }
  const std::string& name() const override { return source_.name(); }
  std::optional<std::uint64_t> size_bytes() const override { return source_.size_bytes(); }
  std::uint64_t consumed_bytes() const override { return source_.consumed_bytes(); }

 private:
  std::string_view text_;
  ByteSource& source_;
};

// Looks for a game's start of which the framer's state is known.
class Search {
 public:
  explicit Search(ByteSource& source) : source_(source) {}

  // False when there is none.
  bool find() {
    for (;;) {
      at_ = text_.find(kGameStart, at_);
      if (at_ == std::string::npos) {
        if (ended_) return false;
        drop(text_.size() - std::min(text_.size(), kBlankLine + kGameStart.size()));
        at_ = 0;
        read_more();
      } else if (!looks_like_game(text_.data(), at_, text_.size())) {
        ++at_;
      } else {
        if (at_ > kReadBytes) drop(at_ - kBlankLine);
        const std::size_t close = first_brace('}');
        if (close == std::string::npos) return true;
        at_ = close;
      }
    }
  }

  // Of the start that was found.
  std::uint64_t offset() const { return offset_ + at_; }
  std::string_view text() const { return std::string_view(text_).substr(at_); }

 private:
  // Where the first brace from at_ on is, if it is this one and not far.
  std::size_t first_brace(char wanted) {
    std::size_t seen = at_;
    for (;;) {
      const char* const end = text_.data() + text_.size();
      const char* const found = find_any<'{', '}'>(text_.data() + seen, end);
      seen = static_cast<std::size_t>(found - text_.data());
      if (found != end) {
        return *found == wanted && seen - at_ <= kLostBraceReach ? seen : std::string::npos;
      }
      if (ended_ || text_.size() - at_ > kLostBraceReach) return std::string::npos;
      read_more();
    }
  }

  void drop(std::size_t bytes) {
    text_.erase(0, bytes);
    offset_ += bytes;
    at_ -= std::min(at_, bytes);
  }

  void read_more() {
    const std::size_t before = text_.size();
    text_.resize(before + kReadBytes);
    std::size_t got = 0;
    try {
      got = source_.read({text_.data() + before, kReadBytes});
    } catch (const IoError&) {
      // The text ends here; the next read throws again.
    }
    text_.resize(before + got);
    ended_ = got == 0;
  }

  ByteSource& source_;
  std::string text_;
  std::uint64_t offset_ = 0;  // of text_[0]
  std::size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace

std::optional<std::uint64_t> find_game_border(ByteSource& source) {
  Search search(source);
  if (!search.find()) return std::nullopt;
  TextThenSource rest(search.text(), source);
  FramerOptions options;
  options.slab_bytes = kReadBytes;
  Framer framer(rest, 1, options);
  framer.start_at(search.offset(), 1);
  Slab slab;
  try {
    if (!framer.next(slab)) return std::nullopt;
    if (slab.frames.size() > 1) return Locator(slab).locate(slab.frames[1].begin).offset;
    const std::uint64_t behind = framer.offset();
    return framer.next(slab) ? std::optional(behind) : std::nullopt;
  } catch (const IoError&) {
    return std::nullopt;
  }
}

}  // namespace cuarbiter
