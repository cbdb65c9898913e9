// Faults of a frame's bytes as a whole: NUL bytes, text that is not UTF-8, a byte order mark, a
// frame past the length limit. They are told with the game they stand in.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/pgn/slab.hpp"
#include "host/pgn/text_problems.hpp"

namespace cuarbiter {

// Adds the faults of frame number `frame`. Its games are those of the batch from `first_game` on.
void find_frame_faults(const Slab& slab, std::size_t frame, std::size_t first_game,
                       GameBatch& batch, TextProblems& problems);

}  // namespace cuarbiter
