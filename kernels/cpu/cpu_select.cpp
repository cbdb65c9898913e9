// Which CPU engine runs here: the widest one, or the one that CUARBITER_ISA names.
#include <cstdlib>
#include <string>

#include "kernels/cpu/engine.hpp"

namespace cuarbiter {
namespace {

const CpuEngine* runnable(const CpuEngine* engine, bool supported) {
  return supported ? engine : nullptr;
}

const CpuEngine* avx2_here() {
#if defined(__x86_64__)
  return runnable(cpu_engine_avx2(),
                  __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt"));
#else
  return nullptr;
#endif
}

const CpuEngine* avx512_here() {
#if defined(__x86_64__)
  return runnable(avx2_here() ? cpu_engine_avx512() : nullptr,
                  __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512vpopcntdq"));
#else
  return nullptr;
#endif
}

}  // namespace

const CpuEngine& choose_cpu_engine() {
  const CpuEngine* avx2 = avx2_here();
  const CpuEngine* avx512 = avx512_here();
  const char* forced = std::getenv("CUARBITER_ISA");
  if (forced == nullptr || *forced == '\0') {
    return avx512 ? *avx512 : avx2 ? *avx2 : cpu_engine_generic();
  }
  const std::string name = forced;
  if (name == "generic") return cpu_engine_generic();
  const CpuEngine* engine = name == "avx2" ? avx2 : name == "avx512" ? avx512 : nullptr;
  if (engine) return *engine;
  if (name == "avx2" || name == "avx512") {
    throw BackendError("CUARBITER_ISA=" + name + ": this processor or build cannot run it");
  }
  throw BackendError("CUARBITER_ISA=" + name + ": not one of generic, avx2, avx512");
}

}  // namespace cuarbiter
