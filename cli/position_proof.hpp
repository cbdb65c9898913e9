// Who can still win, proved where material leaves it open, and the helpmate lines that prove it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/position_state.hpp"
#include "host/backend.hpp"
#include "host/rules/position.hpp"
#include "host/rules/types.hpp"

namespace CLI {
class App;
}

namespace cuarbiter {

inline constexpr std::uint32_t kDefaultProofNodes = 1'000'000;

struct ProofTyped {
  std::string nodes;
  bool lines = false;
};

struct ProofArguments {
  std::uint32_t nodes = kDefaultProofNodes;  // of one search; 0: quick proofs only
  bool lines = false;                        // write the lines down
};

void add_proof_options(CLI::App& command, ProofTyped& typed);

// Throws UsageError.
ProofArguments meant(const ProofTyped& typed);

// UCI moves with a blank between them. Empty for a mate on the board; nothing where the side cannot
// win or it is not known, or where no lines were asked for.
struct ProofLines {
  std::optional<std::string> white, black;
};

// Settles what is unknown in the state of a position; a position that is ongoing otherwise and that
// neither side can win becomes dead_position. `chess960`: castling in lines is
// written as king takes rook. Thread-safe: each thread keeps a prover.
void prove_state(PositionState& state, const Position& position, bool black, bool chess960,
                 const ProofArguments& arguments, ProofLines& lines);

// The same for many positions, without lines, those asked first together on the backend. leads[i]
// tells that a legal move leads from position i to i + 1: what can be won later could be won
// before, so that most positions of a game need no proof of their own. With arguments.nodes 0 each
// is looked at by itself, and `leads` is not.
void prove_states(Backend& backend, std::span<PositionState> states,
                  std::span<const PositionFacts> facts, std::span<const Position> positions,
                  const std::vector<bool>& black, const std::vector<bool>& leads,
                  const ProofArguments& arguments);

// Where one legal move leads from a position to the next of its group, as among the lines of a file
// of games' positions. Looked for only where the state of the first leaves something open.
std::vector<bool> leads_to_next(std::span<const PositionState> states,
                                std::span<const Position> positions, const std::vector<bool>& black,
                                std::span<const std::uint64_t> groups);

}  // namespace cuarbiter
