// The threads that read, decode and hand out.
#include "host/io/frame_parallel_source.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>

#include "host/io/error.hpp"
#include "host/io/zstd_frames.hpp"

namespace cuarbiter {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kBlockBytes = kMiB / 2;
constexpr std::size_t kHeadBytes = 4 * kMiB;  // the head may always be ahead by so much text
// A job has at least so many compressed bytes, so that small frames do not cost a job each.
constexpr std::size_t kJobBytes = kMiB / 4;
constexpr std::uint64_t kWideWindow = 16 * kMiB;
constexpr unsigned kWindowBlocks = 32;
constexpr unsigned kCalmWindows = 16;

}  // namespace

// The compressed bytes of one job, as its decoder reads them.
class FrameParallelSource::JobInput : public ByteSource {
 public:
  JobInput(FrameParallelSource& source, Job& job) : source_(source), job_(job) {}

  std::size_t read(std::span<char> into) override {
    if (at_ == piece_.size()) {
      at_ = 0;
      if (!source_.take_coded(job_, piece_)) return 0;
    }
    const std::size_t count = std::min(into.size(), piece_.size() - at_);
    std::memcpy(into.data(), piece_.data() + at_, count);
    at_ += count;
    return count;
  }
  const std::string& name() const override { return source_.name_; }
  std::optional<std::uint64_t> size_bytes() const override { return std::nullopt; }
  std::uint64_t consumed_bytes() const override { return 0; }

 private:
  FrameParallelSource& source_;
  Job& job_;
  std::string piece_;
  std::size_t at_ = 0;
};

FrameParallelSource::FrameParallelSource(CodedInput input, unsigned threads, unsigned at_once)
    : input_(std::move(input)),
      name_(input_.inner().name()),
      size_(input_.inner().size_bytes()),
      threads_(std::max(threads, 1u)),
      consumed_(input_.inner().consumed_bytes()),
      wanted_(std::clamp(at_once, 1u, threads_)) {}

FrameParallelSource::~FrameParallelSource() {
  if (!begun_) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  coded_room_.notify_all();
  coded_ready_.notify_all();
  text_room_.notify_all();
  input_.inner().interrupt();
  for (std::thread& thread : crew_) thread.join();
}

std::size_t FrameParallelSource::text_budget() const {
  return kHeadBytes + std::min(allowed() - 1, 2u) * 36 * kMiB;
}

std::size_t FrameParallelSource::coded_budget() const {
  return 4 * kMiB + std::min(allowed() - 1, 2u) * 8 * kMiB;
}

void FrameParallelSource::start() {
  begun_ = true;
  window_begin_ = std::chrono::steady_clock::now();
  crew_.emplace_back([this] { read_coded(); });
  while (crew_.size() <= wanted_) crew_.emplace_back([this] { decode_jobs(); });
}

// The reading thread.
void FrameParallelSource::read_coded() {
  ZstdFrameScanner scanner;
  std::size_t job_bytes = 0;
  std::exception_ptr fault;
  try {
    for (;;) {
      const std::string_view bytes = input_.peek(1);
      consumed_.store(input_.inner().consumed_bytes());
      if (bytes.empty()) break;
      std::size_t count = 0;
      bool last = false, wide = false;
      while (count != bytes.size() && !last) {
        count += scanner.scan(bytes.substr(count));
        wide = wide || scanner.window_bytes() > kWideWindow;
        last = scanner.at_border() && job_bytes + count >= kJobBytes;
      }
      job_bytes = last ? 0 : job_bytes + count;
      if (!publish_coded(std::string(bytes.substr(0, count)), last, wide)) return;
      input_.take(count);
    }
  } catch (...) {
    fault = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    all_read_ = true;
    if (fault && !open_job_) open_job();
    if (open_job_) {
      jobs_.back()->read = true;
      jobs_.back()->read_fault = std::move(fault);
    }
  }
  coded_ready_.notify_all();
  text_ready_.notify_one();
}

// Adds bytes to the job being read, or to a new one; `last` ends it, `wide` says that they have a
// frame of a large window. False when nobody wants more.
bool FrameParallelSource::publish_coded(std::string piece, bool last, bool wide) {
  {
    std::unique_lock lock(mutex_);
    coded_room_.wait(lock, [&] { return stopped_ || faulty_ || coded_held_ < coded_budget(); });
    if (stopped_ || faulty_) return false;
    if (!open_job_) open_job();
    wide_ = wide_ || wide;
    coded_held_ += piece.size();
    jobs_.back()->coded.push_back(std::move(piece));
    jobs_.back()->read = last;
    open_job_ = !last;
  }
  coded_ready_.notify_all();
  return true;
}

// Called with the mutex held, by the reading thread.
void FrameParallelSource::open_job() {
  jobs_.push_back(std::make_unique<Job>());
  jobs_.back()->begin = input_.offset();
  open_job_ = true;
}

// A decoder.
void FrameParallelSource::decode_jobs() {
  std::shared_ptr<ZstdContext> context;
  for (;;) {
    Job* job;
    {
      std::unique_lock lock(mutex_);
      coded_ready_.wait(lock, [&] {
        if (started_ == jobs_.size()) return stopped_ || all_read_;
        return stopped_ || busy_ < allowed();
      });
      if (stopped_ || started_ == jobs_.size()) return;
      job = jobs_[started_++].get();
      ++busy_;
    }
    std::exception_ptr fault;
    try {
      if (!context) context = make_zstd_context();
      decode(*job, context);
    } catch (...) {
      fault = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      faulty_ = faulty_ || fault;
      if (wide_) context.reset();  // the next job may have another decoder
      job->fault = std::move(fault);
      job->decoded = true;
      --busy_;
    }
    text_ready_.notify_one();
    coded_ready_.notify_all();
    coded_room_.notify_one();
  }
}

void FrameParallelSource::decode(Job& job, const std::shared_ptr<ZstdContext>& context) {
  const auto source =
      make_zstd_source(CodedInput(std::make_unique<JobInput>(*this, job), job.begin), context);
  Block block;
  bool more = true;
  while (more && take_block(job, block)) {
    std::exception_ptr fault;
    try {
      do {
        const std::size_t got = source->read(std::span(block.bytes).subspan(block.size));
        more = got != 0;
        block.size += got;
        // What there is goes out before the wait for a slow pipe.
      } while (more && block.size != kBlockBytes && !coded_waits(job));
    } catch (...) {
      fault = std::current_exception();
    }
    publish_text(job, std::move(block));
    if (fault) std::rethrow_exception(fault);
  }
}

// The next compressed bytes of the job; false at its end.
bool FrameParallelSource::take_coded(Job& job, std::string& piece) {
  piece.clear();
  {
    std::unique_lock lock(mutex_);
    coded_ready_.wait(lock, [&] { return stopped_ || !job.coded.empty() || job.read; });
    if (stopped_) return false;
    if (job.coded.empty()) {
      if (job.read_fault) std::rethrow_exception(job.read_fault);
      return false;
    }
    piece = std::move(job.coded.front());
    job.coded.pop_front();
    coded_held_ -= piece.size();
  }
  coded_room_.notify_one();
  return true;
}

bool FrameParallelSource::coded_waits(const Job& job) {
  const std::lock_guard lock(mutex_);
  return job.coded.empty() && !job.read;
}

// An empty block to decode into, as soon as there is room; false when nobody wants it.
bool FrameParallelSource::take_block(const Job& job, Block& block) {
  std::unique_lock lock(mutex_);
  text_room_.wait(lock, [&] {
    if (stopped_ || text_held_ + kBlockBytes <= text_budget()) return true;
    return jobs_.front().get() == &job && job.text.size() < kHeadBytes / kBlockBytes;
  });
  if (stopped_) return false;
  text_held_ += kBlockBytes;
  block = Block{};
  if (!spare_.empty()) {
    block = std::move(spare_.back());
    spare_.pop_back();
  }
  lock.unlock();
  block.bytes.resize(kBlockBytes);
  block.size = 0;
  return true;
}

void FrameParallelSource::publish_text(Job& job, Block block) {
  {
    const std::lock_guard lock(mutex_);
    if (block.size == 0) {
      put_back(std::move(block));
      return;
    }
    job.text.push_back(std::move(block));
  }
  text_ready_.notify_one();
}

// Called with the mutex held.
void FrameParallelSource::put_back(Block block) {
  text_held_ -= kBlockBytes;
  spare_.push_back(std::move(block));
}

// Takes the next block to hand out; false at the end. Throws what comes instead.
bool FrameParallelSource::next_block() {
  std::unique_lock lock(mutex_);
  if (!block_.bytes.empty()) {
    put_back(std::exchange(block_, Block{}));
    text_room_.notify_all();
  }
  std::chrono::nanoseconds waited{0};
  for (;;) {
    const auto something = [&] {
      if (jobs_.empty()) return all_read_;
      return !jobs_.front()->text.empty() || jobs_.front()->decoded;
    };
    if (!something()) {
      const auto since = std::chrono::steady_clock::now();
      text_ready_.wait(lock, something);
      waited += std::chrono::steady_clock::now() - since;
    }
    if (jobs_.empty()) return false;
    Job& head = *jobs_.front();
    if (!head.text.empty()) {
      block_ = std::move(head.text.front());
      head.text.pop_front();
      text_of_head_ += block_.size;
      balance(waited);
      return true;
    }
    if (head.fault) std::rethrow_exception(head.fault);
    text_of_jobs_ += std::exchange(text_of_head_, 0);
    jobs_.pop_front();
    --started_;
    text_room_.notify_all();  // there is another head
  }
}

// Counts a block for which the reader has waited so long, and now and then changes the number of
// decoders: one more when it goes on waiting half the time, one less when it has long not waited at
// all.
// Called with the mutex held.
void FrameParallelSource::balance(std::chrono::nanoseconds waited) {
  window_waited_ += waited;
  if (++window_blocks_ < kWindowBlocks) return;
  const auto now = std::chrono::steady_clock::now();
  const auto elapsed = now - window_begin_;
  const bool waits = 2 * window_waited_ > elapsed;
  const bool calm = 100 * window_waited_ < elapsed;
  window_begin_ = now;
  window_waited_ = std::chrono::nanoseconds{0};
  window_blocks_ = 0;
  calm_windows_ = calm ? calm_windows_ + 1 : 0;
  if (waits && waited_before_ && !wide_ && wanted_ < threads_) {
    ++wanted_;
    try {
      if (crew_.size() <= wanted_) crew_.emplace_back([this] { decode_jobs(); });
    } catch (const std::system_error&) {
      --wanted_;  // no more threads to be had
    }
    coded_ready_.notify_all();
    coded_room_.notify_one();
    text_room_.notify_all();
  } else if (calm_windows_ >= kCalmWindows && wanted_ > 1) {
    --wanted_;
    calm_windows_ = 0;
  }
  waited_before_ = waits;
}

std::size_t FrameParallelSource::read(std::span<char> into) {
  if (into.empty() || ended_) return 0;
  if (fault_) std::rethrow_exception(fault_);
  try {
    if (!begun_) start();
    if (at_ == block_.size) {
      at_ = 0;
      ended_ = !next_block();
      if (ended_) return 0;
    }
  } catch (const DecodeError& error) {
    // The decoder of the head knows nothing of the text before its job.
    fault_ = std::make_exception_ptr(error.behind(name_, text_of_jobs_));
    std::rethrow_exception(fault_);
  } catch (...) {
    fault_ = std::current_exception();
    throw;
  }
  const std::size_t count = std::min(into.size(), block_.size - at_);
  std::memcpy(into.data(), block_.bytes.data() + at_, count);
  at_ += count;
  return count;
}

}  // namespace cuarbiter
