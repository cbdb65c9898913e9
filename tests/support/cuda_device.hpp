// Whether tests that need a CUDA device can run here.
#pragma once

#include <string>

#include "host/backend.hpp"

namespace cuarbiter::test {

// Why there is no usable CUDA device; empty when there is one. Found out once: a device that a test
// leaves unusable must make the tests after it fail, not skip.
inline const std::string& cuda_missing() {
  static const std::string reason = [] {
    if (!cuda_built()) return std::string("built without CUDA");
    const BackendInfo first = cuda_info().front();
    return first.usable ? std::string() : "no usable CUDA device: " + first.reason;
  }();
  return reason;
}

}  // namespace cuarbiter::test
