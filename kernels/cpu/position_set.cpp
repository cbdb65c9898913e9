#include "kernels/cpu/position_set.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "host/backend.hpp"
#include "kernels/cpu/slices.hpp"
#include "kernels/ops/unique_op.hpp"

namespace cuarbiter {
namespace {

// Slots of a part: few enough to stay in a core's cache while a part is worked on.
constexpr std::size_t kPartSlots = std::size_t{1} << 15;
constexpr unsigned kMaxPartBits = 11;

bool is_empty(const Position& p) {
  return (p.a | p.b | p.c) == 0;  // there is always a king
}

}  // namespace

PositionSet::PositionSet(std::uint64_t bytes, ThreadTeam& team) : team_(team) {
  const std::size_t slots = std::max<std::size_t>(bytes / sizeof(Position), kLeastSlots);
  while (part_bits_ < kMaxPartBits && slots >> part_bits_ > kPartSlots) ++part_bits_;
  const std::size_t parts = std::size_t{1} << part_bits_;
  slots_per_part_ = std::min<std::size_t>(slots / parts, std::uint32_t{1} << 31);
  limit_ = static_cast<std::uint32_t>(slots_per_part_ / 4 * 3);
  slots_ = SystemArray<Position>(parts * slots_per_part_);
  parts_ = std::make_unique<Part[]>(parts);
  buffers_.resize(team.size());
  for (std::vector<Buffer>& own : buffers_) own.resize(parts);
}

void PositionSet::start(double expected) {
  const std::size_t parts = std::size_t{1} << part_bits_;
  const double room = 0.9 * static_cast<double>(parts) * limit_;
  const double share = expected > room ? room / expected : 1;
  const auto width =
      std::max<std::uint64_t>(static_cast<std::uint64_t>(share * static_cast<double>(kKeyEnd)), 1);
  for (std::size_t p = 0; p < parts; ++p) {
    parts_[p].lower = 0;
    parts_[p].upper = width;
    parts_[p].count = 0;
  }
  first_ = true;
}

bool PositionSet::next_pass() {
  const std::size_t parts = std::size_t{1} << part_bits_;
  bool more = first_;
  if (!first_) {
    for (std::size_t p = 0; p < parts; ++p) {
      Part& part = parts_[p];
      const std::uint64_t width = part.upper - part.lower;
      part.lower.store(part.upper);
      if (part.upper == kKeyEnd) continue;
      more = true;
      // As wide as fills it nearly, going by what the last pass found.
      const double full = 0.9 * limit_ / std::max<double>(part.count, 1);
      const double wanted = std::min(static_cast<double>(width) * full, 1.0 * kKeyEnd);
      part.upper = std::min(
          kKeyEnd, part.lower + std::max<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1));
    }
  }
  if (!more) return false;
  for_slices(team_, parts, 1, [&](unsigned, std::size_t p, std::size_t) {
    parts_[p].count = 0;
    if (clean_) return;
    std::memset(static_cast<void*>(slots_of(p)), 0, slots_per_part_ * sizeof(Position));
  });
  first_ = clean_ = false;
  return true;
}

std::size_t PositionSet::slot_of(std::uint64_t mix) const {
  // Bits that neither the part nor the key takes alone.
  const std::uint64_t low = (mix ^ (mix >> 32)) & 0xFFFFFFFFu;
  return static_cast<std::size_t>(low * slots_per_part_ >> 32);
}

void PositionSet::add(unsigned member, const Position* positions, const std::uint64_t* mixes,
                      std::size_t n) {
  std::vector<Buffer>& own = buffers_[member];
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t mix = mixes[i];
    const std::size_t p = part_of(mix);
    const std::uint64_t key = key_of(mix);
    const Part& part = parts_[p];
    // The range may shrink meanwhile: looked at again when it counts.
    if (key < part.lower.load(std::memory_order_relaxed) ||
        key >= part.upper.load(std::memory_order_relaxed)) {
      continue;
    }
    Buffer& buffer = own[p];
    buffer.positions[buffer.filled] = positions[i];
    buffer.mixes[buffer.filled++] = mix;
    if (buffer.filled == kBuffered) insert(p, buffer);
  }
}

void PositionSet::end_pass() {
  for (std::vector<Buffer>& own : buffers_) {
    for (std::size_t p = 0; p < own.size(); ++p) {
      if (own[p].filled != 0) insert(p, own[p]);
    }
  }
}

void PositionSet::insert(std::size_t part, Buffer& buffer) {
  const Position* slots = slots_of(part);
  for (std::size_t i = 0; i < buffer.filled; ++i) {
    __builtin_prefetch(slots + slot_of(buffer.mixes[i]), 1);
  }
  Part& own = parts_[part];
  const std::lock_guard lock(own.mutex);
  for (std::size_t i = 0; i < buffer.filled; ++i) {
    const std::uint64_t mix = buffer.mixes[i];
    if (key_of(mix) >= own.upper.load(std::memory_order_relaxed)) continue;
    if (put(part, buffer.positions[i], mix) && own.count > limit_) halve(part);
  }
  buffer.filled = 0;
}

// True when it was not there yet.
bool PositionSet::put(std::size_t part, const Position& position, std::uint64_t mix) {
  Position* slots = slots_of(part);
  std::size_t at = slot_of(mix);
  while (!is_empty(slots[at])) {
    if (same_position(slots[at], position)) return false;
    if (++at == slots_per_part_) at = 0;
  }
  slots[at] = position;
  ++parts_[part].count;
  return true;
}

// Cuts the range in half until a part has room again.
void PositionSet::halve(std::size_t part) {
  Part& own = parts_[part];
  Position* slots = slots_of(part);
  std::vector<Position> kept;
  kept.reserve(own.count);
  while (own.count > limit_) {
    const std::uint64_t lower = own.lower, width = own.upper - lower;
    if (width < 2) throw BackendError("perft: the memory does not suffice for --unique");
    const std::uint64_t upper = lower + width / 2;
    own.upper = upper;
    kept.clear();
    for (std::size_t i = 0; i < slots_per_part_; ++i) {
      if (!is_empty(slots[i]) && key_of(unique_mix(slots[i])) < upper) kept.push_back(slots[i]);
    }
    std::memset(static_cast<void*>(slots), 0, slots_per_part_ * sizeof(Position));
    own.count = 0;
    for (const Position& position : kept) put(part, position, unique_mix(position));
  }
}

std::uint64_t PositionSet::size() const {
  std::uint64_t total = 0;
  for (std::size_t p = 0; p < std::size_t{1} << part_bits_; ++p) total += parts_[p].count;
  return total;
}

std::vector<std::span<const Position>> PositionSet::parts() {
  const std::size_t parts = std::size_t{1} << part_bits_;
  for_slices(team_, parts, 1, [&](unsigned, std::size_t p, std::size_t) {
    Position* slots = slots_of(p);
    std::size_t kept = 0;
    for (std::size_t i = 0; kept < parts_[p].count; ++i) {
      if (!is_empty(slots[i])) slots[kept++] = slots[i];
    }
  });
  std::vector<std::span<const Position>> spans;
  for (std::size_t p = 0; p < parts; ++p) {
    if (parts_[p].count != 0) spans.emplace_back(slots_of(p), parts_[p].count);
  }
  return spans;
}

bool PositionSet::whole() const {
  for (std::size_t p = 0; p < std::size_t{1} << part_bits_; ++p) {
    if (parts_[p].lower != 0 || parts_[p].upper != kKeyEnd) return false;
  }
  return true;
}

SystemArray<Position> PositionSet::take() {
  std::size_t total = 0;
  for (const std::span<const Position> part : parts()) {
    std::memmove(static_cast<void*>(slots_.data() + total), part.data(), part.size_bytes());
    total += part.size();
  }
  slots_.shrink(total);
  return std::move(slots_);
}

}  // namespace cuarbiter
