// Ownership of what the CUDA runtime lends: the current device of a thread, streams, device memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/cuda_check.hpp"

namespace cuarbiter {

// Makes a device the calling thread's current one for a scope.
class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    CUARBITER_CUDA_CHECK(cudaGetDevice(&before_));
    CUARBITER_CUDA_CHECK(cudaSetDevice(device));
  }
  ~DeviceScope() { cudaSetDevice(before_); }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_ = 0;
};

// A stream of the current device.
class Stream {
 public:
  Stream() { CUARBITER_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }
  void synchronize() const { CUARBITER_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

// A block of device memory that grows when asked to; its contents are lost then.
class DeviceBlock {
 public:
  DeviceBlock() = default;
  ~DeviceBlock() { release(); }
  DeviceBlock(const DeviceBlock&) = delete;
  DeviceBlock& operator=(const DeviceBlock&) = delete;

  void* get() const { return block_; }
  std::size_t bytes() const { return bytes_; }

  // Makes the block at least this large. No work may be under way in it. Throws DeviceMemoryError
  // and is empty then.
  void reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    release();
    CUARBITER_CUDA_CHECK(cudaMalloc(&block_, bytes));
    bytes_ = bytes;
  }

  void release() noexcept {
    if (block_ != nullptr) cudaFree(block_);
    block_ = nullptr;
    bytes_ = 0;
  }

 private:
  void* block_ = nullptr;
  std::size_t bytes_ = 0;
};

// Copies between host and device in the order of a stream. Host memory is free again when the call
// to the device returns; after a call to the host, synchronize the stream.
template <class T>
void copy_to_device(T* to, const T* from, std::size_t count, cudaStream_t stream) {
  if (count == 0) return;
  CUARBITER_CUDA_CHECK(
      cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream));
}
template <class T>
void copy_to_host(T* to, const T* from, std::size_t count, cudaStream_t stream) {
  if (count == 0) return;
  CUARBITER_CUDA_CHECK(
      cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
}

}  // namespace cuarbiter
