// The validate command: frames are cut on one thread, lexed, replayed and judged on all, and
// written in the order of the text.
#include "cli/validate_command.hpp"

#include "cli/backend_choice.hpp"
#include "cli/messages.hpp"
#include "cli/output.hpp"
#include "cli/pgn_slabs.hpp"
#include "cli/progress.hpp"
#include "cli/validate_writer.hpp"
#include "host/batch/ordered_pipeline.hpp"
#include "host/batch/ordered_prefix.hpp"
#include "host/pgn/lexer.hpp"

namespace cuarbiter {
namespace {

struct ValidateJob : SlabJob {
  std::uint64_t sequence = 0;
  GameBatch batch;
  std::vector<Finding> findings;
  std::string data;
  ValidateTotals totals;
};

// Game numbers go on from slab to slab: each slab adds its games exactly once, whatever happens.
class Numbering {
 public:
  Numbering(OrderedPrefix& prefix, const ValidateJob& job) : prefix_(prefix), job_(job) {}
  ~Numbering() {
    if (!done_) first(0);
  }
  Numbering(const Numbering&) = delete;
  Numbering& operator=(const Numbering&) = delete;

  // The number, from 1, of the first of `games` games.
  std::uint64_t first(std::uint64_t games) {
    done_ = true;
    return 1 + (job_.slab.starts_file ? prefix_.restart(job_.sequence, games)
                                      : prefix_.take(job_.sequence, games));
  }

 private:
  OrderedPrefix& prefix_;
  const ValidateJob& job_;
  bool done_ = false;
};

ReplayRules replay_rules(const RulesProfile& profile) {
  ReplayRules rules;
  rules.claim_clock = profile.claim_clock ? profile.claim_clock : kNoPly;
  rules.automatic_clock = profile.automatic_clock;
  return rules;
}

void validate_slab(const ValidateArguments& arguments, Backend& backend, OrderedPrefix& prefix,
                   const ValidateWriter& writer, ValidateJob& job) {
  Numbering numbering(prefix, job);
  job.data.clear();
  job.findings.clear();
  job.totals = ValidateTotals{};
  job.batch.clear();
  job.batch.replay.rules = replay_rules(arguments.rules);
  lex_slab(job.slab, LexerOptions{arguments.chess960}, job.batch);
  const std::uint64_t first = numbering.first(job.batch.games.size());
  backend.replay(job.batch.replay);
  judge_slab(job.slab, job.batch, arguments.rules, job.findings);
  writer.write_slab(job.data, job.slab, job.file, job.batch, job.findings, first, job.totals);
  job.totals.bytes = job.slab.size;
  for (const Elision& e : job.slab.elisions) job.totals.bytes += e.bytes;
  if (job.slab.starts_file) {
    job.totals.files = 1;
    if (job.slab.byte_order_mark) job.totals.bytes += 3;
  }
}

}  // namespace

void run_validate(const ValidateArguments& arguments, RunStatus& status) {
  const ChosenBackend chosen = choose_backend(arguments.common.backend, arguments.common.habits);
  const Habits& habits = arguments.common.habits;
  Output output(arguments.common.output, status, arguments.common.exit_zero);
  const ValidateWriter writer(arguments);
  output.write(writer.header());
  PgnSlabs slabs(arguments.files, arguments.batch_bytes);
  OrderedPrefix prefix;
  Progress progress(habits.progress);
  ValidateTotals totals;
  std::uint64_t sequence = 0;

  PipelineOptions options;
  options.threads = chosen.threads;
  run_ordered_pipeline<ValidateJob>(
      options,
      [&](ValidateJob& job) {
        if (!slabs.next(job)) return false;
        job.sequence = sequence++;
        return true;
      },
      [&](ValidateJob& job, unsigned) {
        validate_slab(arguments, *chosen.backend, prefix, writer, job);
      },
      [&](ValidateJob& job) {
        totals.add(job.totals);
        if (!job.data.empty()) {
          output.write(job.data);
        }
        if (!job.fault.empty()) {
          progress.clear();
          std::string message;
          append_error(message, job.fault, habits.color);
          output.flush();
          say(message);
          status.raise(ExitStatus::input);
        }
        progress.show(totals.games, "games", job.consumed, job.expected);
      });

  progress.clear();
  std::string summary;
  writer.write_summary(summary, totals);
  output.write(summary);
  if (totals.errors || (arguments.strict && totals.warnings)) status.raise(ExitStatus::findings);
  output.commit();
}

}  // namespace cuarbiter
