// A source whose first bytes can be looked at before they are read: streams that cannot be rewound
// are told apart by content this way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/io/source.hpp"

namespace cuarbiter {

// Hands out exactly the bytes of the source that it owns, whatever was looked at.
class PeekedSource : public ByteSource {
 public:
  explicit PeekedSource(std::unique_ptr<ByteSource> inner) : inner_(std::move(inner)) {}

  // The bytes looked at and not read yet. Valid until the next call of peek_more() or read().
  std::string_view peeked() const { return {buffer_.data() + begin_, buffer_.size() - begin_}; }
  // Adds a few KiB at most to peeked(); false when nothing could be added: the source has ended or
  // failed. A failure is not thrown here but by read(), behind the bytes before it.
  bool peek_more();

  std::size_t read(std::span<char> into) override;
  // What was looked at is read once more, from its place in the file.
  std::optional<std::uint64_t> reserve(std::size_t bytes) override;
  std::size_t fetch(std::uint64_t place, std::span<char> into) const override {
    return inner_->fetch(place, into);
  }
  const std::string& name() const override { return inner_->name(); }
  std::optional<std::uint64_t> size_bytes() const override { return inner_->size_bytes(); }
  // Bytes looked at count as taken.
  std::uint64_t consumed_bytes() const override { return inner_->consumed_bytes(); }
  void interrupt() noexcept override { inner_->interrupt(); }

 private:
  std::unique_ptr<ByteSource> inner_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what read() has not given yet
  std::exception_ptr fault_;
};

}  // namespace cuarbiter
