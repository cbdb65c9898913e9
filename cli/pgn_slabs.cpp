#include "cli/pgn_slabs.hpp"

#include <optional>
#include <utility>

#include "host/io/error.hpp"

namespace cuarbiter {

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
  if (file_.source) {
    framer_ =
        std::make_unique<Framer>(*file_.source, static_cast<std::uint32_t>(file_.number), options_);
  } else {
    job.file = file_.path;
    job.fault = file_.fault;
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
  job.slab.size = 0;
  job.slab.frames.clear();
  job.slab.elisions.clear();
  job.slab.elided_nuls.clear();
  job.slab.starts_file = false;
  job.slab.utf16 = false;
  while (!stopped() && (framer_ || open(job))) {
    if (!framer_) return true;
    job.file = file_.source->name();
    job.slab.file = static_cast<std::uint32_t>(file_.number);
    try {
      if (framer_->next(job.slab)) {
        job.consumed = files_.consumed(*file_.source);
        job.expected = files_.expected(*file_.source);
        return true;
      }
    } catch (const IoError& error) {
      job.fault = error.what();
      job.slab.size = 0;
      job.slab.frames.clear();
      job.slab.elisions.clear();
      job.slab.starts_file = false;
      close();
      return true;
    }
    close();
  }
  return false;
}

}  // namespace cuarbiter
