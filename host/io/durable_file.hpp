// A small file that survives a kill or a power cut at any moment, as it was or as it is to be.
#pragma once

#include <string>
#include <string_view>

namespace cuarbiter {

// Writes `bytes` to PATH.tmp, flushes them to the disk, renames that to `path`, and flushes the
// folder. What an earlier run left under the temporary name is replaced. Only one process at a time
// may write a path. Throws IoError; `path` is then as it was.
void write_durably(const std::string& path, std::string_view bytes);

}  // namespace cuarbiter
