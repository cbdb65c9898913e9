// What a backend must do. The CPU and the CUDA backend are two instantiations of the same kernels;
// nothing above this interface can tell them apart, and their answers are equal bit for bit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "host/batch/perft_rows.hpp"
#include "host/batch/perft_stats.hpp"
#include "host/batch/replay_batch.hpp"
#include "host/batch/uint128.hpp"
#include "host/play/guided_play.hpp"
#include "host/rules/game_state.hpp"
#include "host/rules/repetition.hpp"
#include "host/rules/types.hpp"

namespace cuarbiter {

// A backend cannot run or failed while running: the message names the call, the device and the
// reason. Exit status 4.
class BackendError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Facts of one legal move. Bits of MoveFacts::flags.
enum MoveFlag : std::uint8_t {
  kMoveCapture = 1,  // en passant included
  kMoveEnPassant = 2,
  kMoveDoublePush = 4,
  kMoveCastling = 8,
  kMovePromotion = 16,
  kMoveCheck = 32,
  kMoveCheckmate = 64,
  kMoveStalemate = 128,
};

struct MoveFacts {
  Move move;
  std::uint8_t flags = 0;
};

// The legal moves of many positions: those of position i are moves[offsets[i] .. offsets[i + 1]).
// Their order is fixed but not by name.
struct MoveLists {
  std::vector<std::uint64_t> offsets;
  std::vector<MoveFacts> moves;
};

struct PerftOptions {
  bool merge = true;  // merge equal positions; the counts are exact either way
  // Called now and then from the calling thread with the number of paths counted so far (a lower
  // bound, for progress). May be empty.
  std::function<void(double nodes_so_far)> progress;
};

// One line of `cuarbiter devices`.
struct BackendInfo {
  std::string name;         // "cpu", "cuda:0"
  std::string description;  // model, instruction set or compute capability
  bool usable = true;
  std::string reason;              // why not, when it is not usable
  std::uint64_t memory_bytes = 0;  // the budget this backend keeps to
  std::uint64_t memory_total = 0;
  unsigned threads = 0;  // CPU threads, or multiprocessors
  std::vector<std::pair<std::string, std::string>> details;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual BackendInfo info() const = 0;

  // Counts the move paths of `depth` plies (>= 0) below each row: nodes[r] becomes the sum over the
  // rows of root r, 0 for a root without rows. Every root is below nodes.size(). Equal rows of one
  // root need not be merged. Uses all of the backend's threads or devices. Not to be called from
  // two threads at once. Throws BackendError, also when a sum passes 128 bits.
  virtual void perft(const PerftRows& rows, unsigned depth, const PerftOptions& options,
                     std::span<Uint128> nodes) = 0;
  // The same from each root once: nodes[i] belongs to roots[i]; both have the same length.
  void perft(std::span<const Position> roots, unsigned depth, const PerftOptions& options,
             std::span<Uint128> nodes) {
    perft(PerftRows{roots, {}, {}}, depth, options, nodes);
  }

  // The same, with what the leaf moves are: stats[r] becomes the sum over the rows of root r, nodes
  // included. At depth 0 there is no move, only nodes.
  virtual void perft_stats(const PerftRows& rows, unsigned depth, const PerftOptions& options,
                           std::span<PerftStats> stats) = 0;

  // Counts the distinct positions (same planes, side to move) that the paths of 1, 2 ... `depth`
  // plies from a root end in, and calls found(ply, positions) once for each of these plies, in
  // order, on the calling thread. options.merge means nothing here; progress is told the moves made
  // so far. Not to be called from two threads at once, nor from `found`. Throws BackendError.
  virtual void perft_unique(const Position& root, unsigned depth, const PerftOptions& options,
                            const std::function<void(unsigned, std::uint64_t)>& found) = 0;

  // Facts of each position; same length. Safe to call from several threads, on the calling thread
  // for the CPU.
  virtual void classify(std::span<const Position> positions, std::span<PositionFacts> facts) = 0;

  // Looks for lines that mate, by guided play (host/play/guided_play.hpp) with kGuidedRounds:
  // sides[i] names the sides of positions[i] that are asked for (SideBits) and keeps those for
  // which a line was played out. A side that is gone is an open question. Positions with one king a
  // side; same length. Safe to call from several threads, on the calling thread for the CPU.
  virtual void find_mates(std::span<const Position> positions, std::span<std::uint8_t> sides) = 0;

  // Looks for sides that can never mate, by forced lines (host/rules/forced_lines.hpp): sides[i]
  // names the sides of positions[i] that are asked for (SideBits) and keeps those for which it is
  // proved. Positions with one king a side; same length. Safe to call from several threads, on the
  // calling thread for the CPU.
  virtual void rule_out(std::span<const Position> positions, std::span<std::uint8_t> sides) = 0;

  // Legal moves of each position. Safe to call from several threads.
  virtual void moves(std::span<const Position> positions, MoveLists& lists) = 0;

  // Repetitions in games: positions in the order of play, one game after the other, each from its
  // start position on. reach[i] is how many positions before positions[i] may equal it: those since
  // the last capture or pawn move, or since the game's start; of more than kRepetitionReach that
  // many are looked at. Positions with one king a side; same length. Safe to call from several
  // threads, on the calling thread for the CPU.
  virtual void repetitions(std::span<const Position> positions,
                           std::span<const std::uint32_t> reach,
                           std::span<RepetitionFacts> facts) = 0;

  // Judges every segment of every game of the batch, and fills verdicts, plies_judged and
  // game_verdicts. Safe to call from several threads with different batches.
  virtual void replay(ReplayBatch& batch) = 0;
};

struct CpuOptions {
  unsigned threads = 0;            // 0: all this process may use
  std::uint64_t memory_bytes = 0;  // 0: a default that fits the machine
};

struct CudaOptions {
  std::vector<int> devices;        // empty: device 0
  std::uint64_t memory_bytes = 0;  // per device; 0: a default share of what is free
  unsigned memory_percent = 0;     // per device, of what is free; 0: not given
};

// Always there.
std::unique_ptr<Backend> make_cpu_backend(const CpuOptions& options);
BackendInfo cpu_info();

// True in a build with the CUDA backend.
bool cuda_built();
// One entry a device; one that says why not when there is none. Never throws.
std::vector<BackendInfo> cuda_info();
// Throws BackendError when it was not built or no device is usable.
std::unique_ptr<Backend> make_cuda_backend(const CudaOptions& options);

}  // namespace cuarbiter
