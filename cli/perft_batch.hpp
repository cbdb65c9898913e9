// Roots of a perft gathered for one call, and their records once they are counted.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/perft_records.hpp"
#include "cli/perft_roots.hpp"

namespace cuarbiter {

// Not thread-safe.
class PerftBatch {
 public:
  explicit PerftBatch(const PerftForm& form) : form_(form), records_(form) {}

  void add(PerftRoot root);
  void clear();
  bool empty() const { return roots_.empty(); }
  const std::vector<PerftRoot>& roots() const { return roots_; }

  // What is to be counted, to depth() plies: the roots, or with a divide the children of all of
  // them.
  const std::vector<Position>& rows() const { return rows_; }
  unsigned depth() const { return form_.divide ? form_.depth - 1 : form_.depth; }

  // The records of all roots; nodes[i] belongs to rows()[i]. Throws BackendError when the sum of a
  // divide passes 128 bits.
  std::string records(std::span<const Uint128> nodes) const;

 private:
  PerftForm form_;
  PerftRecords records_;
  std::vector<PerftRoot> roots_;
  std::vector<std::vector<std::pair<std::string, Position>>>
      moves_;  // with a divide, one list a root
  std::vector<Position> rows_;
};

}  // namespace cuarbiter
