// What CUDA devices there are, and whether they can be used.
#pragma once

#include <cstddef>
#include <string>

#include "host/backend.hpp"

namespace cuarbiter {

// The number of devices; when it is 0, `reason` says why. Never throws.
int cuda_device_count(std::string& reason);

// Facts of one device as for `cuarbiter devices`. Never throws; `usable` and `reason` say whether
// the kernels of this program run there.
BackendInfo cuda_device_info(int device);

// The bytes of device memory to use by the options, of what is free now. Throws BackendError.
std::size_t cuda_memory_budget(int device, const CudaOptions& options);

}  // namespace cuarbiter
