// An ordered pipeline: batches are produced one after the other, worked on by many threads, and
// consumed in the order of production. Whatever the number of threads, the consumer is given the
// same batches in the same order, so output written there is byte-identical.
//
// There are no threads but the workers. They take turns to produce: who has nothing to do fills the
// next batch and works on it, while it is in its CPU's cache. Where producing is much work, only
// its begin needs the turn, and its end the order; what lies between goes on for several batches at
// once. Who has worked on the batch that is next in order consumes it, and those behind it that
// wait in a ring of slots. Then batches are used again, best by the worker that had them last.
// Memory is bounded by the number of slots.
#pragma once

#include <atomic>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
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

// What has become of a batch that was to be begun.
enum class Begun : std::uint8_t {
  yes,
  not_yet,  // only when all batches begun before are complete; then it is asked for again
  end,      // there is none, nor will there be
};

// A producer in three steps, for run_ordered_pipeline.
template <class P, class Batch>
concept StepwiseProducer = requires(P& p, Batch& batch) {
  { p.begin(batch) } -> std::same_as<Begun>;
  p.prepare(batch);
  p.complete(batch);
};

namespace pipeline_parts {

// What is waited for here mostly comes in a few microseconds. A thread that sleeps is woken on the
// CPU of the one before it, and the two share it until the kernel finds that another one is idle,
// which may take 30 ms. So threads offer their CPU for so many times before they sleep.
inline constexpr int kYields = 200;

inline std::unique_lock<std::mutex> lock_soon(std::mutex& mutex) {
  for (int i = 0; i < kYields; ++i) {
    if (mutex.try_lock()) return {mutex, std::adopt_lock};
    std::this_thread::yield();
  }
  return std::unique_lock(mutex);
}

// The shared state of one run. Slot `sequence % slots` holds batch number `sequence`.
template <class Batch>
class PipelineRing {
 public:
  PipelineRing(std::size_t slots, std::size_t most_weight)
      : slots_(slots), most_weight_(most_weight) {}

  // Produces the next batch; null when there is none, or the run has been stopped. What the
  // producer throws ends production.
  template <class Producer>
  Batch* take_next(unsigned worker, std::uint64_t& sequence, Producer& producer) {
    Pooled* const pooled = begin_next(worker, sequence, producer);
    if (pooled == nullptr) return nullptr;
    if constexpr (StepwiseProducer<Producer, Batch>) {
      if (!complete(pooled->batch, sequence, producer)) return nullptr;
    }
    return &pooled->batch;
  }
  // Tells that a batch was worked on, or what its worker threw. Batches that come next in order are
  // consumed, unless another worker is at it, who then finds this one too.
  template <class Consume>
  void end_work(std::uint64_t sequence, std::exception_ptr error, Consume&& consume) {
    std::unique_lock lock = lock_soon(mutex_);
    slot(sequence).error = std::move(error);
    slot(sequence).done = true;
    if (consuming_) return;
    consuming_ = true;
    while (!stopped_ && consumed_ < begun_ && slot(consumed_).done) {
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
      changed_.notify_all();
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
      const std::unique_lock lock = lock_soon(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
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

  // With the turn: the next batch, filled by a producer of one step, else only begun.
  template <class Producer>
  Pooled* begin_next(unsigned worker, std::uint64_t& sequence, Producer& producer) {
    const std::unique_lock turn = lock_soon(turn_);
    std::exception_ptr error;
    try {
      for (;;) {
        if (!wait_for_slot()) return nullptr;
        Pooled& pooled = free_batch(worker);
        Begun begun = Begun::end;
        if constexpr (StepwiseProducer<Producer, Batch>) {
          begun = producer.begin(pooled.batch);
        } else {
          begun = producer(pooled.batch) ? Begun::yes : Begun::end;
        }
        if (begun == Begun::yes) {
          sequence = add_batch(pooled, !StepwiseProducer<Producer, Batch>);
          return &pooled;
        }
        const std::unique_lock lock = lock_soon(mutex_);
        free_.push_back(&pooled);
        if (begun == Begun::end) break;
        wait_for_complete_ = true;
      }
    } catch (...) {
      error = std::current_exception();
    }
    const std::unique_lock lock = lock_soon(mutex_);
    finished_ = true;
    // What stands before is still worked on, and may fail as well.
    if (error && !failure_) failure_ = std::move(error);
    return nullptr;
  }
  // Prepares the batch, and completes it when those before are complete; false when it has failed
  // or one before has.
  template <class Producer>
  bool complete(Batch& batch, std::uint64_t sequence, Producer& producer) {
    std::exception_ptr error;
    try {
      producer.prepare(batch);
    } catch (...) {
      error = std::current_exception();
    }
    if (!wait_for_turn(sequence)) return false;
    try {
      if (!error) producer.complete(batch);
    } catch (...) {
      error = std::current_exception();
    }
    {
      const std::unique_lock lock = lock_soon(mutex_);
      if (error) {
        broken_ = finished_ = true;
        if (!stopped_) failure_ = error;
      } else {
        slot(sequence).weight = weight_of(batch);
        weight_ += slot(sequence).weight;
        ++complete_;
      }
    }
    changed_.notify_all();
    return !error;
  }

  // A batch that is not in use: the last one given back of those that were this worker's, or of all
  // of them, or a new one. Called by who has the turn, as are the next two.
  Pooled& free_batch(unsigned worker) {
    const std::unique_lock lock = lock_soon(mutex_);
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
    std::unique_lock lock = lock_soon(mutex_);
    changed_.wait(lock, [&] {
      if (stopped_ || finished_) return true;
      if (wait_for_complete_ && complete_ != begun_) return false;
      return begun_ == consumed_ || (begun_ - consumed_ < slots_.size() && is_light());
    });
    wait_for_complete_ = false;
    return !stopped_ && !finished_;
  }
  std::uint64_t add_batch(Pooled& pooled, bool is_complete) {
    const std::unique_lock lock = lock_soon(mutex_);
    Slot& added = slot(begun_);
    added.error = nullptr;
    added.pooled = &pooled;
    added.weight = is_complete ? weight_of(pooled.batch) : 0;
    added.done = false;
    weight_ += added.weight;
    if (is_complete) ++complete_;
    return begun_++;
  }
  // Until all batches before this one are complete, and not too heavy together; false when that
  // will not be.
  bool wait_for_turn(std::uint64_t sequence) {
    // The turn mostly comes in a few microseconds. Who sleeps is woken on the CPU of the one
    // before, and the two share it until somebody finds that another one is idle: for up to 30 ms.
    for (int i = 0; i < kYields && complete_.load() != sequence; ++i) std::this_thread::yield();
    std::unique_lock lock = lock_soon(mutex_);
    changed_.wait(lock, [&] {
      if (stopped_ || broken_) return true;
      return complete_ == sequence && (consumed_ == sequence || is_light());
    });
    return !stopped_ && !broken_;
  }
  bool is_light() const { return weight_ <= most_weight_; }

  Slot& slot(std::uint64_t sequence) { return slots_[sequence % slots_.size()]; }

  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<Pooled>> pool_;  // all batches
  std::vector<Pooled*> free_;                  // those not in use, as they were given back
  std::size_t most_weight_;
  std::size_t weight_ = 0;  // of the batches complete and not consumed
  std::mutex turn_;         // to begin a batch; taken before mutex_
  std::mutex mutex_;
  std::condition_variable changed_;
  // Batches so far. The first changes with the turn only; a producer of one step completes at once.
  std::uint64_t begun_ = 0, consumed_ = 0;
  std::atomic<std::uint64_t> complete_{0};
  bool wait_for_complete_ = false;  // before the next is begun
  bool finished_ = false;           // no further batch is begun
  bool broken_ = false;             // none is completed
  bool stopped_ = false;            // none is consumed
  bool consuming_ = false;          // a worker is
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

}  // namespace pipeline_parts

// Runs batches through three stages and returns when the last one is consumed:
//   bool produce(Batch&)                  fills the batch, false at the end (the batch is unused
//                                         then); called on one thread at a time, not always the
//                                         same, and not again after the end;
//   void work(Batch&, unsigned worker)    called on `threads` threads at once, worker 0..threads-1,
//                                         each with another batch, worker 0 the calling one;
//   void consume(Batch&)                  called on one of them at a time, in order of production.
// In place of the first there may be an object of three steps that the same thread takes with a
// batch:
//   Begun begin(Batch&)                   on one thread at a time; what it begins first is first in
//                                         the order of production;
//   void prepare(Batch&)                  on any number of threads, each with another batch;
//   void complete(Batch&)                 on one thread at a time, in order of production.
// begin() and complete() may be called at the same time, for different batches.
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
    const auto next = [&] {
      if constexpr (StepwiseProducer<std::remove_cvref_t<Produce>, Batch>) {
        // All batches before are complete.
        if (produce.begin(batch) != Begun::yes) return false;
        produce.prepare(batch);
        produce.complete(batch);
        return true;
      } else {
        return produce(batch);
      }
    };
    while (next()) {
      work(batch, 0u);
      consume(batch);
    }
    return;
  }
  const std::size_t slots = options.slots == 0 ? std::size_t{2} * threads + 2 : options.slots;
  pipeline_parts::PipelineRing<Batch> ring(slots, options.most_weight);
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
  pipeline_parts::PipelineThreads<Batch> crew(ring);
  for (unsigned worker = 1; worker < threads; ++worker) {
    crew.start([&work_on, worker] { work_on(worker); });
  }
  work_on(0);
  crew.join();
  ring.rethrow();
}

}  // namespace cuarbiter
