// Walking the headers of zstd frames and blocks.
#include "host/io/zstd_frames.hpp"

#include <algorithm>
#include <cstring>

#include "host/io/decoder.hpp"
#include "host/io/placed_file.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint64_t kFrameMagic = 0xfd2fb528u;
constexpr std::uint64_t kSkippableMagic = 0x184d2a50u;  // the last four bits are free
constexpr std::size_t kMagicBytes = 4;
constexpr std::size_t kSkipSizeBytes = 4;
constexpr std::size_t kBlockHeaderBytes = 3;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::uint64_t kMostBlockBytes = std::uint64_t{128} << 10;

}  // namespace

std::size_t ZstdFrameScanner::scan(std::string_view piece) {
  std::size_t at = 0;
  while (at != piece.size()) {
    if (lost()) return piece.size();
    if (at_border()) {
      text_bytes_.reset();
      window_bytes_ = 0;
      skippable_ = false;
    }
    if (idle_ != 0) {
      const std::uint64_t count = std::min<std::uint64_t>(idle_, piece.size() - at);
      at += static_cast<std::size_t>(count);
      skip(count);
    } else {
      const std::size_t count = std::min(wanted_ - kept_, piece.size() - at);
      std::memcpy(bytes_.data() + kept_, piece.data() + at, count);
      kept_ += count;
      at += count;
      if (kept_ != wanted_) continue;
      switch (state_) {
        case State::magic:
          take_magic();
          break;
        case State::skip_size:
          idle_ = number(0, kSkipSizeBytes);
          expect(State::magic, kMagicBytes);
          break;
        case State::descriptor:
          take_descriptor();
          break;
        case State::frame_header:
          take_frame_header();
          break;
        case State::block_header:
          take_block_header();
          break;
        case State::lost:
          break;
      }
    }
    if (at_border()) break;
  }
  return at;
}

void ZstdFrameScanner::take_magic() {
  const std::uint64_t magic = number(0, kMagicBytes);
  skippable_ = (magic & ~std::uint64_t{15}) == kSkippableMagic;
  if (skippable_) {
    text_bytes_ = 0;
    expect(State::skip_size, kSkipSizeBytes);
  } else if (magic == kFrameMagic) {
    expect(State::descriptor, 1);
  } else {
    state_ = State::lost;
  }
}

// The frame header descriptor tells how long the header is (section 3.1.1.1.1). It is kept in front
// of the rest.
void ZstdFrameScanner::take_descriptor() {
  constexpr std::size_t kDictionaryBytes[] = {0, 1, 2, 4};
  constexpr std::size_t kContentBytes[] = {0, 2, 4, 8};
  const unsigned descriptor = bytes_[0];
  const bool single_segment = (descriptor & 0x20) != 0;
  std::size_t content = kContentBytes[descriptor >> 6];
  if (single_segment && content == 0) content = 1;
  checksum_ = (descriptor & 4) != 0;
  state_ = State::frame_header;
  wanted_ = 1 + (single_segment ? 0 : 1) + kDictionaryBytes[descriptor & 3] + content;
  if (wanted_ == kept_) take_frame_header();
}

void ZstdFrameScanner::take_frame_header() {
  constexpr std::size_t kContentBytes[] = {0, 2, 4, 8};
  const unsigned descriptor = bytes_[0];
  std::size_t content = kContentBytes[descriptor >> 6];
  if ((descriptor & 0x20) != 0 && content == 0) content = 1;
  if (content != 0) {
    text_bytes_ = number(wanted_ - content, content) + (content == 2 ? 256 : 0);
  }
  if ((descriptor & 0x20) != 0) {
    window_bytes_ = *text_bytes_;
  } else {
    // Section 3.1.1.1.2: eighths of a power of two.
    const std::uint64_t power = std::uint64_t{1024} << (bytes_[1] >> 3);
    window_bytes_ = power + power / 8 * (bytes_[1] & 7);
  }
  expect(State::block_header, kBlockHeaderBytes);
}

void ZstdFrameScanner::take_block_header() {
  enum class Type { raw, rle, compressed, reserved };
  const std::uint64_t header = number(0, kBlockHeaderBytes);
  const bool last = (header & 1) != 0;
  const auto type = static_cast<Type>(header >> 1 & 3);
  const std::uint64_t size = header >> 3;
  if (type == Type::reserved || size > kMostBlockBytes) {
    state_ = State::lost;
    return;
  }
  idle_ = type == Type::rle ? 1 : size;
  if (last) {
    idle_ += checksum_ ? kChecksumBytes : 0;
    expect(State::magic, kMagicBytes);
  } else {
    expect(State::block_header, kBlockHeaderBytes);
  }
}

void ZstdFrameScanner::expect(State state, std::size_t bytes) {
  state_ = state;
  kept_ = 0;
  wanted_ = bytes;
}

// Numbers are little-endian.
std::uint64_t ZstdFrameScanner::number(std::size_t at, std::size_t bytes) const {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{bytes_[at + i]} << (8 * i);
  return value;
}

std::vector<ZstdFrame> list_zstd_frames(const std::string& path) {
  // Enough for a skippable frame's size and the headers of the frame behind it.
  constexpr std::size_t kReadBytes = 64;
  const PlacedFile file(path);
  const std::uint64_t size = file.size();
  std::vector<ZstdFrame> frames;
  ZstdFrameScanner scanner;
  ZstdFrame frame;
  frame.text_offset = 0;
  std::uint64_t offset = 0;
  const auto finish = [&] {
    frame.coded_bytes = offset - frame.coded_offset;
    frame.skippable = scanner.skippable();
    if (!scanner.lost()) frame.text_bytes = scanner.text_bytes();
    frames.push_back(frame);
    frame = ZstdFrame{};
    frame.coded_offset = offset;
    const ZstdFrame& before = frames.back();
    if (before.text_offset && before.text_bytes) {
      frame.text_offset = *before.text_offset + *before.text_bytes;
    }
  };
  char block[kReadBytes];
  while (offset < size) {
    std::string_view rest(block, file.read_at(offset, block));
    if (rest.empty()) break;  // it has shrunk
    if (offset == 0 && detect_codec(rest) != Codec::zstd) return {};
    while (!rest.empty()) {
      const std::size_t gone = scanner.scan(rest);
      offset += gone;
      rest.remove_prefix(gone);
      if (scanner.at_border()) finish();
    }
    if (scanner.lost()) offset = std::max(offset, size);
    const std::uint64_t idle = std::min(scanner.idle_bytes(), size - std::min(size, offset));
    if (idle == 0) continue;
    scanner.skip(idle);
    offset += idle;
    if (scanner.at_border()) finish();
  }
  if (!scanner.at_border()) finish();
  return frames;
}

}  // namespace cuarbiter
