#include "kernels/cpu/row_arena.hpp"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace cuarbiter {
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + kHugePage - 1) & ~(kHugePage - 1);
}

}  // namespace

RowArena::RowArena(std::size_t n) {
  if (n == 0) return;
  if (n > (SIZE_MAX - kHugePage) / sizeof(PerftRow)) throw std::bad_alloc();
  bytes_ = round_up(n * sizeof(PerftRow));
  void* at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  madvise(at, bytes_, MADV_HUGEPAGE);
  rows_ = static_cast<PerftRow*>(at);
  capacity_ = n;
}

RowArena::RowArena(RowArena&& other) noexcept
    : rows_(std::exchange(other.rows_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)),
      bytes_(std::exchange(other.bytes_, 0)) {}

RowArena& RowArena::operator=(RowArena&& other) noexcept {
  std::swap(rows_, other.rows_);
  std::swap(capacity_, other.capacity_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

RowArena::~RowArena() {
  if (rows_) munmap(rows_, bytes_);
}

void RowArena::shrink(std::size_t n) {
  if (n >= capacity_) return;
  const std::size_t keep = round_up(n * sizeof(PerftRow));
  if (keep < bytes_) {
    munmap(reinterpret_cast<char*>(rows_) + keep, bytes_ - keep);
    bytes_ = keep;
    if (keep == 0) rows_ = nullptr;
  }
  capacity_ = n;
}

}  // namespace cuarbiter
