// Knuth's estimate of the size of a tree.
#include "host/batch/perft_estimate.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "host/rules/movegen.hpp"

namespace cuarbiter {

double estimate_perft(std::span<const Position> roots, unsigned depth, unsigned walks) {
  std::mt19937_64 random(1);
  const std::size_t each = std::max<std::size_t>(1, walks / std::max<std::size_t>(roots.size(), 1));
  std::vector<Position> next;
  double total = 0;
  for (const Position& root : roots) {
    double sum = 0;
    for (std::size_t walk = 0; walk < each; ++walk) {
      Position at = root;
      double paths = 1;
      for (unsigned ply = 0; ply < depth && paths != 0; ++ply) {
        next.clear();
        for_each_child(at, [&](const Position& child) { next.push_back(child); });
        paths *= static_cast<double>(next.size());
        if (!next.empty()) at = next[random() % next.size()];
      }
      sum += paths;
    }
    total += sum / static_cast<double>(each);
  }
  return total;
}

}  // namespace cuarbiter
