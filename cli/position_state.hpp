// What the facts of a position mean under a rules profile: state, claims, who can still win.
#pragma once

#include <cstdint>
#include <string_view>

#include "host/batch/rules_profile.hpp"
#include "host/rules/game_state.hpp"

namespace cuarbiter {

// By proof; unknown is an open question.
enum class Answer : std::uint8_t { no, yes, unknown };

constexpr std::string_view answer_name(Answer answer) {
  return answer == Answer::yes ? "yes" : answer == Answer::no ? "no" : "unknown";
}

struct PositionState {
  std::string_view name;   // the state as output writes it
  std::string_view claim;  // the draw that could be claimed now; empty for none
  Answer dead = Answer::unknown;
  Answer white_can_win = Answer::unknown;
  Answer black_can_win = Answer::unknown;
};

// `black`: Black is to move. A finished game leaves nothing to claim. At checkmate the winner can
// win, at stalemate nobody can; otherwise material proves who cannot. A position in which neither
// side can win is dead.
inline PositionState position_state(const PositionFacts& facts, std::uint32_t halfmove_clock,
                                    bool black, const RulesProfile& rules) {
  PositionState out;
  Answer us = facts.flags & kFlagUsCannotWin ? Answer::no : Answer::unknown;
  Answer them = facts.flags & kFlagThemCannotWin ? Answer::no : Answer::unknown;
  switch (state_of(facts, halfmove_clock, rules.automatic_clock)) {
    case GameState::checkmate:
      out.name = "checkmate";
      us = Answer::no;
      them = Answer::yes;
      break;
    case GameState::stalemate:
      out.name = "stalemate";
      us = them = Answer::no;
      break;
    case GameState::dead_position:
      out.name = "dead_position";
      us = them = Answer::no;
      break;
    case GameState::seventyfive_moves:
      out.name = rules.automatic_name;
      break;
    default:
      out.name = "ongoing";
      if (rules.claim_clock != 0 && halfmove_clock >= rules.claim_clock) {
        out.claim = rules.claim_name;
      }
      break;
  }
  if (us == Answer::yes || them == Answer::yes) {
    out.dead = Answer::no;
  } else if (us == Answer::no && them == Answer::no) {
    out.dead = Answer::yes;
  }
  out.white_can_win = black ? them : us;
  out.black_can_win = black ? us : them;
  return out;
}

}  // namespace cuarbiter
