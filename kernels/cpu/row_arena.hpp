// Large arrays of perft rows straight from the system, in huge pages where it grants them, so that
// a freed level's memory really goes back.
#pragma once

#include <cstddef>

#include "kernels/cpu/engine.hpp"

namespace cuarbiter {

class RowArena {
 public:
  RowArena() = default;
  // Room for n rows, zeroed. Throws std::bad_alloc.
  explicit RowArena(std::size_t n);
  RowArena(RowArena&& other) noexcept;
  RowArena& operator=(RowArena&& other) noexcept;
  ~RowArena();

  PerftRow* rows() const { return rows_; }
  std::size_t capacity() const { return capacity_; }
  // Gives back the memory behind the first n rows; the capacity shrinks.
  void shrink(std::size_t n);

 private:
  PerftRow* rows_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace cuarbiter
