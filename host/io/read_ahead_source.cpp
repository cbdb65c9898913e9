// A ring of blocks between the thread that fills them and the reader.
#include "host/io/read_ahead_source.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cuarbiter {
namespace {

constexpr std::size_t kBlocks = 8;
constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

}  // namespace

ReadAheadSource::ReadAheadSource(std::unique_ptr<ByteSource> inner)
    : inner_(std::move(inner)), consumed_(inner_->consumed_bytes()) {}

ReadAheadSource::~ReadAheadSource() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  emptied_.notify_one();
  inner_->interrupt();
  thread_.join();
}

void ReadAheadSource::run() {
  for (;;) {
    Block* block;
    {
      std::unique_lock lock(mutex_);
      emptied_.wait(lock, [&] { return stopped_ || written_ - taken_ < ring_.size(); });
      if (stopped_) return;
      block = &ring_[written_ % ring_.size()];
    }
    std::exception_ptr fault;
    block->size = 0;
    try {
      block->bytes.resize(kBlockBytes);
      block->size = inner_->read(block->bytes);
    } catch (...) {
      fault = std::current_exception();
    }
    consumed_.store(inner_->consumed_bytes());
    const bool ended = block->size == 0;
    {
      const std::lock_guard lock(mutex_);
      fault_ = std::move(fault);
      ended_ = ended;
      if (!ended) ++written_;
    }
    filled_.notify_one();
    if (ended) return;
  }
}

std::size_t ReadAheadSource::read(std::span<char> into) {
  if (into.empty()) return 0;
  const Block* block;
  {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable() && !ended_) {
      ring_.resize(kBlocks);
      thread_ = std::thread([this] { run(); });
    }
    filled_.wait(lock, [&] { return taken_ != written_ || ended_; });
    if (taken_ == written_) {
      if (fault_) std::rethrow_exception(fault_);
      return 0;
    }
    block = &ring_[taken_ % ring_.size()];
  }
  const std::size_t count = std::min(into.size(), block->size - at_);
  std::memcpy(into.data(), block->bytes.data() + at_, count);
  at_ += count;
  if (at_ == block->size) {
    at_ = 0;
    {
      const std::lock_guard lock(mutex_);
      ++taken_;
    }
    emptied_.notify_one();
  }
  return count;
}

}  // namespace cuarbiter
