// Rules profiles: what lets a side claim a draw, what ends the game, which results count, as data.
// FIDE Laws of Chess, articles 9.2, 9.3 and 9.6, for `fide`; the Laws in force from July 2001 for
// `fide-2001`; an online site's house rules for `qq`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "host/batch/replay_batch.hpp"

namespace cuarbiter {

// Clocks count plies since the last capture or pawn move, two a move; 0 means there is no such
// rule. Every profile has checkmate, stalemate and dead positions, checkmate before every draw.
struct RulesProfile {
  std::string_view name;
  std::uint32_t claim_clock = 0;        // from here the side to move may claim a draw
  std::uint32_t automatic_clock = 0;    // from here the game is drawn
  std::string_view claim_name;          // what the claim is called in output
  std::string_view automatic_name;      // what the end is called in output
  bool claim_threefold = false;         // a third occurrence may be claimed
  bool automatic_fivefold = false;      // a fifth occurrence ends the game
  std::uint32_t checks_in_a_row = 0;    // checks by one side that draw, if they do not mate
  std::uint32_t checks_in_all = 0;      // checks to one king that draw, if they do not mate
  std::uint32_t first_resign_move = 0;  // resignation and agreement count from this move on
  std::uint32_t last_void_move = 0;     // a flag fallen at a move up to this one voids the game
};

inline constexpr std::array<RulesProfile, 3> kRulesProfiles{{
    {"fide", 100, 150, "fifty_moves", "seventyfive_moves", true, true, 0, 0, 0, 0},
    {"fide-2001", 100, 0, "fifty_moves", "", true, false, 0, 0, 0, 0},
    {"qq", 0, 60, "", "thirty_moves", false, false, 10, 30, 15, 5},
}};

inline constexpr std::uint32_t kMostMoveLimit = 1'000'000;

// The profile of that name, or nothing.
constexpr std::optional<RulesProfile> find_rules_profile(std::string_view name) {
  for (const RulesProfile& profile : kRulesProfiles) {
    if (profile.name == name) return profile;
  }
  return std::nullopt;
}

// What of a profile the replay works with.
constexpr ReplayRules replay_rules(const RulesProfile& profile) {
  ReplayRules rules;
  rules.claim_clock = profile.claim_clock ? profile.claim_clock : kNoPly;
  rules.automatic_clock = profile.automatic_clock;
  rules.checks_in_a_row = profile.checks_in_a_row;
  rules.checks_in_all = profile.checks_in_all;
  return rules;
}

// The profile with another number of moves (1 to kMostMoveLimit) in place of its own: claims from
// that many moves by each side, an automatic end at one and a half times as many. A profile without
// a claim has its automatic end at the number itself. Names stay, and so does what does not exist.
constexpr RulesProfile with_move_limit(RulesProfile profile, std::uint32_t moves) {
  if (profile.automatic_clock != 0) {
    profile.automatic_clock = profile.claim_clock != 0 ? 3 * moves : 2 * moves;
  }
  if (profile.claim_clock != 0) profile.claim_clock = 2 * moves;
  return profile;
}

}  // namespace cuarbiter
