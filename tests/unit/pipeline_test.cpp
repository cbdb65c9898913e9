// The ordered pipeline: order, bounds, reuse of batches, and where exceptions of each stage arrive.
#include "host/batch/ordered_pipeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace cuarbiter {
namespace {

struct Batch {
  std::uint64_t number = 0;
  std::uint64_t answer = 0;
  unsigned uses = 0;
};

class OrderedPipeline : public testing::TestWithParam<unsigned> {
 protected:
  PipelineOptions options(std::size_t slots = 0) const { return {GetParam(), slots}; }
};

TEST_P(OrderedPipeline, ConsumesEveryBatchInOrder) {
  for (const std::uint64_t total : {0u, 1u, 2u, 31u, 1000u}) {
    for (const std::size_t slots : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
      std::uint64_t next = 0;
      std::vector<std::uint64_t> seen;
      run_ordered_pipeline<Batch>(
          options(slots),
          [&](Batch& batch) {
            if (next == total) return false;
            batch.number = next++;
            batch.answer = 0;
            return true;
          },
          [](Batch& batch, unsigned) {
            if (batch.number % 7 == 0) std::this_thread::yield();
            batch.answer = batch.number * batch.number;
          },
          [&](Batch& batch) {
            EXPECT_EQ(batch.answer, batch.number * batch.number);
            seen.push_back(batch.number);
          });
      ASSERT_EQ(seen.size(), total);
      for (std::uint64_t i = 0; i < total; ++i) ASSERT_EQ(seen[i], i);
    }
  }
}

// Workers take turns to produce.
TEST_P(OrderedPipeline, ProducesOneBatchAtATimeAndNoneAfterTheEnd) {
  for (const bool throws : {false, true}) {
    std::atomic<int> producing{0};
    int calls = 0, consumed = 0;  // guarded by the turns alone
    bool ended = false;
    const auto run = [&] {
      run_ordered_pipeline<Batch>(
          options(),
          [&](Batch&) {
            EXPECT_EQ(++producing, 1);
            EXPECT_FALSE(ended);
            std::this_thread::yield();
            --producing;
            ended = ++calls == 300;
            if (ended && throws) throw std::runtime_error("end");
            return !ended;
          },
          [](Batch&, unsigned) {}, [&](Batch&) { ++consumed; });
    };
    if (throws) {
      EXPECT_THROW(run(), std::runtime_error);
    } else {
      run();
    }
    EXPECT_EQ(calls, 300);
    EXPECT_EQ(consumed, 299);
  }
}

TEST_P(OrderedPipeline, KeepsNoMoreBatchesThanSlots) {
  std::atomic<int> alive{0};
  std::atomic<int> most{0};
  int left = 200;
  run_ordered_pipeline<Batch>(
      options(4),
      [&](Batch&) {
        if (left-- == 0) return false;
        const int now = ++alive;
        int seen = most.load();
        while (now > seen && !most.compare_exchange_weak(seen, now)) {
        }
        return true;
      },
      [](Batch&, unsigned) { std::this_thread::yield(); }, [&](Batch&) { --alive; });
  EXPECT_EQ(alive.load(), 0);
  EXPECT_LE(most.load(), 4);
}

// Batches are made once and used again, and never by two at once.
TEST_P(OrderedPipeline, MakesNoMoreBatchesThanSlots) {
  static std::atomic<int> made;
  struct Counted {
    Counted() { ++made; }
    std::atomic<int> users{0};
    int number = 0;
  };
  made = 0;
  std::atomic<int> shared{0};
  int left = 500, expected = 0;
  run_ordered_pipeline<Counted>(
      options(4),
      [&](Counted& batch) {
        if (left-- == 0) return false;
        if (batch.users.fetch_add(1) != 0) ++shared;
        batch.number = 499 - left;
        return true;
      },
      [&](Counted& batch, unsigned) {
        if (batch.users.load() != 1) ++shared;
        std::this_thread::yield();
      },
      [&](Counted& batch) {
        EXPECT_EQ(batch.number, expected++);
        --batch.users;
      });
  EXPECT_EQ(expected, 500);
  EXPECT_EQ(shared.load(), 0);
  EXPECT_LE(made.load(), 4);
}

TEST_P(OrderedPipeline, HeavyBatchesWaitForEachOther) {
  struct Heavy {
    std::size_t pounds = 0;
    std::size_t weight() const { return pounds; }
  };
  std::atomic<std::size_t> alive{0};
  std::size_t most = 0, seen = 0;
  int left = 100;
  PipelineOptions limits = options(8);
  limits.most_weight = 10;
  run_ordered_pipeline<Heavy>(
      limits,
      [&](Heavy& batch) {
        if (left-- == 0) return false;
        batch.pounds = left % 3 == 0 ? 100 : 4;
        alive += batch.pounds;
        most = std::max(most, alive.load());
        return true;
      },
      [](Heavy&, unsigned) { std::this_thread::yield(); },
      [&](Heavy& batch) {
        alive -= batch.pounds;
        ++seen;
      });
  EXPECT_EQ(seen, 100u);
  // A batch is begun while others weigh 10 at most; it may weigh anything itself.
  EXPECT_LE(most, 110u);
}

TEST_P(OrderedPipeline, ReusesTheBatches) {
  int left = 100;
  unsigned most_uses = 0;
  run_ordered_pipeline<Batch>(
      options(2), [&](Batch&) { return left-- != 0; }, [](Batch& batch, unsigned) { ++batch.uses; },
      [&](Batch& batch) { most_uses = std::max(most_uses, batch.uses); });
  EXPECT_GE(most_uses, 50u);
}

TEST_P(OrderedPipeline, WorkersAreNumberedBelowTheThreadCount) {
  std::mutex mutex;
  std::set<unsigned> workers;
  int left = 100;
  run_ordered_pipeline<Batch>(
      options(), [&](Batch&) { return left-- != 0; },
      [&](Batch&, unsigned worker) {
        const std::lock_guard lock(mutex);
        workers.insert(worker);
      },
      [](Batch&) {});
  EXPECT_FALSE(workers.empty());
  EXPECT_LT(*workers.rbegin(), std::max(1u, GetParam()));
}

TEST_P(OrderedPipeline, ProducerErrorComesAfterEverythingProduced) {
  std::uint64_t next = 0;
  std::vector<std::uint64_t> seen;
  const auto run = [&] {
    run_ordered_pipeline<Batch>(
        options(),
        [&](Batch& batch) {
          if (next == 50) throw std::runtime_error("the input broke");
          batch.number = next++;
          return true;
        },
        [](Batch&, unsigned) {}, [&](Batch& batch) { seen.push_back(batch.number); });
  };
  EXPECT_THROW(run(), std::runtime_error);
  EXPECT_EQ(seen.size(), 50u);
}

TEST_P(OrderedPipeline, WorkerErrorComesAfterTheBatchesBeforeIt) {
  std::uint64_t next = 0;
  std::vector<std::uint64_t> seen;
  std::string message;
  try {
    run_ordered_pipeline<Batch>(
        options(),
        [&](Batch& batch) {
          batch.number = next++;
          return true;  // without end: the error must stop the producer
        },
        [](Batch& batch, unsigned) {
          if (batch.number >= 20 && batch.number % 5 == 0) {
            throw std::runtime_error("batch " + std::to_string(batch.number));
          }
        },
        [&](Batch& batch) { seen.push_back(batch.number); });
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "batch 20");
  EXPECT_EQ(seen.size(), 20u);
}

TEST_P(OrderedPipeline, ConsumerErrorStopsAnEndlessProducer) {
  std::uint64_t next = 0;
  std::uint64_t consumed = 0;
  const auto run = [&] {
    run_ordered_pipeline<Batch>(
        options(),
        [&](Batch& batch) {
          batch.number = next++;
          return true;
        },
        [](Batch&, unsigned) {},
        [&](Batch&) {
          if (++consumed == 10) throw std::invalid_argument("enough");
        });
  };
  EXPECT_THROW(run(), std::invalid_argument);
  EXPECT_EQ(consumed, 10u);
}

TEST_P(OrderedPipeline, SlowStagesDoNotChangeTheOrder) {
  std::uint64_t next = 0;
  std::vector<std::uint64_t> seen;
  run_ordered_pipeline<Batch>(
      options(2),
      [&](Batch& batch) {
        if (next == 12) return false;
        batch.number = next++;
        return true;
      },
      [](Batch& batch, unsigned) {
        if (batch.number % 3 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      },
      [&](Batch& batch) {
        if (batch.number % 4 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        seen.push_back(batch.number);
      });
  for (std::uint64_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i);
  EXPECT_EQ(seen.size(), 12u);
}

// A producer in three steps; numbers are told of each.
struct Steps {
  std::uint64_t total = 0;
  std::uint64_t begun = 0;              // only begin() uses it
  std::vector<std::uint64_t> complete;  // only complete() does
  std::atomic<std::uint64_t> prepared{0};
  std::uint64_t fails_at = UINT64_MAX;
  int failing_step = 0;

  Begun begin(Batch& batch) {
    if (begun == total) return Begun::end;
    fail(0, begun);
    batch.number = begun++;
    return Begun::yes;
  }
  void prepare(Batch& batch) {
    fail(1, batch.number);
    if (batch.number % 5 == 1) std::this_thread::sleep_for(std::chrono::microseconds(200));
    batch.answer = batch.number + 1;
    ++prepared;
  }
  void complete_batch(Batch& batch) {
    fail(2, batch.number);
    EXPECT_EQ(batch.answer, batch.number + 1);
    complete.push_back(batch.number);
  }
  void fail(int step, std::uint64_t number) const {
    if (step == failing_step && number == fails_at) throw std::runtime_error("step");
  }
};
// The steps by their names.
struct StepsProducer {
  Steps& steps;
  Begun begin(Batch& batch) { return steps.begin(batch); }
  void prepare(Batch& batch) { steps.prepare(batch); }
  void complete(Batch& batch) { steps.complete_batch(batch); }
};

TEST_P(OrderedPipeline, CompletesInTheOrderOfBegin) {
  for (const std::size_t slots : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    Steps steps;
    steps.total = 300;
    std::vector<std::uint64_t> seen;
    run_ordered_pipeline<Batch>(
        options(slots), StepsProducer{steps}, [](Batch& batch, unsigned) { batch.answer += 10; },
        [&](Batch& batch) {
          EXPECT_EQ(batch.answer, batch.number + 11);
          seen.push_back(batch.number);
        });
    ASSERT_EQ(seen.size(), 300u);
    for (std::uint64_t i = 0; i < 300; ++i) ASSERT_EQ(seen[i], i);
    EXPECT_EQ(steps.complete, seen);
  }
}

// Several are prepared at once: the first waits for another one, which must not wait for it.
TEST_P(OrderedPipeline, PreparesSeveralBatchesAtOnce) {
  if (GetParam() < 2) GTEST_SKIP() << "one thread does one thing after the other";
  struct Meeting {
    std::uint64_t begun = 0;
    std::atomic<bool> other_there{false};
    bool met = false;
    Begun begin(Batch& batch) {
      if (begun == 20) return Begun::end;
      batch.number = begun++;
      return Begun::yes;
    }
    void prepare(Batch& batch) {
      if (batch.number != 0) {
        other_there = true;
        return;
      }
      for (int i = 0; i < 5000 && !other_there; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      met = other_there;
    }
    void complete(Batch&) {}
  } meeting;
  std::uint64_t next = 0;
  run_ordered_pipeline<Batch>(
      options(), meeting, [](Batch&, unsigned) {},
      [&](Batch& batch) { EXPECT_EQ(batch.number, next++); });
  EXPECT_TRUE(meeting.met);
  EXPECT_EQ(next, 20u);
}

TEST_P(OrderedPipeline, ErrorsOfEachStepComeAfterEverythingBefore) {
  for (const int step : {0, 1, 2}) {
    for (const std::uint64_t at : {0u, 1u, 50u}) {
      Steps steps;
      steps.total = UINT64_MAX;  // without end: the error must stop it
      steps.failing_step = step;
      steps.fails_at = at;
      std::uint64_t seen = 0;
      const auto run = [&] {
        run_ordered_pipeline<Batch>(
            options(), StepsProducer{steps}, [](Batch&, unsigned) {},
            [&](Batch& batch) { EXPECT_EQ(batch.number, seen++); });
      };
      EXPECT_THROW(run(), std::runtime_error) << step;
      EXPECT_EQ(seen, at) << step;
    }
  }
}

TEST_P(OrderedPipeline, AWorkerErrorStopsStepsWithoutEnd) {
  Steps steps;
  steps.total = UINT64_MAX;
  std::uint64_t seen = 0;
  const auto run = [&] {
    run_ordered_pipeline<Batch>(
        options(), StepsProducer{steps},
        [](Batch& batch, unsigned) {
          if (batch.number >= 20) throw std::runtime_error("worker");
        },
        [&](Batch&) { ++seen; });
  };
  EXPECT_THROW(run(), std::runtime_error);
  EXPECT_EQ(seen, 20u);
}

// A batch that cannot be begun as long as others are under way is begun after them.
TEST_P(OrderedPipeline, BeginsNothingUntilAllAreComplete) {
  struct Pauses {
    std::uint64_t begun = 0;
    std::atomic<std::uint64_t> complete_count{0};
    std::atomic<int> refused{0};
    Begun begin(Batch& batch) {
      if (begun == 200) return Begun::end;
      if (begun % 10 == 0 && complete_count != begun) {
        ++refused;
        return Begun::not_yet;
      }
      batch.number = begun++;
      return Begun::yes;
    }
    void prepare(Batch&) { std::this_thread::yield(); }
    void complete(Batch& batch) {
      EXPECT_EQ(batch.number, complete_count.load());
      ++complete_count;
    }
  } pauses;
  std::uint64_t seen = 0;
  run_ordered_pipeline<Batch>(
      options(), pauses, [](Batch&, unsigned) {},
      [&](Batch& batch) { EXPECT_EQ(batch.number, seen++); });
  EXPECT_EQ(seen, 200u);
  // Once for each pause at most: it is asked again when all are complete.
  EXPECT_LE(pauses.refused.load(), 20);
}

TEST_P(OrderedPipeline, HeavyBatchesOfStepsWaitForEachOther) {
  struct Heavy {
    std::size_t pounds = 0;
    std::size_t weight() const { return pounds; }
  };
  struct Producer {
    int left = 100;
    int complete_count = 0;
    std::atomic<std::size_t> alive{0};
    std::size_t most = 0;
    Begun begin(Heavy&) { return left-- == 0 ? Begun::end : Begun::yes; }
    void prepare(Heavy& batch) { batch.pounds = 0; }
    void complete(Heavy& batch) {
      batch.pounds = complete_count++ % 3 == 0 ? 100 : 4;
      alive += batch.pounds;
      most = std::max(most, alive.load());
    }
  } producer;
  PipelineOptions limits = options(8);
  limits.most_weight = 10;
  std::size_t seen = 0;
  run_ordered_pipeline<Heavy>(
      limits, producer, [](Heavy&, unsigned) { std::this_thread::yield(); },
      [&](Heavy& batch) {
        producer.alive -= batch.pounds;
        ++seen;
      });
  EXPECT_EQ(seen, 100u);
  EXPECT_LE(producer.most, 110u);
}

INSTANTIATE_TEST_SUITE_P(Threads, OrderedPipeline, testing::Values(0u, 1u, 2u, 3u, 8u),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace cuarbiter
