#include "kernels/cuda/cuda_context.hpp"

namespace cuarbiter {

CudaContext::~CudaContext() {
  // Memory and stream go back to the device they came from; a lost device cannot be helped here.
  if (cudaSetDevice(device_) == cudaSuccess) trim();
}

cudaStream_t CudaContext::stream() {
  if (!stream_) stream_ = std::make_unique<Stream>();
  return stream_->get();
}

Arena CudaContext::arena(std::size_t bytes) {
  block_.reserve(bytes);
  return Arena(block_.get(), block_.bytes());
}

CudaContextPool::CudaContextPool(const std::vector<int>& devices,
                                 const std::vector<std::size_t>& budgets) {
  for (std::size_t n = 0; n < kContextsPerDevice; ++n) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
      contexts_.push_back(
          std::make_unique<CudaContext>(devices[i], budgets[i] / kContextsPerDevice));
      idle_.push_back(contexts_.back().get());
    }
  }
}

CudaContextPool::Lease CudaContextPool::borrow() {
  std::unique_lock lock(mutex_);
  freed_.wait(lock, [this] { return !idle_.empty(); });
  CudaContext* context = idle_.front();
  idle_.erase(idle_.begin());
  return Lease(*this, *context);
}

void CudaContextPool::give_back(CudaContext& context) {
  {
    std::lock_guard lock(mutex_);
    idle_.push_back(&context);
  }
  freed_.notify_one();
}

void CudaContextPool::trim() {
  std::lock_guard lock(mutex_);
  for (CudaContext* context : idle_) {
    DeviceScope scope(context->device());
    context->trim();
  }
}

}  // namespace cuarbiter
