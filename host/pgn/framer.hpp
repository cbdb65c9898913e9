// Cuts a stream of PGN text into slabs of whole frames, in bounded memory, on the thread that asks
// for them. What a frame is: host/pgn/frame_scan.hpp.
#pragma once

#include <cstdint>
#include <exception>

#include "host/io/source.hpp"
#include "host/pgn/slab.hpp"
#include "host/pgn/slab_cutter.hpp"

namespace cuarbiter {

class Framer {
 public:
  // Keeps a reference to the source. `file` numbers the slabs.
  Framer(ByteSource& source, std::uint32_t file, const FramerOptions& options = {});

  // Before the first slab, as in SlabCutter.
  void start_at(std::uint64_t offset, std::uint64_t line) { cutter_.start_at(offset, line); }
  // Where the next slab will begin.
  std::uint64_t offset() const { return cutter_.offset(); }
  std::uint64_t line() const { return cutter_.line(); }

  // Fills the next slab; false at the end. When the source fails, the text before the fault is
  // given as the file's last slab and the next call throws the source's IoError.
  bool next(Slab& slab);

 private:
  ByteSource& source_;
  std::size_t block_bytes_;
  SlabCutter cutter_;
  TextBlock block_;
  std::exception_ptr fault_;
};

}  // namespace cuarbiter
