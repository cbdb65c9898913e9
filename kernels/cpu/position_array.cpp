#include "kernels/cpu/position_array.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <utility>

namespace cuarbiter {
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + kHugePage - 1) & ~(kHugePage - 1);
}

}  // namespace

PositionArray::PositionArray(std::size_t n) {
  if (n == 0) return;
  if (n > (SIZE_MAX - kHugePage) / sizeof(Position)) throw std::bad_alloc();
  bytes_ = round_up(n * sizeof(Position));
  void* at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  madvise(at, bytes_, MADV_HUGEPAGE);
  data_ = static_cast<Position*>(at);
  size_ = n;
}

PositionArray::PositionArray(PositionArray&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      bytes_(std::exchange(other.bytes_, 0)) {}

PositionArray& PositionArray::operator=(PositionArray&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

PositionArray::~PositionArray() {
  if (data_) munmap(data_, bytes_);
}

void PositionArray::shrink(std::size_t n) {
  if (n >= size_) return;
  const std::size_t keep = round_up(n * sizeof(Position));
  if (keep < bytes_) {
    munmap(reinterpret_cast<char*>(data_) + keep, bytes_ - keep);
    bytes_ = keep;
    if (keep == 0) data_ = nullptr;
  }
  size_ = n;
}

}  // namespace cuarbiter
