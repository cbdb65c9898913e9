// The folder of further suites and archives that tests read where there is one.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace cuarbiter::test {

// The path of a file or folder in it; empty when CUARBITER_SHARED_DIR is not set or has no such
// thing.
inline std::string shared_path(const std::string& name) {
  const char* folder = std::getenv("CUARBITER_SHARED_DIR");
  if (!folder || !*folder) return {};
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  return std::filesystem::exists(path) ? path.string() : std::string();
}

inline constexpr const char* kNoSharedFolder =
    "CUARBITER_SHARED_DIR is not set or does not hold this";

}  // namespace cuarbiter::test
