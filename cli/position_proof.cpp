#include "cli/position_proof.hpp"

#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"
#include "host/notation/san_text.hpp"
#include "host/proof/prover.hpp"
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

// Positions from the last to the first; leads(i) tells whether a move leads from i to i + 1.
template <class Leads>
void prove_backwards(std::span<PositionState> states, std::span<const Position> positions,
                     const std::vector<bool>& black, const ProofArguments& arguments,
                     Leads&& leads) {
  if (arguments.nodes == 0) return;
  Prover& prover = thread_prover({arguments.nodes});
  for (std::size_t i = states.size(); i-- > 0;) {
    PositionState& state = states[i];
    const bool open =
        state.white_can_win == Answer::unknown || state.black_can_win == Answer::unknown;
    const bool next = open && i + 1 < states.size() && leads(i);
    for (const bool white : {true, false}) {
      Answer& answer = white ? state.white_can_win : state.black_can_win;
      if (answer != Answer::unknown) continue;
      if (next &&
          (white ? states[i + 1].white_can_win : states[i + 1].black_can_win) == Answer::yes) {
        answer = Answer::yes;
      } else {
        answer = answer_of(prover.prove(positions[i], white != black[i]));
      }
    }
    conclude(state);
  }
}

}  // namespace

void add_proof_options(CLI::App& command, ProofTyped& typed) {
  command.add_flag("--proof", typed.lines, "write a helpmate line for each side that can win")
      ->group("Proof");
  command
      .add_option("--proof-nodes", typed.nodes,
                  "positions that one search may keep, 0 for material only; default 1000000")
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
  if (arguments.nodes == 0) return;
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

void prove_states(std::span<PositionState> states, std::span<const Position> positions,
                  const std::vector<bool>& black, const ProofArguments& arguments) {
  prove_backwards(states, positions, black, arguments, [](std::size_t) { return true; });
}

void prove_lines(std::span<PositionState> states, std::span<const Position> positions,
                 const std::vector<bool>& black, std::span<const std::uint64_t> groups,
                 const ProofArguments& arguments) {
  prove_backwards(states, positions, black, arguments, [&](std::size_t i) {
    return groups[i] == groups[i + 1] && black[i] != black[i + 1] &&
           one_move_leads(positions[i], positions[i + 1]);
  });
}

}  // namespace cuarbiter
