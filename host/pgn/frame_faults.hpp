// Faults of a frame's bytes as a whole: NUL bytes, text that is not UTF-8, a byte order mark, a
// frame past the length limit. They are told with the game they stand in.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/pgn/slab.hpp"
#include "host/pgn/text_problems.hpp"

namespace cuarbiter {

// What is known of a slab's bytes: a clean one spares the search in each frame.
struct SlabBytes {
  bool has_nul = false;
  bool plain_ascii = true;
};

SlabBytes look_at_bytes(const Slab& slab);

// Adds the faults of frame number `frame`, whose games are those of the batch from `first_game` on.
void find_frame_faults(const Slab& slab, std::size_t frame, const SlabBytes& bytes,
                       std::size_t first_game, GameBatch& batch, TextProblems& problems);

}  // namespace cuarbiter
