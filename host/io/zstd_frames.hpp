// Where the frames of a zstd stream begin and end (RFC 8878, section 3.1), told from the headers of
// frames and blocks alone, without decoding: for decoding frames at the same time, and for sharing
// a file out by frames.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cuarbiter {

// Follows a stream that begins with a frame, in pieces of any size. Not thread-safe.
class ZstdFrameScanner {
 public:
  // Goes on through `piece` up to the end of the frame and no further, and returns how many bytes
  // that was. All of the piece when the frame does not end in it, and once lost() is true.
  std::size_t scan(std::string_view piece);

  // Bytes from here on that hold no header, so that a reader with random access may pass over them
  // by skip(), of which all calls together must not pass over more.
  std::uint64_t idle_bytes() const { return idle_; }
  void skip(std::uint64_t count) { idle_ -= count; }

  // True before the first byte and right behind a frame.
  bool at_border() const { return state_ == State::magic && kept_ == 0 && idle_ == 0; }
  // True when the stream is not, or no longer, made of frames, so that the next border cannot be
  // told. What exactly is wrong the decoder finds out.
  bool lost() const { return state_ == State::lost; }
  // Of the frame last begun: whether it is a skippable one, which holds no text, and how many bytes
  // of text its header declares.
  bool skippable() const { return skippable_; }
  std::optional<std::uint64_t> text_bytes() const { return text_bytes_; }
  // Bytes of memory that the frame last begun takes to decode, apart from what every frame does; 0
  // when its header is not complete.
  std::uint64_t window_bytes() const { return window_bytes_; }

 private:
  enum class State : std::uint8_t {
    magic,
    skip_size,
    descriptor,
    frame_header,
    block_header,
    lost
  };
  static constexpr std::size_t kMostKept = 14;  // a frame header from its descriptor on

  void take_magic();
  void take_descriptor();
  void take_frame_header();
  void take_block_header();
  void expect(State state, std::size_t bytes);
  std::uint64_t number(std::size_t at, std::size_t bytes) const;

  State state_ = State::magic;
  std::array<unsigned char, kMostKept> bytes_{};  // of the header being read
  std::size_t kept_ = 0;                          // of them are there
  std::size_t wanted_ = 4;                        // of them are needed
  std::uint64_t idle_ = 0;                        // bytes before the header being read
  bool checksum_ = false;                         // four bytes of it end the frame
  bool skippable_ = false;
  std::optional<std::uint64_t> text_bytes_;
  std::uint64_t window_bytes_ = 0;
};

// One frame of a file. Offsets and lengths in bytes.
struct ZstdFrame {
  std::uint64_t coded_offset = 0;
  std::uint64_t coded_bytes = 0;
  // Offset in the decoded text: known as long as all frames before declare their sizes.
  std::optional<std::uint64_t> text_offset;
  std::optional<std::uint64_t> text_bytes;  // as declared: only decoding proves it
  bool skippable = false;                   // no text
};

// The frames of a regular file, in order, skippable ones included. Where the file ends inside a
// frame or goes on with something else, the last element holds all the rest. Reads headers only:
// about one small read for every 128 KiB of text. Empty for a file that does not begin as zstd
// does. Throws IoError, also for what is no regular file.
std::vector<ZstdFrame> list_zstd_frames(const std::string& path);

}  // namespace cuarbiter
