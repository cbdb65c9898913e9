#include "host/batch/instruction_set.hpp"

#include <cstdlib>
#include <string_view>

namespace cuarbiter {
namespace {

constexpr InstructionSet kSets[] = {InstructionSet::generic, InstructionSet::avx2,
                                    InstructionSet::avx512};

bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
         __builtin_cpu_supports("pclmul");
#else
  return false;
#endif
}

bool has_avx512() {
#if defined(__x86_64__)
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("gfni");
#else
  return false;
#endif
}

}  // namespace

const char* instruction_set_name(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
    default:
      return "generic";
  }
}

bool runs_here(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx2:
      return has_avx2();
    case InstructionSet::avx512:
      return has_avx512();
    default:
      return true;
  }
}

InstructionSet widest_instruction_set() {
  InstructionSet widest = InstructionSet::generic;
  for (const InstructionSet set : kSets) {
    if (runs_here(set)) widest = set;
  }
  return widest;
}

std::optional<InstructionSet> chosen_instruction_set() {
  const char* forced = std::getenv("CUARBITER_ISA");
  if (forced == nullptr || *forced == '\0') return widest_instruction_set();
  for (const InstructionSet set : kSets) {
    if (std::string_view(forced) != instruction_set_name(set)) continue;
    if (runs_here(set)) return set;
  }
  return std::nullopt;
}

}  // namespace cuarbiter
