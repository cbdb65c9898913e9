// A stack of memory: the levels of a depth-first search and their scratch space in one block of a
// fixed size, in whatever memory the execution space has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace cuarbiter {

// Hands out pieces of a block, last out first back. Does not own the block.
class Arena {
 public:
  static constexpr std::size_t kAlignment = 256;

  // `block` must be aligned to kAlignment.
  Arena(void* block, std::size_t bytes)
      : base_(static_cast<std::byte*>(block)), bytes_(bytes / kAlignment * kAlignment) {}

  std::size_t free_bytes() const { return bytes_ - used_; }

  // Null when there is not enough left.
  void* try_allocate(std::size_t bytes) {
    if (bytes > free_bytes()) return nullptr;
    void* piece = base_ + used_;
    used_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return piece;
  }

  // Throws std::bad_alloc when there is not enough left.
  template <class T>
  T* allocate(std::uint64_t count) {
    if (count > free_bytes() / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(try_allocate(count * sizeof(T)));
  }

  bool owns(const void* piece) const {
    const std::byte* at = static_cast<const std::byte*>(piece);
    return at >= base_ && at < base_ + bytes_;
  }

  // Everything allocated after mark() is free again after release() of its value.
  std::size_t mark() const { return used_; }
  void release(std::size_t mark) { used_ = mark; }

 private:
  std::byte* base_;
  std::size_t bytes_;
  std::size_t used_ = 0;
};

// Releases at the end of the scope.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena) : arena_(arena), mark_(arena.mark()) {}
  ~ArenaScope() { arena_.release(mark_); }
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

 private:
  Arena& arena_;
  std::size_t mark_;
};

// Thrust's temporary storage: from the arena while it lasts, else from the execution space. Pieces
// of the arena come back when the algorithm's ArenaScope ends.
template <class Space>
class ArenaAllocator {
 public:
  using value_type = char;

  ArenaAllocator(Arena& arena, Space& space) : arena_(&arena), space_(&space) {}

  // Throws std::bad_alloc.
  char* allocate(std::ptrdiff_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    if (void* piece = arena_->try_allocate(size)) return static_cast<char*>(piece);
    return static_cast<char*>(space_->allocate(size));
  }
  void deallocate(char* piece, std::size_t) {
    if (!arena_->owns(piece)) space_->deallocate(piece);
  }

 private:
  Arena* arena_;
  Space* space_;
};

}  // namespace cuarbiter
