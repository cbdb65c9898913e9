// The cuarbiter program under test. CMake says where it is.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/run_program.hpp"

namespace cuarbiter::test {

// Runs cuarbiter with these arguments; the other two name a backend, too.
inline RunResult cuarbiter(std::vector<std::string> words, const RunOptions& options = {}) {
  words.insert(words.begin(), CUARBITER_PROGRAM);
  return run_program(words, options);
}

inline RunResult cuarbiter_on(const std::string& backend, std::vector<std::string> words,
                              const RunOptions& options = {}) {
  words.push_back("--backend");
  words.push_back(backend);
  return cuarbiter(std::move(words), options);
}

inline RunResult cuarbiter_on_cpu(std::vector<std::string> words, const RunOptions& options = {}) {
  return cuarbiter_on("cpu", std::move(words), options);
}

inline RunOptions with_input(std::string text) {
  RunOptions options;
  options.input = std::move(text);
  return options;
}

// True when `text` holds `part`.
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::size_t count_lines(const std::string& text) {
  std::size_t lines = 0;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  return lines;
}

}  // namespace cuarbiter::test
