// What CUDA devices there are, and whether they can be used.
#pragma once

#include <cstddef>
#include <vector>

#include "host/backend.hpp"

namespace cuarbiter {

// Facts of one device as for `cuarbiter devices`. Never throws; `usable` and `reason` say whether
// the kernels of this program run there.
BackendInfo cuda_device_info(int device);

// The bytes of device memory to use by the options, of what is free now. Throws BackendError.
std::size_t cuda_memory_budget(int device, const CudaOptions& options);

}  // namespace cuarbiter
