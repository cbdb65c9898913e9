#include "host/pgn/framer.hpp"

#include <span>

namespace cuarbiter {

Framer::Framer(ByteSource& source, std::uint32_t file, const FramerOptions& options)
    : source_(source), block_bytes_(options.slab_bytes), cutter_(file, options) {}

bool Framer::next(Slab& slab) {
  while (!cutter_.done()) {
    block_.bytes = 0;
    if (!cutter_.ended() && !cutter_.behind()) {
      const std::span<char> room = SlabCutter::room(slab, block_bytes_);
      block_.bytes = read_whole(source_, room, fault_);
      block_.last = block_.bytes < room.size();
      cutter_.look(slab, block_);
    }
    cutter_.cut(slab, block_);
    if (!slab.frames.empty() || slab.utf16) return true;
  }
  if (fault_) std::rethrow_exception(fault_);
  return false;
}

}  // namespace cuarbiter
