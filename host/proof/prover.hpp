// Whether a side can still win: the search for a helpmate, which also proves that there is none.
//
// "Can this side mate by some series of legal moves of both?" is what a fallen flag (FIDE 6.9) and
// a dead position (FIDE 5.2.2) ask. One line answers yes. For no there are four proofs: material,
// the fixpoint of mobility (mobility.hpp), smaller games in which some men are shadows
// (shadows.hpp), each of the position itself or of every position where a line of play leads; and
// the exhaustion of all that can be reached. Move counts and repetitions do not bound the series.
// Most questions are answered by a plan (guided_play.hpp) before any search.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/play/guided_play.hpp"
#include "host/proof/estimate.hpp"
#include "host/proof/mobility.hpp"
#include "host/proof/position_pool.hpp"
#include "host/proof/shadow_proof.hpp"
#include "host/rules/position.hpp"
#include "host/rules/types.hpp"

namespace cuarbiter {

// By proof; open when the budget was spent first.
enum class Winnable : std::uint8_t { no, yes, open };

struct ProverOptions {
  // Positions that one search may keep, from 1; about 60 bytes each, taken as they are needed.
  std::uint32_t nodes = 1'000'000;
};
inline constexpr std::uint32_t kMostProofNodes = 100'000'000;

// Answers one question after the other and keeps its memory between them; the answers depend on the
// question and the options alone. One object a thread.
class Prover {
 public:
  explicit Prover(const ProverOptions& options = {}) : options_(options) {}
  const ProverOptions& options() const { return options_; }

  // Can the side to move (`us`), or the other side (!us), still mate? At checkmate the winner can.
  // The position must have one king a side; it may be impossible otherwise, where legal moves lead
  // on from it.
  // `tried`: the quick proofs (quick_proof.hpp) and guided play (Backend::find_mates) have found
  // nothing.
  Winnable prove(const Position& position, bool us, bool tried = false);

  // After yes: legal moves, each in the view of its mover, from the position to the mate. Empty
  // when it is checkmate already.
  const std::vector<Move>& line() const { return line_; }
  // Positions kept for the last question, all its searches together.
  std::uint64_t nodes() const { return spent_; }

 private:
  static constexpr unsigned kQueues = 3;
  // Open positions by cost, oldest or newest first among equals.
  struct Queue {
    std::vector<std::uint32_t> heads, tails, next;
    std::uint32_t best = 0;  // no cost below it is in use
  };
  struct Child {
    Position position;
    std::uint64_t mix;  // as the pool has it
  };
  // Men by kind and side, one set of squares each.
  using Seen = std::array<Bitboard, 12>;

  Winnable search(const Position& position, bool us);
  bool root_excluded(const Position& position, bool us, std::uint32_t most, std::uint32_t total);
  bool expand(std::uint32_t node);
  void add(const Child& next, std::uint32_t parent, bool winner_moves, bool changed);
  bool hopeless(std::uint32_t node);
  bool near_excluded(const Position& p, bool us);
  bool excluded(const Position& p, bool us, bool thorough);
  bool may_waste(std::uint64_t start) const;
  bool thoroughly_excluded(const Position& p, bool us, Mobility& mobility, std::uint32_t most,
                           std::uint32_t total);
  std::uint32_t novelty(const Position& p, bool winner_moves, std::uint32_t cost);
  void push(unsigned queue, std::uint32_t node, std::uint32_t cost);
  std::uint32_t pop(unsigned queue);
  void clear();
  void trace(std::uint32_t node, const Position& mate);

  ProverOptions options_;
  PositionPool pool_;
  std::vector<Child> children_;
  std::vector<std::uint32_t> parents_;  // with flags
  std::vector<std::uint16_t> depths_;
  std::array<Queue, kQueues> queues_;
  std::vector<Seen> seen_by_cost_, seen_by_kings_;
  GuidedPlay guided_;
  ShadowProof shadows_;
  PositionPool near_;                         // examined thoroughly in any search
  std::vector<std::uint8_t> near_excluded_;   // with this result
  std::vector<std::uint16_t> failed_proofs_;  // structures, by their mix
  MateGoals goals_;
  std::vector<Move> line_;
  std::uint64_t spent_ = 0;
  std::uint32_t limit_ = 0;         // positions of this search
  std::uint32_t expanded_ = 0;      // positions of this search whose children were made
  std::uint64_t wasted_ = 0;        // on thorough proofs of this search that failed
  unsigned phase_ = 0;              // which search
  bool last_attempt_made_ = false;  // on the root
  bool full_ = false;               // the limit was met
};

// A prover of the calling thread, kept from call to call; made anew when the options change.
Prover& thread_prover(const ProverOptions& options);

}  // namespace cuarbiter
