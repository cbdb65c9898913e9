#include "cli/pgn_slabs.hpp"

#include <optional>
#include <utility>

#include "host/io/error.hpp"

namespace cuarbiter {

PgnSlabs::PgnSlabs(std::vector<std::string> files, std::size_t slab_bytes)
    : files_(std::move(files)) {
  if (slab_bytes) options_.slab_bytes = slab_bytes;
}

bool PgnSlabs::open(SlabJob& job) {
  const std::string& path = files_[next_file_++];
  try {
    source_ = open_source(path);
  } catch (const IoError& error) {
    job.file = path;
    job.fault = error.what();
    return false;
  }
  framer_ = std::make_unique<Framer>(*source_, static_cast<std::uint32_t>(next_file_), options_);
  return true;
}

void PgnSlabs::close() {
  consumed_ += source_->consumed_bytes();
  expected_ += source_->size_bytes().value_or(0);
  framer_.reset();
  source_.reset();
}

bool PgnSlabs::next(SlabJob& job) {
  job.fault.clear();
  job.slab.size = 0;
  job.slab.frames.clear();
  job.slab.starts_file = false;
  job.slab.utf16 = false;
  while (framer_ || next_file_ < files_.size()) {
    if (!framer_ && !open(job)) return true;
    job.file = source_->name();
    job.slab.file = static_cast<std::uint32_t>(next_file_);
    try {
      if (framer_->next(job.slab)) {
        job.consumed = consumed_ + source_->consumed_bytes();
        const std::optional<std::uint64_t> size = source_->size_bytes();
        job.expected = size && next_file_ == files_.size() ? expected_ + *size : 0;
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
