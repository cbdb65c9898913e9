// The instruction sets that code of this program is compiled for beside the processor's least one,
// and which of them is used here.
#pragma once

#include <optional>

namespace cuarbiter {

enum class InstructionSet { generic, avx2, avx512 };  // by rising width

// "generic", "avx2", "avx512".
const char* instruction_set_name(InstructionSet set);

// True when this processor has all that code for the set may use: with AVX2 also BMI, BMI2, POPCNT
// and PCLMUL, with AVX-512 also F, BW, DQ, VL, VPOPCNTDQ, VBMI2 and GFNI.
bool runs_here(InstructionSet set);

// The widest that runs here.
InstructionSet widest_instruction_set();

// The one that the environment variable CUARBITER_ISA names, or the widest where it is not set or
// empty; nothing when it names something unknown or one that does not run here.
std::optional<InstructionSet> chosen_instruction_set();

}  // namespace cuarbiter
