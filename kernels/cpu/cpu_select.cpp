// Which CPU engine runs here: the widest one, or the one that CUARBITER_ISA names.
#include <cstdlib>
#include <string>

#include "host/batch/instruction_set.hpp"
#include "kernels/cpu/engine.hpp"

namespace cuarbiter {
namespace {

// Null when this build has none for the set.
const CpuEngine* engine_for(InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return cpu_engine_avx512();
  if (set == InstructionSet::avx2) return cpu_engine_avx2();
#endif
  return set == InstructionSet::generic ? &cpu_engine_generic() : nullptr;
}

}  // namespace

const CpuEngine& choose_cpu_engine() {
  if (const std::optional<InstructionSet> set = chosen_instruction_set()) {
    if (const CpuEngine* engine = engine_for(*set)) return *engine;
  }
  const char* forced = std::getenv("CUARBITER_ISA");
  const std::string name = forced ? forced : "";
  if (name == instruction_set_name(InstructionSet::avx2) ||
      name == instruction_set_name(InstructionSet::avx512)) {
    throw BackendError("CUARBITER_ISA=" + name + ": this processor or build cannot run it");
  }
  throw BackendError("CUARBITER_ISA=" + name + ": not one of generic, avx2, avx512");
}

}  // namespace cuarbiter
