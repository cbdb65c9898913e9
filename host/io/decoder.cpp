// Telling codecs by their signatures, handing raw bytes through, and what all decoders share.
// Signatures: zstd and its skippable frames, RFC 8878 section 3.1; gzip, RFC 1952 section 2.3.1;
// xz, the .xz file format section 2.1.1.1; bzip2 has "BZh", a digit, then the magic of a block or
// of the stream's end.
#include "host/io/decoder.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "host/io/coded_source.hpp"
#include "host/io/error.hpp"
#include "host/io/frame_parallel_source.hpp"
#include "host/io/placed_file.hpp"
#include "host/io/read_ahead_source.hpp"

namespace cuarbiter {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kLongestSignature = 6;

// True when `text` and `signature` agree as far as both go.
bool agrees(std::string_view text, std::string_view signature) {
  const std::size_t count = std::min(text.size(), signature.size());
  return text.substr(0, count) == signature.substr(0, count);
}

bool agrees_zstd(std::string_view text) {
  if (agrees(text, "\x28\xb5\x2f\xfd"sv)) return true;
  return !text.empty() && (static_cast<unsigned char>(text[0]) & 0xf0) == 0x50 &&
         agrees(text.substr(1), "\x2a\x4d\x18"sv);
}

bool agrees_bzip2(std::string_view text) {
  if (!agrees(text, "BZh"sv)) return false;
  if (text.size() < 4) return true;
  return text[3] >= '1' && text[3] <= '9';
}

constexpr auto kGzipMagic = "\x1f\x8b\x08"sv;
constexpr auto kXzMagic = "\xfd\x37\x7a\x58\x5a\x00"sv;

struct Foreign {
  std::string_view magic;
  std::string_view name;
};
// Containers people have that cannot be read as one stream, or by no library here.
constexpr std::array kForeign = {
    Foreign{"PK\x03\x04"sv, "zip"},
    Foreign{"7z\xbc\xaf\x27\x1c"sv, "7z"},
    Foreign{"Rar!\x1a\x07"sv, "rar"},
    Foreign{"\x04\x22\x4d\x18"sv, "lz4"},
};

bool may_be_signature(std::string_view text) {
  return agrees_zstd(text) || agrees_bzip2(text) || agrees(text, kGzipMagic) ||
         agrees(text, kXzMagic) ||
         std::any_of(kForeign.begin(), kForeign.end(),
                     [&](const Foreign& f) { return agrees(text, f.magic); });
}

// Hands bytes through: first those read to look for a signature, then the source's own.
class RawSource : public ByteSource {
 public:
  explicit RawSource(CodedInput input) : input_(std::move(input)) {}

  std::size_t read(std::span<char> into) override {
    const std::string_view ready = input_.ready();
    if (ready.empty()) return input_.inner().read(into);
    const std::size_t count = std::min(ready.size(), into.size());
    std::copy_n(ready.data(), count, into.data());
    input_.take(count);
    return count;
  }
  // What was looked at is read once more, from its place in the file.
  std::optional<std::uint64_t> reserve(std::size_t bytes) override {
    const std::size_t ready = input_.ready().size();
    if (bytes < ready) return std::nullopt;
    const std::optional<std::uint64_t> behind = input_.inner().reserve(bytes - ready);
    if (!behind) return std::nullopt;
    input_.take(ready);
    return *behind - ready;
  }
  std::size_t fetch(std::uint64_t place, std::span<char> into) const override {
    return input_.inner().fetch(place, into);
  }
  const std::string& name() const override { return input_.inner().name(); }
  std::optional<std::uint64_t> size_bytes() const override { return input_.inner().size_bytes(); }
  std::uint64_t consumed_bytes() const override { return input_.inner().consumed_bytes(); }
  void interrupt() noexcept override { input_.inner().interrupt(); }

 private:
  CodedInput input_;
};

}  // namespace

std::string_view codec_name(Codec codec) {
  switch (codec) {
    case Codec::raw:
      return "raw";
    case Codec::zstd:
      return "zstd";
    case Codec::gzip:
      return "gzip";
    case Codec::bzip2:
      return "bzip2";
    case Codec::xz:
      return "xz";
  }
  return "raw";
}

Codec detect_codec(std::string_view first_bytes) {
  if (first_bytes.size() >= 4 && agrees_zstd(first_bytes)) return Codec::zstd;
  if (first_bytes.size() >= kGzipMagic.size() && agrees(first_bytes, kGzipMagic)) {
    return Codec::gzip;
  }
  if (first_bytes.size() >= 4 && agrees_bzip2(first_bytes)) return Codec::bzip2;
  if (first_bytes.size() >= kXzMagic.size() && agrees(first_bytes, kXzMagic)) return Codec::xz;
  return Codec::raw;
}

Codec codec_of_file(const std::string& path) {
  const PlacedFile file(path);
  char first[kLongestSignature];
  return file.size() == 0 ? Codec::raw : detect_codec({first, file.read_at(0, first)});
}

namespace {

std::unique_ptr<ByteSource> ahead(std::unique_ptr<ByteSource> source, unsigned threads) {
  if (threads == 0) return source;
  return std::make_unique<ReadAheadSource>(std::move(source));
}

}  // namespace

std::unique_ptr<ByteSource> decode_by_content(std::unique_ptr<ByteSource> inner, unsigned threads,
                                              std::uint64_t offset) {
  CodedInput input(std::move(inner), offset);
  // Ask for no more than it takes to rule every signature out: a pipe may have one short line only.
  std::string_view first = input.peek(1);
  while (first.size() < kLongestSignature && may_be_signature(first)) {
    const std::size_t before = first.size();
    first = input.peek(before + 1);
    if (first.size() == before) break;
  }
  switch (detect_codec(first)) {
    case Codec::zstd:
      if (threads == 0) return make_zstd_source(std::move(input));
      return std::make_unique<FrameParallelSource>(std::move(input), threads);
    case Codec::gzip:
      return ahead(make_gzip_source(std::move(input)), threads);
    case Codec::bzip2:
      return ahead(make_bzip2_source(std::move(input)), threads);
    case Codec::xz:
      return ahead(make_xz_source(std::move(input)), threads);
    case Codec::raw:
      break;
  }
  for (const Foreign& foreign : kForeign) {
    if (first.size() >= foreign.magic.size() && agrees(first, foreign.magic)) {
      throw IoError(input.inner().name() + ": this is a " + std::string(foreign.name) +
                    " archive, which is not decoded here: unpack it first");
    }
  }
  return std::make_unique<RawSource>(std::move(input));
}

std::unique_ptr<ByteSource> open_source(const std::string& path, const SourceOptions& options) {
  return decode_by_content(open_raw_source(path, options), options.decode_threads, options.begin);
}

std::string_view CodedInput::peek(std::size_t count) {
  while (end_ - begin_ < count) {
    if (buffer_.empty()) buffer_.resize(kBlock);
    if (begin_ != 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    const std::size_t got = inner_->read(std::span(buffer_).subspan(end_));
    if (got == 0) break;
    end_ += got;
  }
  return ready();
}

std::size_t CodedSource::read(std::span<char> into) {
  if (into.empty() || ended_) return 0;
  if (fault_) std::rethrow_exception(fault_);
  try {
    const std::size_t count = step(into);
    ended_ = count == 0;
    text_bytes_ += count;
    return count;
  } catch (const IoError&) {
    fault_ = std::current_exception();
    throw;
  }
}

DecodeError::DecodeError(const std::string& name, std::string reason, std::uint64_t coded_offset,
                         std::uint64_t text_bytes)
    : IoError(name + ": " + reason + " at compressed byte " + std::to_string(coded_offset) +
              ", after " + std::to_string(text_bytes) + " bytes of text"),
      reason_(std::move(reason)),
      coded_offset_(coded_offset),
      text_bytes_(text_bytes) {}

std::size_t CodedSource::fail_after(std::size_t decoded, const std::string& reason) {
  if (decoded == 0) fail(reason);
  fault_ =
      std::make_exception_ptr(DecodeError(name(), reason, input_.offset(), text_bytes_ + decoded));
  return decoded;
}

}  // namespace cuarbiter
