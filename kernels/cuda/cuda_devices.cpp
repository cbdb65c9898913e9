#include "kernels/cuda/cuda_devices.hpp"

#include <algorithm>

#include "kernels/cuda/cuda_positions.hpp"
#include "kernels/cuda/device_memory.hpp"

namespace cuarbiter {
namespace {

constexpr unsigned kDefaultPercent = 80;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::size_t share(std::size_t bytes, unsigned percent) {
  return bytes / 100 * std::min(percent, 100u);
}

void describe(int device, BackendInfo& info) {
  cudaDeviceProp properties;
  CUARBITER_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  const std::string capability =
      std::to_string(properties.major) + "." + std::to_string(properties.minor);
  info.description = std::string(properties.name) + ", compute capability " + capability;
  info.threads = static_cast<unsigned>(properties.multiProcessorCount);
  info.memory_total = properties.totalGlobalMem;
  info.details.emplace_back("compute capability", capability);
  int driver = 0;
  int runtime = 0;
  CUARBITER_CUDA_CHECK(cudaDriverGetVersion(&driver));
  CUARBITER_CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  info.details.emplace_back("driver", version_text(driver));
  info.details.emplace_back("runtime", version_text(runtime));
  DeviceScope scope(device);
  const cudaError_t status = cuda_kernel_status();
  if (status != cudaSuccess) {
    info.reason = "its kernels cannot be loaded: " + cuda_error_text(status);
    return;
  }
  std::size_t free = 0;
  std::size_t total = 0;
  CUARBITER_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  info.memory_bytes = share(free, kDefaultPercent);
  info.usable = true;
}

}  // namespace

BackendInfo cuda_device_info(int device) {
  BackendInfo info;
  info.name = cuda_device_name(device);
  info.usable = false;
  try {
    describe(device, info);
  } catch (const BackendError& error) {
    info.reason = error.what();
  }
  return info;
}

std::size_t cuda_memory_budget(int device, const CudaOptions& options) {
  DeviceScope scope(device);
  std::size_t free = 0;
  std::size_t total = 0;
  CUARBITER_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  if (options.memory_bytes != 0) return std::min<std::size_t>(options.memory_bytes, free);
  return share(free, options.memory_percent != 0 ? options.memory_percent : kDefaultPercent);
}

bool cuda_built() {
  return true;
}

int cuda_device_count(std::string& reason) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess) {
    reason = count == 0 ? "no CUDA device" : "";
    return count;
  }
  cudaGetLastError();
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) {
    reason = "no CUDA driver";
  } else {
    reason = cuda_error_text(error);
  }
  return 0;
}

std::vector<BackendInfo> cuda_info() {
  std::vector<BackendInfo> devices;
  std::string reason;
  const int count = cuda_device_count(reason);
  if (count == 0) {
    BackendInfo none;
    none.name = "cuda";
    none.description = "CUDA";
    none.usable = false;
    none.reason = reason;
    devices.push_back(std::move(none));
    return devices;
  }
  for (int device = 0; device < count; ++device) devices.push_back(cuda_device_info(device));
  return devices;
}

}  // namespace cuarbiter
