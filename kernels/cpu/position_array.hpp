// A large array of positions straight from the system, in huge pages where it grants them, so that
// its memory really goes back.
#pragma once

#include <cstddef>
#include <span>

#include "host/rules/position.hpp"

namespace cuarbiter {

class PositionArray {
 public:
  PositionArray() = default;
  // Room for n positions, zeroed. Throws std::bad_alloc.
  explicit PositionArray(std::size_t n);
  PositionArray(PositionArray&& other) noexcept;
  PositionArray& operator=(PositionArray&& other) noexcept;
  ~PositionArray();

  Position* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<const Position> span() const { return {data_, size_}; }
  // Gives back the memory behind the first n positions.
  void shrink(std::size_t n);

 private:
  Position* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace cuarbiter
