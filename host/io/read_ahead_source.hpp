// A source read ahead of its reader by a thread of its own, so that decoding goes on while what is
// decoded is worked on.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "host/io/source.hpp"

namespace cuarbiter {

// Hands out the same bytes and the same fault as the source that it owns. Memory: 2 MiB. The thread
// starts with the first read. Destroying it interrupts the inner source.
class ReadAheadSource : public ByteSource {
 public:
  explicit ReadAheadSource(std::unique_ptr<ByteSource> inner);
  ReadAheadSource(const ReadAheadSource&) = delete;
  ReadAheadSource& operator=(const ReadAheadSource&) = delete;
  ~ReadAheadSource() override;

  std::size_t read(std::span<char> into) override;
  const std::string& name() const override { return inner_->name(); }
  std::optional<std::uint64_t> size_bytes() const override { return inner_->size_bytes(); }
  std::uint64_t consumed_bytes() const override { return consumed_.load(); }
  void interrupt() noexcept override { inner_->interrupt(); }

 private:
  struct Block {
    std::vector<char> bytes;
    std::size_t size = 0;
  };

  void run();

  std::unique_ptr<ByteSource> inner_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable filled_, emptied_;
  std::vector<Block> ring_;  // block `n % ring_.size()` is the n-th read
  std::uint64_t written_ = 0, taken_ = 0;
  bool ended_ = false;  // nothing follows what is written
  bool stopped_ = false;
  std::exception_ptr fault_;  // what follows instead
  std::atomic<std::uint64_t> consumed_{0};
  std::size_t at_ = 0;  // of the block being handed out; the reader's own
};

}  // namespace cuarbiter
