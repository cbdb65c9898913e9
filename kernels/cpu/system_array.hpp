// Large arrays straight from the system, in huge pages where it grants them, so that the memory of
// one that is freed or shrunk really goes back.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace cuarbiter {

// T is plain data. Not thread-safe.
template <class T>
class SystemArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SystemArray() = default;
  // Room for n elements, their bytes zero. Throws std::bad_alloc.
  explicit SystemArray(std::size_t n) {
    if (n == 0) return;
    if (n > (SIZE_MAX - kHugePage) / sizeof(T)) throw std::bad_alloc();
    bytes_ = round_up(n * sizeof(T));
    void* at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    madvise(at, bytes_, MADV_HUGEPAGE);
    data_ = static_cast<T*>(at);
    size_ = n;
  }
  SystemArray(SystemArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  SystemArray& operator=(SystemArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~SystemArray() {
    if (data_) munmap(data_, bytes_);
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<const T> span() const { return {data_, size_}; }
  // Gives back the memory behind the first n elements.
  void shrink(std::size_t n) {
    if (n >= size_) return;
    const std::size_t keep = round_up(n * sizeof(T));
    if (keep < bytes_) {
      munmap(reinterpret_cast<char*>(data_) + keep, bytes_ - keep);
      bytes_ = keep;
      if (keep == 0) data_ = nullptr;
    }
    size_ = n;
  }

 private:
  static constexpr std::size_t kHugePage = std::size_t{1} << 21;
  static constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + kHugePage - 1) & ~(kHugePage - 1);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace cuarbiter
