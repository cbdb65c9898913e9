// The CPU engine for AVX-512 with VPOPCNTDQ and GFNI: eight positions at a time.
#define CUARBITER_TARGET target_avx512
#define CUARBITER_ENGINE_WORD U64x8
#include "kernels/cpu/engine_body.hpp"

namespace cuarbiter {

const CpuEngine* cpu_engine_avx512() {
  static constexpr CpuEngine table = {
      "avx512",
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
