// PGN files in turn as one stream of slabs, for a pipeline: text is taken out of the files in
// order, read and looked at by many threads at once, and cut in order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cli/input_files.hpp"
#include "host/batch/ordered_pipeline.hpp"
#include "host/io/decode_error.hpp"
#include "host/pgn/slab_cutter.hpp"

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

  // Nothing came of the text so far: no game is whole yet. To be passed over.
  bool nothing = false;

  // What it weighs in a pipeline: its bytes of text, and more if a game of megabytes is in it,
  // which takes many times its text. So two of those are seldom there at once.
  std::size_t weight() const { return slab.size > kLargeSlab ? 4 * slab.size : slab.size; }

 private:
  friend class PgnSlabs;

  // The text on its way into the slab.
  TextBlock block_;
  std::optional<std::uint64_t> place_;  // reserved there, not read yet
  std::size_t reserved_ = 0;            // bytes
  std::exception_ptr block_fault_;      // why no more of them could be read
};

// A producer of SlabJobs in three steps (host/batch/ordered_pipeline.hpp).
class PgnSlabs {
 public:
  // Keeps a reference to the files. `slab_bytes` 0 means the default. With `whole_comments` only
  // comments past several MiB lose their middle.
  PgnSlabs(InputFiles& files, std::size_t slab_bytes, bool whole_comments = false);

  // Takes text out of the files. A file that cannot be opened or read gives a job with its fault,
  // and the next file follows.
  Begun begin(SlabJob& job);
  // Reads the text, where that is left to be done, and looks at it.
  void prepare(SlabJob& job) const;
  // Makes a slab of it.
  void complete(SlabJob& job);

  // From any thread: nothing more is to be read, no batch is begun any more.
  void stop() { stopped_.store(true); }
  bool stopped() const { return stopped_.load(); }

 private:
  bool open(SlabJob& job);
  void close();
  void take_text(SlabJob& job);
  void give_fault(SlabJob& job);

  InputFiles& files_;
  FramerOptions options_;
  InputFile file_;  // being read; it changes while no job is between begin() and complete()
  std::optional<SlabCutter> cutter_;
  bool first_ = false;  // nothing was given of the piece
  std::atomic<bool> stopped_{false};

  std::mutex mutex_;           // of what follows
  std::size_t under_way_ = 0;  // jobs between begin() and complete()
  bool over_ = false;          // no more text is taken out of the file
  bool behind_ = false;        // the cutter has frames to give without any text
  std::exception_ptr fault_;   // that ended the file
};

}  // namespace cuarbiter
