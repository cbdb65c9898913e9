// What text_scan_body.hpp asks of a block, where the block itself knows: for instruction sets
// without constants worth keeping in registers.
//
// Templates on a class of an unnamed namespace, so that each instruction set has its own.
#pragma once

#include <cstdint>

namespace cuarbiter {

template <class Block>
struct WordLookOf {
  std::uint64_t words(const Block& block) const { return block.words(); }
};

template <class Block>
struct PlainLookOf {
  std::uint64_t opens(const Block& block) const { return block.template any<'{'>(); }
  std::uint64_t closes(const Block& block) const { return block.template any<'}'>(); }
  bool may_be_odd(const Block& block, const char* text) const { return block.may_be_odd(text); }
};

}  // namespace cuarbiter
