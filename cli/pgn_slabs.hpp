// PGN files in turn as one stream of slabs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/io/source.hpp"
#include "host/pgn/framer.hpp"

namespace cuarbiter {

// One slab with where it comes from.
struct SlabJob {
  Slab slab;
  std::string file;            // name for messages
  std::string fault;           // why the file could not be read (further); empty: it could
  std::uint64_t consumed = 0;  // bytes taken from all files so far, compressed
  std::uint64_t expected = 0;  // bytes of all files; 0 when not known
};

class PgnSlabs {
 public:
  // `slab_bytes` 0 means the default.
  PgnSlabs(std::vector<std::string> files, std::size_t slab_bytes);

  // Fills the job; false after the last file. A file that cannot be opened or read gives a job with
  // its fault, and the next file follows.
  bool next(SlabJob& job);
  std::size_t files() const { return files_.size(); }

 private:
  bool open(SlabJob& job);
  void close();

  std::vector<std::string> files_;
  FramerOptions options_;
  std::size_t next_file_ = 0;
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<Framer> framer_;
  std::uint64_t consumed_ = 0, expected_ = 0;
};

}  // namespace cuarbiter
