// PGN files in turn as one stream of slabs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/input_files.hpp"
#include "host/io/decode_error.hpp"
#include "host/pgn/framer.hpp"

namespace cuarbiter {

// Bytes of text that few slabs have: single games of megabytes are unusual.
inline constexpr std::size_t kLargeSlab = std::size_t{3} << 20;

// One slab with where it comes from.
struct SlabJob {
  Slab slab;
  std::string file;   // name for messages
  std::string fault;  // why the file could not be read (further); empty: it could
  std::optional<DecodeError> decode_fault;  // the same, where it is one
  std::size_t piece = 0;                    // index of the piece of the input
  bool starts_piece = false;                // it is the piece's first one
  std::uint64_t games_before = 0;           // in the file, before the piece
  // Where the text of the file behind it begins; what ends a piece early has nothing behind it.
  std::uint64_t next_offset = 0, next_line = 1;
  bool ends_piece = false;
  std::uint64_t consumed = 0;  // bytes taken from all files so far, compressed
  std::uint64_t expected = 0;  // bytes of all files; 0 when not known

  // What it weighs in a pipeline: its bytes of text, and more if a game of megabytes is in it,
  // which takes many times its text. So two of those are seldom there at once.
  std::size_t weight() const { return slab.size > kLargeSlab ? 4 * slab.size : slab.size; }
};

class PgnSlabs {
 public:
  // Keeps a reference to the files. `slab_bytes` 0 means the default. With `whole_comments` only
  // comments past several MiB lose their middle.
  PgnSlabs(InputFiles& files, std::size_t slab_bytes, bool whole_comments = false);

  // Fills the job; false when no file of games follows. A file that cannot be opened or read gives
  // a job with its fault, and the next file follows.
  bool next(SlabJob& job);

  // From any thread: nothing more is to be read, next() is false from its next call on.
  void stop() { stopped_.store(true); }
  bool stopped() const { return stopped_.load(); }

 private:
  bool open(SlabJob& job);
  void close();

  InputFiles& files_;
  FramerOptions options_;
  InputFile file_;  // being read
  std::unique_ptr<Framer> framer_;
  bool first_ = false;  // nothing was given of the piece
  std::atomic<bool> stopped_{false};
};

}  // namespace cuarbiter
