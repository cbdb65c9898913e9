#include "cli/validate_run.hpp"

#include "cli/game_run.hpp"
#include "cli/validate_part.hpp"

namespace cuarbiter {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

bool wants_keys(const ValidateArguments& arguments) {
  const Format format = arguments.common.format;
  return arguments.wants_duplicates() ||
         (arguments.games && (format == Format::jsonl || format == Format::csv));
}

void find_keys(ValidateJob& job, bool lines) {
  job.keys.clear();
  job.lines.clear();
  GameKeys keys(job.slab, job.batch);
  Locator locator(job.slab);
  for (const GameRecord& game : job.batch.games) {
    job.keys.push_back(keys.of(game));
    if (lines) job.lines.push_back(locator.locate(game.text.begin).line);
  }
}

}  // namespace

ValidateRun::ValidateRun(const ValidateArguments& arguments, const GameRun& run, Backend& backend)
    : arguments_(arguments),
      writer_(arguments),
      games_(arguments, run, backend),
      most_(arguments.max_errors ? arguments.max_errors : kNoLimit) {
  // Those of a shard are found by merge.
  if (arguments.wants_duplicates() && !arguments.long_run.shard) {
    const std::uint64_t budget = arguments.common.backend.memory_bytes;
    duplicates_.emplace(budget ? budget : kDuplicatesBytes);
  }
  if (!arguments.report.empty() && !arguments.long_run.shard) report_.emplace(arguments, true);
}

void ValidateRun::work(ValidateJob& job) const {
  if (arguments_.pgn) ValidatePgn::find_left_out(job);
  arguments_.codes.apply(job.findings);
  if (wants_keys(arguments_)) find_keys(job, duplicates_.has_value());
  if (!arguments_.report.empty()) count_kinds(job, job.batch.games.size(), arguments_.rules);
  write(job, kNoLimit);
}

bool ValidateRun::count(ValidateJob& job) {
  if (duplicates_ && duplicates_->find(job)) write(job, kNoLimit);
  const std::uint64_t left = most_ - writer_.counted_errors(totals_);
  const bool last = writer_.counted_errors(job.totals) >= left;
  if (last) write(job, left);
  totals_.add(job.totals);
  if (report_) {
    if (last) count_kinds(job, job.totals.games, arguments_.rules);
    report_->add(job);
  }
  return !last;
}

void ValidateRun::finish(const RunStatus& status) {
  if (report_) report_->write(totals_, status);
}

std::string ValidateRun::summary() const {
  std::string out;
  writer_.write_summary(out, totals_);
  return out;
}

void ValidateRun::write(ValidateJob& job, std::uint64_t errors_left) const {
  job.data.clear();
  job.messages.clear();
  job.totals = ValidateTotals{};
  job.totals.files = job.slab.starts_file ? 1 : 0;
  if (!arguments_.pgn) {
    writer_.write_job(job.data, job, errors_left, job.totals);
  } else if (arguments_.long_run.shard) {
    write_part(job);
  } else {
    writer_.write_job(job.messages, job, errors_left, job.totals);
    job.totals.written = games_.write(job.data, job, job.totals.games);
  }
}

// The games of each frame follow what is told of it: where slabs are cut does not show.
void ValidateRun::write_part(ValidateJob& job) const {
  ValidatePgnFrames frames(games_, job);
  std::uint64_t written = 0;
  std::string text;
  writer_.write_job(job.data, job, kNoLimit, job.totals, [&](std::uint32_t before) {
    while (!frames.done() && frames.position() < before) {
      text.clear();
      written += frames.write(text);
      append_part_games(job.data, text);
    }
  });
  job.totals.written = written;
}

}  // namespace cuarbiter
