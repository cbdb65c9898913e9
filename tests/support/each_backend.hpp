// The fixture of tests that run on both backends, by name: "cpu" and "cuda". Where no device can be
// used the latter skip with the reason.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "host/backend.hpp"
#include "tests/support/cuda_device.hpp"

namespace cuarbiter::test {

class EachBackend : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (is_cuda() && !cuda_missing().empty()) GTEST_SKIP() << cuda_missing();
  }
  bool is_cuda() const { return std::string(GetParam()) == "cuda"; }

  // `memory_bytes` 0: the default; `threads` of the CPU, 0 for all.
  std::unique_ptr<Backend> make(std::uint64_t memory_bytes = 0, unsigned threads = 2) const {
    if (!is_cuda()) return make_cpu_backend(CpuOptions{threads, memory_bytes});
    CudaOptions options;
    options.memory_bytes = memory_bytes;
    return make_cuda_backend(options);
  }
};

}  // namespace cuarbiter::test
