// Runs validate on text that is made while it is read, so that it may be larger than any file a
// test should write.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/cuarbiter_program.hpp"

namespace cuarbiter::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;  // sanitizers need memory of their own
#else
inline constexpr bool kSanitized = false;
#endif
// What validate may take, in bytes.
inline constexpr std::uint64_t kMemory = std::uint64_t{256} << 20;

// Runs validate with `head`, then `piece` again and again up to `bytes`, then `tail` through a
// pipe.
inline RunResult validate_stream(const std::string& head, const std::string& piece,
                                 std::uint64_t bytes, const std::string& tail,
                                 const std::vector<std::string>& more = {}) {
  ::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::thread writer([&] {
    std::string block;
    while (block.size() < 65536) block += piece;
    const auto put = [&](const std::string& text) {
      for (std::size_t at = 0; at < text.size();) {
        const ssize_t n = ::write(ends[1], text.data() + at, text.size() - at);
        if (n <= 0) return false;
        at += static_cast<std::size_t>(n);
      }
      return true;
    };
    bool open = put(head);
    for (std::uint64_t sent = 0; open && sent < bytes; sent += block.size()) open = put(block);
    if (open) put(tail);
    ::close(ends[1]);
  });
  RunOptions options;
  options.input_pipe = ends[0];
  std::vector<std::string> words = {"validate", "--format", "jsonl", "-j", "2"};
  words.insert(words.end(), more.begin(), more.end());
  const RunResult run = cuarbiter_on_cpu(words, options);
  ::close(ends[0]);
  writer.join();
  return run;
}

}  // namespace cuarbiter::test
