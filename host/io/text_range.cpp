#include "host/io/text_range.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "host/io/decode_error.hpp"
#include "host/io/decoder.hpp"
#include "host/io/zstd_frames.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kSkipBytes = std::size_t{1} << 18;

// The text decoded from begin.coded up to end.coded, then the first end.text bytes of what is
// decoded from there on; all that without the first begin.text bytes.
class RangeSource : public ByteSource {
 public:
  RangeSource(const std::string& path, const TextRange& range, unsigned threads)
      : path_(path), range_(range), threads_(threads), skip_(range.begin.text) {
    SourceOptions options;
    options.decode_threads = threads;
    options.begin = range.begin.coded;
    if (range.end) options.end = range.end->coded;
    source_ = open_source(path, options);
    size_ = source_->size_bytes();
  }

  std::size_t read(std::span<char> into) override {
    while (skip_ != 0 && !into.empty()) {
      if (buffer_.empty()) buffer_.resize(kSkipBytes);
      const std::size_t most = std::min<std::uint64_t>(skip_, buffer_.size());
      const std::size_t got = read_next({buffer_.data(), most});
      if (got == 0) return 0;
      skip_ -= got;
      if (skip_ == 0) buffer_ = {};
    }
    return read_next(into);
  }
  std::optional<std::uint64_t> reserve(std::size_t bytes) override {
    // What was reserved must stay with its source.
    if (skip_ != 0 || (range_.end && range_.end->text != 0)) return std::nullopt;
    const std::optional<std::uint64_t> place = source_->reserve(bytes);
    if (place) first_bytes_ += bytes;
    return place;
  }
  std::size_t fetch(std::uint64_t place, std::span<char> into) const override {
    return source_->fetch(place, into);
  }
  const std::string& name() const override { return source_->name(); }
  std::optional<std::uint64_t> size_bytes() const override { return size_; }
  std::uint64_t consumed_bytes() const override { return consumed_ + source_->consumed_bytes(); }
  void interrupt() noexcept override { source_->interrupt(); }

 private:
  std::size_t read_next(std::span<char> into) {
    if (into.empty()) return 0;
    try {
      if (!second_) {
        const std::size_t got = source_->read(into);
        first_bytes_ += got;
        if (got != 0 || !range_.end || range_.end->text == 0) return got;
        open_second();
      }
      const std::size_t got =
          source_->read(into.first(std::min<std::uint64_t>(into.size(), left_)));
      left_ -= got;
      return got;
    } catch (const DecodeError& error) {
      // The decoder counts from where it began.
      const std::uint64_t before = range_.number - range_.begin.text;
      throw error.behind(path_, before + (second_ ? first_bytes_ : 0));
    }
  }

  void open_second() {
    consumed_ += source_->consumed_bytes();
    SourceOptions options;
    options.decode_threads = threads_;
    options.begin = range_.end->coded;
    source_ = open_source(path_, options);
    left_ = range_.end->text;
    second_ = true;
  }

  const std::string path_;
  const TextRange range_;
  const unsigned threads_;
  std::unique_ptr<ByteSource> source_;
  std::optional<std::uint64_t> size_;
  std::uint64_t skip_;             // bytes of text still to be passed over
  std::uint64_t first_bytes_ = 0;  // of text, of the first source
  std::uint64_t left_ = 0;         // of the second source
  std::uint64_t consumed_ = 0;
  bool second_ = false;
  std::vector<char> buffer_;
};

}  // namespace

std::unique_ptr<ByteSource> open_text_range(const std::string& path, const TextRange& range,
                                            unsigned decode_threads) {
  return std::make_unique<RangeSource>(path, range, decode_threads);
}

TextRange without_first(const std::string& path, const TextRange& range, std::uint64_t bytes) {
  TextRange rest = range;
  rest.number += bytes;
  rest.begin.text += bytes;
  if (rest.begin.text == 0) return rest;
  const Codec codec = codec_of_file(path);
  if (codec == Codec::raw) {
    rest.begin = {rest.begin.coded + rest.begin.text, 0};
    return rest;
  }
  if (codec != Codec::zstd) return rest;
  for (const ZstdFrame& frame : list_zstd_frames(path)) {
    if (frame.coded_offset < rest.begin.coded) continue;
    const std::uint64_t next = frame.coded_offset + frame.coded_bytes;
    if (!frame.text_bytes || *frame.text_bytes > rest.begin.text) break;
    if (frame.coded_offset != rest.begin.coded || (rest.end && next > rest.end->coded)) break;
    rest.begin = {next, rest.begin.text - *frame.text_bytes};
  }
  return rest;
}

}  // namespace cuarbiter
