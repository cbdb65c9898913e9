// replay on one device.
#pragma once

#include "host/batch/replay_batch.hpp"
#include "kernels/cuda/cuda_context.hpp"

namespace cuarbiter {

// As Backend::replay. Works in runs of games that fit the context's memory, in smaller ones where
// the device refuses it. Throws BackendError.
void cuda_replay(CudaContext& context, ReplayBatch& batch);

}  // namespace cuarbiter
