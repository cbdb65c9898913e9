// Expanding and merging rows on the host.
#include "host/batch/perft_frontier.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "host/rules/count.hpp"
#include "host/rules/movegen.hpp"

namespace cuarbiter {
namespace {

// The same rows with equal ones added up, in the order of their keys.
PerftRowList merged_rows(const PerftRowList& rows) {
  const auto key = [&](std::size_t i) {
    const Position& p = rows.positions[i];
    const Bitboard pawns = p.a & ~p.b & ~p.c;
    return std::make_tuple(rows.roots[i], pawns & p.d, pawns, p.c, p.a, p.b, p.d);
  };
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t x, std::size_t y) { return key(x) < key(y); });
  PerftRowList out;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    if (k != 0 && key(i) == key(order[k - 1])) {
      Uint128& sum = out.multiplicities.back();
      if (add(sum, rows.multiplicities[i])) sum = Uint128{~std::uint64_t{0}, ~std::uint64_t{0}};
    } else {
      out.append(rows.positions[i], rows.roots[i], rows.multiplicities[i]);
    }
  }
  return out;
}

}  // namespace

PerftRowList row_list(const PerftRows& rows) {
  PerftRowList list;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    list.append(rows.positions[i], rows.root(i), rows.multiplicity(i));
  }
  return list;
}

std::uint64_t count_children(const PerftRowList& rows) {
  std::uint64_t children = 0;
  for (const Position& position : rows.positions) {
    children += static_cast<std::uint64_t>(count_legal_moves(position));
  }
  return children;
}

PerftRowList expanded_rows(const PerftRowList& rows, bool merge) {
  PerftRowList children;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for_each_child(rows.positions[i], [&](const Position& child) {
      children.append(child, rows.roots[i], rows.multiplicities[i]);
    });
  }
  return merge ? merged_rows(children) : children;
}

}  // namespace cuarbiter
