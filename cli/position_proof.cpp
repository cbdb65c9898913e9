#include "cli/position_proof.hpp"

#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"
#include "host/notation/san_text.hpp"
#include "host/proof/prover.hpp"

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
  if (arguments.nodes == 0) return;
  Prover& prover = thread_prover({arguments.nodes});
  for (const bool white : {true, false}) {
    bool later = false;
    for (std::size_t i = states.size(); i-- > 0;) {
      Answer& answer = white ? states[i].white_can_win : states[i].black_can_win;
      if (later) {
        answer = Answer::yes;
      } else if (answer == Answer::unknown) {
        answer = answer_of(prover.prove(positions[i], white != black[i]));
      }
      later = answer == Answer::yes;
    }
  }
  for (PositionState& state : states) conclude(state);
}

}  // namespace cuarbiter
