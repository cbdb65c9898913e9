// What the replay of a batch of games reads and writes.
#pragma once

#include <cstdint>

#include "host/batch/replay_batch.hpp"

namespace cuarbiter {

// The arrays of a batch where the operation can reach them (host or device memory).
struct ReplayView {
  const SanToken* tokens = nullptr;
  std::uint32_t token_count = 0;  // where one thread plays several games at once: of all of them
  const ReplaySegment* segments = nullptr;
  const ReplayGame* games = nullptr;
  const ReplayStart* starts = nullptr;
  // The position before each token. With lane_slots 0 token i has slots[i - slot_base]; otherwise
  // each lane has that many slots of its own, enough for the longest game.
  Position* slots = nullptr;
  std::uint32_t slot_base = 0;
  std::uint32_t lane_slots = 0;
  std::uint8_t* verdicts = nullptr;
  std::uint32_t* plies_judged = nullptr;
  GameVerdict* game_verdicts = nullptr;
  ReplayRules rules;
  // Scratch of kSeenEntries a lane, or null: the last step at which a position of some small hash
  // stood, which spares most searches for repetitions. To begin with all are 0.
  std::uint16_t* seen = nullptr;
  static constexpr std::uint32_t kSeenEntries = 2048;
};

}  // namespace cuarbiter
