#include "host/pgn/text_scan.hpp"

#include "host/batch/instruction_set.hpp"

namespace cuarbiter {
namespace {

const TextScan& choose() {
#if defined(__x86_64__)
  switch (chosen_instruction_set().value_or(widest_instruction_set())) {
    case InstructionSet::avx512:
      return text_scan_avx512();
    case InstructionSet::avx2:
      return text_scan_avx2();
    default:
      break;
  }
#endif
  return text_scan_generic();
}

}  // namespace

const TextScan& text_scan() {
  static const TextScan& chosen = choose();
  return chosen;
}

}  // namespace cuarbiter
