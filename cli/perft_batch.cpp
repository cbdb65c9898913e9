// Gathering roots.
#include "cli/perft_batch.hpp"

namespace cuarbiter {

void PerftBatch::add(PerftRoot root) {
  if (form_.divide) {
    moves_.push_back(children(root));
    for (const auto& child : moves_.back()) rows_.push_back(child.second);
  } else {
    rows_.push_back(root.position);
  }
  roots_.push_back(std::move(root));
}

void PerftBatch::clear() {
  roots_.clear();
  moves_.clear();
  rows_.clear();
}

std::string PerftBatch::records(std::span<const Uint128> nodes) const {
  std::string out;
  std::size_t row = 0;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const PerftRecords::Root root{roots_[i].line, roots_[i].fen};
    Uint128 total{};
    if (!form_.divide) {
      total = nodes[row++];
    } else {
      for (const auto& child : moves_[i]) {
        records_.divide(out, root, child.first, nodes[row]);
        if (cuarbiter::add(total, nodes[row++])) {
          throw BackendError("perft: a count passes 128 bits");
        }
      }
    }
    records_.total(out, root, total);
  }
  return out;
}

}  // namespace cuarbiter
