// Calling the backend's perft.
#include "cli/perft_roots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/messages.hpp"
#include "cli/position_text.hpp"
#include "host/batch/perft_estimate.hpp"
#include "host/batch/uint128_text.hpp"
#include "host/notation/san_text.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {

PerftRoot make_root(const FenResult& fen, std::uint64_t line, bool chess960) {
  PerftRoot root;
  root.position = fen.position;
  root.line = line;
  append_fen(root.fen, fen);
  root.halfmove_clock = fen.halfmove_clock;
  root.fullmove_number = fen.fullmove_number;
  root.black = fen.black();
  root.chess960 = chess960 || fen.chess960;
  return root;
}

std::vector<std::pair<std::string, Position>> children(const PerftRoot& root) {
  std::vector<std::pair<std::string, Position>> out;
  for_each_legal_move(root.position, [&](Move move) {
    out.emplace_back(uci_text(move, root.black, root.chess960), make_move(root.position, move));
  });
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

PerftCounter::PerftCounter(Backend& backend, const PerftArguments& arguments)
    : backend_(backend), arguments_(arguments), progress_(arguments.common.habits) {}

template <class F>
void PerftCounter::in_calls(std::span<const Position> roots, unsigned depth, F&& call) {
  const Clock::time_point start = Clock::now();
  PerftOptions options;
  options.merge = arguments_.merge;
  if (progress_.enabled()) {
    expect(roots, depth);
    options.progress = [&](double so_far) { show(so_far); };
  }
  for (std::size_t at = 0; at < roots.size(); at += kRootsPerCall) {
    call(at, std::min(kRootsPerCall, roots.size() - at), options);
    progress_.clear();
  }
  seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
}

void PerftCounter::count(std::span<const Position> roots, unsigned depth,
                         std::span<Uint128> nodes) {
  in_calls(roots, depth, [&](std::size_t at, std::size_t count, const PerftOptions& options) {
    backend_.perft(roots.subspan(at, count), depth, options, nodes.subspan(at, count));
    for (const Uint128& counted : nodes.subspan(at, count)) sum_up(counted);
  });
}

void PerftCounter::count(std::span<const Position> roots, unsigned depth,
                         std::span<PerftStats> stats) {
  in_calls(roots, depth, [&](std::size_t at, std::size_t count, const PerftOptions& options) {
    backend_.perft_stats(PerftRows{roots.subspan(at, count), {}, {}}, depth, options,
                         stats.subspan(at, count));
    for (const PerftStats& counted : stats.subspan(at, count)) sum_up(counted[kLeafNodes]);
  });
}

void PerftCounter::sum_up(const Uint128& nodes) {
  constexpr std::uint64_t kOnes = ~std::uint64_t{0};
  if (add(nodes_, nodes)) nodes_ = Uint128{kOnes, kOnes};
}

void PerftCounter::expect(std::span<const Position> roots, unsigned depth) {
  // Where an estimate takes longer than the count there is no need of one.
  constexpr std::size_t kMostRoots = 1024;
  constexpr unsigned kLeastDepth = 6, kWalks = 4096;
  expected_ =
      roots.size() <= kMostRoots && depth >= kLeastDepth ? estimate_perft(roots, depth, kWalks) : 0;
  first_ = {};
}

void PerftCounter::show(double so_far) {
  ProgressState state;
  state.count = to_double(nodes_) + so_far;
  if (expected_ > 0) {
    // The time before the first nodes goes into merging; it says nothing about those to come.
    const double share = std::min(0.999, so_far / expected_);
    if (so_far > 0 && !first_) first_ = {Clock::now(), share};
    state.share = share;
    if (first_ && share > first_->second) {
      const double seconds = std::chrono::duration<double>(Clock::now() - first_->first).count();
      state.seconds_left = seconds * (1 - share) / (share - first_->second);
    }
  }
  progress_.show(state, "nodes");
}

void PerftCounter::report() const {
  if (arguments_.common.habits.quiet) return;
  const double speed = to_double(nodes_) / std::max(seconds_, 1e-9);
  say(fmt::format("cuarbiter: {} nodes in {:.3f} s, {}/s\n", to_string(nodes_), seconds_,
                  scaled_text(speed, "nodes")));
}

}  // namespace cuarbiter
