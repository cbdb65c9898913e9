// A byte source over text in memory, for text given on the command line and for tests: it can be
// told to hand out at most a few bytes at a time, which moves block borders to any place.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "host/io/source.hpp"

namespace cuarbiter {

class MemorySource : public ByteSource {
 public:
  // Owns a copy of `bytes`; each read returns at most `most_per_read` bytes (at least 1).
  explicit MemorySource(std::string bytes, std::string name = "<memory>",
                        std::size_t most_per_read = SIZE_MAX)
      : bytes_(std::move(bytes)), name_(std::move(name)), most_per_read_(most_per_read) {}

  std::size_t read(std::span<char> into) override {
    const std::size_t count =
        std::min({into.size(), bytes_.size() - at_, std::max<std::size_t>(most_per_read_, 1)});
    if (count != 0) std::memcpy(into.data(), bytes_.data() + at_, count);
    at_ += count;
    return count;
  }
  const std::string& name() const override { return name_; }
  std::optional<std::uint64_t> size_bytes() const override { return bytes_.size(); }
  std::uint64_t consumed_bytes() const override { return at_; }

 private:
  std::string bytes_;
  std::string name_;
  std::size_t most_per_read_;
  std::size_t at_ = 0;
};

}  // namespace cuarbiter
