#include "kernels/cuda/cuda_check.hpp"

namespace cuarbiter {

std::string cuda_error_text(cudaError_t error) {
  return std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")";
}

std::string cuda_device_name(int device) {
  std::string name = "cuda:";
  name += std::to_string(device);
  return name;
}

void throw_cuda_error(cudaError_t error, const char* call) {
  int device = -1;
  if (cudaGetDevice(&device) != cudaSuccess) device = -1;
  cudaGetLastError();
  std::string message = device < 0 ? std::string("cuda") : cuda_device_name(device);
  message.append(": ").append(call).append(": ").append(cuda_error_text(error));
  if (error == cudaErrorMemoryAllocation) throw DeviceMemoryError(message);
  throw BackendError(message);
}

}  // namespace cuarbiter
