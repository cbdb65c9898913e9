// Games of PGN files through worker threads and out in order: read, lexed, replayed and judged on
// all of them, cut into frames and written in the order of the text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/exit_status.hpp"
#include "cli/habits.hpp"
#include "cli/messages.hpp"
#include "cli/output.hpp"
#include "cli/pgn_slabs.hpp"
#include "cli/progress.hpp"
#include "host/backend.hpp"
#include "host/batch/ordered_pipeline.hpp"
#include "host/batch/ordered_prefix.hpp"
#include "host/batch/rules_profile.hpp"
#include "host/pgn/judge.hpp"
#include "host/pgn/lexer.hpp"

namespace cuarbiter {

// A slab on its way through the pipeline, with what its worker made of it.
struct GameJob : SlabJob {
  std::uint64_t sequence = 0;
  GameBatch batch;                // lexed and replayed
  std::vector<Finding> findings;  // of judge_slab
  std::uint64_t first_game = 1;   // number in its file, from 1, of the first game of the slab
  std::string data;               // for the output
  std::string messages;           // for standard error
};

// How a command goes through its games.
struct GameRun {
  RulesProfile rules;
  bool chess960 = false;  // as in LexerOptions
  unsigned threads = 1;
  Habits habits;
  // What an earlier process of the same run did, for its progress.
  std::uint64_t games_before = 0, consumed_before = 0;
};

namespace game_run_parts {

// Game numbers go on from slab to slab: each slab adds its games exactly once, whatever happens.
class GameNumbering {
 public:
  GameNumbering(OrderedPrefix& prefix, const GameJob& job) : prefix_(prefix), job_(job) {}
  ~GameNumbering() {
    if (!done_) first(0);
  }
  GameNumbering(const GameNumbering&) = delete;
  GameNumbering& operator=(const GameNumbering&) = delete;

  // The number, from 1, of the first of `games` games.
  std::uint64_t first(std::uint64_t games) {
    done_ = true;
    return 1 + (job_.starts_piece ? prefix_.restart(job_.sequence, games, job_.games_before)
                                  : prefix_.take(job_.sequence, games));
  }

 private:
  OrderedPrefix& prefix_;
  const GameJob& job_;
  bool done_ = false;
};

// Weight of slabs in the pipeline beyond which no further slab is begun: enough for all slots in
// general, so that only slabs that are unusually large wait for each other.
inline std::size_t most_text(unsigned threads) {
  return (2 * std::size_t{threads} + 2) * (std::size_t{3} << 19);
}

// Numbers the slabs that something has come of.
template <class Job>
class SlabSteps {
 public:
  explicit SlabSteps(PgnSlabs& slabs) : slabs_(slabs) {}

  Begun begin(Job& job) { return slabs_.begin(job); }
  void prepare(Job& job) { slabs_.prepare(job); }
  void complete(Job& job) {
    slabs_.complete(job);
    if (!job.nothing) job.sequence = sequence_++;
  }

 private:
  PgnSlabs& slabs_;
  std::uint64_t sequence_ = 0;
};

// How far a run is, from the jobs that have been counted.
class GameProgress {
 public:
  explicit GameProgress(const GameRun& run) : run_(run), progress_(run.habits) {}

  void clear() { progress_.clear(); }
  void show(const GameJob& job, std::uint64_t games) {
    if (job.slab.size != 0) bytes_ += job.next_offset - job.slab.offset;
    if (!progress_.enabled()) return;
    if (job.slab.size != 0) consumed_ = job.consumed;
    // What an earlier process has read is read again where the text cannot be begun in the middle.
    if (!first_) first_ = run_.consumed_before != 0 ? consumed_ : 0;
    ProgressState state;
    state.count = static_cast<double>(games - run_.games_before);
    state.bytes = static_cast<double>(bytes_);
    if (job.expected != 0) {
      const auto total = static_cast<double>(run_.consumed_before + job.expected - *first_);
      const auto before = static_cast<double>(run_.consumed_before);
      const auto done = static_cast<double>(consumed_ - *first_);
      state.share = std::min(1.0, (before + done) / total);
      if (done > 0) state.seconds_left = progress_.seconds() * (total - before - done) / done;
    }
    progress_.show(state, "games");
  }

 private:
  const GameRun& run_;
  Progress progress_;
  std::uint64_t bytes_ = 0;  // of text
  std::uint64_t consumed_ = 0;
  std::optional<std::uint64_t> first_;  // consumed before this process did any work
};

// Lexes, replays and judges one slab.
inline void judge_games(const GameRun& run, Backend& backend, OrderedPrefix& prefix, GameJob& job) {
  GameNumbering numbering(prefix, job);
  job.data.clear();
  job.messages.clear();
  job.findings.clear();
  job.batch.clear();
  job.batch.replay.rules = replay_rules(run.rules);
  lex_slab(job.slab, LexerOptions{run.chess960}, job.batch);
  job.first_game = numbering.first(job.batch.games.size());
  backend.replay(job.batch.replay);
  judge_slab(job.slab, job.batch, run.rules, job.findings);
}

}  // namespace game_run_parts

// Goes through the files of games that come next. Job is GameJob or derived from it; `work(Job&)`
// is called on the worker threads with a judged slab and fills in data and messages; `count(Job&)`
// is called in the order of the text, before they are written, may still change them, and returns
// the number of games so far; `done(Job&)` follows when they are written. Once slabs.stop() was
// called no further slab is counted or written. Out is Output or has its write() and flush().
template <class Job, class Out, class Work, class Count, class Done>
void run_games(const GameRun& run, PgnSlabs& slabs, Backend& backend, Out& output,
               RunStatus& status, Work&& work, Count&& count, Done&& done) {
  OrderedPrefix prefix;
  game_run_parts::GameProgress progress(run);
  run_ordered_pipeline<Job>(
      PipelineOptions{run.threads, 0, game_run_parts::most_text(run.threads)},
      game_run_parts::SlabSteps<Job>{slabs},
      [&](Job& job, unsigned) {
        if (job.nothing) return;
        game_run_parts::judge_games(run, backend, prefix, job);
        work(job);
      },
      [&](Job& job) {
        if (slabs.stopped() || job.nothing) return;
        const std::uint64_t games = count(job);
        if (!job.messages.empty()) {
          progress.clear();
          say(job.messages);
        }
        if (!job.data.empty()) output.write(job.data);
        if (!job.fault.empty()) {
          progress.clear();
          std::string message;
          append_error(message, job.fault, run.habits.color);
          output.flush();
          say(message);
          status.raise(ExitStatus::input);
        }
        progress.show(job, games);
        done(job);
        // What a game of many megabytes took is given back. (Assignment alone would keep what
        // strings hold.)
        if (job.slab.text.capacity() > kLargeSlab) {
          const Job gone(std::move(job));
          job = Job{};
        }
      });
  progress.clear();
}

template <class Job, class Work, class Count>
void run_games(const GameRun& run, PgnSlabs& slabs, Backend& backend, Output& output,
               RunStatus& status, Work&& work, Count&& count) {
  run_games<Job>(run, slabs, backend, output, status, work, count, [](Job&) {});
}

}  // namespace cuarbiter
