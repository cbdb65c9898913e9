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

void throw_launch_error(cudaError_t error, std::string_view function) {
  constexpr std::string_view kMark = "Op = ";
  const std::size_t begin = function.find(kMark);
  if (begin != std::string_view::npos) {
    function.remove_prefix(begin + kMark.size());
    function = function.substr(0, function.find_first_of(";]"));
  }
  throw_cuda_error(error, ("launch of " + std::string(function)).c_str());
}

}  // namespace cuarbiter
