// Where a text may be cut in two without knowing what came before.
#pragma once

#include <cstdint>
#include <optional>

#include "host/io/source.hpp"

namespace cuarbiter {

// How far behind the source's first byte lies a place, the first that can be told, where a frame of
// the Framer begins whatever text stood before that byte; nothing when there is none before the end
// or before the source fails. So each reader of a text finds the same places, and frames found from
// one place on go on at the next as if the text had been read from its beginning.
//
// Such a place lies behind an Event tag after a blank line where it makes no difference whether a
// comment is open: the next brace is an opening one, or far away. From there the framer does not
// depend on the past, and the next frame that it begins is the place. A later start never finds an
// earlier place. Memory: a few MiB at most.
std::optional<std::uint64_t> find_game_border(ByteSource& source);

}  // namespace cuarbiter
