// The CPU engine for AVX2: four positions at a time.
#define CUARBITER_TARGET target_avx2
#define CUARBITER_ENGINE_WORD U64x4
#include "kernels/cpu/engine_body.hpp"

namespace cuarbiter {

const CpuEngine* cpu_engine_avx2() {
  static constexpr CpuEngine table = {
      "avx2",
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
  return &table;
}

}  // namespace cuarbiter
