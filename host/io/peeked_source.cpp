// Looking at the first bytes of a stream and giving them back.
#include "host/io/peeked_source.hpp"

#include <algorithm>
#include <cstring>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kStep = 4096;

}  // namespace

bool PeekedSource::peek_more() {
  if (fault_) return false;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kStep);
  std::size_t got = 0;
  try {
    got = inner_->read(std::span<char>(buffer_).subspan(before));
  } catch (const IoError&) {
    fault_ = std::current_exception();
  }
  buffer_.resize(before + got);
  return got != 0;
}

std::optional<std::uint64_t> PeekedSource::reserve(std::size_t bytes) {
  const std::size_t ready = peeked().size();
  if (fault_ || bytes < ready) return std::nullopt;
  const std::optional<std::uint64_t> behind = inner_->reserve(bytes - ready);
  if (!behind) return std::nullopt;
  buffer_ = {};
  begin_ = 0;
  return *behind - ready;
}

std::size_t PeekedSource::read(std::span<char> into) {
  if (into.empty()) return 0;
  if (begin_ != buffer_.size()) {
    const std::size_t count = std::min(into.size(), buffer_.size() - begin_);
    std::memcpy(into.data(), buffer_.data() + begin_, count);
    begin_ += count;
    if (begin_ == buffer_.size()) {
      buffer_.clear();
      buffer_.shrink_to_fit();
      begin_ = 0;
    }
    return count;
  }
  if (fault_) std::rethrow_exception(fault_);
  return inner_->read(into);
}

}  // namespace cuarbiter
