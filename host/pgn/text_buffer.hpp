// The bytes of a slab: they may begin anywhere in their buffer, so that text can be put in front of
// text that is there already.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace cuarbiter {

class TextBuffer {
 public:
  // Bytes to read or write from data() on. New ones are zero.
  std::size_t size() const { return bytes_.size() - begin_; }
  void resize(std::size_t size) { bytes_.resize(begin_ + size); }
  char* data() { return bytes_.data() + begin_; }
  const char* data() const { return bytes_.data() + begin_; }
  char operator[](std::size_t at) const { return bytes_[begin_ + at]; }
  // Bytes of memory.
  std::size_t capacity() const { return bytes_.capacity(); }

  // Gives up what is there: at least `size` bytes with room for `front` bytes before them.
  void restart(std::size_t front, std::size_t size) {
    begin_ = front;
    if (bytes_.size() < front + size) bytes_.resize(front + size);
  }
  // `text` is put in front. Where the room does not do, the first `keep` bytes are moved.
  void prepend(const char* text, std::size_t size, std::size_t keep) {
    if (begin_ < size) {
      const std::size_t more = size - begin_;
      bytes_.resize(bytes_.size() + more);
      std::memmove(bytes_.data() + size, bytes_.data() + begin_, keep);
      begin_ = size;
    }
    begin_ -= size;
    if (size != 0) std::memcpy(data(), text, size);
  }
  void drop_front(std::size_t size) { begin_ += size; }

 private:
  std::vector<char> bytes_;
  std::size_t begin_ = 0;
};

}  // namespace cuarbiter
