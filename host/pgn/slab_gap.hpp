// Taking text out of a slab, with what it takes to name the places behind it.
#pragma once

#include <cstddef>

#include "host/pgn/slab.hpp"

namespace cuarbiter {

// Takes out the bytes from `begin` (above 0) to `end`, but does not tear a CRLF apart. Positions
// from `end` on move down by the number of bytes taken, which is returned. An elision tells of
// them; gaps that touch become one.
std::size_t take_out(Slab& slab, std::size_t begin, std::size_t end);

}  // namespace cuarbiter
