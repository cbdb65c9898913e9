// Every call of the CUDA runtime goes through CUARBITER_CUDA_CHECK, which throws a BackendError
// that names the call, the device and the reason.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <string_view>

#include "host/backend.hpp"

namespace cuarbiter {

// Device memory did not suffice: the caller may try again with a smaller batch.
class DeviceMemoryError : public BackendError {
 public:
  using BackendError::BackendError;
};

// Throws DeviceMemoryError for cudaErrorMemoryAllocation, BackendError for any other error.
// `call` says what failed. Clears the runtime's last error.
[[noreturn]] void throw_cuda_error(cudaError_t error, const char* call);

// The same for a kernel launch; `function` is the __PRETTY_FUNCTION__ of a template over Op.
[[noreturn]] void throw_launch_error(cudaError_t error, std::string_view function);

// "cuda:0".
std::string cuda_device_name(int device);

// "out of memory (cudaErrorMemoryAllocation)".
std::string cuda_error_text(cudaError_t error);

inline void check_cuda(cudaError_t error, const char* call) {
  if (error != cudaSuccess) throw_cuda_error(error, call);
}

}  // namespace cuarbiter

#define CUARBITER_CUDA_CHECK(call) ::cuarbiter::check_cuda((call), #call)
