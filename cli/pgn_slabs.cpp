#include "cli/pgn_slabs.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kLeastSlab = 4096;

}  // namespace

PgnSlabs::PgnSlabs(InputFiles& files, std::size_t slab_bytes, bool whole_comments) : files_(files) {
  if (slab_bytes) options_.slab_bytes = std::max(slab_bytes, kLeastSlab);
  if (whole_comments) options_.long_comment_bytes = std::size_t{4} << 20;
}

// Opens the next file; false when there is none. A file that cannot be opened gives the job its
// fault and no cutter.
bool PgnSlabs::open(SlabJob& job) {
  std::optional<InputFile> next = files_.take(InputKind::games);
  if (!next) return false;
  file_ = std::move(*next);
  job.piece = file_.piece;
  first_ = true;
  over_ = behind_ = false;
  fault_ = nullptr;
  if (file_.source) {
    cutter_.emplace(static_cast<std::uint32_t>(file_.number), options_);
    if (!file_.start.begins_file) cutter_->start_at(file_.start.offset, file_.start.line);
  } else {
    job.file = file_.path;
    job.fault = file_.fault;
    job.ends_piece = true;
  }
  return true;
}

void PgnSlabs::close() {
  files_.done_with(*file_.source);
  cutter_.reset();
  file_.source.reset();
}

Begun PgnSlabs::begin(SlabJob& job) {
  job.fault.clear();
  job.decode_fault.reset();
  job.starts_piece = job.ends_piece = job.nothing = false;
  job.slab.clear();
  job.block_.bytes = 0;
  job.block_.last = false;
  job.block_.look.frames.clear();
  job.place_.reset();
  job.block_fault_ = nullptr;
  const std::lock_guard lock(mutex_);
  for (;;) {
    if (stopped()) return Begun::end;
    if (!cutter_) {
      if (!open(job)) return Begun::end;
      if (!cutter_) return Begun::yes;
    }
    if (over_ && under_way_ != 0) return Begun::not_yet;
    if (!over_ || !cutter_->done()) break;
    const bool failed = fault_ != nullptr;
    if (failed) give_fault(job);
    close();
    if (failed) return Begun::yes;
  }
  job.file = file_.source->name();
  job.piece = file_.piece;
  job.slab.file = static_cast<std::uint32_t>(file_.number);
  if (!over_ && !behind_) take_text(job);
  job.consumed = files_.consumed(*file_.source);
  job.expected = files_.expected(*file_.source);
  ++under_way_;
  return Begun::yes;
}

// Reserves the text, or reads it where it cannot be reserved.
void PgnSlabs::take_text(SlabJob& job) {
  job.reserved_ = options_.slab_bytes;
  job.place_ = file_.source->reserve(job.reserved_);
  if (job.place_) return;
  const std::span<char> room = SlabCutter::room(job.slab, options_.slab_bytes);
  job.block_.bytes = read_whole(*file_.source, room, fault_);
  job.block_.last = over_ = job.block_.bytes < room.size();
}

void PgnSlabs::give_fault(SlabJob& job) {
  job.file = file_.source->name();
  job.piece = file_.piece;
  job.slab.file = static_cast<std::uint32_t>(file_.number);
  job.ends_piece = true;
  try {
    std::rethrow_exception(fault_);
  } catch (const IoError& error) {
    job.fault = error.what();
    if (const auto* fault = dynamic_cast<const DecodeError*>(&error)) job.decode_fault = *fault;
  }
}

void PgnSlabs::prepare(SlabJob& job) const {
  if (!job.fault.empty()) return;
  if (job.place_) {
    const std::span<char> room = SlabCutter::room(job.slab, job.reserved_);
    job.block_.bytes = fetch_whole(*file_.source, *job.place_, room, job.block_fault_);
    // A file that has shrunk just ends.
    job.block_.last = job.block_.bytes < room.size();
  }
  if (job.block_.bytes != 0) cutter_->look(job.slab, job.block_);
}

void PgnSlabs::complete(SlabJob& job) {
  if (!job.fault.empty()) return;
  if (cutter_->done()) {
    job.slab.clear();  // reserved behind the end of a file that has shrunk
  } else {
    cutter_->cut(job.slab, job.block_);
  }
  Slab& slab = job.slab;
  // A piece that begins in a file may be empty: that is no text at all.
  job.nothing = !slab.utf16 && (slab.frames.empty() || (slab.size == 0 && !slab.starts_file));
  if (!job.nothing) job.starts_piece = std::exchange(first_, false);
  job.games_before = file_.start.games;
  job.next_offset = cutter_->offset();
  job.next_line = cutter_->line();
  job.ends_piece = slab.utf16;
  const std::lock_guard lock(mutex_);
  --under_way_;
  behind_ = cutter_->behind();
  if (cutter_->ended()) over_ = true;
  if (job.block_fault_ && !fault_) fault_ = job.block_fault_;
}

}  // namespace cuarbiter
