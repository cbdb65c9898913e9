#include "cli/pgn_slabs.hpp"

#include <optional>
#include <utility>

#include "host/io/error.hpp"

namespace cuarbiter {
namespace {

void clear(Slab& slab) {
  slab.size = 0;
  slab.frames.clear();
  slab.elisions.clear();
  slab.elided_nuls.clear();
  slab.starts_file = false;
  slab.utf16 = false;
}

}  // namespace

PgnSlabs::PgnSlabs(InputFiles& files, std::size_t slab_bytes, bool whole_comments) : files_(files) {
  if (slab_bytes) options_.slab_bytes = slab_bytes;
  if (whole_comments) options_.long_comment_bytes = std::size_t{4} << 20;
}

// Opens the next file; false when there is none. A file that cannot be opened gives the job its
// fault and no framer.
bool PgnSlabs::open(SlabJob& job) {
  std::optional<InputFile> next = files_.take(InputKind::games);
  if (!next) return false;
  file_ = std::move(*next);
  job.piece = file_.piece;
  first_ = true;
  if (file_.source) {
    framer_ =
        std::make_unique<Framer>(*file_.source, static_cast<std::uint32_t>(file_.number), options_);
    if (!file_.start.begins_file) framer_->start_at(file_.start.offset, file_.start.line);
  } else {
    job.file = file_.path;
    job.fault = file_.fault;
    job.ends_piece = true;
  }
  return true;
}

void PgnSlabs::close() {
  files_.done_with(*file_.source);
  framer_.reset();
  file_.source.reset();
}

bool PgnSlabs::next(SlabJob& job) {
  job.fault.clear();
  job.decode_fault.reset();
  job.starts_piece = job.ends_piece = false;
  clear(job.slab);
  while (!stopped() && (framer_ || open(job))) {
    if (!framer_) return true;
    job.file = file_.source->name();
    job.piece = file_.piece;
    job.slab.file = static_cast<std::uint32_t>(file_.number);
    try {
      if (framer_->next(job.slab)) {
        // A piece that begins in a file may be empty: that is no text at all.
        if (job.slab.size == 0 && !job.slab.starts_file) continue;
        job.starts_piece = std::exchange(first_, false);
        job.games_before = file_.start.games;
        job.next_offset = framer_->offset();
        job.next_line = framer_->line();
        job.ends_piece = job.slab.utf16;
        job.consumed = files_.consumed(*file_.source);
        job.expected = files_.expected(*file_.source);
        return true;
      }
    } catch (const IoError& error) {
      job.fault = error.what();
      if (const auto* fault = dynamic_cast<const DecodeError*>(&error)) job.decode_fault = *fault;
      job.ends_piece = true;
      clear(job.slab);
      close();
      return true;
    }
    close();
  }
  return false;
}

}  // namespace cuarbiter
