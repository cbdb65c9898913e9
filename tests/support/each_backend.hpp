// The fixture of tests that run on every backend, by name: the CPU's engines, "generic", "avx2" and
// "avx512", and "cuda". Where one cannot be used its tests skip with the reason.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "host/backend.hpp"
#include "tests/support/cuda_device.hpp"

namespace cuarbiter::test {

// For INSTANTIATE_TEST_SUITE_P.
inline auto each_backend() {
  return testing::Values("generic", "avx2", "avx512", "cuda");
}

class EachBackend : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (is_cuda()) {
      if (!cuda_missing().empty()) GTEST_SKIP() << cuda_missing();
      return;
    }
    if (const char* before = std::getenv(kVariable)) before_ = before;
    setenv(kVariable, GetParam(), 1);
    const BackendInfo info = cpu_info();
    if (!info.usable) GTEST_SKIP() << info.reason;
  }
  void TearDown() override {
    if (is_cuda()) return;
    before_.empty() ? unsetenv(kVariable) : setenv(kVariable, before_.c_str(), 1);
  }
  bool is_cuda() const { return std::string(GetParam()) == "cuda"; }

  // `memory_bytes` 0: the default; `threads` of the CPU, 0 for all.
  std::unique_ptr<Backend> make(std::uint64_t memory_bytes = 0, unsigned threads = 2) const {
    if (!is_cuda()) return make_cpu_backend(CpuOptions{threads, memory_bytes});
    CudaOptions options;
    options.memory_bytes = memory_bytes;
    return make_cuda_backend(options);
  }

 private:
  static constexpr const char* kVariable = "CUARBITER_ISA";
  std::string before_;
};

}  // namespace cuarbiter::test
