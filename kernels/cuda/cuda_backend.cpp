// The CUDA backend: devices, memory budgets, and who does which part of the work.
#include <algorithm>
#include <mutex>

#include "host/backend.hpp"
#include "kernels/algo/device_threads.hpp"
#include "kernels/algo/perft_split.hpp"
#include "kernels/cuda/cuda_context.hpp"
#include "kernels/cuda/cuda_devices.hpp"
#include "kernels/cuda/cuda_perft.hpp"
#include "kernels/cuda/cuda_positions.hpp"
#include "kernels/cuda/cuda_replay.hpp"
#include "kernels/ops/rows.hpp"

namespace cuarbiter {
namespace {

class CudaBackend : public Backend {
 public:
  CudaBackend(std::vector<int> devices, std::vector<std::size_t> budgets)
      : devices_(std::move(devices)), budgets_(std::move(budgets)), pool_(devices_, budgets_) {}

  BackendInfo info() const override;
  void perft(const PerftRows& rows, unsigned depth, const PerftOptions& options,
             std::span<Uint128> nodes) override {
    count(rows, depth, options, false, nodes);
  }
  void perft_stats(const PerftRows& rows, unsigned depth, const PerftOptions& options,
                   std::span<PerftStats> stats) override;
  void perft_unique(const Position& root, unsigned depth, const PerftOptions& options,
                    const std::function<void(unsigned, std::uint64_t)>& found) override;

  void classify(std::span<const Position> positions, std::span<PositionFacts> facts) override {
    const CudaContextPool::Lease context = pool_.borrow();
    cuda_classify(*context, positions, facts);
  }
  void find_mates(std::span<const Position> positions, std::span<std::uint8_t> sides) override {
    const CudaContextPool::Lease context = pool_.borrow();
    cuda_find_mates(*context, positions, sides);
  }
  void rule_out(std::span<const Position> positions, std::span<std::uint8_t> sides) override {
    const CudaContextPool::Lease context = pool_.borrow();
    cuda_rule_out(*context, positions, sides);
  }
  void moves(std::span<const Position> positions, MoveLists& lists) override {
    const CudaContextPool::Lease context = pool_.borrow();
    cuda_moves(*context, positions, lists);
  }
  void repetitions(std::span<const Position> positions, std::span<const std::uint32_t> reach,
                   std::span<RepetitionFacts> facts) override {
    const CudaContextPool::Lease context = pool_.borrow();
    cuda_repetitions(*context, positions, reach, facts);
  }
  void replay(ReplayBatch& batch) override {
    const CudaContextPool::Lease context = pool_.borrow();
    cuda_replay(*context, batch);
  }

 private:
  // `totals` as cuda_perft has them.
  void count(const PerftRows& rows, unsigned depth, const PerftOptions& options, bool stats,
             std::span<Uint128> totals);
  void count_on_all(const PerftSplit& split, const PerftOptions& options, bool stats,
                    std::span<Uint128> totals) const;

  std::vector<int> devices_;
  std::vector<std::size_t> budgets_;  // bytes, one a device
  CudaContextPool pool_;
};

BackendInfo CudaBackend::info() const {
  BackendInfo info = cuda_device_info(devices_.front());
  info.memory_bytes = budgets_.front();
  for (std::size_t i = 1; i < devices_.size(); ++i) {
    const BackendInfo next = cuda_device_info(devices_[i]);
    info.name.append(",").append(std::to_string(devices_[i]));
    if (next.description != info.description) {
      info.description.append("; ").append(next.description);
    }
    info.memory_bytes += budgets_[i];
    info.memory_total += next.memory_total;
    info.threads += next.threads;
  }
  return info;
}

void CudaBackend::perft_stats(const PerftRows& rows, unsigned depth, const PerftOptions& options,
                              std::span<PerftStats> stats) {
  std::vector<Uint128> totals(stats.size() * kLeafColumns);
  count(rows, depth, options, true, totals);
  for (std::size_t r = 0; r < stats.size(); ++r) {
    for (unsigned c = 0; c < kLeafColumns; ++c) stats[r].count[c] = totals[r * kLeafColumns + c];
  }
}

void CudaBackend::count(const PerftRows& rows, unsigned depth, const PerftOptions& options,
                        bool stats, std::span<Uint128> totals) {
  std::fill(totals.begin(), totals.end(), Uint128{0, 0});
  pool_.trim();
  const PerftSplit split =
      split_perft(rows, depth, options.merge, static_cast<unsigned>(devices_.size()));
  if (devices_.size() == 1) {
    const CudaPerft settings{devices_[0], budgets_[0], options.merge, stats, options.progress};
    cuda_perft(settings, split.shares[0].rows(), split.depth, totals);
  } else {
    count_on_all(split, options, stats, totals);
  }
  if (std::find(totals.begin(), totals.end(), saturated_count()) != totals.end()) {
    throw BackendError("perft: a count passes 128 bits");
  }
}

void CudaBackend::count_on_all(const PerftSplit& split, const PerftOptions& options, bool stats,
                               std::span<Uint128> totals) const {
  std::vector<std::vector<Uint128>> sums(devices_.size(),
                                         std::vector<Uint128>(totals.size(), Uint128{0, 0}));
  on_device_threads(
      devices_.size(),
      [&](std::size_t i, const std::function<void(double)>& progress) {
        const CudaPerft settings{devices_[i], budgets_[i], options.merge, stats, progress};
        cuda_perft(settings, split.shares[i].rows(), split.depth, sums[i]);
      },
      [&](double so_far) {
        if (options.progress) options.progress(so_far);
      });
  for (const std::vector<Uint128>& part : sums) {
    for (std::size_t i = 0; i < totals.size(); ++i) totals[i] = saturated_sum(totals[i], part[i]);
  }
}

void CudaBackend::perft_unique(const Position& root, unsigned depth, const PerftOptions& options,
                               const std::function<void(unsigned, std::uint64_t)>& found) {
  pool_.trim();
  if (devices_.size() == 1) {
    const CudaPerft settings{devices_[0], budgets_[0], true, false, options.progress};
    cuda_unique(settings, root, depth, {}, found);
    return;
  }
  std::mutex mutex;
  std::vector<std::vector<std::uint64_t>> counts(devices_.size());  // a device's, ply by ply
  std::size_t told = 0;
  // Tells the plies that all devices are done with.
  const auto tell = [&] {
    std::vector<std::uint64_t> sums;
    {
      std::lock_guard lock(mutex);
      std::size_t plies = depth;
      for (const auto& part : counts) plies = std::min(plies, part.size());
      for (std::size_t ply = told; ply < plies; ++ply) {
        sums.push_back(0);
        for (const auto& part : counts) sums.back() += part[ply];
      }
    }
    for (const std::uint64_t sum : sums) found(static_cast<unsigned>(++told), sum);
  };
  const auto devices = static_cast<unsigned>(devices_.size());
  on_device_threads(
      devices_.size(),
      [&](std::size_t i, const std::function<void(double)>& progress) {
        const CudaPerft settings{devices_[i], budgets_[i], true, false, progress};
        cuda_unique(settings, root, depth, {static_cast<unsigned>(i), devices},
                    [&, i](unsigned, std::uint64_t positions) {
                      std::lock_guard lock(mutex);
                      counts[i].push_back(positions);
                    });
      },
      [&](double so_far) {
        tell();
        if (options.progress) options.progress(so_far);
      });
  tell();
}

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(const CudaOptions& options) {
  std::string reason;
  const int count = cuda_device_count(reason);
  if (count == 0) throw BackendError("cuda: " + reason);
  std::vector<int> devices = options.devices;
  if (devices.empty()) devices.push_back(0);
  std::vector<std::size_t> budgets;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const int device = devices[i];
    if (device < 0 || device >= count) {
      throw BackendError(cuda_device_name(device) + ": no such device; there are " +
                         std::to_string(count));
    }
    if (std::find(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(i), device) !=
        devices.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw BackendError(cuda_device_name(device) + ": named twice");
    }
    const BackendInfo info = cuda_device_info(device);
    if (!info.usable) throw BackendError(info.name + ": " + info.reason);
    budgets.push_back(cuda_memory_budget(device, options));
  }
  return std::make_unique<CudaBackend>(std::move(devices), std::move(budgets));
}

}  // namespace cuarbiter
