// The CPU engine for any processor: one position at a time in 64-bit words.
#define CUARBITER_TARGET target_generic
#define CUARBITER_ENGINE_WORD std::uint64_t
#include "kernels/cpu/engine_body.hpp"

namespace cuarbiter {

const CpuEngine& cpu_engine_generic() {
  static constexpr CpuEngine table = {
      "generic",
      engine::perft,
      engine::leaf_sums,
      engine::partition_sizes,
      engine::partition_children,
      engine::mixed_children,
      engine::merge_rows,
      engine::classify,
      engine::find_mates,
      engine::rule_out,
      engine::moves,
      engine::repetitions,
      engine::replay,
  };
  return table;
}

}  // namespace cuarbiter
