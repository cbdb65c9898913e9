// classify, find_mates, rule_out, moves and repetitions on one device.
#pragma once

#include <span>

#include "host/backend.hpp"
#include "kernels/cuda/cuda_context.hpp"

namespace cuarbiter {

// As Backend::classify, find_mates, rule_out, moves and repetitions. Where device memory does not
// suffice the work is done in smaller batches. Throw BackendError.
void cuda_classify(CudaContext& context, std::span<const Position> positions,
                   std::span<PositionFacts> facts);
void cuda_find_mates(CudaContext& context, std::span<const Position> positions,
                     std::span<std::uint8_t> sides);
void cuda_rule_out(CudaContext& context, std::span<const Position> positions,
                   std::span<std::uint8_t> sides);
void cuda_moves(CudaContext& context, std::span<const Position> positions, MoveLists& lists);
void cuda_repetitions(CudaContext& context, std::span<const Position> positions,
                      std::span<const std::uint32_t> reach, std::span<RepetitionFacts> facts);

// Why the kernels of this program cannot run on the current device; cudaSuccess when they can.
cudaError_t cuda_kernel_status();

}  // namespace cuarbiter
