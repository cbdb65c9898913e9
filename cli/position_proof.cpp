#include "cli/position_proof.hpp"

#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"
#include "host/notation/san_text.hpp"
#include "host/proof/prover.hpp"
#include "host/proof/quick_proof.hpp"
#include "host/rules/successor.hpp"

namespace cuarbiter {
namespace {

Answer answer_of(Winnable winnable) {
  switch (winnable) {
    case Winnable::yes:
      return Answer::yes;
    case Winnable::no:
      return Answer::no;
    case Winnable::open:
      break;
  }
  return Answer::unknown;
}

// What follows from who can win.
void conclude(PositionState& state) {
  if (state.white_can_win == Answer::yes || state.black_can_win == Answer::yes) {
    state.dead = Answer::no;
  } else if (state.white_can_win == Answer::no && state.black_can_win == Answer::no) {
    state.dead = Answer::yes;
    if (state.name == "ongoing") {
      state.name = "dead_position";
      state.claim = {};
    }
  }
}

std::string uci_line(const std::vector<Move>& line, bool black, bool chess960) {
  std::string text;
  for (const Move move : line) {
    if (!text.empty()) text += ' ';
    append_uci(text, move, black, chess960);
    black = !black;
  }
  return text;
}

bool is_open(const PositionState& state) {
  return state.white_can_win == Answer::unknown || state.black_can_win == Answer::unknown;
}

Answer& answer(PositionState& state, bool white) {
  return white ? state.white_can_win : state.black_can_win;
}

std::uint8_t side_bit(bool us) {
  return us ? kSideUs : kSideThem;
}

// The answer no for the sides of a state that are excluded (SideBits).
void exclude(PositionState& state, bool black, unsigned excluded) {
  if (excluded & kSideUs) answer(state, !black) = Answer::no;
  if (excluded & kSideThem) answer(state, black) = Answer::no;
}

// Takes from `open` the sides that a quick proof shows can never win; their answers become no. As
// quickly_excluded for each position.
void rule_out(Backend& backend, std::span<PositionState> states,
              std::span<const PositionFacts> facts, std::span<const Position> positions,
              const std::vector<bool>& black, std::vector<std::uint8_t>& open) {
  std::vector<std::uint32_t> forced;  // whose lines of play may be few
  std::vector<Position> asked;
  std::vector<std::uint8_t> sides;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (open[i] == 0 || facts[i].legal_moves > kForcedMoves) continue;
    forced.push_back(static_cast<std::uint32_t>(i));
    asked.push_back(positions[i]);
    sides.push_back(open[i]);
  }
  backend.rule_out(asked, sides);
  for (std::size_t i = 0; i < forced.size(); ++i) {
    open[forced[i]] &= static_cast<std::uint8_t>(~sides[i]);
    exclude(states[forced[i]], black[forced[i]], sides[i]);
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (open[i] == 0) continue;
    const unsigned excluded = walls_exclude(positions[i], open[i]);
    open[i] &= static_cast<std::uint8_t>(~excluded);
    exclude(states[i], black[i], excluded);
  }
}

}  // namespace

void add_proof_options(CLI::App& command, ProofTyped& typed) {
  command.add_flag("--proof", typed.lines, "write a helpmate line for each side that can win")
      ->group("Proof");
  command
      .add_option("--proof-nodes", typed.nodes,
                  "positions that one search may keep, 0 for quick proofs only; default 1000000")
      ->type_name("N")
      ->group("Proof");
}

ProofArguments meant(const ProofTyped& typed) {
  ProofArguments arguments;
  arguments.lines = typed.lines;
  if (!typed.nodes.empty()) {
    arguments.nodes = whole_number(typed.nodes, "--proof-nodes", 0, kMostProofNodes);
  }
  if (arguments.lines && arguments.nodes == 0) {
    throw UsageError("--proof needs a search: --proof-nodes 0 leaves none");
  }
  return arguments;
}

void prove_state(PositionState& state, const Position& position, bool black, bool chess960,
                 const ProofArguments& arguments, ProofLines& lines) {
  lines = ProofLines{};
  if (arguments.nodes == 0) {
    std::uint8_t open = 0;
    for (const bool white : {true, false}) {
      if (answer(state, white) == Answer::unknown) open |= side_bit(white != black);
    }
    exclude(state, black, quickly_excluded(position, open));
    return conclude(state);
  }
  Prover& prover = thread_prover({arguments.nodes});
  for (const bool white : {true, false}) {
    Answer& answer = white ? state.white_can_win : state.black_can_win;
    if (answer == Answer::unknown) {
      answer = answer_of(prover.prove(position, white != black));
    } else if (arguments.lines && answer == Answer::yes) {
      prover.prove(position, white != black);
    }
    if (arguments.lines && answer == Answer::yes) {
      (white ? lines.white : lines.black) = uci_line(prover.line(), black, chess960);
    }
  }
  conclude(state);
}

void prove_states(Backend& backend, std::span<PositionState> states,
                  std::span<const PositionFacts> facts, std::span<const Position> positions,
                  const std::vector<bool>& black, const std::vector<bool>& leads,
                  const ProofArguments& arguments) {
  // The ends of lines of play are asked together; what is found there answers most others.
  std::vector<std::uint8_t> open(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (const bool white : {true, false}) {
      if (answer(states[i], white) != Answer::unknown) continue;
      // At the last position of a line, or where the side cannot win one move later.
      if (arguments.nodes == 0 || !leads[i] || answer(states[i + 1], white) == Answer::no) {
        open[i] |= side_bit(white != black[i]);
      }
    }
  }
  rule_out(backend, states, facts, positions, black, open);
  if (arguments.nodes == 0) {
    for (PositionState& state : states) conclude(state);
    return;
  }
  std::vector<std::uint32_t> ends;
  std::vector<Position> asked;
  std::vector<std::uint8_t> sides;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (open[i] == 0) continue;
    ends.push_back(static_cast<std::uint32_t>(i));
    asked.push_back(positions[i]);
    sides.push_back(open[i]);
  }
  backend.find_mates(asked, sides);
  Prover& prover = thread_prover({arguments.nodes});
  std::size_t end = ends.size();
  for (std::size_t i = states.size(); i-- > 0;) {
    PositionState& state = states[i];
    if (open[i] != 0) --end;
    for (const bool white : {true, false}) {
      Answer& found = answer(state, white);
      if (found != Answer::unknown) continue;
      const std::uint8_t side = side_bit(white != black[i]);
      const bool tried = (open[i] & side) != 0;
      if (leads[i] && answer(states[i + 1], white) == Answer::yes) {
        found = Answer::yes;
      } else if (tried && (sides[end] & side)) {
        found = Answer::yes;
      } else {
        found = answer_of(prover.prove(positions[i], side == kSideUs, tried));
      }
    }
    conclude(state);
  }
}

std::vector<bool> leads_to_next(std::span<const PositionState> states,
                                std::span<const Position> positions, const std::vector<bool>& black,
                                std::span<const std::uint64_t> groups) {
  std::vector<bool> leads(states.size());
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    leads[i] = is_open(states[i]) && groups[i] == groups[i + 1] && black[i] != black[i + 1] &&
               one_move_leads(positions[i], positions[i + 1]);
  }
  return leads;
}

}  // namespace cuarbiter
