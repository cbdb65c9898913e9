// An ordered pipeline: batches are produced one after the other, worked on by many threads, and
// consumed in the order of production. Whatever the number of threads, the consumer is given the
// same batches in the same order, so output written there is byte-identical.
//
// There are no threads but the workers. They take turns to produce: who has nothing to do fills the
// next batch and works on it, while it is in its CPU's cache. Who has worked on the batch that is
// next in order consumes it, and those behind it that wait in a ring of slots. Then batches are
// used again, best by the worker that had them last. Memory is bounded by the number of slots.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace cuarbiter {

struct PipelineOptions {
  unsigned threads = 1;   // workers; 0 counts as 1
  std::size_t slots = 0;  // batches alive at once; 0: two a worker and two more
  // No batch is begun while those alive weigh more. Counts where the batch has a member weight(),
  // asked for once it is filled. One batch is always allowed.
  std::size_t most_weight = SIZE_MAX;
};

namespace detail {

// The shared state of one run. Slot `sequence % slots` holds batch number `sequence`.
template <class Batch>
class PipelineRing {
 public:
  PipelineRing(std::size_t slots, std::size_t most_weight)
      : slots_(slots), most_weight_(most_weight) {}

  // Fills the next batch by `produce`, one worker at a time; null when there is none, or the run
  // has been stopped. What produce throws ends production.
  template <class Produce>
  Batch* take_next(unsigned worker, std::uint64_t& sequence, Produce&& produce) {
    const std::lock_guard turn(turn_);
    if (!wait_for_slot()) return nullptr;
    Pooled& pooled = free_batch(worker);
    std::exception_ptr error;
    try {
      if (produce(pooled.batch)) {
        sequence = begin_batch(pooled);
        return &pooled.batch;
      }
    } catch (...) {
      error = std::current_exception();
    }
    finish(std::move(error));
    return nullptr;
  }
  // Tells that a batch was worked on, or what its worker threw. Batches that come next in order are
  // consumed, unless another worker is at it, who then finds this one too.
  template <class Consume>
  void end_work(std::uint64_t sequence, std::exception_ptr error, Consume&& consume) {
    std::unique_lock lock(mutex_);
    slot(sequence).error = std::move(error);
    slot(sequence).done = true;
    if (consuming_) return;
    consuming_ = true;
    while (!stopped_ && consumed_ < produced_ && slot(consumed_).done) {
      Slot& next = slot(consumed_);
      std::exception_ptr failure = std::move(next.error);
      if (!failure) {
        lock.unlock();
        try {
          consume(next.pooled->batch);
        } catch (...) {
          failure = std::current_exception();
        }
        lock.lock();
      }
      if (failure) {
        failure_ = std::move(failure);
        stopped_ = true;
      } else {
        weight_ -= next.weight;
        free_.push_back(next.pooled);
        ++consumed_;
      }
      space_.notify_one();
    }
    consuming_ = false;
  }

  // Once no worker is busy: throws what the first stage in order has thrown, if any.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  // Sends the workers home after what they are doing now.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    space_.notify_one();
  }

 private:
  struct Pooled {
    Batch batch;
    unsigned worker = 0;  // that had it last
  };
  struct Slot {
    Pooled* pooled = nullptr;
    bool done = false;
    std::exception_ptr error;
    std::size_t weight = 0;
  };

  static std::size_t weight_of(const Batch& batch) {
    if constexpr (requires { batch.weight(); }) {
      return batch.weight();
    } else {
      return 0;
    }
  }

  // A batch that is not in use: the last one given back of those that were this worker's, or of all
  // of them, or a new one. Called by who has the turn, as are the next three.
  Pooled& free_batch(unsigned worker) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      pool_.push_back(std::make_unique<Pooled>());
      free_.push_back(pool_.back().get());
    }
    std::size_t chosen = free_.size() - 1;
    for (std::size_t i = free_.size(); i-- > 0;) {
      if (free_[i]->worker != worker) continue;
      chosen = i;
      break;
    }
    Pooled& pooled = *free_[chosen];
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(chosen));
    pooled.worker = worker;
    return pooled;
  }
  // False when no more is to be produced.
  bool wait_for_slot() {
    std::unique_lock lock(mutex_);
    space_.wait(lock, [&] {
      if (stopped_ || finished_ || produced_ == consumed_) return true;
      return produced_ - consumed_ < slots_.size() && weight_ <= most_weight_;
    });
    return !stopped_ && !finished_;
  }
  std::uint64_t begin_batch(Pooled& pooled) {
    const std::lock_guard lock(mutex_);
    Slot& filled = slot(produced_);
    filled.error = nullptr;
    filled.pooled = &pooled;
    filled.weight = weight_of(pooled.batch);
    filled.done = false;
    weight_ += filled.weight;
    return produced_++;
  }
  // No batch follows; `error` is what ended production early, null for the true end. It counts
  // unless a batch before fails.
  void finish(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    if (error && !failure_) failure_ = std::move(error);
  }

  Slot& slot(std::uint64_t sequence) { return slots_[sequence % slots_.size()]; }

  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<Pooled>> pool_;  // all batches
  std::vector<Pooled*> free_;                  // those not in use, as they were given back
  std::size_t most_weight_;
  std::size_t weight_ = 0;  // of the batches produced and not consumed
  std::mutex turn_;         // to produce; taken before mutex_
  std::mutex mutex_;
  std::condition_variable space_;              // who has the turn waits for it
  std::uint64_t produced_ = 0, consumed_ = 0;  // the first changes with the turn only
  bool finished_ = false, stopped_ = false;
  bool consuming_ = false;  // a worker is
  std::exception_ptr failure_;
};

// The workers beside the calling thread; joins them on the way out, however that is taken.
template <class Batch>
class PipelineThreads {
 public:
  explicit PipelineThreads(PipelineRing<Batch>& ring) : ring_(ring) {}
  PipelineThreads(const PipelineThreads&) = delete;
  PipelineThreads& operator=(const PipelineThreads&) = delete;
  ~PipelineThreads() {
    ring_.stop();
    join();
  }
  template <class F>
  void start(F&& f) {
    threads_.emplace_back(std::forward<F>(f));
  }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  PipelineRing<Batch>& ring_;
  std::vector<std::thread> threads_;
};

}  // namespace detail

// Runs batches through three stages and returns when the last one is consumed:
//   bool produce(Batch&)                  fills the batch, false at the end (the batch is unused
//                                         then); called on one thread at a time, not always the
//                                         same, and not again after the end;
//   void work(Batch&, unsigned worker)    called on `threads` threads at once, worker 0..threads-1,
//                                         each with another batch, worker 0 the calling one;
//   void consume(Batch&)                  called on one of them at a time, in order of production.
// Batches are default-constructed, no more than there are slots, and used again: produce gets one
// with its former content. With one thread everything runs on the calling thread, batch by batch.
//
// Exceptions reach the caller. One thrown by produce arrives after all batches before it were
// consumed; one thrown by work, after all batches before its own; so what has been consumed by then
// does not depend on timing. One thrown by consume arrives as soon as the other stages have
// finished what they are doing: a produce that blocks for ever delays it for ever.
template <class Batch, class Produce, class Work, class Consume>
void run_ordered_pipeline(const PipelineOptions& options, Produce&& produce, Work&& work,
                          Consume&& consume) {
  const unsigned threads = options.threads == 0 ? 1 : options.threads;
  if (threads == 1) {
    Batch batch;
    while (produce(batch)) {
      work(batch, 0u);
      consume(batch);
    }
    return;
  }
  const std::size_t slots = options.slots == 0 ? std::size_t{2} * threads + 2 : options.slots;
  detail::PipelineRing<Batch> ring(slots, options.most_weight);
  const auto work_on = [&](unsigned worker) {
    std::uint64_t sequence = 0;
    while (Batch* const batch = ring.take_next(worker, sequence, produce)) {
      std::exception_ptr error;
      try {
        work(*batch, worker);
      } catch (...) {
        error = std::current_exception();
      }
      ring.end_work(sequence, std::move(error), consume);
    }
  };
  detail::PipelineThreads<Batch> crew(ring);
  for (unsigned worker = 1; worker < threads; ++worker) {
    crew.start([&work_on, worker] { work_on(worker); });
  }
  work_on(0);
  crew.join();
  ring.rethrow();
}

}  // namespace cuarbiter
