// The answers of a build without CUDA.
#include "host/backend.hpp"

namespace cuarbiter {

bool cuda_built() {
  return false;
}

std::vector<BackendInfo> cuda_info() {
  BackendInfo none;
  none.name = "cuda";
  none.description = "CUDA";
  none.usable = false;
  none.reason = "built without CUDA";
  return {none};
}

std::unique_ptr<Backend> make_cuda_backend(const CudaOptions&) {
  throw BackendError("cuda: built without CUDA");
}

}  // namespace cuarbiter
