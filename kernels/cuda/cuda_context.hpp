// What one call at a time works with on a device: a stream and a block of device memory. The
// contexts of all devices form a pool, from which callers on any thread borrow.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/algo/arena.hpp"
#include "kernels/cuda/device_memory.hpp"

namespace cuarbiter {

class CudaContext {
 public:
  // At most `budget` bytes of device memory.
  CudaContext(int device, std::size_t budget) : device_(device), budget_(budget) {}
  ~CudaContext();

  int device() const { return device_; }
  std::size_t budget() const { return budget_; }
  // Below: to be called with the device current.
  cudaStream_t stream();
  void synchronize() { CUARBITER_CUDA_CHECK(cudaStreamSynchronize(stream())); }
  // An arena of at least this many bytes. What an earlier arena held is lost. Throws
  // DeviceMemoryError.
  Arena arena(std::size_t bytes);
  void trim() { block_.release(); }

 private:
  int device_;
  std::size_t budget_;
  std::unique_ptr<Stream> stream_;
  DeviceBlock block_;
};

class CudaContextPool {
 public:
  // A context borrowed for a scope.
  class Lease {
   public:
    Lease(CudaContextPool& pool, CudaContext& context) : pool_(pool), context_(context) {}
    ~Lease() { pool_.give_back(context_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    CudaContext& operator*() const { return context_; }
    CudaContext* operator->() const { return &context_; }

   private:
    CudaContextPool& pool_;
    CudaContext& context_;
  };

  // A few contexts a device share its budget.
  static constexpr std::size_t kContextsPerDevice = 3;

  // budgets[i] bytes for devices[i].
  CudaContextPool(const std::vector<int>& devices, const std::vector<std::size_t>& budgets);

  // Waits until one is free; the devices take turns. Safe to call from several threads.
  Lease borrow();

  // Frees the memory of the contexts that are not borrowed.
  void trim();

 private:
  void give_back(CudaContext& context);

  std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<std::unique_ptr<CudaContext>> contexts_;
  std::vector<CudaContext*> idle_;  // the longest idle first
};

}  // namespace cuarbiter
