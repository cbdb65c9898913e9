// The beginning of a perft on the host: a shallow level of weighted rows in a fixed order, from
// which long runs and runs on several workers take their pieces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/batch/perft_rows.hpp"
#include "host/batch/uint128.hpp"
#include "host/rules/position.hpp"

namespace cuarbiter {

// Rows that own their arrays, ordered by root.
struct PerftRowList {
  std::vector<Position> positions;
  std::vector<std::uint32_t> roots;
  std::vector<Uint128> multiplicities;

  std::size_t size() const { return positions.size(); }
  PerftRows rows() const { return PerftRows{positions, roots, multiplicities}; }
  PerftRows rows(std::size_t begin, std::size_t end) const {
    return PerftRows{std::span(positions).subspan(begin, end - begin),
                     std::span(roots).subspan(begin, end - begin),
                     std::span(multiplicities).subspan(begin, end - begin)};
  }
  void append(const Position& position, std::uint32_t root, const Uint128& multiplicity) {
    positions.push_back(position);
    roots.push_back(root);
    multiplicities.push_back(multiplicity);
  }
};

// How many children the rows have, equal ones counted each.
std::uint64_t count_children(const PerftRowList& rows);

PerftRowList row_list(const PerftRows& rows);

// The children of the rows, by root, one row a path. With `merge` equal positions of a root become
// one row, and the rows of a root stand in the order of their position keys: first the pawns, then
// the other men, so that neighbours are likely to lead to the same positions. Multiplicities
// saturate at 2^128 - 1.
PerftRowList expanded_rows(const PerftRowList& rows, bool merge);

}  // namespace cuarbiter
